"""Rows 15, 17, 18 and 19: many calls at once."""

from __future__ import annotations

import resource
import threading
import time
from functools import partial
from itertools import product
from typing import Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import KINDS, descriptors, gather, nonces, pause, run
from tests.chaos.exchange import Exchange, answer
from tests.chaos.server import ERAS, Script, Server, serve

__all__ = ["CASES"]

_FILES = 128
_FEW = 10


def _later(exchange: Exchange, seconds: float = 0.05) -> None:
    time.sleep(seconds)
    answer(exchange)


def _http(client: Any, url: str, **options: Any) -> Any:
    return client.http(url, **{"timeout": 30, **options})


async def _all_succeed(client: Any, tally: Tally, calls: int, each: int = 1) -> None:
    """Make calls at once, some of them in a line; each has to succeed."""
    sent: list[str] = []

    async def line() -> None:
        for _ in range(each):
            nonce = nonces()
            sent.append(nonce)
            result = await client.change_item(nonce=nonce)
            assert result.text == nonce, "another call's answer"

    results = await gather(client, [line] * calls)
    errors = [r for r in results if isinstance(r, BaseException)]
    tally.count(len(sent))
    assert not errors, f"{len(errors)} of {calls} fail: {errors[0]!r}"


def few_files(tally: Tally) -> None:
    """Row 15: 500 calls at once under 128 open files."""
    script = partial(Script, call=partial(_later, seconds=0.5))
    for era, kind in product(tally.first(1, ERAS), KINDS):
        name = f"500 calls {era} {kind}"
        with tally.attempt(name), serve(script(era)) as server:
            _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, hard))
            try:
                make = partial(_http, url=server.url)
                run(kind, make, partial(_all_succeed, tally=tally, calls=500))
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def most_connections(tally: Tally) -> None:
    """Row 15: the user's own bound is kept, and calls wait for their turn."""
    for most, kind in product((1, 7), KINDS):
        name = f"{most} connections {kind}"
        with tally.attempt(name), serve(Script(call=_later)) as server:
            make = partial(_http, url=server.url, max_connections=most)
            run(kind, make, partial(_all_succeed, tally=tally, calls=40))
            peak = server.command("peak")
            assert peak <= most, f"{peak} connections at once"


def _needs_token(exchange: Exchange) -> bool:
    """Refuse tokens that are older than the plan says."""
    oldest = exchange.state.memory.get("oldest", 1)
    token = exchange.headers.get("authorization", "Bearer t0").removeprefix("Bearer t")
    if int(token) >= oldest:
        return False
    exchange.refuse()
    exchange.http("401 No", "", 'www-authenticate: Bearer error="invalid_token"')
    return True


class _Token:
    """Gives a new token at each call, and counts the calls."""

    def __init__(self) -> None:
        self.calls = 0
        self._guard = threading.Lock()

    def __call__(self) -> str:
        with self._guard:
            self.calls += 1
            number = self.calls
        time.sleep(0.05)
        return f"t{number}"


def one_refresh(tally: Tally) -> None:
    """Row 17: 50 callers meet one expiry, and the token function is called once."""
    for era, kind in product(ERAS, KINDS):
        script = Script(era, before=_needs_token)
        with tally.attempt(f"{era} {kind}"), serve(script) as server:
            token = _Token()
            make = partial(_http, url=server.url, token=token)

            async def work(client: Any, server: Any = server) -> None:
                await client.change_item(nonce=nonces())
                for expiry in (2, 3):
                    server.command(f"set oldest {expiry}")
                    await _all_succeed(client, tally, 50)

            run(kind, make, work)
            assert token.calls == 3, f"{token.calls} calls for a start and 2 expiries"


def _short_sessions(exchange: Exchange) -> bool:
    """End each session after 20 calls."""
    sessions, name = exchange.state.sessions, exchange.headers.get("mcp-session-id")
    if exchange.method != "tools/call" or name not in sessions:
        return False
    with exchange.state.guard:
        sessions[name] = sessions.get(name, 0) + 1
        if sessions[name] > 20:
            sessions.pop(name)
    return False


def short_sessions(tally: Tally) -> None:
    """Row 18: sessions that expire every 20 calls, under 40 callers."""
    for kind in KINDS:
        script = Script("legacy", before=_short_sessions)
        with tally.attempt(kind), serve(script) as server:
            work = partial(_all_succeed, tally=tally, calls=40, each=tally.some(8, 40))
            run(kind, partial(_http, url=server.url), work)
            log = [r for r in server.log("tools/call") if r["accepted"]]
            twice = len(log) - len({r["nonce"] for r in log})
            tally.count(twice=twice)
            assert twice == 0, f"{twice} calls ran twice"


def idle(tally: Tally) -> None:
    """Row 19: after 60 calls at once, few connections stay open for long."""
    for era, ended, kind in product(ERAS, (False, True), KINDS):
        if tally.quick and (ended or era == "legacy"):
            continue
        name = f"{era} {'ended by the server' if ended else 'open'} {kind}"
        with tally.attempt(name), serve(Script(era, _later)) as server:
            work = partial(_sockets_left, tally=tally, server=server if ended else None)
            left = run(kind, partial(_http, url=server.url), work)
            assert left <= _FEW, f"{left} sockets stay open after 6 idle seconds"


async def _sockets_left(client: Any, tally: Tally, server: Server | None) -> int:
    """Make 60 calls at once and, later, one; return how many sockets are then open."""
    before = descriptors("socket")
    await _all_succeed(client, tally, 60)
    if server is not None:
        server.command("down")
        server.command("up")
    await pause(client, 6.0)
    await _all_succeed(client, tally, 1)
    return descriptors("socket") - before


CASES = (
    Case(15, "few-files", few_files, 200),
    Case(15, "max-connections", most_connections),
    Case(17, "token", one_refresh),
    Case(18, "sessions", short_sessions, 200),
    Case(19, "idle", idle, 200),
)
