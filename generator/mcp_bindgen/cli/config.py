"""The project's `[tool.mcp-bindgen]` becomes settings; a wrong key is an error."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Server", "find", "load"]

_FILE = "pyproject.toml"
_MARK = "[tool.mcp-bindgen"
_TOP: Mapping[str, type] = {
    "targets": list,
    "http": str,
    "output": str,
    "shared-runtime": str,
    "servers": dict,
}
_SERVER: Mapping[str, type] = {
    "url": str,
    "command": list,
    "headers": dict,
    "recording": str,
    "output": str,
    "name": str,
    "targets": list,
    "http": str,
    "include": list,
    "exclude": list,
}
_KINDS: Mapping[type, str] = {
    str: "a string",
    list: "a list of strings",
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class Server:
    """One server of the project, and what becomes of it.

    Attributes:
        key: What the settings call it.
        url: Its endpoint, with `${NAME}` as written; or "".
        command: The program that is the server, or ().
        headers: `Name: value` for each header, with `${NAME}` as written.
        recording: The file that holds its recording.
        output: The folder that its package stands in.
        name: The import name of its package.
        targets: What to write, () for the default.
        http: The HTTP client that the package imports, or "" for the default.
        runtime: The package that holds the runtime of all, or "".
        include: Globs of tools to keep, () for all.
        exclude: Globs of tools to leave out.
    """

    key: str
    url: str
    command: tuple[str, ...]
    headers: tuple[str, ...]
    recording: Path
    output: Path
    name: str
    targets: tuple[str, ...]
    http: str
    runtime: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]


def find(start: Path) -> Path | None:
    """Return the nearest `pyproject.toml` that has settings of ours.

    Args:
        start: The folder to start from; the search goes up to the root.
    """
    for folder in (start, *start.parents):
        file = folder / _FILE
        with suppress(OSError):  # What is not ours to read is not ours.
            if file.is_file() and _MARK in file.read_text("utf-8", "replace"):
                return file
    return None


def load(file: Path) -> tuple[Server, ...]:
    """Return the servers that a `pyproject.toml` names, sorted.

    Args:
        file: The file; paths in it are relative to its folder.

    Raises:
        BindgenError: It is no TOML, or holds keys or values that mean nothing; all
            of them are told.
    """
    try:
        document = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BindgenError(Problem("", f"{file}: {error}")) from error
    tools: object = document.get("tool", {})
    faults = [] if isinstance(tools, dict) else [("tool is no table", "")]
    found = cast("dict[str, Any]", tools) if isinstance(tools, dict) else {}
    settings: Any = found.get("mcp-bindgen", {})
    faults += _faults(settings, _TOP, "tool.mcp-bindgen")
    tables = cast("dict[str, Any]", settings.get("servers", {})) if not faults else {}
    for key, table in tables.items():
        faults += _server_faults(table, f"tool.mcp-bindgen.servers.{key}")
    if faults:
        raise BindgenError(
            *(Problem("", f"{file}: {why}", hint) for why, hint in faults)
        )
    return tuple(
        _server(key, table, settings, file.parent)
        for key, table in sorted(tables.items())
    )


def _server(
    key: str, table: Mapping[str, Any], settings: Mapping[str, Any], folder: Path
) -> Server:
    name = table.get("name", key)
    headers = cast("dict[str, str]", table.get("headers", {}))
    return Server(
        key=key,
        url=table.get("url", ""),
        command=tuple(table.get("command", ())),
        headers=tuple(f"{header}: {value}" for header, value in headers.items()),
        recording=folder / table.get("recording", f"recordings/{key}.json"),
        output=folder / table.get("output", settings.get("output", "generated")),
        name=name,
        targets=tuple(table.get("targets", settings.get("targets", ()))),
        http=table.get("http", settings.get("http", "")),
        runtime=settings.get("shared-runtime", ""),
        include=tuple(table.get("include", ())),
        exclude=tuple(table.get("exclude", ())),
    )


def _server_faults(table: object, place: str) -> list[tuple[str, str]]:
    faults = _faults(table, _SERVER, place)
    if faults:
        return faults
    members = cast("Mapping[str, Any]", table)
    if "url" in members and "command" in members:
        return [(f"{place} has a url and a command", "a server is one or the other")]
    values: list[object] = [
        *cast("dict[str, Any]", members.get("headers", {})).values()
    ]
    if not all(isinstance(value, str) for value in values):
        return [(f"{place}.headers holds what is no string", "")]
    return []


def _faults(
    table: object, known: Mapping[str, type], place: str
) -> list[tuple[str, str]]:
    """Return what is wrong with the keys of a table, with a hint each."""
    if not isinstance(table, dict):
        return [(f"{place} is no table", "")]
    found: list[tuple[str, str]] = []
    for key, value in cast("dict[str, object]", table).items():
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            found.append((f"{place} has no key {key!a}", hint))
        elif "\0" in _texts(value):
            hint = "no file, program or header has one in its name"
            found.append((f"{place}.{key} holds a null character", hint))
        elif not isinstance(value, known[key]) or not _strings(value):
            found.append((f"{place}.{key} is not {_KINDS[known[key]]}", ""))
    return found


def _texts(value: object) -> str:
    """Return the strings of a setting, one after the other."""
    found: object = [value]
    if isinstance(value, dict):
        found = [*cast("dict[str, object]", value).values()]
    elif isinstance(value, list):
        found = cast("object", value)
    return "".join(t for t in cast("list[object]", found) if isinstance(t, str))


def _strings(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return all(isinstance(item, str) for item in items)
