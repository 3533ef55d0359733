"""Reads and replaces files in a folder that strangers may have prepared.

It looks for links before each step, and opens files with `O_NOFOLLOW`. It replaces a
file by renaming, which replaces a link and never follows it. A program that can swap a
folder between two steps can write into the folder without us.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager, suppress
from errno import EINVAL
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = [
    "NEW",
    "STAGING",
    "ReadFile",
    "alone",
    "encoded",
    "folder_fault",
    "look",
    "make_folder",
    "read",
    "read_stamped",
    "stage",
    "stamp",
    "sweep",
]

STAGING = ".mcp-bindgen.tmp"
"""The folder for new files until they are renamed; only a killed run leaves it."""

# A system without a flag has only the look before each step.
_FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
_SAFE = sum(vars(os).get(flag, 0) for flag in _FLAGS)
_SURROGATE = 0x20000000
_READ = os.O_RDONLY | _SAFE
_PART = 1 << 20  # characters
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE
"""The flags to open a new file: it is an error if the file exists."""


class ReadFile(NamedTuple):
    """A file as this process has read it.

    Attributes:
        hash: The hash of its text.
        stamp: What the system says of it (`stamp`): another one when it was changed or
            replaced since.
    """

    hash: str
    stamp: tuple[int, ...]


def look(path: str | Path) -> os.stat_result | None:
    """Return the status of a file, folder or link, None if nothing has the path."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def folder_fault(path: Path) -> str:
    """Return the reason why a folder cannot be written, "" if it can."""
    status = look(path)
    if status is None:
        return ""
    # To `stat` a junction of Windows is a folder; this bit says it leads elsewhere.
    tag = getattr(status, "st_reparse_tag", False)
    if stat.S_ISLNK(status.st_mode) or tag & _SURROGATE:
        return "is a link, and links are not followed"
    return "" if stat.S_ISDIR(status.st_mode) else "is not a folder"


def read(path: str | Path) -> bytes:
    """Return the bytes of a regular file; a link is an error."""
    return read_stamped(path)[0]


def read_stamped(path: str | Path) -> tuple[bytes, tuple[int, ...]]:
    """Return the bytes of a regular file, and its stamp; a link is an error."""
    with os.fdopen(os.open(path, _READ), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(EINVAL, "not a regular file", str(path))
        return file.read(), stamp(status)


def stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return what becomes another when a file is changed or replaced."""
    times = status.st_mtime_ns, status.st_ctime_ns
    return (status.st_dev, status.st_ino, status.st_size, *times)


def make_folder(path: Path, made: list[Path]) -> None:
    """Make a folder and all missing folders above it.

    Args:
        path: The folder; it may exist.
        made: Gets each folder that is made.
    """
    fault = folder_fault(path)
    if fault:
        raise OSError(EINVAL, fault, str(path))
    if look(path):
        return
    if not path.parent.exists():
        make_folder(path.parent, made)
    path.mkdir(exist_ok=True)  # another run may have made it a moment ago
    made.append(path)


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Wait until no other thread or process writes into a folder.

    The system ends the lock with the process. Windows has no locks of folders: there
    is no wait.

    Args:
        folder: The package folder; a link is not waited for.
    """
    if sys.platform == "win32" or folder_fault(folder):
        yield
        return
    import fcntl  # noqa: PLC0415, Windows has none

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _SAFE)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def stage(folder: Path, contents: Mapping[str, str]) -> Generator[dict[str, Path]]:
    """Write files into the staging folder, and remove the folder at the end.

    Args:
        folder: The package folder; it exists.
        contents: Any key to the text of one file.

    Yields:
        Each key with the path of its file, ready to be renamed.
    """
    staging = folder / STAGING
    staging.mkdir()
    try:
        staged = {key: staging / str(number) for number, key in enumerate(contents)}
        for key, path in staged.items():
            with os.fdopen(os.open(path, NEW, 0o666), "wb") as file:
                file.writelines(encoded(contents[key]))
        yield staged
    finally:
        with suppress(OSError, BindgenError):
            sweep(folder)


def encoded(text: str) -> Iterator[bytes]:
    """Yield the bytes of a text, a part at a time: it may be the half of a package."""
    for begin in range(0, len(text), _PART):
        yield text[begin : begin + _PART].encode()


def sweep(folder: Path) -> None:
    """Remove the staging folder that a killed run left behind."""
    staging = folder / STAGING
    if look(staging) is None:
        return
    fault = folder_fault(staging)
    entries: Iterable[Path] = () if fault else sorted(staging.iterdir())
    strange = [path.name for path in entries if not _is_staged(path)]
    if fault or strange:
        raise BindgenError(
            Problem(
                "",
                f"{staging} {fault or 'holds files that mcp-bindgen did not write'}",
                "move it away, then run the same command",
            )
        )
    for path in entries:
        path.unlink()
    staging.rmdir()


def _is_staged(path: Path) -> bool:
    return path.name.isdecimal() and stat.S_ISREG(path.lstat().st_mode)
