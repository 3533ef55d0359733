# Copied by mcp-bindgen. Do not edit.
"""Reads the entries of a policy file, each with its name and its keys."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from .read_entry import KEYS, entry_of
from .read_table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Entry

    Schemas = Mapping[str, Mapping[str, Any]]

__all__ = ["NO_SUCH", "entries_of", "entry_in", "tables_of"]

NO_SUCH = "there is no such"


def entries_of(
    table: Table, modes: tuple[str, ...], schemas: Schemas | None, *, enforced: bool
) -> dict[str, Entry]:
    """Return the entries of tools or methods; their mistakes are in the table.

    Args:
        table: The table of the entries.
        modes: The modes of the file.
        schemas: Wire name to input schema of each tool that there is; None where it is
            unknown.
        enforced: Whether the file denies, unless an entry says otherwise.
    """
    entries: dict[str, Entry] = {}
    for name, inner in tables_of(table, schemas, "tool"):
        inner.only(KEYS)
        schema = (schemas or {}).get(name)
        entries[name] = entry_in(inner, name, modes, schema, enforced=enforced)
    return entries


def tables_of(
    table: Table, known: Mapping[str, object] | None, noun: str
) -> list[tuple[str, Table]]:
    """Return the table of each entry, and note those of unknown names.

    Args:
        table: The table of the entries.
        known: The names that there are; None where they are unknown.
        noun: What an entry is about, for messages.
    """
    tables: list[tuple[str, Table]] = []
    for name, raw in table.raw.items():
        entry = cast("dict[str, Any]", raw) if isinstance(raw, dict) else None
        if entry is None:
            table.fault(name, "expected a table")
            continue
        removed = entry.get("removed") is True
        if known is not None and name not in known and not removed:
            table.fault(name, f"{NO_SUCH} {noun}{_meant(name, known)}")
        tables.append((name, Table(table.path_of(name), entry, table.faults)))
    return tables


def entry_in(
    table: Table,
    name: str,
    modes: tuple[str, ...],
    schema: Mapping[str, Any] | None,
    *,
    enforced: bool,
    inside: tuple[str, ...] = (),
) -> Entry:
    """Return one entry; its mistakes are in the table.

    Args:
        table: The table of the entry.
        name: Its name in the file.
        modes: The modes of the file.
        schema: The schema of its arguments; None where it is unknown.
        enforced: Whether the file denies, unless the entry says otherwise.
        inside: The steps from the params of a request to the arguments.
    """
    removed = table.raw.get("removed") is True
    known = None if removed else schema
    entry = entry_of(table, name, modes, known, enforced=enforced, inside=inside)
    # A server that hides a tool for a while must not free it of its entry.
    return replace(entry, effect="deny", reviewed="") if removed else entry


def _meant(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name[:100], [*names], 1)
    return f"; did you mean {near[0]}?" if near else ""
