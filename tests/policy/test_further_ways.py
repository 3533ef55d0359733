"""More ways round the policy: streams, handles, rounds, copies, clocks, files."""

from __future__ import annotations

import asyncio
import copy
import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.policy.policy import BasePolicy
from mcp_bindgen.runtime.client.policy.supervisor import Supervisor
from mcp_bindgen.runtime.errors import McpError

from tests.policy.counting import AsyncCountingServer, CountingServer, policy_text
from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.runtime.conftest import Driver

LIST = "[tools.list_items]\n"
NOTHING = '[default]\ntools = "deny"\n'

WAYS: dict[str, Callable[[Any], object]] = {
    "stream": lambda c: [*c.stream(c.delete_item, id=1)],
    "submit": lambda c: c.submit(c.delete_item, id=1),
    "prompt": lambda c: c.request("prompts/get", {"name": "p"}),
    "resource": lambda c: c.request("resources/read", {"uri": "a://b"}),
    "complete": lambda c: c.request("completion/complete", {"ref": {}}),
    "unknown": lambda c: c.request("tools/call2", {"name": "list_items"}),
    "deep copy": lambda c: copy.deepcopy(c).delete_item(id=1),
    "pickle": lambda c: pickle.loads(pickle.dumps(c)).delete_item(id=1),
    "options": lambda c: c.with_options(timeout=None).delete_item(id=1),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_further_way_leads_round_the_policy(
    way: str, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(LIST))
    with pytest.raises((shop.DeniedError, TypeError)):
        WAYS[way](client)
    assert (server.calls, server.methods) == ([], [])


@pytest.mark.parametrize("way", ["stream", "submit", "many"])
def test_no_way_of_tasks_leads_round_the_policy(
    way: str, shop: Any, load: Callable[..., Any]
) -> None:
    server = AsyncCountingServer()
    client = server.client(shop.AsyncClient).with_options(policy=load(LIST))

    async def make() -> None:
        if way == "stream":
            async for _ in client.stream(client.delete_item, id=1):
                pass
        elif way == "submit":
            await client.submit(client.delete_item, id=1)
        else:
            (error,) = await client.call_many([partial(client.delete_item, id=1)])
            raise error

    with pytest.raises(shop.DeniedError):
        asyncio.run(make())
    assert server.calls == []


@pytest.mark.parametrize("modern", [False, True])
def test_each_round_of_a_call_is_decided_again(
    modern: Any, driver: Driver, tmp_path: Path
) -> None:
    supervisor = Supervisor()
    file = tmp_path / "policy.toml"
    begin = '[default]\nelicitation = "allow"\n'
    entry = '[tools.form]\nmodes = ["NORMAL"]\n'
    file.write_text(policy_text(entry, begin), encoding="utf-8")
    policy = BasePolicy.load(file, supervisor=supervisor)

    def answer(_params: Any) -> dict[str, Any]:
        supervisor.switch("ALERT")
        return {"action": "accept", "content": {"name": "a"}}

    async def work(client: Any) -> None:
        with pytest.raises(McpError, match="mode ALERT"):
            await client.call_tool("form", {})

    with AskingServer(modern=modern) as server:
        if modern:
            driver.http(server.url, work, policy=policy, on_elicit=answer)
            assert server.methods().count("tools/call") == 1
        else:  # The call was sent before, so that only the next one is denied.
            supervisor.switch("ALERT")
            driver.http(server.url, work, policy=policy, on_elicit=answer)
            assert "tools/call" not in server.methods()


def test_a_file_that_changes_later_changes_no_policy_in_force(
    shop: Any, server: CountingServer, load: Callable[..., Any], tmp_path: Path
) -> None:
    policy = load(LIST)
    client = server.client(shop.Client).with_options(policy=policy)
    digest = policy.document.digest
    for text in ("[tools.delete_item]\n", "not TOML ["):
        (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
        client.list_items()
        with pytest.raises(shop.DeniedError):
            client.delete_item(id=1)
    assert policy.document.digest == digest
    with pytest.raises(shop.ConfigError, match="expected TOML"):
        shop.Policy.load(tmp_path / "policy.toml")
    for name in ("tools", "methods", "defaults"):
        with pytest.raises(TypeError):
            getattr(policy.document, name)["delete_item"] = None
    assert [name for name, _ in server.calls] == ["list_items"] * 2


def test_a_clock_that_goes_back_opens_nothing(
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "calls.jsonl"
    rate = "[tools.list_items.rate]\nper_minute = 1\nburst = 2\n"
    policy = load(rate, audit=shop.AuditLog(file))
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()
    monkeypatch.setattr("time.time", lambda: 1_000.0)
    client.list_items()
    with pytest.raises(shop.PolicyError, match="too many calls"):
        client.list_items()
    monkeypatch.undo()
    result = CliRunner().invoke(app, ["audit", str(file), "--verify"])
    assert result.exit_code == 0, result.output
    assert len(server.calls) == 2


def test_a_typed_call_of_another_package_obeys(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load("", NOTHING)
    for kind in (shop.Client, BaseClient, FullClient):
        client = server.client(kind).with_options(policy=policy)
        with pytest.raises(McpError, match="the policy does not allow"):
            shop.delete_item(client, id=1)
    assert server.calls == []
