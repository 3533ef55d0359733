"""Rows 14 and 16: the timeout bounds the call; longer waits are not begun."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import httpx

from tests.chaos.case import Case, Tally, judge
from tests.chaos.drive import KINDS, Program, caught, nonces, package, run
from tests.chaos.exchange import Exchange, answer
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASES", "bounded_call"]

_TIMEOUT = 1.6
_BOUND = 1.25 * _TIMEOUT + 0.5


async def _seconds(client: Any) -> float:
    """Return how long a call takes to fail; it has to."""
    start = time.monotonic()
    error = await caught(client.change_item(nonce=nonces("fault")))
    passed = time.monotonic() - start
    assert isinstance(error, package().McpError), f"not one of ours: {error!r}"
    return passed


def _bounded(kind: str, make: Callable[[Any], Any], work: Any = _seconds) -> None:
    """Check the bound; a busy machine has a second chance."""
    passed: float = run(kind, make, work)
    if passed > _BOUND:
        passed = min(passed, run(kind, make, work))
    assert passed <= _BOUND, f"{passed:.2f} s with a timeout of {_TIMEOUT} s"


class _DeadName:
    """A name with addresses that never accept; sockets hold their queues full."""

    def __init__(self, stack: ExitStack, number: int) -> None:
        self._look_up = socket.getaddrinfo
        self.addresses = [f"127.0.0.{2 + i}" for i in range(number)]
        self.port = 0
        for address in self.addresses:
            listener = stack.enter_context(socket.socket())
            listener.bind((address, self.port))
            listener.listen(0)
            self.port = listener.getsockname()[1]
            for _ in range(4):
                filler = stack.enter_context(socket.socket())
                filler.setblocking(False)  # noqa: FBT003, its only form
                with suppress(BlockingIOError):
                    filler.connect((address, self.port))
        time.sleep(0.1)

    def look_up(self, host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        """Answer as `socket.getaddrinfo` does."""
        if host not in {"dead.example", b"dead.example"}:
            return self._look_up(host, port, *rest, **more)
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, (address, int(port))) for address in self.addresses]


def dead_addresses(tally: Tally) -> None:
    """Row 14: a name with several dead addresses."""
    for kind, number in product(KINDS, tally.first(1, (3, 6, 1))):
        with tally.attempt(f"{number} addresses {kind}"), ExitStack() as stack:
            name = _DeadName(stack, number)
            stack.callback(setattr, socket, "getaddrinfo", socket.getaddrinfo)
            setattr(socket, "getaddrinfo", name.look_up)  # noqa: B010, it is typed
            url = f"http://dead.example:{name.port}/mcp"
            _bounded(kind, partial(_anywhere, url=url))


def _anywhere(client: Any, url: str) -> Any:
    return client.http(url, timeout=_TIMEOUT, allow_http=True)


def bounded_call(kind: str, url: str) -> None:
    """Check the bound for a client of a URL, connecting included."""
    _bounded(kind, partial(_ours, url=url))


def _drips_all(exchange: Exchange) -> None:
    exchange.drip(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx: " + b"y" * 160
    )


def _drips_body(exchange: Exchange) -> None:
    exchange.send("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    exchange.drip(b'{"jsonrpc": "2.0", ' + b" " * 160)


def _drips_comments(exchange: Exchange) -> None:
    exchange.stream()
    exchange.drip(b": ping\n\n" * 20)


def _own(client: Any, url: str) -> Any:
    blocking = client.__name__ == "Client"
    http = (httpx.Client if blocking else httpx.AsyncClient)(timeout=None)
    return client.http(url, timeout=_TIMEOUT, http=http)


def _ours(client: Any, url: str) -> Any:
    return client.http(url, timeout=_TIMEOUT)


def drips(tally: Tally) -> None:
    """Row 14: an answer that drips, also with an HTTP client of the user's own."""
    acts = tally.first(2, (_drips_all, _drips_body, _drips_comments))
    for act, make, kind in product(acts, (_own, _ours), KINDS):
        for era in ERAS[tally.some(1, 0) :]:
            name = f"{act.__name__} {make.__name__} {era} {kind}"
            with tally.attempt(name), serve(Script(era, act)) as server:
                _bounded(kind, partial(make, url=server.url), _connected)


async def _connected(client: Any) -> float:
    await client.connect()
    return await _seconds(client)


def _hangs_on_all(exchange: Exchange) -> bool:
    """Hang on a call, and on everything after it."""
    if exchange.method == "tools/call":
        exchange.state.memory["hangs"] = True
    if exchange.state.memory.get("hangs"):
        exchange.hang()
        return True
    return False


def _always_hangs(exchange: Exchange) -> bool:
    exchange.hang()
    return True


def hangs(tally: Tally) -> None:
    """Row 14: a server that hangs on everything, its notices included."""
    for era, kind, make in product(tally.first(1, ERAS), KINDS, (_ours, _own)):
        with tally.attempt(f"later {make.__name__} {era} {kind}"):
            script = Script(era, before=_hangs_on_all)
            with serve(script) as server:
                _bounded(kind, partial(make, url=server.url), _once_connected)
    for kind, make in product(KINDS, tally.first(1, (_ours, _own))):
        script = Script(before=_always_hangs)
        with tally.attempt(f"always {make.__name__} {kind}"), serve(script) as server:
            _bounded(kind, partial(make, url=server.url))


async def _once_connected(client: Any) -> float:
    """Connect if the server still answers; the second chance finds it hanging."""
    await caught(client.connect())
    return await _seconds(client)


def programs(tally: Tally) -> None:
    """Row 14: a program that says nothing, with short and long arguments."""
    sizes = tally.first(1, (5_000_000, 1))
    for era, kind, size in product(tally.first(1, ERAS), KINDS, sizes):
        with tally.attempt(f"stdio {era} {kind} {size} bytes"):
            program = Program(tally.folder, "silent", era)

            async def work(client: Any, size: int = size) -> float:
                await client.connect()
                await caught(client.change_item(nonce=nonces("fault"), text="x" * size))
                return await _seconds(client)

            _bounded(kind, partial(_program, program=program), work)


def _program(client: Any, program: Program) -> Any:
    return client.stdio(program.command, timeout=_TIMEOUT)


def _after(form: str, seconds: int) -> str:
    """Return a Retry-After that ends so many seconds from now."""
    later = datetime.now(UTC) + timedelta(seconds=seconds)
    return str(seconds) if form == "seconds" else format_datetime(later, usegmt=True)


def _busy(exchange: Exchange, status: str, form: str, seconds: int) -> None:
    if exchange.times > 1 and exchange.nonce.startswith("soon"):
        answer(exchange)
        return
    exchange.refuse()
    exchange.http(status, "", f"retry-after: {_after(form, seconds)}")


def too_late(tally: Tally) -> None:
    """Row 16: a wait beyond the deadline is not begun; the error says how long."""
    statuses = tally.first(1, ("503 Busy", "429 Slow"))
    tools = ("read_item", "change_item")
    for status, tool, kind in product(statuses, tools, KINDS):
        for form in ("seconds", "date"):
            name = f"{status} {form} {tool} {kind}"
            act = partial(_busy, status=status, form=form, seconds=3600)
            with tally.attempt(name), serve(Script(call=act)) as server:
                work = partial(_refused, tool=tool, status=int(status[:3]))
                run(kind, partial(_patient, url=server.url), work)


async def _refused(client: Any, tool: str, status: int) -> None:
    await client.connect()
    start = time.monotonic()
    error = await caught(getattr(client, tool)(nonce=nonces("fault")))
    passed = time.monotonic() - start
    judge(error, 0)
    assert passed < 3, f"it waits {passed:.1f} s for a server that is busy for an hour"
    assert error.status == status, f"its status is {error.status}"
    after = error.retry_after
    assert after is not None, "retry_after is None"
    assert 3500 < after < 3700, f"retry_after is {after}"


def soon(tally: Tally) -> None:
    """Row 16: a wait that fits is waited for, also where it is a date."""
    for kind in KINDS:
        for form in ("seconds", "date"):
            act = partial(_busy, status="503 Busy", form=form, seconds=2)
            with tally.attempt(f"{form} {kind}"), serve(Script(call=act)) as server:
                make = partial(_patient, url=server.url)
                error = run(kind, make, lambda c: caught(c.read_item(nonce="soon")))
                assert error is None, f"not repeated: {error}"
                first, second = (r["time"] for r in server.log("tools/call"))
                assert second - first > 0.5, "it did not wait"


def _patient(client: Any, url: str) -> Any:
    return client.http(url, timeout=8)


CASES = (
    Case(14, "addresses", dead_addresses),
    Case(14, "drips", drips, 240),
    Case(14, "hangs", hangs, 200),
    Case(14, "programs", programs, 200),
    Case(16, "too-late", too_late, 240),
    Case(16, "soon", soon),
)
