# Copied by mcp-bindgen. Do not edit.
"""The audit log: a file of JSON lines, each of which names the hash of the one before.

The chain shows that lines were changed or taken out. Whoever can write the file can
write a new chain: copy the last hash elsewhere from time to time.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ConfigError, shown
from ...json_values import members
from ...strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AuditLog", "line_hash"]

_log = logging.getLogger(__name__.partition("._runtime")[0])
_MEGABYTE = 1024 * 1024
_TAIL = 4 * _MEGABYTE


def line_hash(line: bytes) -> str:
    """Return the hash of a line of the log, without its end."""
    return f"sha256:{hashlib.sha256(line).hexdigest()}"


class AuditLog:
    """Writes records into a file; one process writes one log.

    Beside the file is `FILE.key`: the key of the hashes of arguments.

    Args:
        path: The file; its folder must exist.
        max_bytes: A larger file becomes FILE.1, FILE.1 becomes FILE.2, and so on.
        strict: Whether a call is refused where its record cannot be written; else the
            log of the program says so once.
        durable: Whether each record is on the disk before a call is sent.

    Raises:
        ConfigError: The folder does not exist, the path is that of a device or a pipe,
            or the key cannot be read or written.

    Example:
        policy = Policy.load("policies/catalog.toml", audit=AuditLog("calls.jsonl"))
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        max_bytes: int = 64 * _MEGABYTE,
        strict: bool = False,
        durable: bool = False,
    ) -> None:
        self._path = Path(path)
        self._most, self._strict, self._durable = max_bytes, strict, durable
        self._lock = threading.Lock()
        self._warned = False
        self._seq, self._last, self._size = 0, "", -1
        # A device or a pipe has no last line, and reading one may never end; a folder
        # fails as a full disk does, once a record is written.
        there = self._path.exists()
        if there and not self._path.is_file() and not self._path.is_dir():
            raise ConfigError(f"{shown(path, 200)}: expected a regular file")
        try:
            self.key = _key(self._path.with_name(f"{self._path.name}.key"))
        except OSError as error:
            raise ConfigError(f"{shown(path, 200)}: {shown(error.strerror)}") from None

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Write a record, with its time, its number and the hash of the line before.

        Raises:
            OSError: The file cannot be written, and the log is strict.
        """
        with self._lock:
            try:
                self._write(record)
            except OSError as error:
                self._size = -1  # What is in the file now has to be read again.
                if self._strict:
                    raise
                if not self._warned:
                    self._warned = True
                    _log.error("the audit log cannot be written: %s", error.strerror)

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._size < 0 or not self._path.exists():
            self._read_tail()
        whole = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "seq": self._seq,
            "prev_hash": self._last,
            **record,
        }
        line = json.dumps(whole, allow_nan=False).encode()
        if self._size and self._size + len(line) >= self._most:
            _rotate(self._path)
            self._size = 0
        with self._path.open("ab") as stream:
            stream.write(line + b"\n")
            stream.flush()
            if self._durable:
                os.fsync(stream.fileno())
        self._seq, self._last = self._seq + 1, line_hash(line)
        self._size += len(line) + 1

    def _read_tail(self) -> None:
        """Find the last line, so that the chain continues after a restart."""
        last = _last_line(self._path)
        rotated = not last
        if rotated:
            last = _last_line(self._path.with_name(f"{self._path.name}.1"))
        self._seq, self._last, self._size = 0, "", 0
        if last:
            self._last, self._seq = line_hash(last), _number(last) + 1
        if self._path.exists():
            self._size = self._path.stat().st_size
            with self._path.open("rb") as stream:
                stream.seek(max(self._size - 1, 0))
                torn = stream.read(1) not in {b"\n", b""}
            if torn:  # A crash cut the last line; the next one starts on a new line.
                with self._path.open("ab") as stream:
                    self._size += stream.write(b"\n")


def _key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        key = secrets.token_bytes(32)
        # Nobody else may read it: it tells which arguments a hash belongs to.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(path, flags, 0o600), "wb") as stream:
            stream.write(key)
        return key


def _rotate(path: Path) -> None:
    """Rename a file to FILE.1, and the older ones to the next number."""
    number = 1
    while path.with_name(f"{path.name}.{number}").exists():
        number += 1
    for each in range(number, 1, -1):
        older = path.with_name(f"{path.name}.{each - 1}")
        older.rename(path.with_name(f"{path.name}.{each}"))
    path.rename(path.with_name(f"{path.name}.1"))


def _last_line(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(size - _TAIL, 0))
            return stream.read().rstrip(b"\n").rpartition(b"\n")[2]
    except FileNotFoundError:
        return b""


def _number(line: bytes) -> int:
    """Return the number of a line; -1 where the line is none of ours."""
    try:
        number = members(loads(line)).get("seq")
    except StrictJsonError:
        return -1
    return number if type(number) is int else -1
