"""Reads the configuration files of MCP hosts: their servers as tables of settings.

The hosts write one format with small differences: `mcpServers` (Claude, Cursor,
FastMCP, the Docker gateway), `servers` and `inputs` (VS Code), `mcp_servers` in TOML
(Codex). No secret of such a file is copied: it becomes `${NAME}`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.host_faults import (
    host_faults,
    is_deep,
    left_out,
    url_of,
)
from mcp_bindgen.pipeline.host_inputs import env_names, input_defaults, with_defaults
from mcp_bindgen.pipeline.secret_values import Variables
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.python import names as naming
from mcp_bindgen.runtime.client.host_files import (
    OAUTH_OPTIONS,
    oauth_options,
    without_comments,
)
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

__all__ = [
    "ImportedServer",
    "imported",
    "package_for",
    "read_servers",
    "servers_of",
]

_KEYS = ("mcpServers", "servers", "mcp_servers")
_PREDEFINED = re.compile(r"\$\{(?:(env|input):)?([^{}]+)\}")
_FOLDERS = {"userHome": "${HOME}", "workspaceFolder": ".", "pathSeparator": "/"}
_LONGEST_SECONDS = 1000  # FastMCP counts seconds, other hosts milliseconds
_NAME = re.compile(r"[A-Za-z_]\w*(:-[^{}]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ImportedServer:
    """One server of a configuration file.

    Attributes:
        name: Its name in the file and in the settings.
        table: Its table for `[tool.mcp-bindgen.servers.NAME]`, without secrets.
        variables: The environment variables that hold its secrets now.
        problems: The reasons why it, or a part of it, cannot be imported.
        env_file: The `.env` file that has variables of it, None for none.
    """

    name: str
    table: Mapping[str, Any]
    variables: tuple[str, ...]
    problems: tuple[Problem, ...]
    env_file: Path | None = None


def read_servers(text: str, file: str, here: Path) -> dict[str, Any]:
    """Return the servers of a configuration file by name, unchanged.

    Args:
        text: JSON, also with comments, or the TOML of Codex.
        file: The name of the file, for messages and for its ending.
        here: The folder whose projects count (Claude Code).

    Raises:
        BindgenError: The text is neither, or has no servers.
    """
    servers = servers_of(text, file, here)
    if servers is None:
        hint = "name a file such as .mcp.json"
        message = f'{file}: expected an object "mcpServers" or "servers", got none'
        raise BindgenError(Problem("", message, hint))
    return servers


def servers_of(text: str, file: str, here: Path) -> dict[str, Any] | None:
    """Return the servers of a configuration file; None where it can have none.

    Args:
        text: As for `read_servers`.
        file: As for `read_servers`.
        here: As for `read_servers`.

    Raises:
        BindgenError: The text is neither JSON nor TOML.
    """
    reason = ""
    document: object = None
    try:
        if file.endswith(".toml"):
            document = tomllib.loads(text)
        else:
            plain = without_comments(text)
            document = json.loads(plain, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:200]
    if reason or is_deep(document):
        reason = reason or "too many objects and arrays are inside each other"
        hint = "name a file such as .mcp.json"
        raise BindgenError(Problem("", f"{file}: {reason}", hint))
    return _tables(document, here)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    twice = [ascii(name)[:80] for name, number in names.items() if number > 1]
    if twice:
        raise ValueError(f"an object has the name {', '.join(twice)} twice")
    return dict(pairs)


def _tables(document: object, here: Path) -> dict[str, Any] | None:
    table = members(document)
    if isinstance(table.get("mcp"), dict):  # settings.json of VS Code
        table = {**table, **table["mcp"]}
    folders = {str(folder) for folder in (here, *here.parents)}
    projects = members(table.get("projects"))  # of ~/.claude.json
    listed = [members(projects[name]) for name in sorted({*projects} & folders)]
    holders = [each[key] for each in (table, *listed) for key in _KEYS if key in each]
    tables = [
        cast("dict[str, Any]", each) for each in holders if isinstance(each, dict)
    ]
    if not tables:
        return None
    defaults = dict(input_defaults(table.get("inputs")))
    servers = {name: raw for each in tables for name, raw in each.items()}
    return {name: with_defaults(raw, defaults) for name, raw in servers.items()}


def imported(
    servers: Mapping[str, Any], folder: Path, taken: Mapping[str, Collection[str]]
) -> list[ImportedServer]:
    """Return the servers as tables of settings, in the order of the file.

    Example: `imported({"time": {"command": "mcp-server-time"}}, Path(), {})`.

    Args:
        servers: The servers in the file.
        folder: The folder of the project, where relative paths begin.
        taken: The names of packages and recordings that each server has already.
    """
    results: list[ImportedServer] = []
    values = Variables()
    packages = set[str]()
    for name, raw in servers.items():
        others = (names for other, names in taken.items() if other != name)
        package = package_for(name, packages.union(*others))
        packages.add(package)
        own = values.of_server(package)
        problems = (*host_faults(name, raw),)
        table: dict[str, Any] = {}
        file: Path | None = None
        if not problems:
            file = folder / _ours(raw["envFile"]) if raw.get("envFile") else None
            listed, problems = env_names(name, file) if file else ((), ())
            listed = (*listed, *map(str, elements(raw.get("env_vars"))))  # of Codex
            env = {variable: f"${{{variable}}}" for variable in listed}
            problems = (*problems, *left_out(name, raw))
            table = _table({**raw, "env": {**env, **raw.get("env", {})}}, own)
        if table and package != name:
            table |= {"package": package, "recording": f"recordings/{package}.json"}
        results.append(ImportedServer(name, table, own.names(), problems, file))
    return results


def package_for(name: str, taken: Collection[str]) -> str:
    """Return the import name of a server's package, one that no other server has.

    Example: `package_for("my-server", []) == "my_server"`.
    """
    made = first = package_name(naming.snake(name, "server"), exact=False)
    number = 2
    while made in taken:
        made, number = f"{first}_{number}", number + 1
    return made


def _table(raw: Mapping[str, Any], variables: Variables) -> dict[str, Any]:
    """Return the settings of a server whose form is right."""
    table: dict[str, Any] = {}
    if url := url_of(raw):
        table["url"] = variables.url(_ours(str(url)))
        if headers := _headers(raw, variables):
            table["headers"] = headers
        table |= _oauth(raw, variables)
    else:
        command = raw["command"]
        words = [command] if isinstance(command, str) else [*command]
        words = [_ours(str(word)) for word in (*words, *raw.get("args", ()))]
        table["command"] = variables.words(words)
        present = {k: v for k, v in raw.get("env", {}).items() if v is not None}
        env = {str(k): _ours(_text(v)) for k, v in present.items()}
        if env := {name: variables.env(name, value) for name, value in env.items()}:
            table["env"] = env
        if isinstance(raw.get("cwd"), str):
            table["cwd"] = _ours(raw["cwd"])
    if seconds := _seconds(raw):
        table["timeout"] = seconds
    return table


def _oauth(raw: Mapping[str, Any], variables: Variables) -> dict[str, Any]:
    """Return the settings of OAuth, {} without OAuth."""
    options = oauth_options(raw)
    if options is None:
        return {}
    texts = {key: _ours(options[key]) for key in OAUTH_OPTIONS if key in options}
    client = {
        key: (
            variables.token(text, "CLIENT_SECRET")
            if key == "client-secret"
            else variables.public(text)
        )
        for key, text in texts.items()
    }
    return {"auth": "oauth", **({"oauth": client} if client else {})}


def _seconds(raw: Mapping[str, Any]) -> float | None:
    """Return the time for a call; Codex counts seconds under a name that says so."""
    timeout: float | None = raw.get("timeout")
    if timeout is not None:
        return timeout / 1000 if timeout > _LONGEST_SECONDS else timeout
    seconds: float | None = raw.get("tool_timeout_sec", raw.get("startup_timeout_sec"))
    return seconds


def _headers(raw: Mapping[str, Any], variables: Variables) -> dict[str, str]:
    fields = {**raw.get("http_headers", {}), **raw.get("headers", {})}
    headers = {str(k): _ours(_text(v)) for k, v in fields.items()}
    auth, variable = raw.get("auth"), raw.get("bearer_token_env_var")
    if isinstance(auth, str) and auth != "oauth":  # FastMCP's token
        headers.setdefault("Authorization", f"Bearer {_ours(auth)}")
    if isinstance(variable, str):  # Codex's
        headers.setdefault("Authorization", f"Bearer ${{{variable}}}")
    named = raw.get("env_http_headers", {})
    if isinstance(named, dict):
        for name, source in cast("dict[str, Any]", named).items():
            headers.setdefault(name, f"${{{source}}}")
    return {name: variables.header(name, value) for name, value in headers.items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _ours(text: str) -> str:
    """Return a text with our form of the variables of a host."""
    return _PREDEFINED.sub(_variable, text)


def _variable(match: re.Match[str]) -> str:
    kind, name = match[1], match[2]
    if kind == "input":
        name, colon, default = name.partition(":-")
        return f"${{{naming.snake(name, 'input').upper()}{colon}{default}}}"
    if kind is None and name in _FOLDERS:
        return _FOLDERS[name]
    return f"${{{name}}}" if _NAME.fullmatch(name) else match[0]
