"""Finds the files of a project whose tables say how its Python files are made."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from os.path import expandvars
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Table", "layout_table", "nearest", "read_project"]

_FILE = "pyproject.toml"
# Ruff reads the first of these in a folder.
_OF_RUFF = (".ruff.toml", "ruff.toml", _FILE)
_LAYOUT = frozenset({"extend", "format", "indent-width", "line-length"})
_MOST_EXTENDED = 10


class Table(NamedTuple):
    """A table of a project that says how its files are laid out.

    Attributes:
        file: Its file.
        key: Where it is in the file: "tool.black".
        value: The table, or the user's text in its place.
        requires: `requires-python` of the project.
    """

    file: Path
    key: str
    value: Any
    requires: object


def nearest(output: Path, *keys: str) -> Path | None:
    """Return the nearest pyproject.toml of a folder with one of some tables.

    Args:
        output: The folder, which may be missing.
        keys: The tables below `tool`, as "mcp-bindgen.models".

    Raises:
        BindgenError: A file on the way is no TOML.
    """
    for folder in _folders(output):
        if (folder / _FILE).is_file():
            tool = members(read_project(folder / _FILE).get("tool"))
            if any(_inner(tool, key) is not None for key in keys):
                return folder / _FILE
    return None


def layout_table(output: Path) -> Table | None:
    """Return the table that lays out the files of a folder.

    It is that of the nearest file with one, as black and ruff find it from the folder
    up to the root of its repository; in a folder, our own comes first, then black's.
    A table of ruff without options for the layout gives way to black's above it.

    Args:
        output: The folder, which may be missing.

    Raises:
        BindgenError: A file on the way is no TOML.
    """
    of_ruff: Table | None = None
    for folder in _folders(output):
        file = folder / _FILE
        document = read_project(file) if file.is_file() else {}
        tool = members(document.get("tool"))
        requires = members(document.get("project")).get("requires-python")
        for key in ("mcp-bindgen.format", "black"):
            if (value := _inner(tool, key)) is not None:
                return Table(file, f"tool.{key}", value, requires)
        of_ruff = of_ruff or _ruff(folder, requires)
        if of_ruff and _LAYOUT & members(of_ruff.value).keys():
            break
    return of_ruff and of_ruff._replace(value=_extended(of_ruff.file, of_ruff.value))


def read_project(file: Path) -> dict[str, Any]:
    """Return the contents of a pyproject.toml or ruff.toml, which nobody changes.

    Raises:
        BindgenError: It cannot be read, or is no TOML.
    """
    try:
        return _parsed(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        hint = "correct the file: its options of black or ruff lay out what is made"
        raise BindgenError(Problem("", f"{file}: {error}", hint)) from error


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """Return a text of TOML: for each of many servers, the settings are read again."""
    return tomllib.loads(text)


def _folders(output: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the root of its repository."""
    folder = output.absolute()
    for each in filter(_is_folder, (folder, *folder.parents)):
        yield each
        if (each / ".git").exists() or (each / ".hg").is_dir():
            return


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # Its name is too long for the system.
        return False


def _inner(tool: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted key, None for none."""
    *outer, last = key.split(".")
    for name in outer:
        tool = members(tool.get(name))
    return tool.get(last)


def _ruff(folder: Path, requires: object) -> Table | None:
    """Return ruff's table in a folder."""
    for name in _OF_RUFF:
        if (folder / name).is_file():
            table = _ruff_table(folder / name)
            if table is not None:
                key = "tool.ruff" if name == _FILE else ""
                return Table(folder / name, key, table, requires)
    return None


def _ruff_table(file: Path) -> Any:
    document = read_project(file)
    if file.name != _FILE:
        return document
    return members(document.get("tool")).get("ruff")


def _extended(file: Path, value: object) -> dict[str, Any]:
    """Return a table of ruff together with those that it extends.

    Raises:
        BindgenError: An extended file cannot be read.
    """
    table = dict(members(value))
    for _ in range(_MOST_EXTENDED):
        other = table.pop("extend", None)
        if not isinstance(other, str):
            break
        # As ruff reads it: with variables, and with ~ for the home.
        file = file.parent / Path(expandvars(other)).expanduser()
        base = members(_ruff_table(file))
        inner = {**members(base.get("format")), **members(table.get("format"))}
        table = {**base, **table, **({"format": inner} if inner else {})}
    return table
