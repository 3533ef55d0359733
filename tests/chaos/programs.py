"""Rows 3, 4 and 25: programs that are half closed, dead, or talk too much."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally, judge
from tests.chaos.drive import (
    KINDS,
    Program,
    alive,
    attempt_call,
    caught,
    nonces,
    pause,
    run,
    wait_for,
)
from tests.chaos.program import MALFORMED
from tests.chaos.server import ERAS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CASES"]

_TIMEOUT = 8.0
_AT_ONCE = 4.0


def _make(client: Any, program: Program, timeout: float = _TIMEOUT) -> Any:
    return client.stdio(program.command, timeout=timeout)


def _each(tally: Tally, act: str) -> Iterator[tuple[str, str, Program]]:
    """Yield each kind of client and era, with a program."""
    for kind in KINDS:
        for era in tally.first(1, ERAS):
            yield kind, f"{act} {era} {kind}", Program(tally.folder, act, era)


def half_dead(tally: Tally, act: str) -> None:
    """Row 3: the program goes wrong during a call; the call fails at once."""
    for kind, name, program in _each(tally, act):
        with tally.attempt(name):
            run(kind, partial(_make, program=program), partial(_failing, program))
            _no_program_left(program)


async def _failing(program: Program, client: Any) -> None:
    await client.read_item(nonce=nonces())
    nonce, start = nonces("fault"), time.monotonic()
    error = await caught(client.change_item(nonce=nonce))
    passed = time.monotonic() - start
    judge(error, program.deliveries(nonce)[1])
    assert error is not None, "a result of a program that gave none"
    assert passed < _AT_ONCE, f"it failed after {passed:.1f} s, not at once"
    await _anew(program, client)


async def _anew(program: Program, client: Any) -> None:
    """Check that the next call starts the program anew and ends the old one."""
    first = program.pids()[0]
    result = await client.change_item(nonce=(nonce := nonces("later")))
    assert result.text == nonce, "another call's answer"
    assert len(program.pids()) == 2, f"started {len(program.pids())} times"
    assert wait_for(lambda: not alive(first), 8), "the first program still runs"


def half_dead_between(tally: Tally, act: str) -> None:
    """Row 3: the program goes wrong after an answer; a later call finds it so."""
    for kind, name, program in _each(tally, act):
        with tally.attempt(name):
            run(kind, partial(_make, program=program), partial(_after, program))
            _no_program_left(program)


async def _after(program: Program, client: Any) -> None:
    await client.change_item(nonce=nonces("fault"))
    await pause(client, 0.3)
    nonce, start = nonces("next"), time.monotonic()
    error = await caught(client.change_item(nonce=nonce))
    passed = time.monotonic() - start
    judge(error, program.deliveries(nonce)[1])
    assert passed < _AT_ONCE, f"it failed after {passed:.1f} s, not at once"
    result = await client.change_item(nonce=(last := nonces("last")))
    assert result.text == last, "another call's answer"
    first = program.pids()[0]
    assert wait_for(lambda: not alive(first), 8), "the first program still runs"


def _no_program_left(program: Program) -> None:
    pids = program.pids()
    ended = wait_for(lambda: not any(map(alive, pids)), 8)
    assert ended, "a program outlives close()"


def malformed(tally: Tally) -> None:
    """Row 4: one malformed answer; no program is initialised twice."""
    for act in tally.first(4, tuple(MALFORMED)):
        for kind, name, program in _each(tally, act):
            with tally.attempt(name):
                run(kind, partial(_make, program=program), partial(_odd, program))


async def _odd(program: Program, client: Any) -> None:
    await client.read_item(nonce=nonces())
    nonce = nonces("fault")
    error = await caught(client.with_options(timeout=2).change_item(nonce=nonce))
    judge(error, program.deliveries(nonce)[1])
    for _ in range(3):
        result = await client.change_item(nonce=(later := nonces("later")))
        assert result.text == later, "another call's answer"
    assert not program.log("second initialize"), "initialised twice while it lives"


def log_lines(tally: Tally) -> None:
    """Row 4: a line of a log for each call, over a long life."""
    for kind, name, program in _each(tally, "logs"):
        with tally.attempt(name):
            make = partial(_make, program=program)
            times = tally.some(300, 10_000)
            run(kind, make, partial(_long_life, times=times))
            assert len(program.pids()) == 1, "the program was started again"


def log_bursts(tally: Tally) -> None:
    """Row 4: ten thousand lines of a log between two answers."""
    for kind, name, program in _each(tally, "logs_much"):
        with tally.attempt(name):
            make = partial(_make, program=program)
            run(kind, make, partial(_long_life, times=tally.some(4, 10)))
            assert len(program.pids()) == 1, "the program was started again"


async def _long_life(client: Any, times: int) -> None:
    for number in range(times):
        error = await caught(client.change_item(nonce=nonces()))
        assert error is None, f"call {number + 1}: {error}"


def retries(tally: Tally) -> None:
    """Row 25: a call that reads is repeated when the program dies, others are not."""
    for tool in ("read_item", "put_item", "change_item"):
        for kind, name, program in _each(tally, "dies_once"):
            with tally.attempt(f"{tool} {name}"):
                nonce = nonces("fault")
                make = partial(_make, program=program)
                error = run(kind, make, attempt_call(tool, nonce))
                times, _ = program.deliveries(nonce)
                tally.count(times)
                if tool == "change_item":
                    judge(error, times)
                else:
                    assert error is None, f"not repeated: {error}"
                    assert times == 2, f"delivered {times} times"


def pings(tally: Tally) -> None:
    """Row 25: a ping right behind an answer is answered, without another call."""
    for kind, name, program in _each(tally, "ping"):
        with tally.attempt(name):
            run(kind, partial(_make, program=program), partial(_pinged, program))


async def _pinged(program: Program, client: Any) -> None:
    await client.change_item(nonce=nonces())
    for _ in range(30):
        if program.log("reply"):
            return
        await pause(client, 0.1)
    raise AssertionError("the ping has no answer after 3 seconds")


_DURING = ("closes_stdout", "orphan", "dies")
_BETWEEN = ("closes_stdout", "closes_stdin", "orphan", "dies")

CASES = (
    *(Case(3, f"{act}", partial(half_dead, act=act), 200) for act in _DURING),
    *(
        Case(3, f"{act}-after", partial(half_dead_between, act=f"{act}_after"), 200)
        for act in _BETWEEN
    ),
    Case(4, "malformed", malformed, 300),
    Case(4, "log-lines", log_lines, 300),
    Case(4, "log-bursts", log_bursts, 120),
    Case(25, "retries", retries, 120),
    Case(25, "pings", pings),
)
