"""The soak: very many healthy calls, 50 at once; nothing fails, and nothing grows."""

from __future__ import annotations

import os
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import KINDS, Program, descriptors, gather, run
from tests.chaos.server import ERAS, Script, serve

__all__ = ["soak_cases"]

_AT_ONCE = 50
_WARM = 2_000
_MOST_MEMORY = 16e6
_MOST_DESCRIPTORS = 4


def _memory() -> int:
    """Return the bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _calls(client: Any, prefix: str, calls: int) -> int:
    """Make calls, 50 at once, and return how many failed."""
    numbers = iter(range(calls))
    errors: list[str] = []

    async def line() -> None:
        for number in numbers:
            nonce = f"{prefix}-{number}"
            try:
                result = await client.change_item(nonce=nonce)
            except Exception as error:  # noqa: BLE001, it is counted
                errors.append(f"{type(error).__name__}: {error}")
            else:
                if result.text != nonce:
                    errors.append("another call's answer")

    await gather(client, [line] * _AT_ONCE)
    assert not errors, f"{len(errors)} errors: {errors[0]}"
    return len(errors)


async def _soaked(client: Any, tally: Tally, name: str, calls: int) -> None:
    await _calls(client, "warm", _WARM)
    memory, files, start = _memory(), descriptors(), time.monotonic()
    errors = await _calls(client, "soak", calls)
    rate = calls / (time.monotonic() - start)
    memory_end, files_end = _memory(), descriptors()
    tally.note(
        f"{name}: {calls:,} calls, {rate:,.0f} a second, {errors} errors; memory "
        f"{memory / 1e6:.1f} to {memory_end / 1e6:.1f} MB; descriptors {files} to "
        f"{files_end}"
    )
    assert memory_end - memory < _MOST_MEMORY, "memory grows"
    assert files_end - files <= _MOST_DESCRIPTORS, "descriptors grow"


def _counted(tally: Tally, made: int, arrived: int, twice: int) -> None:
    tally.count(arrived + twice, lost=made - arrived, twice=twice)
    assert made == arrived, f"{made - arrived} of {made} calls are lost"
    assert twice == 0, f"{twice} calls were delivered twice"


def over_http(tally: Tally, kind: str, era: str, calls: int) -> None:
    """Soak a client of a URL."""
    name = f"http {era} {kind}"
    with tally.attempt(name), serve(Script(era, logs=False)) as server:
        make = partial(_http, url=server.url)
        run(kind, make, partial(_soaked, tally=tally, name=name, calls=calls))
        _counted(tally, calls + _WARM, *server.command("counts"))


def over_stdio(tally: Tally, kind: str, era: str, calls: int) -> None:
    """Soak a client of a program."""
    name = f"stdio {era} {kind}"
    with tally.attempt(name):
        program = Program(tally.folder, "soak", era)
        make = partial(_stdio, command=program.command)
        run(kind, make, partial(_soaked, tally=tally, name=name, calls=calls))
        counts = Counter(r["nonce"] for r in program.log("tools/call"))
        twice = sum(times > 1 for times in counts.values())
        _counted(tally, calls + _WARM, len(counts), twice)


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=60)


def _stdio(client: Any, command: list[str]) -> Any:
    return client.stdio(command, timeout=60)


def soak_cases(calls: int) -> tuple[Case, ...]:
    """Return the soak of each transport and client; row 0 is no row of the table."""
    return tuple(
        Case(
            0,
            f"{way.__name__[5:]}-{kind}",
            partial(way, kind=kind, era=era, calls=calls),
            7000,
        )
        for way, era in (
            (over_http, ERAS[0]),
            (over_http, ERAS[1]),
            (over_stdio, ERAS[1]),
        )
        for kind in KINDS
    )
