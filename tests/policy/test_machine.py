"""Any policy, any mode, any way to call: no denied call reaches the server."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.policy.counting import AsyncCountingServer, CountingServer, policy_text
from tests.policy.test_ways import RAW

if TYPE_CHECKING:
    from collections.abc import Callable

MODES = ("NORMAL", "DEGRADED", "ALERT")
NAMES = ("delete_item", "list_items", "fetch_page")
WAYS: dict[str, Callable[[Any, str], object]] = {
    "call_tool": lambda c, name: c.call_tool(name, {}),
    "try_tool": lambda c, name: c.try_tool(name, {}),
    "request": lambda c, name: c.request("tools/call", {**RAW, "name": name}),
    "call_many": lambda c, name: c.call_many([partial(c.call_tool, name, {})]),
    "no hook": lambda c, name: c.with_options(before_call=None).call_tool(name, {}),
}


async def streamed(client: Any, name: str) -> None:
    """Call a tool by its method, and read all parts."""
    async for _ in client.stream(getattr(client, name), **ARGUMENTS.get(name, {})):
        pass


ARGUMENTS: dict[str, dict[str, Any]] = {
    "delete_item": {"id": 1},
    "fetch_page": {"url": "u"},
}
ASYNC_WAYS: dict[str, Callable[[Any, str], Any]] = {
    "call_tool": lambda c, name: c.call_tool(name, {}),
    "try_tool": lambda c, name: c.try_tool(name, {}),
    "request": lambda c, name: c.request("tools/call", {**RAW, "name": name}),
    "call_many": lambda c, name: c.call_many([partial(c.call_tool, name, {})]),
    "no hook": lambda c, name: c.with_options(before_call=None).call_tool(name, {}),
    "method": lambda c, name: getattr(c, name)(**ARGUMENTS.get(name, {})),
    "submit": lambda c, name: c.submit(getattr(c, name), **ARGUMENTS.get(name, {})),
    "stream": streamed,
}
ENTRY = st.fixed_dictionaries(
    {
        "modes": st.sets(st.sampled_from(MODES), min_size=1),
        "approval": st.sampled_from(["never", "always"]),
        "deny": st.booleans(),
    }
)
POLICY = st.dictionaries(st.sampled_from(NAMES), ENTRY)


def text_of(policy: dict[str, dict[str, Any]]) -> str:
    """Return the text of a policy."""
    return policy_text(
        "".join(
            f"[tools.{name}]\nmodes = {sorted(entry['modes'])}\n"
            f'approval = "{entry["approval"]}"\ndeny = {str(entry["deny"]).lower()}\n'
            for name, entry in policy.items()
        )
    )


class Machine(RuleBasedStateMachine):
    """A client under policies; a model says which calls may arrive."""

    shop: Any

    def __init__(self) -> None:
        super().__init__()
        self.server = self.new_server()
        self.supervisor = self.shop.Supervisor(mode="NORMAL")
        self.policies: list[dict[str, dict[str, Any]]] = []
        self.client = self.server.client(self.kind())
        self.revoked: set[str] = set()
        self.yes = True
        self.expected = 0

    def new_server(self) -> CountingServer:
        """Return a server for the client."""
        return CountingServer()

    def kind(self) -> Any:
        """Return the class of the client."""
        return self.shop.Client

    def answer(self, _request: object) -> Any:
        """Answer for the person."""
        return self.yes

    def make(self, way: str, name: str) -> None:
        """Make a call."""
        WAYS[way](self.client, name)

    @initialize(policy=POLICY)
    def begin(self, policy: dict[str, dict[str, Any]]) -> None:
        """Put a policy on the client before all else."""
        self.add_one(policy)

    @rule(policy=POLICY)
    def add(self, policy: dict[str, dict[str, Any]]) -> None:
        """Put one more policy on the client."""
        self.add_one(policy)

    def add_one(self, policy: dict[str, dict[str, Any]]) -> None:
        """Put one more policy on the client."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "policy.toml"
            file.write_text(text_of(policy), encoding="utf-8")
            loaded = self.shop.Policy.load(
                file, supervisor=self.supervisor, approve=self.answer
            )
        self.policies.append(policy)
        self.client = self.client.with_options(policy=loaded)

    @rule(mode=st.sampled_from(MODES))
    def switch(self, mode: str) -> None:
        """Change the mode."""
        self.supervisor.switch(mode)

    @rule(yes=st.booleans())
    def person(self, yes: Any) -> None:
        """Let the approver say yes or no from now on."""
        self.yes = yes

    @rule(name=st.sampled_from(NAMES), back=st.booleans())
    def revoke(self, name: str, back: Any) -> None:
        """Revoke a tool, or take that back."""
        if back:
            self.supervisor.restore(name)
            self.revoked.discard(name)
        else:
            self.supervisor.revoke(name)
            self.revoked.add(name)

    @rule(way=st.sampled_from(sorted(WAYS)), name=st.sampled_from([*NAMES, "other"]))
    def call(self, way: str, name: str) -> None:
        """Make a call, and compare with the model."""
        self.expected += self._may(name)
        with contextlib.suppress(self.shop.DeniedError):
            self.make(way, name)

    def _may(self, name: str) -> bool:
        if name in self.revoked or not all(name in policy for policy in self.policies):
            return False
        entries = [policy[name] for policy in self.policies]
        fits = all(
            self.supervisor.mode in entry["modes"] and not entry["deny"]
            for entry in entries
        )
        asks = any(entry["approval"] == "always" for entry in entries)
        return fits and (self.yes or not asks)

    @invariant()
    def only_allowed_calls_arrived(self) -> None:
        """Compare the server's count with the model's."""
        assert len(self.server.calls) == self.expected


class AsyncMachine(Machine):
    """The same in tasks: each call runs beside another of the same client."""

    def new_server(self) -> CountingServer:
        """Return a server for the client."""
        return AsyncCountingServer()

    def kind(self) -> Any:
        """Return the class of the client."""
        return self.shop.AsyncClient

    async def answer(self, _request: object) -> bool:
        """Answer for the person, later."""
        await asyncio.sleep(0)
        return self.yes

    def make(self, way: str, name: str) -> None:
        """Make a call."""
        asyncio.run(self.both(way, name))

    async def both(self, way: str, name: str) -> None:
        """Make a call while another is denied."""
        denied = self.client.try_tool("never_listed", {})
        other = asyncio.ensure_future(denied)
        try:
            await ASYNC_WAYS[way](self.client, name)
        finally:
            assert isinstance((await other).error, self.shop.DeniedError)

    @rule(way=st.sampled_from(sorted(ASYNC_WAYS)), name=st.sampled_from(NAMES))
    def call_async(self, way: str, name: str) -> None:
        """Make a call in a way of tasks, and compare with the model."""
        self.call(way, name)


@pytest.mark.parametrize("machine", [Machine, AsyncMachine])
def test_no_denied_call_reaches_the_server(machine: type[Machine], shop: Any) -> None:
    machine.shop = shop
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
