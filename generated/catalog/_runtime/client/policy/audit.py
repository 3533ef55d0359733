# Copied by mcp-bindgen. Do not edit.
"""The audit log: a file of JSON lines, each of which names the hash of the one before.

The chain shows that lines were changed or taken out, and the seal of each line that
nobody without the key wrote it. A program that has the key can write a new chain: copy
the last hash elsewhere from time to time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import secrets
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import limits
from ...errors import ConfigError, printable
from ...json_values import members
from ...strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AuditLog", "has_seal", "line_hash"]

_log = logging.getLogger(__name__.partition("._runtime")[0])
_TAIL = 64 * 1024
_SEAL = b', "seal": "'
_locks: dict[str, threading.Lock] = {}
"""One for each file: several logs of a process may write into it."""


def line_hash(line: bytes) -> str:
    """Return the hash of a line of the log, without its end."""
    return f"sha256:{hashlib.sha256(line).hexdigest()}"


def _sealed(line: bytes, key: bytes) -> bytes:
    """Return a line with its seal, which only the key can make."""
    # No JSON begins so: the hash of arguments, of the same key, is never a seal.
    seal = hmac.new(key, b"line\0" + line, "sha256").hexdigest()
    return line[:-1] + _SEAL + seal.encode() + b'"}'


def has_seal(line: bytes, key: bytes) -> bool:
    """Return whether a line has the seal that a key makes.

    Args:
        line: The line, without its end.
        key: The key of the log.
    """
    text, mark, _ = line.rpartition(_SEAL)
    return bool(mark) and hmac.compare_digest(_sealed(text + b"}", key), line)


class AuditLog:
    """Writes records into a file; one process writes one log.

    Beside the file is `FILE.key`: the key of the seals and of the hashes of arguments.

    Args:
        path: The file; its folder must exist.
        max_bytes: A larger file becomes FILE.1, FILE.1 becomes FILE.2, and so on.
        strict: Whether a call is refused where its record cannot be written; else the
            log of the program says so once.
        durable: Whether each record is on the disk before a call is sent.

    Raises:
        ConfigError: The folder does not exist, the path is that of a device or a pipe,
            or the key cannot be read or written, or is not whole.

    Example:
        policy = Policy.load("policies/catalog.toml", audit=AuditLog("calls.jsonl"))
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        max_bytes: int = limits.AUDIT_BYTES,
        strict: bool = False,
        durable: bool = False,
    ) -> None:
        self._path = Path(path)
        self._most, self._strict, self._durable = max_bytes, strict, durable
        self._lock = _locks.setdefault(os.path.realpath(path), threading.Lock())
        self._warned = False
        self._seq, self._last, self._lost = 0, "", 0
        self._inode, self._size = 0, -1
        # A device or a pipe has no last line, and reading one may never end; a folder
        # fails as a full disk does, once a record is written.
        there = self._path.exists()
        if there and not self._path.is_file() and not self._path.is_dir():
            raise ConfigError(
                f"{printable(path, 200)}: expected a regular file",
                hint="name a file that is new, or a log",
            )
        try:
            self.key = _key(self._path)
        except OSError as error:
            raise ConfigError(
                f"{printable(path, 200)}: {printable(error.strerror)}",
                hint="choose another file",
            ) from None

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
                self._lost += 1  # Its number is not used again, so that a gap shows it.
                if self._strict:
                    raise
                if not self._warned:
                    self._warned = True
                    _log.error("the audit log cannot be written: %s", error.strerror)

    def _write(self, record: Mapping[str, Any]) -> None:
        # The file may be gone, and another log of this process may write into it: also
        # a new file of the same size.
        if (self._inode, self._size) != _state_of(self._path):
            self._read_tail()
        number = self._seq + self._lost
        whole = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "seq": number,
            "prev_hash": self._last,
            **record,
        }
        line = _sealed(json.dumps(whole, allow_nan=False).encode(), self.key)
        if self._size and self._size + len(line) >= self._most:
            _rotate(self._path)
            self._size = 0
        self._append(line + b"\n")
        self._seq, self._last, self._lost = number + 1, line_hash(line), 0
        self._size += len(line) + 1

    def _append(self, data: bytes) -> None:
        """Write data at the end of the file, all of it or nothing.

        Raises:
            OSError: The disk is full, or the file is not ours.
        """
        with self._path.open("ab", buffering=0) as stream:
            size, rest = stream.tell(), memoryview(data)
            try:
                while rest:
                    rest = rest[stream.write(rest) :]
                self._inode = os.fstat(stream.fileno()).st_ino
                if self._durable:
                    os.fsync(stream.fileno())
            except OSError:
                with suppress(OSError):  # a part of a line would break the chain
                    stream.truncate(size)
                raise

    def _read_tail(self) -> None:
        """Find the last line, so that the chain continues after a restart."""
        older = self._path.with_name(f"{self._path.name}.1")
        lines = _last_lines(self._path) or _last_lines(older)
        self._size = 0
        number = _next_number(lines)
        # Where lines of this log are missing, the chain goes on, and shows it.
        if lines and number >= self._seq:
            self._seq, self._last = number, line_hash(lines[-1])
        if self._path.exists():
            self._size = self._path.stat().st_size
            with self._path.open("rb") as stream:
                stream.seek(max(self._size - 1, 0))
                torn = stream.read(1) not in {b"\n", b""}
            if torn:  # A crash cut the last line; the next one starts on a new line.
                self._append(b"\n")
                self._size += 1


def _state_of(path: Path) -> tuple[int, int]:
    """Return which file it is, and its size."""
    facts = path.stat() if path.exists() else None
    return (facts.st_ino, facts.st_size) if facts else (0, 0)


def _key(log: Path) -> bytes:
    """Return the key of a log, a new one where there is none.

    Raises:
        OSError: It can neither be read nor written.
        ConfigError: It is no whole key, so that anybody could make its seals.
    """
    path = log.with_name(f"{log.name}.key")
    with suppress(FileExistsError):
        _new_key(path)
        if log.is_file() and log.stat().st_size:
            name = printable(path, 200)
            _log.warning("%s is new: --verify finds no older record right", name)
    key = path.read_bytes()
    if len(key) < limits.AUDIT_KEY:
        raise ConfigError(
            f"{printable(path, 200)}: expected a key of {limits.AUDIT_KEY} bytes, got"
            f" {len(key)}",
            hint="restore it, or move the log and its key away",
        )
    return key


def _new_key(path: Path) -> None:
    """Write a new key.

    Raises:
        FileExistsError: There is a key.
    """
    # Nobody else may read it: it tells which arguments a hash belongs to.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(path, flags, 0o600), "wb", buffering=0) as stream:
        try:
            stream.write(secrets.token_bytes(limits.AUDIT_KEY))
        except OSError:  # The disk is full; the next log makes a whole key.
            path.unlink()
            raise


def _rotate(path: Path) -> None:
    """Rename a file to FILE.1, and the older ones to the next number."""
    number = 1
    while path.with_name(f"{path.name}.{number}").exists():
        number += 1
    for each in range(number, 1, -1):
        older = path.with_name(f"{path.name}.{each - 1}")
        older.rename(path.with_name(f"{path.name}.{each}"))
    path.rename(path.with_name(f"{path.name}.1"))


def _last_lines(path: Path) -> list[bytes]:
    """Return the last line of a file, and whole lines before it; [] for no line."""
    try:
        with path.open("rb") as stream:
            size, most = stream.seek(0, os.SEEK_END), _TAIL
            while True:
                begin = max(size - most, 0)
                stream.seek(begin)
                lines = stream.read().removesuffix(b"\n").split(b"\n")
                if not begin or len(lines) > 2:
                    return lines[bool(begin) :] if size else []
                most *= 8  # A line may have the arguments of a call.
    except FileNotFoundError:
        return []


def _next_number(lines: list[bytes]) -> int:
    """Return the number after the last line; one that a crash cut counts, too."""
    for after, line in enumerate(reversed(lines), 1):
        try:
            number = members(loads(line)).get("seq")
        except StrictJsonError:
            continue
        if type(number) is int:
            return number + after
    return len(lines)
