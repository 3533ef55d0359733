"""What must never happen while a hostile recording is worked on, and whether it did."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["Canary"]

MARK = "HOSTILE_CANARY"
_MODULE = f"""
import os
from pathlib import Path
os.environ["{MARK}"] = "imported"
def fire():
    os.environ["{MARK}"] = "fired"
    Path(__file__).with_name("fired").touch()
fire()
"""
_REPOSITORY = Path(__file__).resolve().parents[2]
_OURS = (
    Path(mcp_bindgen.__file__).resolve().parent,
    _REPOSITORY / "templates",
    _REPOSITORY / ".venv",
    Path(sys.prefix).resolve(),
    Path(sys.base_prefix).resolve(),
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN = (
    *("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn"),
    *("os.spawn", "pty.", "ctypes.", "urllib.", "http.client", "ftplib.", "smtplib."),
    *("os.startfile", "os.putenv", "shutil.", "os.link", "os.symlink", "os.chmod"),
)
_CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate")


class Canary:
    """A module, a secret, a listener and an audit hook that nobody may touch."""

    def __init__(self, folder: Path) -> None:
        """Plant everything in an empty folder, and watch from now on.

        Args:
            folder: Stands on the path of modules, so that `import` finds the canary.
        """
        self.folder = folder.resolve()
        (self.folder / "hostile_canary.py").write_text(_MODULE, "utf-8")
        (self.folder / "secret.json").write_text('"STATIC_SECRET"', "utf-8")
        sys.path.insert(0, str(self.folder))
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.listener.setblocking(False)  # noqa: FBT003
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.reads: tuple[Path, ...] = ()
        self.writes: tuple[Path, ...] = ()
        self.watching = False
        self.events: list[str] = []
        sys.addaudithook(self._hook)

    @contextmanager
    def watch(
        self, *, reads: tuple[Path, ...] = (), writes: tuple[Path, ...] = ()
    ) -> Generator[None]:
        """Forbid everything but reading and writing below these paths, and our code."""
        self.reads = (*(path.resolve() for path in reads), *_OURS)
        self.writes = tuple(path.resolve() for path in writes)
        self.watching = True
        try:
            yield
        finally:
            self.watching = False

    def fired(self) -> list[str]:
        """Return what happened that must not happen, and forget it."""
        events, self.events = self.events, []
        if MARK in os.environ or "hostile_canary" in sys.modules:
            events.append("the canary was imported or fired")
        if (self.folder / "fired").exists():
            events.append("the canary left its file")
        try:
            self.listener.accept()
        except BlockingIOError:
            pass
        else:
            events.append("somebody called the listener")
        return events

    def _hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.watching:
            return
        if event == "open":
            path, _, flags = arguments
            writing = isinstance(flags, int) and bool(flags & _WRITES)
            self._path(event, path, self.writes if writing else self._readable())
        elif event in _CHANGES:
            self._path(event, arguments[0], self.writes)
            if event == "os.rename":
                self._path(event, arguments[1], self.writes)
        elif event.startswith(_FORBIDDEN):
            self._refuse(f"{event} {arguments!r}")
        elif event == "import" and "canary" in str(arguments[0]):
            self._refuse(f"import {arguments[0]}")

    def _readable(self) -> tuple[Path, ...]:
        return (*self.reads, *self.writes)

    def _path(self, event: str, path: object, allowed: tuple[Path, ...]) -> None:
        if isinstance(path, int):  # a file that is open
            return
        self.watching = False  # What follows looks at files itself.
        target = Path(os.path.abspath(os.fsdecode(path)))  # type: ignore[arg-type]  # noqa: PTH100
        self.watching = True
        if not any(target.is_relative_to(root) for root in allowed):
            self._refuse(f"{event} {target}")

    def _refuse(self, what: str) -> None:
        self.events.append(f"forbidden: {what[:200]}")
        raise PermissionError(what[:200])
