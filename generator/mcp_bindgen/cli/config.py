"""Reads `[tool.mcp-bindgen]` of pyproject.toml; an unknown key is an error."""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.recording.secrets import expand
from mcp_bindgen.render.targets import HTTP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["ERAS", "Server", "find", "load"]

_FILE, _TABLE = "pyproject.toml", "[tool.mcp-bindgen"
_TOP: Mapping[str, type] = {
    "targets": list,
    "http": str,
    "output": str,
    "shared-runtime": str,
    "models": dict,
    "format": object,  # read with the project of the output folder
    "diff": dict,  # read by `diff`
    "servers": dict,
}
_SERVER: Mapping[str, type] = {
    "url": str,
    "command": list,
    "headers": dict,
    "env": dict,
    "cwd": str,
    "timeout": float,
    "era": str,
    "prefix": str,
    "recording": str,
    "output": str,
    "package": str,
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
# Keys whose variables are replaced when the server is reached: they may be secret, and
# a variable that is not set concerns this server alone.
_LATER = ("url", "command", "headers", "env")
_EXPECTED: Mapping[type, str] = {
    str: "a string",
    list: "a list of strings",
    dict: "a table",
    float: "a number of seconds",
}
_ACTUAL: Mapping[type, str] = {str: "a string", list: "a list", dict: "a table"}


@dataclass(frozen=True, slots=True)
class Server:
    """The settings of one server.

    `${NAME}` in a URL, a command, a header or a variable is replaced when the server
    is reached; in all others it already is.

    Attributes:
        key: The server's name in the settings.
        url: Its endpoint, or "".
        command: The program and its arguments, or ().
        headers: `Name: value` for each header.
        env: `NAME=VALUE` for each variable of the program.
        cwd: The folder in which the program runs, None for the current one.
        timeout: The time for a recording or a call, in seconds; None for the default.
        era: "legacy" or "modern"; "" to find out.
        prefix: Stands before the name of each tool in a toolbox, or "".
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
    timeout: float | None
    era: str
    prefix: str
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
    tables = dict(_table(_table(settings).get("servers")))
    for key, table in tables.items():
        path = f"tool.mcp-bindgen.servers.{key}"
        tables[key] = _expanded(table, path, faults)
        faults += _server_faults(tables[key], path)
    if faults:
        raise BindgenError(
            *(Problem("", f"{file}: {why}", hint) for why, hint in faults)
        )
    return tuple(
        _server(key, _table(table), _table(settings), file.parent)
        for key, table in sorted(tables.items())
    )


def _expanded(table: object, path: str, faults: list[tuple[str, str]]) -> object:
    """Return a table whose variables are replaced, but for those of `_LATER`."""
    if not isinstance(table, dict):
        return table

    def one(text: object, key: str) -> object:
        try:
            return expand(text, os.environ, key).text if isinstance(text, str) else text
        except BindgenError as error:
            faults.extend((problem.message, problem.hint) for problem in error.problems)
            return text

    expanded: dict[str, object] = {}
    for key, value in cast("dict[str, object]", table).items():
        if key in _LATER:
            expanded[key] = value
        elif isinstance(value, list):
            texts = cast("list[object]", value)
            expanded[key] = [one(text, f"{path}.{key}") for text in texts]
        else:
            expanded[key] = one(value, f"{path}.{key}")
    return expanded


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
        timeout=table.get("timeout"),
        era=table.get("era", ""),
        prefix=table.get("prefix", ""),
        recording=folder / table.get("recording", f"recordings/{key}.json"),
        output=folder / table.get("output", settings.get("output", "generated")),
        name=table.get("package", table.get("name", key)),
        targets=tuple(_target(name, folder) for name in targets),
        http=table.get("http", settings.get("http", "")),
        runtime=settings.get("shared-runtime", ""),
        include=tuple(table.get("include", ())),
        exclude=tuple(table.get("exclude", ())),
    )


def _table(value: object) -> dict[str, Any]:
    """Return a table of the settings, {} for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _target(name: str, folder: Path) -> str:
    """Return the name of a target; a path is relative to the folder of the settings."""
    return str(folder / name) if name.startswith(".") or "/" in name else name


def _server_faults(table: object, path: str) -> list[tuple[str, str]]:
    """Return the mistakes in the table of one server, each with a hint."""
    faults = _faults(table, _SERVER, path)
    settings = _table(table)
    name = settings.get(
        "package", settings.get("name", path.removeprefix("tool.mcp-bindgen.servers."))
    )
    try:
        package_name(str(name), exact=True)
    except BindgenError as error:
        faults += [(f"{path}: {p.message}", p.hint) for p in error.problems]
    for one, other in (("url", "command"), ("package", "name")):
        if one in settings and other in settings:
            both = f"{path} has a {one} and a {other}"
            return [*faults, (both, "remove one of them")]
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
        elif not _is(value, kinds[key]) or not _strings(value):
            faults.append((_unexpected(f"{path}.{key}", kinds[key], value), ""))
        elif value not in _CHOICES.get(key, (value,)):
            hint = f"write one of {', '.join(_CHOICES[key])}"
            faults.append((f"{path}.{key}: {str(value)[:80]!a} is unknown", hint))
    return faults


def _is(value: object, kind: type) -> bool:
    """Tell whether a value is of a kind; a number of seconds is positive."""
    if kind is not float:
        return isinstance(value, kind)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 < cast("float", value) < inf


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
