# Copied by mcp-bindgen. Do not edit.
"""Reads the address of a package's server from a configuration file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import ConfigError, printable
from ..json_values import elements, kind_of, members
from .host_files import env_values, oauth_options, read_json
from .options import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["File", "from_configuration", "has_server", "prefix_of", "settings_policy"]

File = str | os.PathLike[str] | None
"""A file, or None for the nearest one from the current folder up."""

_FILES = ("pyproject.toml", ".mcp.json", "mcp.json")
_KEYS = ("mcpServers", "servers", "mcp_servers")
_OF_EDITORS = (".vscode", ".cursor")  # folders within the folder of the project
_VARIABLE = re.compile(r"\$\{(?:(?:env:)?([A-Za-z_]\w*)(?::-([^{}]*))?\})?", re.ASCII)
_QUESTION = re.compile(r"\$\{(input|command|config):[^{}]*\}")


def from_configuration(
    source: File | Mapping[str, Any], package: str, name: str | None
) -> dict[str, Any]:
    """Return the arguments of `Client.http` or of `Client.stdio`.

    Its `policy` is the path of a policy file.

    Example: `from_configuration({"a": {"url": "https://a/mcp"}}, "a", None)`.

    Args:
        source: A `pyproject.toml` with [tool.mcp-bindgen.servers.NAME], a JSON file of
            an MCP host, or a mapping as in these; None for the nearest file.
        package: Name of the package.
        name: The name of the server; None for the one that the package is made of.

    Raises:
        ConfigError: There is no such file or server, its entry has mistakes, or a
            variable is not set. No value of a variable is in the message.
    """
    servers, folder, location = _servers(source)
    key = _key(servers, package, name, location)
    return _arguments(
        members(servers[key]), f"{location}: {printable(key, 80)}", folder
    )


def has_server(package: str) -> bool:
    """Return whether the nearest configuration file has the server of a package.

    Args:
        package: Name of the package.

    Raises:
        ConfigError: The file is not TOML or JSON.
    """
    servers = (_nearest() or ({},))[0]
    return any(package in _packages(key, table) for key, table in servers.items())


def prefix_of(source: File | Mapping[str, Any], package: str) -> str:
    """Return the prefix of the names of a package's tools, or "".

    Args:
        source: As for `from_configuration`.
        package: Name of the package.

    Raises:
        ConfigError: As for `from_configuration`.
    """
    servers, _, location = _servers(source)
    key = _key(servers, package, None, location)
    prefix = members(servers[key]).get("prefix", "")
    return _text(prefix, f"{location}: {printable(key, 80)}.prefix")


def settings_policy(package: str) -> Path | None:
    """Return the policy of a package in the nearest file that has one, or None.

    Args:
        package: Name of the package.

    Raises:
        ConfigError: A file is not TOML or JSON, or the policy is no text.
    """
    for file in _candidates():
        for key, table in (_read(file) or {}).items():
            policy = members(table).get("policy")
            if policy is not None and package in _packages(key, table):
                location = f"{printable(file, 200)}: {printable(key, 80)}.policy"
                return _project(file) / _text(policy, location)
    return None


def _servers(source: File | Mapping[str, Any]) -> tuple[dict[str, Any], Path, str]:
    """Return the servers by name, the folder of the file, and its name."""
    if not isinstance(source, str | os.PathLike | None):
        if not isinstance(cast("object", source), Mapping):
            wrong = f"expected a file or a mapping of servers, got {kind_of(source)}"
            raise ConfigError(wrong, hint="pass the path of a pyproject.toml")
        document = dict(source)
        servers = _tables(document)
        if servers is None:
            servers = {k: table for k, table in document.items() if k not in _KEYS}
        return servers, Path.cwd(), "the mapping"
    if source is not None:
        servers = _read(Path(source))
        if servers is None:
            raise ConfigError(f"{printable(source, 200)} names no server", hint=_hint())
        return servers, _project(Path(source)), printable(source, 200)
    if nearest := _nearest():
        return nearest
    raise ConfigError("no configuration file names a server", hint=_hint())


def _nearest() -> tuple[dict[str, Any], Path, str] | None:
    """Return the servers of the nearest file with some, its folder, and its name."""
    for file in _candidates():
        if servers := _read(file):
            return servers, _project(file), printable(file, 200)
    return None


def _project(file: Path) -> Path:
    """Return the folder of the project that a file belongs to."""
    inner = file.parent.name in _OF_EDITORS
    return file.parent.parent if inner else file.parent


def _hint() -> str:
    return f"write [tool.mcp-bindgen.servers.NAME] in {_FILES[0]}, or a {_FILES[1]}"


def _candidates() -> Iterator[Path]:
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield from (f for name in _FILES if (f := folder / name).is_file())


def _read(file: Path) -> dict[str, Any] | None:
    """Return the servers in a file, None where it names none."""
    try:
        data = file.read_bytes()
        if file.suffix == ".toml":
            import tomllib

            return _tables(tomllib.loads(data.decode()))
        return _tables(members(read_json(data)))
    except OSError as error:
        raise ConfigError(
            f"{printable(file, 200)}: {printable(error.strerror)}",
            hint="name a readable file, such as pyproject.toml or .mcp.json",
        ) from None
    except (ValueError, RecursionError) as error:
        # The text of the file may hold a secret: the message has the kind of the error
        # only.
        kind = "TOML" if file.suffix == ".toml" else "JSON"
        raise ConfigError(
            f"{printable(file, 200)}: expected {kind}, got another text",
            hint=f"correct the file: a parser of {kind} says in which line",
        ) from error


def _tables(document: dict[str, Any]) -> dict[str, Any] | None:
    ours = members(members(document.get("tool")).get("mcp-bindgen"))
    tables = [*(document.get(key) for key in _KEYS), ours.get("servers")]
    return next((members(servers) for servers in tables if servers), None)


def _key(
    servers: Mapping[str, Any], package: str, name: str | None, location: str
) -> str:
    """Return the name of the package's server; no other one is used."""
    if name is None:
        own = (key for key in servers if package in _packages(key, servers[key]))
        name = next(own, package)
    if name in servers:
        return name
    names = ", ".join(printable(key, 40) for key in servers) or "none"
    raise ConfigError(
        f"{location} has no server {printable(name, 80)}",
        hint=f"pass name=, one of: {names}",
    )


def _packages(key: str, table: object) -> set[str]:
    """Return the names of packages that the entry of a server may be for."""
    named = {str(members(table).get(word)) for word in ("package", "name")}
    return {key, re.sub(r"\W", "_", key).lower(), *named}


def _arguments(table: dict[str, Any], location: str, folder: Path) -> dict[str, Any]:
    """Return the arguments of a client, from the entry of a server."""
    url, command = table.get("url"), table.get("command")
    if (url is None) is (command is None):
        wrong = f"{location}: expected a url or a command"
        raise ConfigError(wrong, hint="write one of them")
    more: dict[str, Any] = {}
    if (timeout := table.get("timeout")) is not None:
        if isinstance(timeout, str):
            timeout = _text(timeout, f"{location}.timeout")
        more["timeout"] = seconds_of(timeout)
    if era := table.get("era"):
        more["era"] = _text(era, f"{location}.era")
    if (policy := table.get("policy")) is not None:
        more["policy"] = folder / _text(policy, f"{location}.policy")
    if url is None:
        return {**_program(table, location, folder), **more}
    headers = _texts(table.get("headers"), f"{location}.headers")
    if (options := oauth_options(table)) is not None:
        from ..transport.oauth.configured import configured  # few servers need it

        more["auth"] = configured(_texts(options, f"{location}.oauth"))
    elif (auth := table.get("auth")) is not None:
        more["token"] = _text(auth, f"{location}.auth")
    return {"url": _text(url, f"{location}.url"), "headers": headers, **more}


def _program(table: dict[str, Any], location: str, folder: Path) -> dict[str, Any]:
    """Return the arguments of `Client.stdio`; relative paths start at the project."""
    command = table["command"]
    words = [command, *elements(table.get("args"))]
    if isinstance(command, list):
        words = elements(cast("object", command))
    env = _texts(table.get("env"), f"{location}.env")
    if (file := table.get("envFile")) is not None:
        env = {
            **_env_file(folder / _text(file, f"{location}.envFile"), location),
            **env,
        }
    return {
        "command": [_text(word, f"{location}.command") for word in words],
        "env": env,
        "cwd": folder / _text(table.get("cwd") or ".", f"{location}.cwd"),
    }


def _env_file(file: Path, location: str) -> dict[str, str]:
    """Return the variables of a `.env` file; no value is in an error."""
    try:
        return env_values(file.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        wrong = f"{location}.envFile: {printable(file, 200)}: {printable(reason)}"
        raise ConfigError(wrong, hint="correct the path, or remove envFile") from None


def _texts(value: object, location: str) -> dict[str, str]:
    return {
        k: _text(v, f"{location}.{printable(k, 80)}") for k, v in members(value).items()
    }


def _text(value: object, location: str) -> str:
    """Return a text with the values of its variables."""
    if not isinstance(value, str):
        wrong = f"{location}: expected a text"
        raise ConfigError(wrong, hint='write it as a text: "VALUE"')
    if question := _QUESTION.search(value):
        raise ConfigError(
            f"{location}: only its editor knows the value of"
            f" {printable(question[0], 80)}",
            hint="write ${NAME} there, or run mcp-bindgen import FILE",
        )

    def replaced(match: re.Match[str]) -> str:
        variable, default = match[1], match[2]
        if variable is None:
            raise ConfigError(
                f"{location}: expected a name and }} after ${{",
                hint="write ${NAME} or ${NAME:-default}",
            )
        value = os.environ.get(variable, default)
        if default and not value:
            value = default
        if value is None and (value := _folder(variable)) is None:
            raise ConfigError(
                f"{location}: the environment variable {variable} is not set",
                hint=f"run `export {variable}=...` first",
            )
        return value

    return _VARIABLE.sub(replaced, value)


def _folder(variable: str) -> str | None:
    """Return a folder as editors name it; relative ones start at the project."""
    words = {"workspaceFolder": ".", "pathSeparator": os.sep}
    return str(Path.home()) if variable == "userHome" else words.get(variable)
