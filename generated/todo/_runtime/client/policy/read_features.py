# Copied by mcp-bindgen. Do not edit.
"""Reads the entries of resources and prompts in a policy file."""

from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ...json_values import elements, members
from .features import FullDocument
from .read_entries import entry_in, tables_of
from .read_entry import KEYS
from .uris import covers, expands, is_template, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Document, Entry
    from .read_table import Table

    Schemas = Mapping[str, Mapping[str, Any]]

__all__ = ["Listed", "listed_in", "with_features"]

_TEXT = {"type": "string"}


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


def with_features(
    document: Document, table: Table, listed: Listed | None = None
) -> FullDocument:
    """Return a policy with the entries of resources and prompts.

    Args:
        document: The policy without them.
        table: The whole file.
        listed: The resources and prompts that the server has; None where they are
            unknown.
    """
    modes, enforced = document.modes, table.raw.get("enforce") != "log"
    own = {field.name: getattr(document, field.name) for field in fields(document)}
    own["resources"] = MappingProxyType(
        _resources(table.inner("resources"), modes, listed, enforced=enforced)
    )
    own["prompts"] = MappingProxyType(
        _prompts(table.inner("prompts"), modes, listed, enforced=enforced)
    )
    return FullDocument(**own)


def _resources(
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
    for name, inner in tables_of(table, names, "resource"):
        inner.only(KEYS - {"paths"})
        schema = _schema_of_uri(name)
        entries[name] = entry_in(inner, name, modes, schema, enforced=enforced)
    return entries


def _schema_of_uri(key: str) -> dict[str, Any]:
    """Return the schema of the params of a request for a resource of an entry."""
    uri = {
        **_TEXT,
        **({"pattern": pattern_of(key)} if is_template(key) else {"const": key}),
    }
    return {
        "type": "object",
        "properties": {"uri": uri},
        "additionalProperties": False,
    }


def _known(keys: Iterable[str], listed: frozenset[str]) -> dict[str, Any]:
    """Return the URIs that a server lists, and the keys that its templates cover."""
    templates = [*filter(is_template, listed)]
    covered = [key for key in keys if any(expands(t, key) for t in templates)]
    return dict.fromkeys([*sorted(listed), *covered])


def _prompts(
    table: Table, modes: tuple[str, ...], listed: Listed | None, *, enforced: bool
) -> dict[str, Entry]:
    """Return the entries of prompts; see `entries_of`."""
    schemas = None if listed is None else listed.prompts
    entries: dict[str, Entry] = {}
    for name, inner in tables_of(table, schemas, "prompt"):
        inner.only(KEYS)
        if "max_bytes" in members(inner.raw.get("results")):
            inner.fault("results", "max_bytes is for tools and resources")
        schema, inside = (schemas or {}).get(name), ("arguments",)
        entries[name] = entry_in(
            inner, name, modes, schema, enforced=enforced, inside=inside
        )
    return entries
