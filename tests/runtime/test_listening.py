"""A subscription as a server and a user's function see it."""

from __future__ import annotations

import anyio
import pytest
from mcp_bindgen.runtime.client.subscribing import AsyncListening, Listening
from mcp_bindgen.runtime.errors import ConfigError, ProtocolError

from tests.runtime.test_features import opened


def test_a_server_may_write_the_uri_in_another_way() -> None:
    listening = Listening(opened(modern=True), {}, "a://HOST", print)
    accepted = {"notifications": {"resourceSubscriptions": [5, "a://host/"]}}
    listening.notice("notifications/subscriptions/acknowledged", accepted)


def test_a_server_that_knows_no_subscriptions_tells_of_nothing() -> None:
    unknown = ProtocolError(-32601, "Method not found")
    listening = Listening(opened(modern=True), {}, "a://b", print)
    with pytest.raises(ConfigError, match="of resources"), listening.ending():
        raise unknown
    with pytest.raises(ProtocolError, match="bad params"), listening.ending():
        raise ProtocolError(-32602, "bad params")
    listening.updated("a://b")
    with pytest.raises(ProtocolError, match="not found"), listening.ending():
        raise unknown  # of a call in the user's function


@pytest.mark.parametrize("is_async", [True, False])
def test_a_task_hears_of_changes(is_async: bool) -> None:  # noqa: FBT001
    heard: list[str] = []

    async def later(uri: str) -> bool:
        heard.append(uri)
        return False

    def now(uri: str) -> bool:
        heard.append(uri)
        return False

    async def listen() -> None:
        on_update = later if is_async else now
        listening = AsyncListening(opened(modern=True), {}, "a://b", on_update)
        with listening.ending():
            await listening.notice("notifications/message", {})
            await listening.notice("notifications/resources/updated", {"uri": "a://b"})
            raise AssertionError("it goes on")

    anyio.run(listen)
    assert heard == ["a://b"]
