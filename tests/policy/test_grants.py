"""Approvals as data: stored questions, granted later, for a call or a connection."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

DELETE = '[tools.delete_item]\napproval = "always"\n'


def pending(client: Any, shop: Any, **arguments: Any) -> Any:
    """Return the question of a call that nobody approves."""
    with pytest.raises(shop.ApprovalRequired) as caught:
        client.delete_item(**arguments)
    text = caught.value.pending.to_json()
    assert "70007000700" not in text
    return shop.PendingApproval.from_json(text)


def test_an_approval_as_data_is_for_one_call(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load(DELETE, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    question = pending(client, shop, id=70007000700)
    supervisor.grant(question, by="alice")
    with pytest.raises(shop.ConfigError, match="approved before"):
        supervisor.grant(question)
    with pytest.raises(shop.ApprovalRequired):
        client.delete_item(id=70007000701)
    client.delete_item(id=70007000700)
    with pytest.raises(shop.ApprovalRequired):
        client.delete_item(id=70007000700)
    with pytest.raises(shop.ConfigError, match="approved before"):
        supervisor.grant(question)
    assert server.calls == [("delete_item", {"id": 70007000700})]


def test_an_approval_is_resumed_in_another_client_of_the_same_policy(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(DELETE))
    question = pending(client, shop, id=1)
    for entries, name, principal, fine in (
        (DELETE, "counting", "", True),
        (f"{DELETE}note = 'x'\n", "counting", "", False),
        (DELETE, "elsewhere", "", False),
        (DELETE, "counting", "bob", False),
    ):
        supervisor = shop.Supervisor()
        policy = load(entries, supervisor=supervisor, principal=principal)
        other = server.client(shop.Client, name).with_options(policy=policy)
        supervisor.grant(question)
        if fine:
            other.delete_item(id=1)
        else:
            with pytest.raises(shop.ApprovalRequired):
                other.delete_item(id=1)
    assert len(server.calls) == 1


def test_an_approval_ends(
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    supervisor = shop.Supervisor()
    policy = load(DELETE, supervisor=supervisor, approval_seconds=60)
    client = server.client(shop.Client).with_options(policy=policy)
    question = pending(client, shop, id=1)
    supervisor.grant(question)
    module = "mcp_bindgen.runtime.client.policy.approvals.time"
    for shift in (61, -120):  # too late, and a clock that went back
        with monkeypatch.context() as patch:
            patch.setattr(f"{module}.time", lambda s=shift: question.created + s)
            with pytest.raises(shop.ApprovalRequired):
                client.delete_item(id=1)
    late = pending(client, shop, id=2)
    with monkeypatch.context() as patch:
        patch.setattr(f"{module}.time", lambda: late.expires + 1)
        with pytest.raises(shop.ConfigError, match="too late"):
            supervisor.grant(late)
    for text in ("", "[]", "{}", '{"id": "a"}', late.to_json().replace("id", "ID")):
        with pytest.raises(shop.ConfigError):
            shop.PendingApproval.from_json(text)
    assert server.calls == []


def test_two_calls_at_once_share_no_approval(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load(DELETE, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    question = pending(client, shop, id=1)
    supervisor.grant(question)
    both = threading.Barrier(2)

    def call() -> bool:
        both.wait(10)
        return bool(client.try_tool("delete_item", {"id": 1}).success)

    with ThreadPoolExecutor(2) as pool:
        ended = [future.result() for future in [pool.submit(call) for _ in range(2)]]
    assert sorted(ended) == [False, True]
    assert len(server.calls) == 1


def test_a_revocation_voids_approvals(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load(DELETE, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    supervisor.grant(pending(client, shop, id=1))
    supervisor.revoke()
    supervisor.restore()
    with pytest.raises(shop.ApprovalRequired):
        client.delete_item(id=1)


@pytest.mark.parametrize("scope", ["arguments", "session"])
def test_an_approval_of_several_calls_as_data_is_for_one_connection_and_mode(
    scope: str, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load(DELETE, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    other = server.client(shop.Client).with_options(policy=policy)
    supervisor.grant(pending(client, shop, id=1), by="alice", scope=scope)
    supervisor.switch("ALERT")
    pending(client, shop, id=1)
    supervisor.switch("NORMAL")
    for _ in range(2):
        client.delete_item(id=1)
    pending(other, shop, id=1)
    if scope == "arguments":
        pending(client, shop, id=2)
    else:
        client.delete_item(id=2)
    supervisor.switch("ALERT")
    pending(client, shop, id=1)
    supervisor.switch("NORMAL")
    supervisor.revoke()
    supervisor.restore()
    pending(client, shop, id=1)


def test_calls_at_once_share_an_approval_of_several(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    both = threading.Barrier(2)

    def decide(_tool: str, _arguments: object) -> bool:
        both.wait(10)
        return True

    policy = load(DELETE, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    supervisor.grant(pending(client, shop, id=1), scope="session")
    client = client.with_options(policy=load("[tools.delete_item]\n", decide=decide))
    with ThreadPoolExecutor(2) as pool:
        made = [pool.submit(client.delete_item, id=1) for _ in range(2)]
    assert [future.exception() for future in made] == [None, None]
