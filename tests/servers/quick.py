"""Starts an example server in a tenth of its time: a process of `forks.py` becomes it.

    python -I -S tests/servers/quick.py FOLDER_OF_SOCKET OWNER SERVER ARGUMENT...

To its parent this process is the server: it passes on its files and its signals, ends
with the server's exit code, and the server ends when this process is killed.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
from pathlib import Path

FORKS = str(Path(__file__).with_name("forks.py"))
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def main(folder: str, owner: str, *words: str) -> int:
    """Have a server started, and wait for its end."""
    connection = _connect(folder, owner)
    facts = {"words": words, "folder": str(Path.cwd()), "environment": {**os.environ}}
    socket.send_fds(connection, [json.dumps(facts).encode()], [0, 1, 2])
    # The server has them now: who reads its output must see its end, not that of this.
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    with connection.makefile("rb") as answers:
        server = int(answers.readline())

        def pass_on(number: int, _: FrameType | None) -> None:
            os.kill(server, number)

        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, pass_on)
        code = int(answers.readline())
    if code < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return code


def _connect(folder: str, owner: str) -> socket.socket:
    """Connect to the process that forks; start it where it is missing."""
    address = f"{folder}/socket"
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(address)
    except OSError:
        with Path(folder, "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not Path(address).exists():
                _start(address, owner)
            connection.connect(address)
    return connection


def _start(address: str, owner: str) -> None:
    import subprocess  # noqa: PLC0415, one start in a hundred needs it

    process = subprocess.Popen(
        [sys.executable, FORKS, address, owner],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=Path(FORKS).parent,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
