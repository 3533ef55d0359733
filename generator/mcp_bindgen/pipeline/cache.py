"""The user's cache folder: results of earlier runs, each named by a hash of its input.

An entry may be missing, old, damaged or planted. It is used only if the folder and the
file are the user's own and no other user may write them, and if its first line is the
hash of its name and the rest. No text of an entry becomes code unless it passes the
self-check (`tool_cache`).

The rest is one line of JSON. Behind it are the strings of a member "texts", as they
are, with a NUL between them: to read code as JSON takes ten times as long.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.pipeline.versions import version
from mcp_bindgen.write import files as disk

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

__all__ = ["Cache", "key", "ours", "user_cache"]

_MOST_BYTES = 1_000_000_000
_LEFT = 0.75  # of these, once it was full, so that the next runs need not look
# Beside the entries: the bytes of all, and when they were last looked at.
_SIZE = "size"
_DAY = 86_400  # seconds
_TEXTS = "texts"
_STARTED = time.time_ns()
# Another version of one of these may write other files.
_LIBRARIES = ("jinja2", "black", "datamodel-code-generator", "pydantic-core")
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries; an entry that cannot be read is a miss, never an error.

    Attributes:
        folder: The folder; the first write makes it.
        most_bytes: Size of all entries together; the least recently used go first.
    """

    folder: Path
    most_bytes: int = _MOST_BYTES

    def read(self, name: str) -> Any:
        """Return the value of an entry, None where no sound one exists."""
        path = f"{self.folder}{os.sep}{name}"  # pathlib is slow
        try:
            if not (_is_own(self.folder) and _is_own(path)):
                return None
            data = disk.read(path)
            digest, _, body = data.partition(b"\n")
            if digest != _digest(name, body):
                return None
            os.utime(path)
            return _value(body)
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def write(self, entries: Mapping[str, object]) -> None:
        """Write entries by name, if that is possible, and make room for them."""
        with suppress(OSError):
            if is_changed():
                return
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_own(self.folder):
                written = 0
                for name, value in entries.items():
                    body = _body(value)
                    digest = _digest(name, body)
                    self._put(self.folder / name, digest + b"\n" + body)
                    written += len(digest) + 1 + len(body)
                self._make_room(entries, written)

    def _put(self, path: Path, data: bytes) -> None:
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
        try:
            with os.fdopen(os.open(temporary, disk.NEW, 0o600), "wb") as file:
                file.write(data)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    def _make_room(self, new: Container[str], written: int) -> None:
        """Remove the oldest entries where all of them are too large.

        To look at each of 50,000 entries takes a quarter of a second. So their size is
        noted; processes that write at once may lose a part of it, until the next day.
        """
        size, looked = self._noted()
        size, now = size + written, int(time.time())
        if size > self.most_bytes or not 0 <= now - looked < _DAY:
            size, looked = self._look(new), now
        self._put(self.folder / _SIZE, b"%d %d" % (size, looked))

    def _noted(self) -> tuple[int, int]:
        """Return the bytes of all entries, and the second when they were looked at."""
        path = self.folder / _SIZE
        try:
            size, looked = map(int, disk.read(path).split() if _is_own(path) else ())
        except (OSError, ValueError):
            return 0, 0
        return size, looked

    def _look(self, new: Container[str]) -> int:
        """Return the bytes of all entries; remove old ones, but never a new one."""
        with os.scandir(self.folder) as entries:
            known = [
                (entry.stat(follow_symlinks=False), entry)
                for entry in entries
                if entry.name != _SIZE
            ]
        total = sum(status.st_size for status, _ in known)
        most = self.most_bytes * _LEFT if total > self.most_bytes else total
        for status, entry in sorted(known, key=lambda pair: pair[0].st_mtime):
            if total <= most:
                break
            if entry.name not in new:
                Path(entry.path).unlink()
                total -= status.st_size
        return total


def _digest(name: str, body: bytes) -> bytes:
    """Return the first line of an entry, which fits no other entry."""
    digest = hashlib.sha256(name.encode())
    digest.update(body)
    return digest.hexdigest().encode()


def _body(value: object) -> bytes:
    """Return a value as it is written: JSON, and its texts behind it."""
    lines: list[str] = []
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        texts = members.get(_TEXTS)
        if isinstance(texts, list):
            value = {k: v for k, v in members.items() if k != _TEXTS}
            lines = ["\0".join(cast("list[str]", texts))]
    return "\n".join([json.dumps(value, separators=(",", ":")), *lines]).encode()


def _value(body: bytes) -> Any:
    """Return the value that `_body` wrote.

    Raises:
        ValueError: It is damaged.
        TypeError: The same.
    """
    line, has_texts, texts = body.partition(b"\n")
    value: Any = json.loads(line)
    return {**value, _TEXTS: texts.decode().split("\0")} if has_texts else value


def user_cache() -> Cache | None:
    """Return the user's cache; None where the system names no folder for it."""
    named = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    home = Path(os.environ.get(named) or ".")
    if not home.is_absolute():  # which the specification of XDG says to ignore
        below = "Library/Caches" if sys.platform == "darwin" else ".cache"
        with suppress(RuntimeError):
            home = Path.home() / below
    return Cache(home / "mcp-bindgen") if home.is_absolute() else None


def _is_own(path: str | Path) -> bool:
    """Return whether a file or folder is the user's, who alone may write it."""
    status = disk.look(path)
    if status is None or stat.S_ISLNK(status.st_mode):
        return False
    if sys.platform == "win32":  # The folder is the user's by its access list.
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def key(*parts: object) -> str:
    """Return a file name from a hash of the parts and of our own sources.

    Args:
        parts: JSON values and bytes.
    """
    digest = hashlib.sha256(ours().encode())
    for part in parts:
        data = part if isinstance(part, bytes) else json.dumps(part).encode()
        digest.update(b"%d:%s" % (len(data), data))
    return digest.hexdigest()


def ours() -> str:
    """Return a hash of our sources and templates, of Python and of the libraries."""
    return _program()[1]


def is_changed() -> bool:
    """Return whether our sources changed since this process read them.

    A result of the old program must not be written under the name of the new one, as
    where a branch is merged while a command runs.
    """
    return _is_changed(int(time.monotonic()))


@lru_cache(maxsize=1)
def _is_changed(second: int) -> bool:
    """Look at the sources, at most once a second: that takes 10 ms."""
    del second
    stamps = _stamps()
    return stamps != _program()[0] or any(at > _STARTED for _, at, _ in stamps)


@lru_cache(maxsize=1)
def _program() -> tuple[list[tuple[str, int, int]], str]:
    """Return the stamps of our sources, and the hash of their bytes."""
    stamps = _stamps()
    libraries = [version(library) for library in _LIBRARIES]
    digest = hashlib.sha256(" ".join([sys.version, *libraries]).encode())
    homes = tuple(f"{folder}{os.sep}" for folder in _folders())
    for path, _, _ in stamps:
        home = next(filter(path.startswith, homes))
        data = Path(path).read_bytes()
        digest.update(b"%s %d " % (os.fsencode(path.removeprefix(home)), len(data)))
        digest.update(data)
    return stamps, digest.hexdigest()


def _stamps() -> list[tuple[str, int, int]]:
    """Return path, time in nanoseconds and size of each source of ours, sorted."""
    files = (file for folder in _folders() for file in _sources(folder))
    known = ((file.path, file.stat()) for file in files)
    return sorted((path, s.st_mtime_ns, s.st_size) for path, s in known)


def _sources(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """Yield each file below a folder; there are hundreds, and pathlib is slow."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _sources(entry.path)
            elif entry.is_file():
                yield entry


def _folders() -> tuple[Path, ...]:
    home = Path(__file__).parents[1]
    templates = home.parents[1] / "templates"  # which is in a checkout alone
    return (home, templates) if templates.is_dir() else (home,)
