"""What a hostile server may do at run time: the table of threats, row by row."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.errors import (
    InputRequiredError,
    LimitError,
    ProtocolError,
    ToolNotFoundError,
    TransportError,
)

from tests.runtime.acts.plain import FOLLOWED, REDIRECTS
from tests.runtime.acts.texts import BODIES

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile

MALFORMED = sorted({*BODIES, "bad_utf8", "accepted", "html"})
GOOD_STREAMS = [
    *("sse_cr", "sse_crlf", "sse_bom", "sse_split", "sse_many_lines", "sse_noise"),
    *("sse_two", "asks_modern"),
]
TOO_LARGE = ["big_body", "big_promise", "big_line", "big_event", "many_events"]
BROKEN = ["big_header", "chunk_extensions", "gzip_bomb", "deflate_bomb"]


def memory() -> int:
    """Return the peak of this process's memory, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("act", sorted({*REDIRECTS} - {*FOLLOWED}))
def test_no_other_redirect_is_followed(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url(act)
    with pytest.raises(TransportError, match=r"redirects to .*HTTP 30") as caught:
        driver.call(url)
    assert len(hostile.log(url)) == 1
    assert caught.value.outcome == "not sent"  # the handshake was turned away


@pytest.mark.parametrize("act", FOLLOWED)
def test_a_redirect_within_the_server_is_followed(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    async def work(client: Any) -> Any:
        await client.call_tool("tool", {})
        return await client.call_tool("tool", {})

    url = hostile.url(act)
    assert driver.http(url, work).text == "done"
    assert len(hostile.log(url)) == 1  # further requests go to the new place


@pytest.mark.parametrize("act", TOO_LARGE)
def test_too_large_an_answer(act: str, driver: Driver, hostile: Hostile) -> None:
    before = memory()
    with pytest.raises(LimitError):
        driver.call(hostile.url(act))
    assert memory() - before < 100 * 1024 * 1024


@pytest.mark.parametrize("act", BROKEN)
def test_bombs(act: str, driver: Driver, hostile: Hostile) -> None:
    before = memory()
    with pytest.raises(TransportError):
        driver.call(hostile.url(act), timeout=20)
    assert memory() - before < 100 * 1024 * 1024


@pytest.mark.parametrize("act", MALFORMED)
def test_malformed_answers(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(TransportError) as caught:
        driver.call(hostile.url(act))
    assert caught.value.outcome in ("unknown", "ran")
    assert caught.value.tool == "tool"


@pytest.mark.parametrize("act", GOOD_STREAMS)
def test_event_streams(act: str, driver: Driver, hostile: Hostile) -> None:
    result = driver.call(hostile.url(act))
    if act == "sse_split":
        assert result.raw["x"] == "caf\u00e9 \u2028 \u0085 \U0001f600"
    else:
        assert result.text == "done"


def test_a_stream_that_ends_early_leaves_doubt(
    driver: Driver, hostile: Hostile
) -> None:
    with pytest.raises(TransportError, match="may have run") as caught:
        driver.call(hostile.url("sse_unfinished"))
    assert caught.value.outcome == "unknown"


def test_only_a_call_of_a_tool_leaves_doubt() -> None:
    error = TransportError("the stream ended", outcome="unknown")
    assert str(error) == "the stream ended"
    error.tool = "add"
    assert str(error) == "add: the stream ended; the call may have run"


@pytest.mark.parametrize("act", ["website", "not_found"])
def test_what_is_no_mcp_server(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(TransportError) as caught:
        driver.call(hostile.url(act))
    assert "127.0.0.1" in str(caught.value)


@pytest.mark.parametrize("act", ["session_newline", "session_long", "session_unicode"])
def test_hostile_session_ids(act: str, driver: Driver, hostile: Hostile) -> None:
    url = hostile.url(act)
    with pytest.raises(TransportError, match="session id"):
        driver.call(url)
    assert hostile.methods(url) == ["server/discover", "initialize"]


def test_server_requests_are_refused(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("asks_first")
    assert driver.call(url).text == "done"
    answers = [m["message"] for m in hostile.log(url) if "method" not in m["message"]]
    by_id = {m["id"]: m for m in answers if m}
    assert by_id["s1"]["error"]["code"] == -32601
    assert by_id["s2"]["result"] == {}
    assert by_id["s3"]["error"]["code"] == -32601


def test_elicitation_goes_to_the_handler(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("asks_first")
    accepted = {"action": "accept", "content": {"name": "bob"}}

    def answer(params: object) -> object:
        return accepted if params == {"message": "who?"} else None

    assert driver.call(url, on_elicit=answer).text == "done"
    answers = {m["message"].get("id"): m["message"] for m in hostile.log(url)}
    assert answers["s3"]["result"] == accepted


def test_a_modern_server_asks_for_input(driver: Driver, hostile: Hostile) -> None:
    questions: list[object] = []

    def answer(params: object) -> object:
        questions.append(params)
        return {"action": "decline"}

    url = hostile.url("input_required")
    result = driver.call(url, on_elicit=answer)
    assert result.json() == [{"who": {"action": "decline"}}, "opaque"]
    assert questions == [{"message": "who?"}]
    with pytest.raises(InputRequiredError) as caught:
        driver.call(url)
    assert list(caught.value.requests) == ["who"]
    with pytest.raises(InputRequiredError):
        driver.call(hostile.url("input_sampling"), on_elicit=answer)
    with pytest.raises(LimitError):
        driver.call(hostile.url("input_forever"), on_elicit=answer)
    sent = driver.call(hostile.url("input_stateless"), on_elicit=answer).structured
    assert sent == ["_meta", "arguments", "inputResponses", "name"]


@pytest.mark.parametrize("act", ["same_page", "long_cursor", "fresh_pages"])
def test_pages_without_end(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(LimitError, match="do not end"):
        driver.http(hostile.url(act), lambda c: c.list_tools())


@pytest.mark.parametrize("act", ["bad_page", "bad_cursor"])
def test_malformed_pages(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(TransportError, match="malformed page"):
        driver.http(hostile.url(act), lambda c: c.list_tools())


def test_an_empty_cursor_is_followed(driver: Driver, hostile: Hostile) -> None:
    tools = driver.http(hostile.url("pages"), lambda c: c.list_tools())
    assert [tool.tool for tool in tools] == ["tNone", "t", "t2"]


def test_tools_with_bad_headers_are_left_out(
    driver: Driver, hostile: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    tools = driver.http(hostile.url("header_tools"), lambda c: c.list_tools())
    assert [tool.tool for tool in tools] == ["good"]
    assert "bad\\x1b[31m" in caplog.text


def test_an_unknown_tool(driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(ToolNotFoundError) as caught:
        driver.call(hostile.url("unknown_tool"))
    assert caught.value.code == -32602


def test_versions_that_nobody_shares(driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(ProtocolError, match="UnsupportedProtocolVersion"):
        driver.call(hostile.url("modern_only"))
    with pytest.raises(TransportError, match="1999-01-01"):
        driver.call(hostile.url("ancient"))
    with pytest.raises(ProtocolError):
        driver.call(hostile.url("old"), era="modern")
    with pytest.raises(TransportError, match="does not speak"):
        driver.call(hostile.url("offers_nothing"), era="2026-07-28")
