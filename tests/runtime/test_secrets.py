"""No secret, and no argument, in what an error, a log or a repr shows."""

from __future__ import annotations

import logging
import pickle
import traceback
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    ClosedError,
    ConfigError,
    DeadlineError,
    Fault,
    InputRequiredError,
    InvalidArgumentsError,
    LimitError,
    McpError,
    ProtocolError,
    ToolNotFoundError,
    TransportError,
    printable,
)
from mcp_bindgen.runtime.json_values import kind_of
from mcp_bindgen.runtime.results import ToolError, ToolResult, UnexpectedResultError

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile

SECRET = "s3cr3t-v4lue"
ACTS = [
    *("silence", "html", "big_promise", "breaks_once", "nan", "forbidden"),
    *("wants_token", "redirect-301-30", "unknown_tool", "forgets_always"),
    *("session_long", "sse_unfinished", "busy_always", "bad_utf8", "input_required"),
]


def texts_of(error: BaseException) -> str:
    """Return all that can be read off an error and those behind it."""
    parts = ["".join(traceback.format_exception(error))]
    each: BaseException | None = error
    while each is not None:
        parts += [str(each), repr(each), repr(each.args), repr(each.__dict__)]
        if isinstance(each, McpError):
            parts.append(pickle.dumps(each).decode("latin-1"))
        each = each.__cause__ or each.__context__
    return "\n".join(parts)


@pytest.mark.parametrize("act", ACTS)
def test_no_secret_shows(
    act: str, driver: Driver, hostile: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = hostile.url(act) + f"?key={SECRET}"
    reprs: list[str] = []

    async def work(client: Any) -> None:
        reprs.append(repr(client))
        reprs.append(repr(client._transport))
        await client.call_tool("tool", {"password": SECRET})

    with pytest.raises(McpError) as caught:
        driver.http(
            url,
            work,
            timeout=1,
            retries=0,
            token=SECRET,
            headers={"x-api-key": SECRET, "cookie": f"id={SECRET}"},
        )
    assert SECRET not in texts_of(caught.value)
    assert SECRET not in "".join(reprs)
    assert SECRET not in caplog.text
    assert "session-1" not in caplog.text


@pytest.mark.parametrize("way", ["alone", "auth", "own"])
@pytest.mark.parametrize("act", ["cookie", "forgets"])
def test_httpx_logs_no_secret_of_ours(
    act: str,
    way: str,
    driver: Driver,
    hostile: Hostile,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    kind: Any = httpx.Client if driver.blocking else httpx.AsyncClient
    own = kind()
    options: dict[str, Any] = {
        "alone": {},
        "auth": {"auth": httpx.BasicAuth("user", SECRET)},
        "own": {"http": own},
    }[way]
    url = hostile.url(act) + f"?key={SECRET}"
    headers = {"x-api-key": SECRET}

    async def work(client: Any) -> None:
        assert (await client.call_tool("tool", {})).text == "done"
        await client.close()
        if way == "own":
            closed = own.close() if driver.blocking else await own.aclose()
            assert closed is None

    driver.http(url, work, headers=headers, **options)
    for secret in (SECRET, "session-", "node=a"):
        assert secret not in caplog.text
    assert "receive_response_headers.complete" in caplog.text
    assert "200, b'OK'" in caplog.text
    assert (way == "alone") or f"POST {hostile.base}/... " in caplog.text


@pytest.mark.parametrize("name", ["hpack.hpack", "hpack.table"])
def test_http2_logs_no_header_field_of_ours(
    name: str, driver: Driver, hostile: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    """Their own client speaks HTTP/2 as far as its logs can tell."""
    caplog.set_level(logging.DEBUG)
    kind: Any = httpx.Client if driver.blocking else httpx.AsyncClient
    own = kind()

    def compress(request: httpx.Request) -> None:
        for field in request.headers.items():
            logging.getLogger(name).debug("Adding %s to the header table", field)

    async def compress_async(request: httpx.Request) -> None:
        compress(request)

    own.event_hooks = {"request": [compress if driver.blocking else compress_async]}

    async def work(client: Any) -> None:
        assert (await client.call_tool("tool", {})).text == "done"
        await client.close()
        closed = own.close() if driver.blocking else await own.aclose()
        assert closed is None

    driver.http(hostile.url("good"), work, http=own, token=SECRET)
    assert "Adding" not in caplog.text
    compress(httpx.Request("GET", "http://theirs", headers={"x": "theirs"}))
    assert "theirs" in caplog.text


def test_what_others_log_is_left_alone(
    hostile: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    BaseClient.http(hostile.url("good")).close()
    httpx.get(hostile.url("good") + "?key=theirs")
    assert "?key=theirs" in caplog.text
    assert "(b'Content-Type'" in caplog.text.replace("content-type", "Content-Type")


def test_a_client_is_not_pickled(driver: Driver) -> None:
    client = driver.client.http("http://127.0.0.1:9/", token=SECRET)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(client)


RESULT = ToolResult.from_wire({"content": [{"type": "text", "text": "no\x1b[31m\n"}]})
ERRORS: list[McpError] = [
    McpError("m", hint="h"),
    ConfigError("m"),
    TransportError("m", status=500, retry_after=1.0, transient=True),
    DeadlineError("m", outcome="not sent"),
    LimitError("m"),
    ClosedError("m"),
    AuthError(401, {"error": "invalid_token", "scope": "read"}),
    AuthError(403, {}),
    ProtocolError(-1, "m", {"a": 1}),
    ToolNotFoundError(-32602, "Unknown tool: x"),
    InputRequiredError({"who": {"method": "elicitation/create"}}),
    ToolError("tool", RESULT),
    InvalidArgumentsError("tool", [Fault("/a", "type", "m", "a string")]),
    UnexpectedResultError("tool", RESULT, [Fault("", "r", "m")] * 20),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_errors_survive_pickling(error: McpError) -> None:
    error.server = "https://h"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert repr(again) == repr(error)
    assert again.outcome == error.outcome
    assert vars(again).keys() == vars(error).keys()


def test_what_an_error_tells() -> None:
    error = ToolError("a\x1b[0m", RESULT)
    error.server = "https://h"
    assert str(error) == "a\\x1b[0m: no\\x1b[31m\\n (https://h)"
    assert error.result.text == "no\x1b[31m\n"
    assert "and 12 more" in str(ERRORS[-1])
    assert "\n  /a: m (got: a string)" in str(ERRORS[-2])
    assert str(ToolError("t", ToolResult())) == "t: the tool reports an error"
    assert isinstance(ERRORS[1], ValueError)
    assert isinstance(ERRORS[3], TimeoutError)


def test_foreign_text_is_escaped_and_capped() -> None:
    assert printable("caf\u00e9\u202e\\\n\x00") == "caf\\xe9\\u202e\\\\\\n\\x00"
    assert printable("x" * 5000).endswith("... [3000 more characters]")
    assert printable("\ud800") == "\\ud800"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("abc", "a string of 3 characters"),
        ([1], "an array of 1 element"),
        ({}, "an object of 0 members"),
        (None, "null"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        (object(), "a value of type object"),
    ],
)
def test_kinds_of_values(value: object, kind: str) -> None:
    assert kind_of(value) == kind
