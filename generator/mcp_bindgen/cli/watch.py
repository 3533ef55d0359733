"""`mcp-bindgen sync --watch`: syncs again when files change, or after a time."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.cli import config, screen
from mcp_bindgen.cli.reach import servers
from mcp_bindgen.cli.sync_pass import sync_all
from mcp_bindgen.errors import BindgenError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from types import FrameType

    from mcp_bindgen.cli.sync_pass import How, Synced

__all__ = ["watched"]

_BETWEEN = 0.5  # seconds between two looks at the files


def watched(
    names: Sequence[str], how: How, every: float | None
) -> Iterator[list[Synced]]:
    """Yield the results of one pass after the other, until the user interrupts.

    The first pass records all servers. After a change of a file, only servers without
    a recording are recorded.

    Args:
        names: The names of the servers, () for all.
        how: How to sync.
        every: The seconds between recordings of all servers, None for never again.

    Raises:
        KeyboardInterrupt: The user has seen enough.
    """
    current = how
    with _interrupts() as interrupts:
        while True:
            before = _settings_time()
            screen.forget_problems()
            try:
                yield sync_all(servers(names), current)
            except BindgenError as error:  # A file that is half edited; the next look.
                screen.problems(error.problems)
            screen.progress("watching; Control-C ends it")
            # Settings that changed meanwhile are a change; our own recordings, none.
            before = {**_times(names), **before}
            timed = _wait(before, names, every, interrupts)
            current = how if timed else replace(how, missing=True)


@contextmanager
def _interrupts() -> Generator[list[int]]:
    """Note each Control-C: the exception is lost if a finaliser runs at that time."""
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    # A process in the background may have to ignore it.
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield noted
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _wait(
    before: Mapping[Path, int],
    names: Sequence[str],
    every: float | None,
    interrupts: Sequence[int],
) -> bool:
    """Wait for a change or for the time; return whether the time is over."""
    end = time.monotonic() + every if every else None
    while end is None or time.monotonic() < end:
        if interrupts:
            raise KeyboardInterrupt
        time.sleep(_BETWEEN)
        if _times(names) != before:
            return False
    return True


def _times(names: Sequence[str]) -> dict[Path, int]:
    """Return when the settings and the recordings were last written."""
    files: list[Path] = []
    with suppress(BindgenError):  # The pass has said why.
        files += [server.recording for server in servers(names)]
    times = {each: each.stat().st_mtime_ns for each in files if each.is_file()}
    return {**times, **_settings_time()}


def _settings_time() -> dict[Path, int]:
    """Return when the settings were last written, by their file; {} for none."""
    file = config.find(Path.cwd())
    return {file: file.stat().st_mtime_ns} if file else {}
