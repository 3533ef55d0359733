# Copied by mcp-bindgen. Do not edit.
"""Stores of credentials: in memory, in a file, in the keyring of the system."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ... import limits
from ...errors import FAILURE, ConfigError, TransportError, printable
from .file_lock import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["FileStore", "KeyringStore", "MemoryStore", "Store", "locked", "store_of"]


class Store(Protocol):
    """A store of credentials; another object with these methods will do as well.

    Its methods are called from several threads. A text is a secret.
    """

    def load(self, key: str, /) -> str | None:
        """Return the text of a key, None where there is none."""
        ...

    def save(self, key: str, text: str, /) -> None:
        """Replace the text of a key, as a whole or not at all."""
        ...

    def delete(self, key: str, /) -> None:
        """Remove the text of a key, if there is one."""
        ...

    def try_lock(self, key: str, /) -> Callable[[], None] | None:
        """Take the lock of a key; return the function that gives it back, or None."""
        ...


@contextmanager
def locked(store: Store, key: str, seconds: float) -> Generator[None]:
    """Have the lock of a key, in this thread alone.

    Args:
        store: The store.
        key: The key.
        seconds: How long to wait for it.

    Raises:
        TransportError: Another thread or process has it for too long.
    """
    end, pause = time.monotonic() + seconds, 0.005
    while (unlock := store.try_lock(key)) is None:
        if time.monotonic() > end:
            raise TransportError(
                "another process renews the credentials, and does not end",
                hint="end it, or try again later",
                outcome="not sent",
                transient=True,
            )
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)
    try:
        yield
    finally:
        unlock()


class MemoryStore:
    """Credentials that end with the process."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._locks: dict[str, threading.Lock] = {}

    def load(self, key: str) -> str | None:
        """Return the text of a key, None where there is none."""
        return self._texts.get(key)

    def save(self, key: str, text: str) -> None:
        """Replace the text of a key."""
        self._texts[key] = text

    def delete(self, key: str) -> None:
        """Remove the text of a key, if there is one."""
        self._texts.pop(key, None)

    def try_lock(self, key: str) -> Callable[[], None] | None:
        """Take the lock of a key; return the function that gives it back, or None."""
        lock = self._locks.setdefault(key, threading.Lock())
        return lock.release if lock.acquire(blocking=False) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class FileStore:
    """Credentials in files that only the user may read (mode 0600).

    Args:
        folder: The folder of the files, made with mode 0700; None for that of
            `mcp-bindgen login`.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = _default_folder() if folder is None else Path(folder)

    def load(self, key: str) -> str | None:
        """Return the text of a key, None where there is none.

        Raises:
            ConfigError: The file cannot be read, or others may read it.
        """
        path = self._path(key, ".json")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
        try:
            # A damaged text is no record, and the next login replaces it.
            with os.fdopen(os.open(path, flags), "rb") as stream:
                self._refuse_open(os.fstat(stream.fileno()), path)
                return stream.read(limits.OAUTH_BODY).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(path, error) from None

    def save(self, key: str, text: str) -> None:
        """Replace the text of a key, as a whole or not at all.

        Raises:
            ConfigError: The file cannot be written.
        """
        path = self._path(key, ".json")
        new = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._make_folder()
            with suppress(FileNotFoundError):  # of a process with our number that died
                new.unlink()
            with os.fdopen(os.open(new, flags, 0o600), "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink()
            raise _unusable(path, error) from None

    def delete(self, key: str) -> None:
        """Remove the text of a key, if there is one.

        Raises:
            ConfigError: The file cannot be removed.
        """
        path = self._path(key, ".json")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise _unusable(path, error) from None

    def try_lock(self, key: str) -> Callable[[], None] | None:
        """Take the lock of a key; return the function that gives it back, or None.

        Raises:
            ConfigError: The folder cannot be written.
        """
        path = self._path(key, ".lock")
        try:
            self._make_folder()
            return try_lock(path)
        except OSError as error:
            raise _unusable(path, error) from None

    def _path(self, key: str, ending: str) -> Path:
        # No text of a server names a file.
        return self.folder / (hashlib.sha256(key.encode()).hexdigest()[:40] + ending)

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @staticmethod
    def _refuse_open(facts: os.stat_result, path: Path) -> None:
        if sys.platform != "win32" and facts.st_mode & 0o077:
            raise ConfigError(
                f"others may read the credentials in {printable(path, 200)}",
                hint="log in again after: rm " + printable(path, 200),
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"


def _default_folder() -> Path:
    if named := os.environ.get("MCP_BINDGEN_CREDENTIALS"):
        return Path(named)
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(home) if home else Path.home() / ".local" / "share"
    return folder / "mcp-bindgen" / "credentials"


def _unusable(path: Path, error: Exception) -> ConfigError:
    reason = getattr(error, "strerror", None) or type(error).__name__
    return ConfigError(
        f"the credentials in {printable(path, 200)} are unusable:"
        f" {printable(reason, 80)}",
        hint="see who may write there, or name a folder in MCP_BINDGEN_CREDENTIALS",
    )


class KeyringStore(FileStore):
    """Credentials in the keyring of the system; only locks are files.

    It needs the package `keyring`.

    Raises:
        ConfigError: The package is missing.
    """

    _SERVICE = "mcp-bindgen"

    def __init__(self) -> None:
        super().__init__()
        try:
            self._keyring: Any = import_module("keyring")
        except ImportError:
            raise ConfigError(
                "a keyring needs the package keyring", hint="pip install keyring"
            ) from None

    def load(self, key: str) -> str | None:
        """Return the text of a key, None where there is none."""
        text = self._run("get_password", key)
        return text if isinstance(text, str) else None

    def save(self, key: str, text: str) -> None:
        """Replace the text of a key."""
        self._run("set_password", key, text)

    def delete(self, key: str) -> None:
        """Remove the text of a key, if there is one."""
        if self.load(key) is not None:
            self._run("delete_password", key)

    def _run(self, method: str, key: str, *more: str) -> object:
        name = hashlib.sha256(key.encode()).hexdigest()[:40]
        try:
            return getattr(self._keyring, method)(self._SERVICE, name, *more)
        except FAILURE as error:
            kind = type(error).__name__
            raise ConfigError(
                f"the keyring of the system fails ({kind})", hint='pass store="file"'
            ) from None


def store_of(store: Store | str) -> Store:
    """Return the store of a name: "file", "memory" or "keyring".

    Raises:
        ConfigError: There is no such store.
    """
    kinds: dict[str, Callable[[], Store]] = {
        "file": FileStore,
        "memory": MemoryStore,
        "keyring": KeyringStore,
    }
    if not isinstance(store, str):
        return store
    if store not in kinds:
        raise ConfigError(
            f"there is no store {printable(store, 80)!r}",
            hint="one of " + ", ".join(kinds),
        )
    return kinds[store]()
