"""Servers ask for forms, pages, models and folders, in both eras."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.questions import root
from mcp_bindgen.runtime.client.url_request import UrlRequest, ask_url_on_terminal
from mcp_bindgen.runtime.errors import (
    ConfigError,
    InputRequiredError,
    McpError,
    ProtocolError,
)
from pydantic import BaseModel

from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.runtime.conftest import Driver


WAYS = {
    "stream": {"modern": False, "inline": False},
    "call": {"modern": False, "inline": True},
    "modern": {"modern": True},
}


@pytest.fixture(params=WAYS)
def server(request: pytest.FixtureRequest) -> Iterator[AskingServer]:
    with AskingServer(**WAYS[request.param]) as running:
        yield running


# What the user's functions return.
YES, NO = True, False


class Person(BaseModel):
    """The fields of the form that the user fills in."""

    age: int


def ask(driver: Driver, server: AskingServer, tool: str, **options: Any) -> Any:
    """Call a tool that asks, and return what the server got."""

    async def work(client: Any) -> Any:
        return (await client.call_tool(tool, {})).json()

    return driver.http(server.url, work, timeout=10, **options)


def answering(driver: Driver, value: Any) -> Callable[[Any], Any]:
    """Return a function of the user, async where the client is."""

    async def answer(_: Any) -> Any:
        return value

    return (lambda _: value) if driver.blocking else answer


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (
            Person(age=5),
            {"action": "accept", "content": {"name": "nobody", "age": 5}},
        ),
        (True, {"action": "accept", "content": {"name": "nobody"}}),
        (False, {"action": "decline"}),
        (None, {"action": "cancel"}),
        ({"action": "accept", "content": {}}, {"action": "accept", "content": {}}),
    ],
    ids=["model", "defaults", "no", "cancel", "raw"],
)
def test_forms(value: Any, sent: Any, driver: Driver, server: AskingServer) -> None:
    assert ask(driver, server, "form", on_elicit=answering(driver, value)) == sent
    assert server.capabilities == {"elicitation": {"form": {}}}


def test_an_answer_that_does_not_fit_is_not_sent(driver: Driver) -> None:
    with AskingServer(inline=True) as server:
        with pytest.raises(ConfigError, match="/age"):
            ask(driver, server, "form", on_elicit=answering(driver, Person(age=-1)))
        assert not any("result" in message for message in server.messages)


def test_a_failing_function_fails_for_the_server_on_the_stream(driver: Driver) -> None:
    def fails(_: Any) -> Any:
        raise ValueError("secret")

    with AskingServer() as server:
        answer = ask(driver, server, "form", on_elicit=fails)
        assert answer == {"code": -32603, "message": "the client cannot answer"}


def test_pages_are_offered_and_never_read(driver: Driver, server: AskingServer) -> None:
    requests: list[UrlRequest] = []

    def agree(request: UrlRequest) -> bool:
        requests.append(request)
        return True

    assert ask(driver, server, "page", on_url=agree) == {"action": "accept"}
    assert server.capabilities == {"elicitation": {"url": {}}}
    assert requests[0].host == "login.example"
    assert "https://login.example/start?state=a-secret" in requests[0].text
    assert requests[0].server in server.url
    assert "a-secret" not in repr(requests[0])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://elsewhere.example/",
        "https://bank.example@evil.example/",
        "https://bank.example\\@evil.example/",
        "https://\u0440aypal.example/",
        "https://a.example/\x1b[2J",
        "https://a.example/" + "a" * 9_000,
        "https://[broken/",
        "",
        None,
    ],
)
def test_a_page_that_nobody_may_be_led_to_is_declined(url: Any) -> None:
    with AskingServer(inline=True) as server:
        server.page["url"] = url
        with BaseClient.http(server.url, on_url=lambda _: True) as client:
            assert client.call_tool("page", {}).json() == {"action": "decline"}


def test_what_a_person_sees_is_safe_for_a_terminal() -> None:
    params = {"url": "https://xn--pypal-4ve.example/", "message": "a\x1b[2J\u202eb"}
    text = UrlRequest.of("server", params).text
    assert text.isascii()
    assert "\x1b" not in text
    assert "look like others" in text


def test_nobody_agrees_without_a_terminal() -> None:
    request = UrlRequest.of("server", {"url": "https://a.example/", "message": ""})
    assert ask_url_on_terminal(request) is False


@pytest.mark.parametrize("reports", [True, False])
def test_a_call_goes_on_after_a_page(driver: Driver, *, reports: bool) -> None:
    urls: list[str] = []

    def agree(request: UrlRequest) -> bool:
        urls.append(request.url)
        return True

    with AskingServer() as server:
        server.reports = reports
        assert ask(driver, server, "login", on_url=agree) == "in"
        assert server.methods().count("tools/call") == 2
        assert len(urls) == 1


def test_a_page_that_is_declined_ends_the_call(driver: Driver) -> None:
    with AskingServer() as server:
        with pytest.raises(ProtocolError) as caught:
            ask(driver, server, "login", on_url=answering(driver, NO))
        assert caught.value.outcome == "refused"
        assert "nobody agreed to open login.example" in str(caught.value)
        assert server.methods().count("tools/call") == 1


def test_no_form_reaches_those_who_take_pages_alone(
    driver: Driver, server: AskingServer
) -> None:
    if server.modern:
        with pytest.raises(InputRequiredError):
            ask(driver, server, "form", on_url=answering(driver, YES))
    else:
        answer = ask(driver, server, "form", on_url=answering(driver, YES))
        assert answer["code"] == -32602


def test_sampling(driver: Driver, server: AskingServer) -> None:
    answer = ask(driver, server, "sample", on_sample=answering(driver, "hello"))
    assert answer["content"] == {"type": "text", "text": "hello"}
    assert server.capabilities == {"sampling": {}}


def test_tools_in_sampling_only_where_they_are_allowed(
    driver: Driver, server: AskingServer
) -> None:
    whole: dict[str, Any] = {"role": "assistant", "content": [], "model": "m"}
    sample = answering(driver, whole)
    assert ask(driver, server, "tools", on_sample=sample, sample_tools=True) == whole
    assert server.capabilities == {"sampling": {"tools": {}}}
    if server.modern:
        with pytest.raises(InputRequiredError):
            ask(driver, server, "tools", on_sample=sample)
    else:
        assert ask(driver, server, "tools", on_sample=sample)["code"] == -32602


def test_roots(driver: Driver, server: AskingServer, tmp_path: Path) -> None:
    roots = [tmp_path, "file:///srv", {"uri": "file:///x", "name": "X"}]
    assert ask(driver, server, "roots", roots=roots) == {
        "roots": [
            {"uri": tmp_path.as_uri(), "name": tmp_path.name},
            {"uri": "file:///srv"},
            {"uri": "file:///x", "name": "X"},
        ]
    }
    assert server.capabilities == {"roots": {}}


def test_a_root_is_a_file() -> None:
    with pytest.raises(ConfigError, match="file://"):
        root({"uri": "https://a.example/"})


def test_nothing_is_declared_or_read_without_a_handler(driver: Driver) -> None:
    with AskingServer(inline=True) as server:
        assert ask(driver, server, "roots")["code"] == -32601
        assert server.capabilities == {}
        assert server.opened == 0


def test_an_unknown_option_is_an_error() -> None:
    with pytest.raises(TypeError, match="on_elicits"):
        BaseClient.http("http://127.0.0.1:1/", on_elicits=print)  # type: ignore[call-arg]


def test_the_stream_is_opened_again(driver: Driver) -> None:
    async def work(client: Any) -> Any:
        await client.connect()
        running.streams.pop().put(None)
        return (await client.call_tool("form", {})).json()

    with AskingServer() as running:
        options = {"on_elicit": answering(driver, YES), "timeout": 10}
        assert driver.http(running.url, work, **options)["action"] == "accept"
        assert running.opened == 2


def test_the_stream_ends_with_the_client() -> None:
    with AskingServer() as server:
        with BaseClient.http(server.url, on_elicit=lambda _: True) as client:
            client.call_tool("form", {})
            beside = [t for t in threading.enumerate() if "beside" in t.name]
        assert beside
        for thread in beside:
            thread.join(5)
            assert not thread.is_alive()


def test_a_changed_list_is_compared(driver: Driver, server: AskingServer) -> None:
    arrived = threading.Event()

    def verify(self: Any) -> Any:
        return self.list_tools()  # no package, and so no recording, is here

    kind: Any = type("Client", (driver.client,), {"verify": verify})

    async def work(client: Any) -> Any:
        await client.connect()
        threading.Thread(target=server.change, daemon=True).start()
        for _ in range(200):
            if arrived.is_set():
                return
            await client.list_tools()

    def changed(findings: Any) -> None:
        counts.append(len(findings))
        arrived.set()

    counts: list[int] = []
    driver.run(work, partial(kind.http, server.url, on_list_changed=changed))
    assert arrived.wait(5)
    assert counts == [len(server.tools)]


def test_errors_of_a_question_hold_no_secret() -> None:
    with AskingServer() as server:
        with (
            BaseClient.http(server.url, on_url=lambda _: False) as client,
            pytest.raises(McpError) as caught,
        ):
            client.call_tool("login", {})
        assert "a-secret" not in f"{caught.value!r} {caught.value}"
