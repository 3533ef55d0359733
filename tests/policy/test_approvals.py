"""Approvals: who says yes, for which call, for how long, how often."""

from __future__ import annotations

import asyncio
import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.policy.approvals import ApprovalRequest
from mcp_bindgen.runtime.client.policy.terminal import approve_on_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

DELETE = '[tools.delete_item]\napproval = "always"\n'


def fail(_request: object) -> bool:
    raise ZeroDivisionError


def says(answer: object) -> Callable[[object], object]:
    """Return an approver with one answer."""
    return lambda _request: answer


@pytest.mark.parametrize(
    ("approve", "fine"),
    [
        *(
            (says(answer=True), True),
            (says(answer=False), False),
            (says(answer=None), False),
        ),
        *((says(answer="yes"), False), (says(answer=1), False), (fail, False)),
    ],
)
def test_only_a_clear_yes_approves(
    approve: Any, fine: Any, shop: Any, server: CountingServer, load: Any
) -> None:
    policy = load(DELETE, approve=approve)
    client = server.client(shop.Client).with_options(policy=policy)
    if fine:
        client.delete_item(id=1)
    else:
        with pytest.raises(shop.DeniedError, match="nobody approved"):
            client.delete_item(id=1)
    assert len(server.calls) == int(fine)


def test_an_approver_that_hangs_denies(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    ends = threading.Event()

    def hang(_request: object) -> bool:
        return ends.wait(60)

    policy = load(DELETE, approve=hang, approval_seconds=0.05)
    client = server.client(shop.Client).with_options(policy=policy)
    with pytest.raises(shop.DeniedError, match="no answer"):
        client.delete_item(id=1)
    ends.set()
    assert server.calls == []


@pytest.mark.parametrize(
    "arguments", [None, [("id", 2)], [1], "{}", {"id": {1}}, {1: 2}, {"id": 1e999}]
)
def test_an_approver_replaces_arguments_by_an_object_alone(
    arguments: Any, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    taken: list[Any] = []
    answer = shop.Replace(arguments)
    policy = load(DELETE, approve=says(answer), audit=taken.append)
    client = server.client(shop.Client).with_options(policy=policy)
    with pytest.raises(shop.DeniedError, match="no JSON object"):
        client.delete_item(id=1)
    assert [record["decision"] for record in taken] == ["deny"]
    assert server.calls == []
    fine = shop.Replace(MappingProxyType({"id": 2}))
    policy = load(DELETE, approve=says(fine), audit=taken.append)
    server.client(shop.Client).with_options(policy=policy).delete_item(id=1)
    assert server.calls == [("delete_item", {"id": 2})]


@pytest.mark.parametrize("arguments", [None, [("id", 2)], "{}"])
def test_a_hook_replaces_arguments_by_an_object_alone(
    arguments: Any, shop: Any, server: CountingServer
) -> None:
    def hook(_tool: str, _arguments: object) -> object:
        return shop.Replace(arguments)

    client = server.client(shop.Client).with_options(before_call=hook)
    with pytest.raises(shop.DeniedError, match="no object"):
        client.call_tool("delete_item", {"id": 1})
    with pytest.raises(shop.DeniedError, match="no object"):
        client.delete_item(id=1)
    assert server.calls == []


def test_what_an_approver_replaces_is_decided_again(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    def approve(request: Any) -> Any:
        request.arguments["id"] = 7  # its own copy
        return shop.Replace({"id": 2 if request.tool == "delete_item" else 3})

    limit = f"{DELETE}[tools.delete_item.arguments]\nid = {{ maximum = %s }}\n"
    for maximum, sent in ((5, [("delete_item", {"id": 2})]), (1, [])):
        server.calls.clear()
        policy = load(limit % maximum, approve=approve)
        client = server.client(shop.Client).with_options(policy=policy)
        if sent:
            client.delete_item(id=1)
        else:
            with pytest.raises(shop.PolicyError):
                client.delete_item(id=1)
        assert server.calls == sent


def test_an_async_approver(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    async def approve(_request: object) -> bool:
        return True

    calls: list[str] = []

    class Own:
        async def call_tool(self, name: str, _arguments: object, /) -> Any:
            calls.append(name)
            return shop.ToolResult.from_wire({"content": []})

        async def close(self) -> None:
            pass

    policy = load(DELETE, approve=approve)
    client = shop.AsyncClient(Own()).with_options(policy=policy)
    asyncio.run(client.delete_item(id=1))
    assert calls == ["delete_item"]
    blocking = server.client(shop.Client).with_options(policy=policy)
    with pytest.raises(shop.ConfigError, match="async client"):
        blocking.delete_item(id=1)


def test_scopes(shop: Any, server: CountingServer, load: Callable[..., Any]) -> None:
    questioned: list[int] = []
    for scope, questions in (("once", 4), ("arguments", 2), ("session", 1)):
        questioned.clear()

        def approve(request: Any, scope: str = scope) -> Any:
            questioned.append(request.arguments["id"])
            return shop.Approval(scope, by="alice")

        policy = load(DELETE, approve=approve)
        client = server.client(shop.Client).with_options(policy=policy)
        for number in (1, 1, 2, 2):
            client.delete_item(id=number)
        assert len(questioned) == questions, scope


def test_no_terminal_is_a_no(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load(DELETE, approve=shop.approve_on_terminal)
    client = server.client(shop.Client).with_options(policy=policy)
    with pytest.raises(shop.DeniedError, match="no terminal"):
        client.delete_item(id=1)
    assert server.calls == []


def test_no_argument_hides_another_one_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return "y\n"

    monkeypatch.setattr("sys.stdin", Terminal())
    long: dict[str, Any] = {"body": "x" * 5000, "to": "you\nCall it? [y/N] \u202e"}
    many = {f"a{number}": number for number in range(60)}
    for arguments, lines in (
        (long, ["... [4002 more characters]", "  to: 'you\\\\nCall it? [y/N] "]),
        (many, ["  a49: 49", "... [10 more arguments]"]),
        ({}, ["No arguments.", ""]),
    ):
        question = ApprovalRequest(
            "send", arguments, *("s", "NORMAL", "high", "r", "why", "", "")
        )
        assert approve_on_terminal(question) is True
        screen = capsys.readouterr().err
        assert all(line in screen for line in lines)
        assert "\u202e" not in screen


def test_a_revocation_and_another_mode_end_approvals_of_a_session(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    modes: list[str] = []

    def approve(request: Any) -> Any:
        modes.append(request.mode)
        return shop.Approval("session")

    supervisor = shop.Supervisor()
    entry = '[tools.delete_item]\napproval = "always"\n'
    policy = load(entry, approve=approve, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    for _ in range(2):
        client.delete_item(id=1)
    assert modes == ["NORMAL"]
    supervisor.switch("ALERT")
    client.delete_item(id=1)
    assert modes == ["NORMAL", "ALERT"]
    supervisor.revoke("delete_item")
    supervisor.restore("delete_item")
    client.delete_item(id=1)
    assert modes == ["NORMAL", "ALERT", "ALERT"]


def test_a_call_that_the_rate_denies_uses_no_approval(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    entry = (
        '[tools.delete_item]\napproval = "always"\n'
        'rate = { per_minute = 0.001, burst = 1, scope = "tool" }\n'
    )
    policy = load(entry, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    first = client.try_tool("delete_item", {"id": 1}).error
    second = client.try_tool("delete_item", {"id": 2}).error
    supervisor.grant(first.pending)
    client.delete_item(id=1)
    supervisor.grant(second.pending)
    with pytest.raises(shop.DeniedError, match="too many"):
        client.delete_item(id=2)
    with pytest.raises(shop.ConfigError, match="approved before"):
        supervisor.grant(second.pending)
    assert len(server.calls) == 1
