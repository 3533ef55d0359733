"""Rows 8 to 13 in every order: a state machine against a server with a plan.

The plan says, for each delivery of a call, each resuming GET and each reply to the
server, what comes of it. Whatever the plan, a call that may change something is
accepted once at most, its error is not more hopeful than the truth, and once the
server is well again, the next call works.
"""

from __future__ import annotations

import asyncio
import json
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    rule,
    run_state_machine_as_test,
)

from tests.chaos.case import Case, Tally, judge
from tests.chaos.drive import KINDS, client_class, nonces, package
from tests.chaos.exchange import Act, Exchange, answer, answer_sse
from tests.chaos.server import ERAS, Script, Server, serve

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASES"]

_PATIENCE = 0.8


def _primed(exchange: Exchange) -> None:
    exchange.stream()
    exchange.priming(10)


def _reset(exchange: Exchange) -> None:
    _primed(exchange)
    exchange.cut()


def _asks(exchange: Exchange, *, method: str, answers: bool) -> None:
    _primed(exchange)
    params: dict[str, Any] = {"message": "?", "requestedSchema": {"type": "object"}}
    exchange.event({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    threading.Event().wait(0.05)
    if answers:
        exchange.event()


def _restarts(exchange: Exchange) -> None:
    _primed(exchange)
    exchange.state.restart(0.1)


def _goes(exchange: Exchange) -> None:
    _primed(exchange)
    exchange.state.down()


def _alone(exchange: Exchange) -> None:
    """Refuse new connections, and answer in the stream that is open."""
    exchange.state.down(but=exchange.sock)
    _asks(exchange, method="ping", answers=True)


def _refuses(exchange: Exchange, *, status: str) -> None:
    exchange.refuse()
    exchange.http(status, "", 'www-authenticate: Bearer error="invalid_token"')


def _gone(exchange: Exchange) -> None:
    exchange.refuse()
    exchange.state.sessions.clear()
    exchange.http("404 Not Found", "")


def _resumed(exchange: Exchange) -> None:
    """Answer, in a resumed stream, the call whose stream it was."""
    last = exchange.headers.get("last-event-id")
    calls = [r for r in exchange.state.log if r["nonce"] == last]
    exchange.stream()
    content = [{"type": "text", "text": last}]
    number = calls[-1]["id"] if calls else 0
    exchange.event({"jsonrpc": "2.0", "id": number, "result": {"content": content}})


CALLS: dict[str, Act] = {
    "answers": answer,
    "streams": answer_sse,
    "primed": _primed,
    "reset": _reset,
    "cut": Exchange.cut,
    "hangs": Exchange.hang,
    "pings": partial(_asks, method="ping", answers=True),
    "pings-ends": partial(_asks, method="ping", answers=False),
    "elicits": partial(_asks, method="elicitation/create", answers=True),
    "restarts": _restarts,
    "goes": _goes,
    "alone": _alone,
    "session": lambda e: e.error(-32600, "no such session"),
    "gone": _gone,
    "401": partial(_refuses, status="401 Unauthorized"),
    "503": partial(_refuses, status="503 Busy"),
    "500": lambda e: e.http("500 Oops"),
}
OTHERS: dict[str, Act] = {
    "resumed": _resumed,
    "accepted": lambda e: e.http("202 Accepted"),
    "302": lambda e: e.http("302 Found", "", "location: /other"),
    "401": lambda e: e.http("401 Unauthorized"),
    "404": lambda e: e.http("404 Not Found"),
    "503": lambda e: e.http("503 Busy"),
    "cut": Exchange.cut,
    "goes": lambda e: e.state.down(),
}


def _planned(exchange: Exchange) -> bool:
    """Do what the plan says, once for each entry."""
    name = {"tools/call": "calls", "GET": "gets", "reply": "replies"}
    plan = exchange.state.memory.get(name.get(exchange.method, ""), [])
    if not plan:
        return False
    acts = CALLS if exchange.method == "tools/call" else OTHERS
    acts[plan.pop(0)](exchange)
    return True


def _raises(*_: object) -> None:
    raise package().TransportError("another client's", outcome="not sent")


def _decline(*_: object) -> dict[str, str]:
    return {"action": "decline"}


class Orders(RuleBasedStateMachine):
    """Plans and calls in any order; `kind`, `server` and `tally` are set below."""

    kind: str
    server: Server
    tally: Tally

    def __init__(self) -> None:
        super().__init__()
        self.history: list[str] = []
        self.loop = asyncio.Runner()
        make = client_class(self.kind).http
        self.client = make(self.server.url, timeout=_PATIENCE, on_elicit=_decline)
        self._heal()

    def _heal(self) -> None:
        for name in ("calls", "gets", "replies"):
            self.server.command(f"set {name} []")
        self.server.command("up")

    def _wait(self, call: Callable[[], Any]) -> Any:
        async def work() -> Any:
            return await call()

        return call() if self.kind == "sync" else self.loop.run(work())

    @rule(
        calls=st.lists(st.sampled_from(sorted(CALLS)), max_size=4),
        gets=st.lists(st.sampled_from(sorted(OTHERS)), max_size=3),
        replies=st.lists(st.sampled_from(sorted(OTHERS)), max_size=2),
        raising=st.booleans(),
    )
    def call(
        self, calls: list[str], gets: list[str], replies: list[str], *, raising: bool
    ) -> None:
        """Make a call under a plan, and compare its end with the log."""
        for name, plan in (("calls", calls), ("gets", gets), ("replies", replies)):
            self.server.command(f"set {name} {json.dumps(plan)}")
        self.history.append(f"{calls} {gets} {replies} {raising}")
        options = {"on_progress": _raises} if raising else {}
        client, nonce, error = self.client.with_options(**options), nonces(), None
        try:
            self._wait(partial(client.change_item, nonce=nonce))
        except package().McpError as raised:
            error = raised
        _, accepted = self.server.deliveries(nonce)
        self.tally.count(accepted, twice=int(accepted > 1))
        # An error of JSON-RPC is the server's own verdict.
        verdict = None if isinstance(error, package().ProtocolError) else error
        try:
            judge(verdict, accepted)
        except AssertionError as fault:
            raise AssertionError(f"{fault}; plan: {self.history[-1]}") from None

    @rule()
    def recovers(self) -> None:
        """Check that the next call works once the server is well."""
        self._heal()
        nonce = nonces()
        try:
            result = self._wait(partial(self.client.change_item, nonce=nonce))
        except package().McpError as error:
            text = f"the next call fails: {error}; plans: {self.history[-3:]}"
            raise AssertionError(text) from None
        assert result.text == nonce, "another call's answer"
        self.history.append("well")

    def teardown(self) -> None:
        """Close the client, whatever the server does."""
        self._heal()
        self._wait(self.client.close)
        self.loop.close()


def orders(tally: Tally, kind: str, era: str) -> None:
    """Let Hypothesis look for an order that breaks a promise."""
    script = Script(era, before=_planned)
    with serve(script) as server, tally.attempt(f"{era} {kind}"):
        bound = {"kind": kind, "server": server, "tally": tally}
        machine = type("Bound", (Orders,), bound)
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=tally.some(8, 100),
                stateful_step_count=8,
                phases=[Phase.generate],
                derandomize=True,
                database=None,
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=[
                    HealthCheck.too_slow,
                    HealthCheck.filter_too_much,
                ],
            ),
        )


CASES = tuple(
    Case(13, f"orders-{era}-{kind}", partial(orders, kind=kind, era=era), 400)
    for kind in KINDS
    for era in ERAS
)
