"""Row 2: an exception out of a signal handler, at any step of a blocking call."""

from __future__ import annotations

import signal
import sys
import traceback
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.cancel import slow_json, slow_sse
from tests.chaos.case import Case, Tally
from tests.chaos.drive import Program, bounded, client_class, nonces
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASES", "PATIENCE", "sweep"]

PATIENCE = 2.0
_PYTHONS = "threading.py"


class _Alarm(Exception):  # noqa: N818, it stands for a signal
    """What a user's own signal handler raises."""


class _StuckError(BaseException):
    """Ends a call that hangs; no code takes it for an error of its own."""


class Interrupt:
    """Raises where the interpreter looks for signals: at a call and after one.

    A signal handler runs at the start of a Python function and when a C function has
    returned; its result is then lost. A profile function raises at the same points.

    Args:
        at: The number of the point, from 1; 0 counts the points and raises nothing.
    """

    def __init__(self, at: int) -> None:
        self.at = at
        self.points = 0

    def __call__(self, frame: Any, event: str, _argument: object) -> None:
        if event not in {"call", "c_return"} or frame.f_code is _work_code():
            return
        self.points += 1
        if self.points == self.at:
            raise (KeyboardInterrupt, _Alarm)[self.at % 2]


def _work_code() -> Any:
    return _interrupted.__code__


def _interrupted(call: Callable[[], Any], at: int) -> int:
    """Make a call, interrupt it at one point, and return how many there were."""
    interrupt = Interrupt(at)
    signal.signal(signal.SIGALRM, _stop)
    try:
        with suppress(KeyboardInterrupt, _Alarm):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * 3)
            sys.setprofile(interrupt)
            try:
                call()
            finally:
                sys.setprofile(None)
    except RuntimeError as error:
        # Python's own `Thread.start` waits on a condition; an exception between two of
        # its steps becomes another one. What counts is the next call.
        if not traceback.extract_tb(error.__traceback__)[-1].filename.endswith(
            _PYTHONS
        ):
            raise
    except _StuckError as stuck:
        lines = traceback.extract_tb(stuck.__traceback__)[-5:-1]
        where = ", ".join(f"{line.name}:{line.lineno}" for line in reversed(lines))
        raise AssertionError(f"the interrupted call hangs: {where}") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return interrupt.points


def _stop(*_: object) -> None:
    raise _StuckError


def _one(tally: Tally, make: Any, peer: Any, at: int, *, warm: bool) -> int:
    client, nonce = make(client_class("sync")), nonces("fault")
    if warm:
        client.read_item(nonce=nonces())
    points = _interrupted(partial(client.change_item, nonce=nonce), at)
    later = nonces("later")
    for call in (client.change_item, client.read_item):
        result = bounded(partial(call, nonce=later), PATIENCE * 2)
        assert result.text == later, "another call's answer"
    _, accepted = peer.deliveries(nonce)
    tally.count(accepted + 2, twice=int(accepted > 1))
    assert accepted <= 1, f"delivered {accepted} times"
    bounded(client.close, 8)
    return points


def sweep(tally: Tally, name: str, make: Any, peer: Any, most: int) -> None:
    """Interrupt at points that are spread over the whole call."""
    points, warm = 0, name.endswith("warm")
    _one(tally, make, peer, 0, warm=warm)  # imports are no steps of a call
    with tally.attempt(f"{name} in peace"):
        points = _one(tally, make, peer, 0, warm=warm)
    for number in range(most):
        at = 1 + number * points // most
        with tally.attempt(f"{name} at {at} of {points}"):
            _one(tally, make, peer, at, warm=warm)


def over_http(tally: Tally, era: str, warm: bool) -> None:  # noqa: FBT001, by name
    """Interrupt calls over HTTP, JSON and SSE."""
    for act in (slow_json, slow_sse):
        name = f"{era} {act.__name__[5:]} {'warm' if warm else 'cold'}"
        with serve(Script(era, act)) as server:
            make = partial(_http, url=server.url)
            sweep(tally, name, make, server, tally.some(20, 250))


def over_stdio(tally: Tally) -> None:
    """Interrupt calls of a program, while it starts and while it works."""
    for era in ERAS:
        for warm in (False, True):
            program = Program(tally.folder, "", era)
            name = f"stdio {era} {'warm' if warm else 'cold'}"
            make = partial(_stdio, command=program.command)
            sweep(tally, name, make, program, tally.some(8, 80))


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=PATIENCE)


def _stdio(client: Any, command: list[str]) -> Any:
    return client.stdio(command, timeout=PATIENCE)


def _ring(*_: object) -> None:
    raise _Alarm


def signals(tally: Tally) -> None:
    """Let real signals come after all kinds of time."""
    signal.signal(signal.SIGALRM, _ring)
    for era in ERAS:
        for act in (slow_json, slow_sse):
            with serve(Script(era, act)) as server:
                _signalled(tally, f"{era} {act.__name__[5:]}", server.url)


def _signalled(tally: Tally, name: str, url: str) -> None:
    for number in range(tally.some(10, 75)):
        after = 0.0001 * (1 + number)
        with tally.attempt(f"{name} after {after:.4f}"):
            client = client_class("sync").http(url, timeout=PATIENCE)
            client.read_item(nonce=nonces())
            with suppress(_Alarm):
                signal.setitimer(signal.ITIMER_REAL, after)
                try:
                    client.change_item(nonce=nonces())
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            for _ in range(2):
                call = partial(client.change_item, nonce=nonces())
                bounded(call, PATIENCE * 2)
            bounded(client.close, 8)


CASES = (
    *(
        Case(
            2,
            f"{era}-{'warm' if warm else 'cold'}",
            partial(over_http, era=era, warm=warm),
            900,
        )
        for era in ERAS
        for warm in (False, True)
    ),
    Case(2, "stdio", over_stdio, 400),
    Case(2, "signals", signals, 300),
)
