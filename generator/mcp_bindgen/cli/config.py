"""Reads `[tool.mcp-bindgen]` of pyproject.toml; an unknown key is an error."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.render.targets import HTTP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["ERAS", "Server", "find", "load"]

_FILE = "pyproject.toml"
_TABLE = "[tool.mcp-bindgen"
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
    "env": dict,
    "cwd": str,
    "era": str,
    "recording": str,
    "output": str,
    "name": str,
    "targets": list,
    "http": str,
    "include": list,
    "exclude": list,
}
ERAS = ("legacy", "modern")
"""The eras of the protocol: before and since its version 2026-07-28."""

_CHOICES: Mapping[str, tuple[str, ...]] = {"era": ERAS, "http": HTTP}
_OF_URL, _OF_COMMAND = ("headers",), ("env", "cwd")
_EXPECTED: Mapping[type, str] = {
    str: "a string",
    list: "a list of strings",
    dict: "a table",
}
_ACTUAL: Mapping[type, str] = {**_EXPECTED, list: "a list"}


@dataclass(frozen=True, slots=True)
class Server:
    """The settings of one server; `${NAME}` in them is not yet replaced.

    Attributes:
        key: The server's name in the settings.
        url: Its endpoint, or "".
        command: The program and its arguments, or ().
        headers: `Name: value` for each header.
        env: `NAME=VALUE` for each variable of the program.
        cwd: The folder in which the program runs, None for the current one.
        era: "legacy" or "modern"; "" to find out.
        recording: The file of its recording.
        output: The folder that gets its package.
        name: The import name of its package.
        targets: The targets of the package, () for the default.
        http: The HTTP client that the package imports, or "" for the default.
        runtime: The package with the shared runtime, or "".
        include: Globs of the tools to generate, () for all.
        exclude: Globs of the tools to leave out.
    """

    key: str
    url: str
    command: tuple[str, ...]
    headers: tuple[str, ...]
    env: tuple[str, ...]
    cwd: Path | None
    era: str
    recording: Path
    output: Path
    name: str
    targets: tuple[str, ...]
    http: str
    runtime: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]


def find(start: Path) -> Path | None:
    """Return the nearest `pyproject.toml` with a table `[tool.mcp-bindgen]`.

    Args:
        start: The folder where the search begins; it goes up to the root.
    """
    for folder in (start, *start.parents):
        file = folder / _FILE
        with suppress(OSError):  # A file that we may not read is not the user's.
            if file.is_file() and _TABLE in file.read_text("utf-8", "replace"):
                return file
    return None


def load(file: Path) -> tuple[Server, ...]:
    """Return the servers in a `pyproject.toml`, sorted by name.

    Args:
        file: The file; paths in it are relative to its folder.

    Raises:
        BindgenError: The file is not TOML, or has unknown keys or wrong values; there
            is one problem for each.
    """
    try:
        document = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BindgenError(Problem("", f"{file}: {error}")) from error
    tools: object = document.get("tool", {})
    settings = _table(tools).get("mcp-bindgen", {})
    faults = [] if isinstance(tools, dict) else [(_unexpected("tool", dict, tools), "")]
    faults += _faults(settings, _TOP, "tool.mcp-bindgen")
    tables = _table(_table(settings).get("servers"))
    for key, table in tables.items():
        faults += _server_faults(table, f"tool.mcp-bindgen.servers.{key}")
    if faults:
        raise BindgenError(
            *(Problem("", f"{file}: {why}", hint) for why, hint in faults)
        )
    return tuple(
        _server(key, _table(table), _table(settings), file.parent)
        for key, table in sorted(tables.items())
    )


def _server(
    key: str, table: Mapping[str, Any], settings: Mapping[str, Any], folder: Path
) -> Server:
    headers = cast("dict[str, str]", table.get("headers", {}))
    env = cast("dict[str, str]", table.get("env", {}))
    targets: Sequence[str] = table.get("targets", settings.get("targets", ()))
    return Server(
        key=key,
        url=table.get("url", ""),
        command=tuple(table.get("command", ())),
        headers=tuple(f"{header}: {value}" for header, value in headers.items()),
        env=tuple(f"{variable}={value}" for variable, value in env.items()),
        cwd=folder / table["cwd"] if "cwd" in table else None,
        era=table.get("era", ""),
        recording=folder / table.get("recording", f"recordings/{key}.json"),
        output=folder / table.get("output", settings.get("output", "generated")),
        name=table.get("name", key),
        targets=tuple(_target(name, folder) for name in targets),
        http=table.get("http", settings.get("http", "")),
        runtime=settings.get("shared-runtime", ""),
        include=tuple(table.get("include", ())),
        exclude=tuple(table.get("exclude", ())),
    )


def _table(value: object) -> dict[str, Any]:
    """Return a table of the settings, an empty one in place of anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _target(name: str, folder: Path) -> str:
    """Return the name of a target; a path is relative to the folder of the settings."""
    return str(folder / name) if name.startswith(".") or "/" in name else name


def _server_faults(table: object, path: str) -> list[tuple[str, str]]:
    """Return the mistakes in the table of one server, each with a hint."""
    faults = _faults(table, _SERVER, path)
    settings = _table(table)
    name = settings.get("name", path.rpartition(".")[2])
    try:
        package_name(str(name), exact=True)
    except BindgenError as error:
        faults += [(f"{path}: {p.message}", p.hint) for p in error.problems]
    if "url" in settings and "command" in settings:
        return [*faults, (f"{path} has a url and a command", "remove one of them")]
    for home, keys in (("command", _OF_URL), ("url", _OF_COMMAND)):
        faults += [
            (f"{path}.{key} has no effect on a {home}", "remove it")
            for key in keys
            if key in settings and home in settings
        ]
    for key in ("headers", "env"):
        for name, value in _table(settings.get(key)).items():
            if not isinstance(value, str):
                faults.append((_unexpected(f"{path}.{key}.{name}", str, value), ""))
    return faults


def _faults(
    table: object, kinds: Mapping[str, type], path: str
) -> list[tuple[str, str]]:
    """Return the mistakes in the keys and values of a table, each with a hint."""
    if not isinstance(table, dict):
        return [(_unexpected(path, dict, table), "")]
    faults: list[tuple[str, str]] = []
    for key, value in cast("dict[str, object]", table).items():
        if key not in kinds:
            near = get_close_matches(key, kinds, 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"keys are {', '.join(kinds)}"
            )
            faults.append((f"{path} has an unknown key {key!a}", hint))
        elif "\0" in _texts(value):
            hint = "remove it; no file, program or header has one in its name"
            faults.append((f"{path}.{key} holds a null character", hint))
        elif not isinstance(value, kinds[key]) or not _strings(value):
            faults.append((_unexpected(f"{path}.{key}", kinds[key], value), ""))
        elif value not in _CHOICES.get(key, (value,)):
            hint = f"write one of {', '.join(_CHOICES[key])}"
            faults.append((f"{path}.{key}: {str(value)[:80]!a} is unknown", hint))
    return faults


def _unexpected(path: str, kind: type, value: object) -> str:
    actual = _ACTUAL.get(type(value), f"{value!a}"[:80])
    return f"{path}: expected {_EXPECTED[kind]}, got {actual}"


def _texts(value: object) -> str:
    """Return all strings of a setting, joined."""
    parts: list[object] = [value]
    if isinstance(value, dict):
        parts = [*cast("dict[str, object]", value).values()]
    elif isinstance(value, list):
        parts = cast("list[object]", value)
    return "".join(part for part in parts if isinstance(part, str))


def _strings(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return all(isinstance(item, str) for item in items)
