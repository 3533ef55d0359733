"""Changes `[tool.mcp-bindgen]` of pyproject.toml; comments and order stay."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import tomlkit

from mcp_bindgen.cli import config
from mcp_bindgen.cli.config_faults import table_of
from mcp_bindgen.cli.toml_changes import (
    FAULTS,
    are_alike,
    loaded,
    read_back,
    with_items,
    with_line_ends,
    with_tables,
    wrong_form,
)
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.files import alone
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "read",
    "servers_in",
    "target_file",
    "update",
    "with_accepted",
    "with_section",
    "with_server",
    "with_servers",
    "without_server",
]

_PATH = ("tool", "mcp-bindgen", "servers")


def target_file() -> Path:
    """Return the settings file that a command changes.

    It is the nearest pyproject.toml with `[tool.mcp-bindgen]`, else the nearest one,
    else a new one in the current folder.
    """
    here = Path.cwd()
    if file := config.find(here):
        return file
    files = (folder / "pyproject.toml" for folder in (here, *here.parents))
    return next((file for file in files if file.is_file()), here / "pyproject.toml")


def read(file: Path) -> str:
    """Return the text of the settings, "" where there is no file.

    Raises:
        BindgenError: The file cannot be read.
    """
    try:
        return file.read_bytes().decode()  # with its line ends
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise BindgenError(Problem("", f"{file}: {error.strerror}")) from error
    except ValueError as error:
        hint = "save it as UTF-8; nothing was written"
        raise BindgenError(Problem("", f"{file}: it is not UTF-8", hint)) from error


def servers_in(text: str) -> Mapping[str, Any]:
    """Return the tables of the servers in settings by name, {} where there are none."""
    try:
        tables: Any = tomllib.loads(text)
        for key in _PATH:
            tables = tables.get(key, {})
    except (ValueError, AttributeError):  # The caller reports the mistake.
        return {}
    return cast("Mapping[str, Any]", tables) if isinstance(tables, dict) else {}


def with_server(text: str, name: str, table: Mapping[str, Any]) -> str:
    """Return settings with one more server at the end of the servers.

    Example: `with_server("", "time", {"command": ["uvx", "mcp-server-time"]})`.

    Args:
        text: The settings, as TOML.
        name: The server.
        table: Its keys and values: texts, numbers, lists and tables of texts.

    Raises:
        BindgenError: The text is not TOML, or cannot get one more table.
    """
    return with_servers(text, {name: table})


def with_servers(text: str, tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return settings with more servers at their end; those that are there stay.

    Args:
        text: The settings, as TOML.
        tables: The keys and values of each server, by its name.

    Raises:
        BindgenError: The text is not TOML, or cannot get more tables.
    """
    known = servers_in(text)
    new = {name: t for name, t in tables.items() if known.get(name) != t}
    return with_tables(text, _PATH, new) if new else text


def without_server(text: str, name: str) -> str:
    """Return settings without a server; the text stays where there is no such server.

    Raises:
        BindgenError: The text is not TOML, or the server has no table of its own.
    """
    wanted = loaded(text)
    if name not in servers_in(text):
        return text
    del wanted["tool"]["mcp-bindgen"]["servers"][name]
    wanted = _without_empty(wanted)
    for made in filter(None, (_without_lines(text, name), _without_item(text, name))):
        values = read_back(made)
        if values is not None and are_alike(_without_empty(values), wanted):
            return made
    raise wrong_form("remove a server from", (*_PATH, name))


def with_section(text: str, output: str) -> str:
    """Return settings with `[tool.mcp-bindgen]`; the section stays where there is one.

    Args:
        text: The settings, as TOML.
        output: The folder of the packages.

    Raises:
        BindgenError: The text is not TOML, or `tool` is no table.
    """
    tools = loaded(text).get("tool", {})
    if isinstance(tools, dict) and "mcp-bindgen" in tools:
        return text
    return with_tables(text, _PATH[:1], {_PATH[1]: {"output": output}})


def with_accepted(text: str, fingerprint: str, reason: str) -> str:
    """Return settings with one more accepted finding of `mcp-bindgen diff`.

    Args:
        text: The settings, as TOML.
        fingerprint: The finding.
        reason: Why it is fine.

    Raises:
        BindgenError: The text is not TOML, or `accept` is no list.
    """
    entry = {"fingerprint": fingerprint, "reason": reason}
    return with_items(text, (*_PATH[:2], "diff", "accept"), [entry])


def update(file: Path, change: Callable[[str], str]) -> bool:
    """Change the settings as they are now; return whether that changed anything.

    Another command may have written them since they were read: two that add a server
    at the same time must both be there.

    Example: `update(file, lambda text: with_section(text, "src"))`.

    Raises:
        BindgenError: The system refuses, or the settings cannot be changed so.
    """
    with alone(file.resolve().parent):
        return save(file, change(read(file)).encode())


def _without_item(text: str, name: str) -> str | None:
    """Return settings without a server, None where the library cannot do it."""
    try:
        document = tomlkit.parse(text)
        parent: Any = document
        for key in _PATH:
            parent = parent[key]
        parent.remove(name)
        return _with_end(tomlkit.dumps(document), text)
    except FAULTS:
        return None


def _without_lines(text: str, name: str) -> str:
    """Return settings without the tables of a server; comments of others stay."""
    lines: list[str] = []
    comments: list[str] = []
    is_server = False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith("["):
            is_server = _is_of(bare, name)
        if not is_server:
            is_double = lines and comments and not (lines[-1] + comments[0]).strip()
            lines += [*comments[bool(is_double) :], line]
            comments = []
        elif not bare or bare.startswith("#"):
            comments.append(line)
        else:
            comments = []
    return _with_end("".join([*lines, *comments]), text)


def _with_end(made: str, before: str) -> str:
    """Return settings that end as before, unless their last line was removed."""
    one, other = made.rstrip(), before.rstrip()
    is_same = one.rpartition("\n")[2] == other.rpartition("\n")[2]
    end = before[len(other) :] if is_same else "\n"
    return with_line_ends(f"{one}{end}", before)


def _is_of(header: str, name: str) -> bool:
    """Return whether a line begins a table of a server."""
    return name in servers_in(header)


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """Return settings without those of our tables that are empty."""
    tables = [data]
    for key in _PATH:
        tables.append(table_of(tables[-1].get(key)))
    for table, key in reversed([*zip(tables, _PATH, strict=False)]):
        if not table.get(key, True):
            del table[key]
    return data
