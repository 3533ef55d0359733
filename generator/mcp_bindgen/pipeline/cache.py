"""Keeps what was made in the user's cache folder, for the next run.

An entry is only a shortcut: it may be missing, old, damaged or planted. It is found by
a key made of all that shapes it, our own sources included; it is used only if the
folder and the file are the user's own and nobody else may write them; and the hash in
its first line must be that of the rest. Beyond that, no text from an entry is written
that has not passed the self-check (`produce`), so that an entry never becomes code.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp_bindgen.write import files as disk

__all__ = ["Cache", "key", "ours", "user_cache"]

_MOST_BYTES = 1_000_000_000
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries; whatever goes wrong with it is a miss.

    Attributes:
        folder: Where they are; made when the first is written.
        most_bytes: All together; beyond it, those not used for longest go.
    """

    folder: Path
    most_bytes: int = _MOST_BYTES

    def read(self, name: str) -> Any:
        """Return an entry, None where there is none that can be used."""
        path = self.folder / name
        try:
            if not (_is_own(self.folder) and _is_own(path)):
                return None
            data = disk.read(path)
            digest, _, body = data.partition(b"\n")
            if digest != hashlib.sha256(body).hexdigest().encode():
                return None
            os.utime(path)
            return json.loads(body)
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, name: str, value: object) -> None:
        """Keep an entry, if that can be done."""
        body = json.dumps(value, separators=(",", ":")).encode()
        digest = hashlib.sha256(body).hexdigest().encode()
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_own(self.folder):
                self._put(self.folder / name, digest + b"\n" + body)
                self._forget(self.folder / name)

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

    def _forget(self, fresh: Path) -> None:
        """Remove the oldest entries until the others fit, but never the new one."""
        found = [(path.stat(), path) for path in self.folder.iterdir()]
        total = sum(status.st_size for status, _ in found)
        for status, path in sorted(found, key=lambda pair: pair[0].st_mtime):
            if total <= self.most_bytes:
                return
            if path != fresh:
                path.unlink()
                total -= status.st_size


def user_cache() -> Cache | None:
    """Return the user's cache; None where the system names no folder for it."""
    named = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    home = Path(os.environ.get(named) or ".")
    if not home.is_absolute():  # which the specification of XDG says to ignore
        below = "Library/Caches" if sys.platform == "darwin" else ".cache"
        with suppress(RuntimeError):
            home = Path.home() / below
    return Cache(home / "mcp-bindgen") if home.is_absolute() else None


def _is_own(path: Path) -> bool:
    """Tell whether a file or folder is the user's, and nobody else may write it."""
    found = disk.look(path)
    if found is None or stat.S_ISLNK(found.st_mode):
        return False
    if sys.platform == "win32":  # The folder is the user's by its access list.
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_MAY_WRITE


def key(*parts: object) -> str:
    """Return one name for the parts and for everything of ours that shapes output.

    Args:
        parts: JSON values and bytes.
    """
    digest = hashlib.sha256(ours().encode())
    for part in parts:
        data = part if isinstance(part, bytes) else json.dumps(part).encode()
        digest.update(b"%d:%s" % (len(data), data))
    return digest.hexdigest()


@lru_cache(maxsize=1)
def ours() -> str:
    """Return a hash of our sources and templates, of Python and what else writes."""
    home = Path(__file__).parents[1]
    checkout = home.parents[1] / "templates"
    digest = hashlib.sha256(f"{sys.version} {version('jinja2')}".encode())
    for folder in (home, checkout):
        for path in sorted(folder.rglob("*")):
            if "__pycache__" not in path.parts and path.is_file():
                digest.update(f"{path.relative_to(folder)} ".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
