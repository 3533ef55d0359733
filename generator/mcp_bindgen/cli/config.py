"""Reads `[tool.mcp-bindgen]` of pyproject.toml; an unknown key is an error."""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.cli.config_faults import (
    OAUTH,
    TOP,
    faults_of,
    server_faults,
    table_of,
    toml_hint,
    unexpected,
)
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.recording.secrets import expand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Server", "find", "load", "parse"]

_FILE, _TABLE = "pyproject.toml", "mcp-bindgen"
# Keys whose variables are replaced when the server is reached: they may be secret, and
# a variable that is not set concerns this server alone.
_LATER = ("url", "command", "headers", "env", "auth", "oauth")


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
        cwd: The folder in which the program runs: that of the settings by default.
        oauth: The settings of OAuth, None without OAuth.
        timeout: The time for a recording or a call, in seconds; None for the default.
        era: "legacy" or "modern"; "" to find out.
        declare: Capabilities of a client that its recording declares.
        prefix: The text before the name of each tool in a toolbox, or "".
        policy: The policy file that calls obey, None for none.
        recording: The file of its recording.
        output: The folder that gets its package.
        name: The import name of its package.
        targets: The targets of the package, () for the default.
        http: The HTTP client that the package imports, or "" for the default.
        runtime: The package with the shared runtime, or "".
        include: Globs of the tools to generate, () for all.
        exclude: Globs of the tools to leave out.
        changelog: The file that gets the changes, None for none.
    """

    key: str
    url: str
    command: tuple[str, ...]
    headers: tuple[str, ...]
    env: tuple[str, ...]
    cwd: Path | None
    oauth: Mapping[str, str] | None
    timeout: float | None
    era: str
    declare: tuple[str, ...]
    prefix: str
    policy: Path | None
    recording: Path
    output: Path
    name: str
    targets: tuple[str, ...]
    http: str
    runtime: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    changelog: Path | None


def find(start: Path) -> Path | None:
    """Return the nearest `pyproject.toml` with a table `[tool.mcp-bindgen]`.

    Args:
        start: The folder where the search begins; it goes up to the root.
    """
    for folder in (start, *start.parents):
        file = folder / _FILE
        with suppress(OSError):  # A file that we may not read is not the user's.
            if file.is_file() and _has_table(file.read_text("utf-8", "replace")):
                return file
    return None


def _has_table(text: str) -> bool:
    """Return whether a text has our table, in any form that TOML knows."""
    if _TABLE not in text:
        return False
    try:
        return _TABLE in table_of(tomllib.loads(text).get("tool"))
    except (ValueError, RecursionError):  # The user hears of it from `parse`.
        return f"[tool.{_TABLE}" in text


def load(file: Path) -> tuple[Server, ...]:
    """Return the servers in a `pyproject.toml`, sorted by name.

    Args:
        file: The file; paths in it are relative to its folder.

    Raises:
        BindgenError: The file is not TOML, or has unknown keys or wrong values; there
            is one problem for each.
    """
    try:
        return parse(file.read_text("utf-8"), file)
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        raise BindgenError(Problem("", f"{file}: it is not UTF-8", hint)) from error
    except OSError as error:
        raise BindgenError(Problem("", f"{file}: {error.strerror}")) from error


def parse(
    text: str, file: Path, environment: Mapping[str, str] = os.environ
) -> tuple[Server, ...]:
    """Return the servers in the text of a `pyproject.toml`, sorted by name.

    Args:
        text: The text.
        file: The file of the text.
        environment: The variables for `${NAME}`.

    Raises:
        BindgenError: As for `load`.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        hint = toml_hint(text)
        raise BindgenError(Problem("", f"{file}: {error}", hint)) from error
    tools: object = document.get("tool", {})
    settings = table_of(tools).get("mcp-bindgen", {})
    faults: list[tuple[str, str]] = []
    if not isinstance(tools, dict):
        faults = [(unexpected("tool", dict, tools), "write it as a table: [tool]")]
    faults += faults_of(settings, TOP, "tool.mcp-bindgen")
    tables = dict(table_of(table_of(settings).get("servers")))
    for key, table in tables.items():
        path = f"tool.mcp-bindgen.servers.{key}"
        tables[key] = _expanded(table, path, environment, faults)
        faults += server_faults(tables[key], path)
    if faults:
        raise BindgenError(
            *(Problem("", f"{file}: {why}", hint) for why, hint in faults)
        )
    return tuple(
        _server(key, table_of(table), table_of(settings), file.parent)
        for key, table in sorted(tables.items())
    )


def _expanded(
    table: object,
    path: str,
    environment: Mapping[str, str],
    faults: list[tuple[str, str]],
) -> object:
    """Return a table whose variables are replaced, except those of `_LATER`."""
    if not isinstance(table, dict):
        return table

    def one(text: object, key: str) -> object:
        try:
            if not isinstance(text, str):
                return text
            return expand(text, environment, key).text
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
        elif key == "cwd" and not _is_set(value, environment):
            expanded[key] = value  # refused when the server is reached
        else:
            expanded[key] = one(value, f"{path}.{key}")
        if key == "timeout" and expanded[key] != value:  # it was a variable
            with suppress(ValueError):
                expanded[key] = float(str(expanded[key]))
    return expanded


def _is_set(value: object, environment: Mapping[str, str]) -> bool:
    """Return whether the variables in a text are set."""
    with suppress(BindgenError):
        return isinstance(value, str) and bool(expand(value, environment, ""))
    return False


def _server(
    key: str, table: Mapping[str, Any], settings: Mapping[str, Any], folder: Path
) -> Server:
    headers = cast("dict[str, str]", table.get("headers", {}))
    if (auth := table.get("auth", OAUTH)) != OAUTH:
        headers = {"Authorization": f"Bearer {auth}", **headers}
    env = cast("dict[str, str]", table.get("env", {}))
    targets: Sequence[str] = table.get("targets", settings.get("targets", ()))
    return Server(
        key=key,
        url=table.get("url", ""),
        command=tuple(table.get("command", ())),
        headers=tuple(f"{header}: {value}" for header, value in headers.items()),
        env=tuple(f"{variable}={value}" for variable, value in env.items()),
        cwd=folder / table.get("cwd", "") if "command" in table else None,
        oauth=table.get("oauth", {}) if table.get("auth") == OAUTH else None,
        timeout=table.get("timeout"),
        era=table.get("era", ""),
        declare=tuple(table.get("declare", ())),
        prefix=table.get("prefix", ""),
        policy=folder / table["policy"] if "policy" in table else None,
        recording=folder / table.get("recording", f"recordings/{key}.json"),
        output=folder / table.get("output", settings.get("output", "generated")),
        name=table.get("package", table.get("name", key)),
        targets=tuple(_target(name, folder) for name in targets),
        http=table.get("http", settings.get("http", "")),
        runtime=settings.get("shared-runtime", ""),
        include=tuple(table.get("include", ())),
        exclude=tuple(table.get("exclude", ())),
        changelog=folder / settings["changelog"] if "changelog" in settings else None,
    )


def _target(name: str, folder: Path) -> str:
    """Return the name of a target; a path is relative to the folder of the settings."""
    return str(folder / name) if name.startswith(".") or "/" in name else name
