"""Forks example servers: their libraries, a second to import, are imported once.

    python tests/servers/forks.py SOCKET OWNER

It listens on a socket until the process OWNER ends. For each connection of `quick.py`
it forks itself, and the new process becomes the server that `quick.py` names.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import runpy
import select
import socket
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["main"]

LONGEST = 1 << 20
LIBRARIES = ("tests.servers.serving", "tests.servers.tooling", "sqlmodel")


def main(address: str, owner: int) -> None:
    """Fork a server for each connection, and end with the owner."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    for library in LIBRARIES:
        importlib.import_module(library)
    owner_file = os.pidfd_open(owner)
    running: dict[int, tuple[int, socket.socket]] = {}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(100)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            files = [listening.fileno(), owner_file, *running]
            ready, _, _ = select.select(files, [], [])
            if owner_file in ready:
                return
            for ended in running.keys() & {*ready}:
                _report(ended, *running.pop(ended))
            if listening.fileno() in ready:
                connection, _ = listening.accept()
                if not (server := os.fork()):
                    os._exit(_become(connection))
                running[os.pidfd_open(server)] = server, connection


def _report(file: int, server: int, connection: socket.socket) -> None:
    """Say how a server ended to the process that waits for it, if it still does."""
    code = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
    os.close(file)
    with connection, suppress(OSError):
        connection.sendall(b"%d\n" % code)


def _become(connection: socket.socket) -> int:
    """Serve with the files, the folder and the environment of another process.

    The other process reads the number of this one. When it ends first, the system sends
    this one SIGIO, which ends it.
    """
    data, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, os.O_ASYNC)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    request = json.loads(data)
    os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = request["words"]
    connection.sendall(b"%d\n" % os.getpid())
    return _run(sys.argv[0])


def _run(program: str) -> int:
    """Run a folder as `python FOLDER` does, and return the exit code.

    An exception, or a message in place of a code, ends the process as Python does it.
    """
    code = 0
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            raise
        code = end.code or 0
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    return code


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
