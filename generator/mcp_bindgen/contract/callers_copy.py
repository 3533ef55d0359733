"""Copies a program for a type checker, with one package in place of its own.

Nothing of the user's is changed: files of the sources are copied, the rest of the
project is linked, so that a checker finds its settings, plugins, stubs and `.venv`.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["copy_project", "import_root", "package_in", "read_files", "write_package"]

# What a type checker reads: sources, marks, and its settings.
_READ = {".py", ".pyi", ".typed", ".toml", ".ini", ".cfg"}
_NAMED = {"pyrightconfig.json", ".mypy.ini"}
_SKIPPED = {"__pycache__", "node_modules", "venv", "site-packages"}
_LINKED = {".venv", "venv"}  # the folders that a checker reads, and nobody copies
_DEPTH = 4  # folders around a package


def package_in(root: Path, source: Path, name: str) -> Path:
    """Return where a project has a package, as a path in the project.

    Args:
        root: The folder of the project.
        source: The folder of the sources; a package that is nowhere belongs there, or
            beside the package that they are.
        name: The import name of the package.
    """
    for start, depth in ((source, None), (root, _DEPTH)):
        for folder, _ in _folders(start, depth):
            if folder.name == name and (folder / "manifest.json").is_file():
                return folder.relative_to(root)
    return import_root(source, root).relative_to(root) / name


def import_root(folder: Path, root: Path) -> Path:
    """Return the folder from which a folder's modules have their names.

    Args:
        folder: A folder of modules, maybe of a package.
        root: The folder of the project, where the search ends.
    """
    while folder != root and (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def read_files(source: Path) -> Iterator[Path]:
    """Yield the files of a program that a type checker reads, in order.

    Args:
        source: The folder of the sources.
    """
    for folder, entries in _folders(source):
        yield from (folder / each.name for each in entries if _is_read(each))


def _folders(
    start: Path, depth: int | None = None
) -> Iterator[tuple[Path, list[os.DirEntry[str]]]]:
    """Yield the folders of a tree with their entries, in the order of their names.

    Linked folders are not entered: a link may lead back to where it is, and to any
    number of files. A folder that goes away while it is read is empty.
    """
    waiting = [(start, 0)]
    while waiting:
        folder, level = waiting.pop()
        entries: list[os.DirEntry[str]] = []
        with suppress(FileNotFoundError), os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
        yield folder, entries
        if depth is None or level < depth:
            waiting += (
                (folder / each.name, level + 1)
                for each in reversed(entries)
                if each.is_dir(follow_symlinks=False) and not _is_skipped(each.name)
            )


def _is_skipped(name: str) -> bool:
    return name in _SKIPPED or name.startswith(".")


def _is_read(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a file that a type checker reads."""
    is_hidden = entry.name.startswith(".")
    is_named = entry.name in _NAMED
    if not is_named and (is_hidden or Path(entry.name).suffix not in _READ):
        return False
    with suppress(OSError):  # a link that leads to itself
        return entry.is_file()
    return False


def copy_project(root: Path, source: Path, package: Path, copy: Path) -> None:
    """Copy a project, without one of its packages.

    Args:
        root: The folder of the project.
        source: The folder of the sources in it, whose files are copied.
        package: The path of the package in the project.
        copy: The folder of the copy.

    Raises:
        OSError: A file cannot be read.
    """
    own = root / package
    for folder, entries in _folders(source):
        if folder == own or own in folder.parents:
            continue
        target = copy / folder.relative_to(root)
        target.mkdir(parents=True, exist_ok=True)
        for entry in entries:
            if _is_read(entry):
                _copy(folder / entry.name, target / entry.name)
            elif entry.is_symlink() or entry.name in _LINKED:
                _link(folder / entry.name, target / entry.name, source, root, copy)
    _surround(root, copy, {source, own})


def _copy(file: Path, target: Path) -> None:
    """Copy a file; one that goes away while the project is copied is none."""
    with suppress(FileNotFoundError):
        shutil.copyfile(file, target)


def _link(entry: Path, target: Path, source: Path, root: Path, copy: Path) -> None:
    """Link what an entry leads to, which is in the copy if it is of the sources."""
    with suppress(OSError, RuntimeError):  # no links here, or one that loops
        real, inner = entry.resolve(strict=True), source.resolve()
        if real.is_dir() and not _is_loop(entry, real):
            if real.is_relative_to(inner) and entry.name not in _LINKED:
                real = copy / source.relative_to(root) / real.relative_to(inner)
            target.symlink_to(real, target_is_directory=True)


def _is_loop(entry: Path, real: Path) -> bool:
    """Return whether an entry leads to a folder that it is in.

    It has no modules of its own, and mypy reads each again on every way through it.
    """
    return entry.parent.resolve().is_relative_to(real)


def _surround(folder: Path, copy: Path, real: set[Path]) -> None:
    """Link what a folder has, down to the folders that are no links.

    Its own files are copied: not every system has links, and settings are needed.
    """
    copy.mkdir(parents=True, exist_ok=True)
    if folder in real:
        return
    with os.scandir(folder) as listed:
        entries = [*listed]
    for each in entries:
        entry, target = folder / each.name, copy / each.name
        if any(path == entry or entry in path.parents for path in real):
            if not target.is_symlink() and entry.is_dir() and entry not in real:
                _surround(entry, target, real)
        elif _is_read(each):
            _copy(entry, target)
        elif not each.name.startswith(".") or each.name in _LINKED:
            # In a system without links, the checker has less.
            with suppress(OSError, RuntimeError):
                if not _is_loop(entry, entry.resolve(strict=True)):
                    target.symlink_to(entry, target_is_directory=entry.is_dir())


def write_package(files: Mapping[str, str], package: Path) -> None:
    """Write the files of a package.

    Args:
        files: Path in the package to text.
        package: Its folder.
    """
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
