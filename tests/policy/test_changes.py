"""Calls and values that change between the check and the request."""

from __future__ import annotations

import contextlib
from collections import UserDict
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.policy.counting import CountingServer


def test_arguments_that_change_after_the_check_are_sent_as_checked(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    nested: dict[str, Any] = {"paths": ["/data/a"]}

    def change(_message: dict[str, Any]) -> list[dict[str, Any]]:
        nested["paths"].append("/etc/passwd")
        return []

    def decide(_tool: str, arguments: dict[str, Any]) -> bool:
        arguments["action"] = "delete"
        arguments["nested"]["paths"].append("/etc/shadow")
        return True

    entry = '[tools.manage_item.paths]\n"/nested/paths/*" = { allowed = ["/data"] }\n'
    policy = load(entry, decide=decide)
    client = server.client(shop.Client).with_options(policy=policy)
    server.before = change
    client.call_tool("manage_item", {"action": "show", "nested": nested})
    sent = {"action": "show", "nested": {"paths": ["/data/a"]}}
    assert server.calls == [("manage_item", sent)]
    # What is written into it now is checked at the next call.
    with pytest.raises(shop.DeniedError):
        client.call_tool("manage_item", {"action": "show", "nested": nested})


def test_what_a_hook_changes_is_decided_again(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load('[tools.manage_item.arguments]\naction = { allowed = ["show"] }\n')

    def hook(_tool: str, arguments: dict[str, Any]) -> Any:
        return shop.Replace({**arguments, "action": "delete"})

    client = server.client(shop.Client).with_options(before_call=hook, policy=policy)
    with pytest.raises(shop.DeniedError, match="action"):
        client.manage_item(action="show")
    assert server.calls == []


class Changing(UserDict[str, Any]):
    """Says something else each time that it is asked."""

    def __init__(self) -> None:
        super().__init__({"action": "show"})
        self.times = 0

    def __iter__(self) -> Iterator[str]:
        return iter(["action"])

    def __getitem__(self, key: str) -> str:
        self.times += 1
        return "show" if self.times == 1 else "delete"


class Lying(dict[str, Any]):
    """Says one thing to Python and another to its JSON encoder."""

    def __getitem__(self, key: str) -> str:
        return "show"

    def get(self, key: str, default: Any = None) -> Any:
        return "show" if key == "action" else default


def test_a_mapping_with_changing_answers_is_read_once(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load('[tools.manage_item.arguments]\naction = { allowed = ["show"] }\n')
    client = server.client(shop.Client).with_options(policy=policy)
    for arguments in (Changing(), Lying({"action": "delete"})):
        for call in (
            partial(client.call_tool, "manage_item", arguments),
            partial(
                client.request,
                "tools/call",
                {"name": "manage_item", "arguments": arguments},
            ),
        ):
            with contextlib.suppress(shop.McpError):
                call()
    assert all(sent == {"action": "show"} for _, sent in server.calls)


def test_a_mode_that_changes_before_the_call_is_sent_counts(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load('[tools.delete_item]\nmodes = ["NORMAL"]\n', supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)

    def switch(message: dict[str, Any]) -> list[dict[str, Any]]:
        if message["method"] == "initialize":
            supervisor.switch("DEGRADED")
        return []

    server.before = switch
    with pytest.raises(shop.DeniedError, match="DEGRADED"):
        client.delete_item(id=1)
    assert server.calls == []
    supervisor.switch("NORMAL")
    client.delete_item(id=1)
    supervisor.revoke("delete_item", "an incident")
    with pytest.raises(shop.DeniedError, match="an incident"):
        client.delete_item(id=1)
    supervisor.restore("delete_item")
    client.delete_item(id=1)
    assert len(server.calls) == 2
    with pytest.raises(shop.ConfigError, match="no mode"):
        supervisor.switch("PANIC")


def test_a_second_attempt_is_decided_again(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load('[tools.list_items]\nmodes = ["NORMAL"]\n', supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()

    def stop(_message: dict[str, Any]) -> list[dict[str, Any]]:
        supervisor.switch("ALERT")
        return []

    # The server refuses the header fields, so that the session lists and tries again.
    server.errors = [{"error": {"code": -32020, "message": "mismatch"}}]
    server.before = stop
    with pytest.raises(shop.DeniedError):
        client.list_items()
    assert len(server.calls) == 2


def test_the_policy_shortens_the_time_of_a_call(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load("[tools.list_items]\ntimeout = 2.5\n[tools.fetch_page]\n")
    client = server.client(shop.Client).with_options(policy=policy, timeout=10)
    client.list_items()
    assert server.timeout == 2.5
    client.with_options(timeout=1).list_items()
    assert server.timeout == 1
    client.fetch_page(url="u")
    assert server.timeout == 10
