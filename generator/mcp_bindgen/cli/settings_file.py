"""Changes `[tool.mcp-bindgen]` of pyproject.toml; comments and order stay."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, Table

from mcp_bindgen.cli import config
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "read",
    "servers_in",
    "target_file",
    "with_accepted",
    "with_section",
    "with_server",
    "without_server",
    "write",
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
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise BindgenError(Problem("", f"{file}: {error}")) from error


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
        BindgenError: The text is not TOML, or a table is no table.
    """
    document = _parsed(text)
    parent: Any = document
    for key in _PATH:
        if key not in parent:
            parent.add(key, tomlkit.table(is_super_table=True))
        parent = parent[key]
        if not isinstance(parent, AbstractTable):
            hint = "write it as [tool.mcp-bindgen.servers.NAME]"
            raise BindgenError(Problem("", f"expected {key} to be a table", hint))
    parent[name] = _table(table)
    return tomlkit.dumps(document)


def without_server(text: str, name: str) -> str:
    """Return settings without a server; the text stays where there is no such server.

    Raises:
        BindgenError: The text is not TOML.
    """
    document = _parsed(text)
    parent: Any = document
    for key in _PATH:
        parent = parent.get(key, {})
    if name not in parent:
        return text
    parent.remove(name)
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def with_section(text: str, output: str) -> str:
    """Return settings with `[tool.mcp-bindgen]`; the section stays where there is one.

    Args:
        text: The settings, as TOML.
        output: The folder of the packages.

    Raises:
        BindgenError: The text is not TOML, or `tool` is no table.
    """
    document = _parsed(text)
    if "tool" not in document:
        document.add("tool", tomlkit.table(is_super_table=True))
    parent: Any = document["tool"]
    if "mcp-bindgen" in parent:
        return text
    if not isinstance(parent, AbstractTable):
        raise BindgenError(Problem("", "expected tool to be a table", "correct it"))
    parent.add("mcp-bindgen", _table({"output": output}))
    return tomlkit.dumps(document)


def with_accepted(text: str, fingerprint: str, reason: str) -> str:
    """Return settings with one more accepted finding of `mcp-bindgen diff`.

    Args:
        text: The settings, as TOML.
        fingerprint: The finding.
        reason: Why it is fine.

    Raises:
        BindgenError: The text is not TOML, or `accept` is no list.
    """
    document = _parsed(text)
    parent: Any = document
    for key in ("tool", "mcp-bindgen", "diff"):
        if key not in parent:
            parent.add(key, tomlkit.table(is_super_table=key != "diff"))
        parent = parent[key]
        if not isinstance(parent, AbstractTable):
            hint = "write it as [tool.mcp-bindgen.diff]"
            raise BindgenError(Problem("", f"expected {key} to be a table", hint))
    if "accept" not in parent:
        parent.add("accept", tomlkit.array().multiline(multiline=True))
    if not isinstance(parent["accept"], list):
        hint = "write it as accept = [{ fingerprint = ..., reason = ... }]"
        raise BindgenError(Problem("", "expected diff.accept to be a list", hint))
    entry: Any = tomlkit.inline_table()
    entry.update({"fingerprint": fingerprint, "reason": reason})
    parent["accept"].append(entry)
    return tomlkit.dumps(document)


def write(file: Path, text: str) -> bool:
    """Replace the settings as a whole; return whether that changed anything.

    Raises:
        BindgenError: The system refuses.
    """
    return save(file, text.encode())


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, ValueError, RecursionError) as error:
        hint = "correct the file; nothing was written"
        raise BindgenError(Problem("", f"pyproject.toml: {error}", hint)) from error


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in values.items():
        if isinstance(value, dict):
            inline = tomlkit.inline_table()
            for name, text in cast("dict[str, str]", value).items():
                inline.add(name, text)
            table.add(key, inline)
        else:
            table.add(key, value)
    return table
