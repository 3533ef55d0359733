"""Copies a program for a type checker, with one package in place of its own.

Nothing of the user's is changed: files of the sources are copied, the rest of the
project is linked, so that a checker finds its settings, plugins, stubs and `.venv`.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["copy_project", "package_in", "write_package"]

# What a type checker reads: sources, marks, and its settings.
_READ = {".py", ".pyi", ".typed", ".toml", ".ini", ".cfg", ".json"}
_SKIPPED = {"__pycache__", "node_modules", "venv", "site-packages"}
_HIDDEN = {".venv", ".mypy.ini"}  # the hidden entries that a checker reads
_DEPTH = 4  # folders around a package


def package_in(root: Path, source: Path, name: str) -> Path:
    """Return where a project has a package, as a path in the project.

    Args:
        root: The folder of the project.
        source: The folder of the sources; a package that is nowhere belongs there.
        name: The import name of the package.
    """
    depths = ("*/" * number for number in range(_DEPTH))
    folders = [
        *source.rglob(f"{name}/manifest.json"),
        *(file for d in depths for file in root.glob(f"{d}{name}/manifest.json")),
    ]
    inner = (file.parent.relative_to(root) for file in folders)
    return next(
        (p for p in inner if not _is_skipped(p)), source.relative_to(root) / name
    )


def _is_skipped(path: Path) -> bool:
    return any(part in _SKIPPED or part.startswith(".") for part in path.parts)


def copy_project(root: Path, source: Path, package: Path, copy: Path) -> None:
    """Copy a project, without one of its packages.

    Args:
        root: The folder of the project.
        source: The folder of the sources in it, whose files are copied.
        package: The path of the package in the project.
        copy: The folder of the copy.
    """
    own = root / package

    def skipped(folder: str, names: list[str]) -> set[str]:
        paths = [Path(folder) / name for name in names]
        unread = {p.name for p in paths if not p.is_dir() and p.suffix not in _READ}
        hidden = {p.name for p in paths if p.name.startswith(".")}
        return (
            unread
            | hidden
            | (_SKIPPED & {*names})
            | {p.name for p in paths if p == own}
        )

    shutil.copytree(source, copy / source.relative_to(root), ignore=skipped)
    _link(root, copy, {source, own})


def _link(folder: Path, copy: Path, real: set[Path]) -> None:
    """Link what a folder has, down to the folders that are no links."""
    copy.mkdir(parents=True, exist_ok=True)
    if folder in real:
        return
    for entry in folder.iterdir():
        target = copy / entry.name
        if any(each == entry or entry in each.parents for each in real):
            if not target.is_symlink() and entry.is_dir() and entry not in real:
                _link(entry, target, real)
        elif not entry.name.startswith(".") or entry.name in _HIDDEN:
            with suppress(OSError):  # a system without links: the checker has less
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
