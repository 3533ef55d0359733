"""Count what a call costs: instructions of the client's process, which no load changes.

Valgrind counts them for N calls one after the other, and for none but the first; the
server is another process. With a commit, its runtime makes the same calls.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["counted"]

_ROOT = Path(__file__).parents[2]
_MESSAGE = {"message": "hello"}
_REFERENCES = re.compile(r"I +refs: +([\d,]+)")


def counted(url: str, number: int, commit: str = "") -> Iterator[str]:
    """Yield the instructions of a call, for each kind of client.

    Args:
        url: The server.
        number: The calls that are counted.
        commit: A commit whose runtime is counted, too.
    """
    with tempfile.TemporaryDirectory() as name:
        folders = {"now": _ROOT / "generator"}
        if commit:
            folders[commit] = _checked_out(commit, Path(name))
        for kind in ("sync", "async"):
            least: int | None = None
            for what, folder in reversed(folders.items()):
                first = _instructions(folder, [kind, url, "1"])
                last = _instructions(folder, [kind, url, str(number + 1)])
                each = (last - first) // number
                least = least or each
                yield f"{kind:6} {what:10} {each:>12,} {each / least:>8.3f}"


def _checked_out(commit: str, folder: Path) -> Path:
    command = ["git", "archive", commit, "generator"]
    ran = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    with tarfile.open(fileobj=BytesIO(ran.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "generator"


def _instructions(folder: Path, arguments: list[str]) -> int:
    """Return the instructions of a process that makes some calls."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no"]
    quiet = "--cachegrind-out-file=/dev/null"
    program = [sys.executable, "-m", "tests.bench.work", *arguments]
    path = os.pathsep.join((str(folder), str(_ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    ran = subprocess.run(
        [*valgrind, quiet, *program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    count = _REFERENCES.search(ran.stderr)
    assert count, ran.stderr
    return int(count[1].replace(",", ""))


async def _in_task(url: str, number: int) -> None:
    async with AsyncBaseClient.http(url) as client:
        for _ in range(number):
            await client.call_tool("echo", _MESSAGE)


def main() -> None:
    """Make calls, which Valgrind counts."""
    kind, url, number = sys.argv[1:]
    if kind == "async":
        asyncio.run(_in_task(url, int(number)))
        return
    with BaseClient.http(url) as client:
        for _ in range(int(number)):
            client.call_tool("echo", _MESSAGE)


if __name__ == "__main__":
    main()
