"""Names of servers: looked up within the time of the call, each address in turn."""

from __future__ import annotations

import socket
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import DeadlineError, TransportError
from mcp_bindgen.runtime.transport.host_names import BoundedConnect

if TYPE_CHECKING:
    from tests.runtime.conftest import Hostile


def answers(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    """Have the name lead to these addresses."""
    system = socket.getaddrinfo

    def look_up(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        if host != "name.example":
            return [*system(host, port, *more, **named)]
        return [(socket.AF_INET, 1, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def call(url: str, **options: Any) -> Any:
    with BaseClient.http(url, allow_http=True, **options) as client:
        return client.call_tool("tool", {})


def named(hostile: Hostile, act: str) -> str:
    return hostile.url(act).replace("127.0.0.1", "name.example")


def test_a_look_up_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    release, over = threading.Event(), threading.Event()

    def hang(*_: Any, **__: Any) -> list[Any]:
        release.wait(60)
        over.set()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(DeadlineError) as caught:
        call("http://name.example/mcp", timeout=0.3)
    assert caught.value.outcome == "not sent"
    assert not over.is_set()
    release.set()


def test_the_second_address(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    url = named(hostile, "good")
    answers(monkeypatch, ["127.0.0.9", "127.0.0.1"])
    assert call(url).text == "done"


def test_no_address(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    url = named(hostile, "good")
    answers(monkeypatch, [])
    with pytest.raises(TransportError, match="its name is not known"):
        call(url, retries=0)


def test_the_rest_of_a_backend_stays() -> None:
    assert BoundedConnect(SimpleNamespace(sleep=7)).sleep == 7


def test_a_name_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise UnicodeError("label too long")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(TransportError, match="its name is not known"):
        call("http://name.example/mcp", retries=0)
