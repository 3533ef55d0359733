# Copied by mcp-bindgen. Do not edit.
"""Reads the entries of a policy file: of tools, resources and prompts."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...json_values import elements, members
from .read_entry import KEYS, entry_of
from .read_table import Table
from .uris import covers, expands, is_template

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Entry

    Schemas = Mapping[str, Mapping[str, Any]]

__all__ = [
    "NO_SUCH",
    "Listed",
    "entries_of",
    "listed_in",
    "prompts_of",
    "resources_of",
]

NO_SUCH = "there is no such"
_TEXT = {"type": "string"}
_READ: Mapping[str, Any] = {
    "type": "object",
    "properties": {"uri": _TEXT},
    "additionalProperties": False,
}
"""The schema of the params of a request for a resource."""


class Listed(NamedTuple):
    """The resources and prompts that a server has.

    Attributes:
        resources: The URIs of its resources, and its templates.
        prompts: Wire name of each prompt to the schema of its arguments.
    """

    resources: frozenset[str]
    prompts: Schemas


def listed_in(recording: Mapping[str, Any]) -> Listed:
    """Return the resources and prompts of a recording, as JSON.

    Args:
        recording: An object with the lists `resources`, `resourceTemplates` and
            `prompts`, each where the server has one.
    """

    def names(kind: str, key: str) -> list[str]:
        return [str(members(e).get(key)) for e in elements(recording.get(kind))]

    prompts = [members(prompt) for prompt in elements(recording.get("prompts"))]
    return Listed(
        frozenset(
            names("resources", "uri") + names("resourceTemplates", "uriTemplate")
        ),
        {str(prompt.get("name")): _schema_of(prompt) for prompt in prompts},
    )


def _schema_of(prompt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of the arguments of a prompt; all of them are texts."""
    listed = map(members, elements(prompt.get("arguments")))
    names = {str(argument.get("name")): _TEXT for argument in listed}
    return {"type": "object", "properties": names, "additionalProperties": False}


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
    for name, inner in _tables(table, schemas, "tool"):
        inner.only(KEYS)
        schema = (schemas or {}).get(name)
        entries[name] = _entry(inner, name, modes, schema, enforced=enforced)
    return entries


def resources_of(
    table: Table, modes: tuple[str, ...], listed: Listed | None, *, enforced: bool
) -> dict[str, Entry]:
    """Return the entries of resources and templates; see `entries_of`."""
    for key in filter(is_template, table.raw):
        try:
            covers(key)
        except ValueError as error:
            table.fault(key, f"the template: {error}")
    names = None if listed is None else _known(table.raw, listed.resources)
    entries: dict[str, Entry] = {}
    for name, inner in _tables(table, names, "resource"):
        inner.only(KEYS - {"paths"})
        entries[name] = _entry(inner, name, modes, _READ, enforced=enforced)
    return entries


def _known(keys: Iterable[str], listed: frozenset[str]) -> dict[str, Any]:
    """Return the URIs that a server lists, and the keys that its templates cover."""
    templates = [*filter(is_template, listed)]
    covered = [key for key in keys if any(expands(t, key) for t in templates)]
    return dict.fromkeys([*sorted(listed), *covered])


def prompts_of(
    table: Table, modes: tuple[str, ...], listed: Listed | None, *, enforced: bool
) -> dict[str, Entry]:
    """Return the entries of prompts; see `entries_of`."""
    schemas = None if listed is None else listed.prompts
    entries: dict[str, Entry] = {}
    for name, inner in _tables(table, schemas, "prompt"):
        inner.only(KEYS)
        if "max_bytes" in members(inner.raw.get("results")):
            inner.fault("results", "max_bytes is for tools and resources")
        schema, inside = (schemas or {}).get(name), ("arguments",)
        entries[name] = _entry(
            inner, name, modes, schema, enforced=enforced, inside=inside
        )
    return entries


def _tables(
    table: Table, known: Mapping[str, object] | None, noun: str
) -> list[tuple[str, Table]]:
    """Return the table of each entry, and note those of unknown names."""
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


def _entry(
    table: Table,
    name: str,
    modes: tuple[str, ...],
    schema: Mapping[str, Any] | None,
    *,
    enforced: bool,
    inside: tuple[str, ...] = (),
) -> Entry:
    removed = table.raw.get("removed") is True
    known = None if removed else schema
    entry = entry_of(table, name, modes, known, enforced=enforced, inside=inside)
    # A server that hides a tool for a while must not free it of its entry.
    return replace(entry, effect="deny", reviewed="") if removed else entry


def _meant(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name[:100], [*names], 1)
    return f"; did you mean {near[0]}?" if near else ""
