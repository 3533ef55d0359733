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
from mcp_bindgen.pipeline.host_inputs import env_names, input_defaults, with_defaults
from mcp_bindgen.pipeline.secret_values import Variables
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.python import names as naming
from mcp_bindgen.runtime.client.host_files import without_comments

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

__all__ = ["ImportedServer", "imported", "package_for", "read_servers"]

_KEYS = ("mcpServers", "servers", "mcp_servers")
_KINDS: tuple[tuple[str, type, str], ...] = (
    ("args", list, "an array"),
    ("env", dict, "an object"),
    ("envFile", str, "a text"),
    ("headers", dict, "an object"),
)
_HTTP = ("http", "sse", "streamable-http", "streamablehttp", "streamable_http")
_PREDEFINED = re.compile(r"\$\{(?:(env|input):)?([^{}]+)\}")
_FOLDERS = {"userHome": "${HOME}", "workspaceFolder": ".", "pathSeparator": "/"}
_LONGEST_SECONDS = 1000
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


def read_servers(text: str, file: str) -> dict[str, Any]:
    """Return the servers of a configuration file by name, unchanged.

    Args:
        text: JSON, also with comments, or the TOML of Codex.
        file: The name of the file, for messages and for its ending.

    Raises:
        BindgenError: The text is neither, or has no servers.
    """
    try:
        document: object
        if file.endswith(".toml"):
            document = tomllib.loads(text)
        else:
            plain = without_comments(text)
            document = json.loads(plain, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:200]
        hint = "name a file such as .mcp.json"
        raise BindgenError(Problem("", f"{file}: {reason}", hint)) from error
    tables = _tables(document)
    if tables is None:
        hint = "name a file such as .mcp.json"
        message = f'{file}: expected an object "mcpServers" or "servers", got none'
        raise BindgenError(Problem("", message, hint))
    return tables


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    twice = [ascii(name)[:80] for name, number in names.items() if number > 1]
    if twice:
        raise ValueError(f"an object has the name {', '.join(twice)} twice")
    return dict(pairs)


def _tables(document: object) -> dict[str, Any] | None:
    if not isinstance(document, dict):
        return None
    members = cast("dict[str, Any]", document)
    if isinstance(members.get("mcp"), dict):  # settings.json of VS Code
        members = {**members, **members["mcp"]}
    table = next((members[key] for key in _KEYS if key in members), None)
    if not isinstance(table, dict):
        return None
    servers = cast("dict[str, Any]", table)
    defaults = dict(input_defaults(members.get("inputs")))
    return {name: with_defaults(raw, defaults) for name, raw in servers.items()}


def imported(servers: Mapping[str, Any], folder: Path) -> list[ImportedServer]:
    """Return the servers as tables of settings, in the order of the file.

    Example: `imported({"time": {"command": "mcp-server-time"}}, Path())`.

    Args:
        servers: The servers in the file.
        folder: The folder of the project, where relative paths begin.
    """
    results: list[ImportedServer] = []
    values = Variables()
    packages = set[str]()
    for name, raw in servers.items():
        package = package_for(name, packages)
        packages.add(package)
        own = values.of_server(package)
        problems = (*_faults(name, raw),)
        table: dict[str, Any] = {}
        file: Path | None = None
        if not problems:
            file = folder / _ours(raw["envFile"]) if raw.get("envFile") else None
            listed, problems = env_names(name, file) if file else ((), ())
            env = {variable: f"${{{variable}}}" for variable in listed}
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


def _faults(name: str, raw: object) -> Iterator[Problem]:
    if not isinstance(raw, dict):
        yield Problem("", f"{name}: expected an object", "correct the file")
        return
    table = cast("dict[str, Any]", raw)
    url, command = _url(table), table.get("command")
    if not isinstance(url, str) or not isinstance(command, str | list | None):
        yield Problem("", f"{name}: expected texts as url and command", "correct it")
    elif not url and not command:
        yield Problem(
            "", f"{name}: expected a url or a command, got neither", "add one"
        )
    elif url and _transport(table) not in (*_HTTP, ""):
        hint = "ask for its streamable HTTP endpoint, often /mcp"
        yield Problem("", f"{name}: its transport cannot be recorded", hint)
    elif url.startswith("unix:"):
        yield Problem("", f"{name}: its URL is a socket of this machine", "use http")
    for key, kind, wrong in _KINDS:
        if not isinstance(table.get(key, kind()), kind):
            yield Problem("", f"{name}: expected {wrong} as {key}", "correct it")


def _transport(table: Mapping[str, Any]) -> str:
    return str(table.get("type") or table.get("transport") or "").lower()


def _url(table: Mapping[str, Any]) -> Any:
    return table.get("url") or table.get("serverUrl") or ""


def _table(raw: Mapping[str, Any], variables: Variables) -> dict[str, Any]:
    """Return the settings of a server whose form is right."""
    table: dict[str, Any] = {}
    if url := _url(raw):
        table["url"] = variables.url(_ours(str(url)))
        if headers := _headers(raw, variables):
            table["headers"] = headers
    else:
        command = raw["command"]
        words = [command] if isinstance(command, str) else [*command]
        words = [_ours(str(word)) for word in (*words, *raw.get("args", ()))]
        table["command"] = variables.words(words)
        env = {str(k): _ours(_text(v)) for k, v in raw.get("env", {}).items()}
        if env := {name: variables.env(name, value) for name, value in env.items()}:
            table["env"] = env
        if isinstance(raw.get("cwd"), str):
            table["cwd"] = _ours(raw["cwd"])
    timeout: Any = raw.get("timeout")
    if type(timeout) in {int, float} and timeout > 0:
        # FastMCP counts seconds, others milliseconds.
        table["timeout"] = timeout / 1000 if timeout > _LONGEST_SECONDS else timeout
    return table


def _headers(raw: Mapping[str, Any], variables: Variables) -> dict[str, str]:
    headers = {str(k): _ours(_text(v)) for k, v in raw.get("headers", {}).items()}
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
