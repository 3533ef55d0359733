"""Checks the lists of a server: sound entries, and problems for the others."""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.errors import Problem
from mcp_bindgen.json_scan import count_above
from mcp_bindgen.json_writer import canonical_text, order_members
from mcp_bindgen.recording.mismatch import (
    IGNORED,
    mistyped,
    refuse_too_many,
    too_large,
    unexpected,
    unexpected_member,
)
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.mismatch import JsonObject

__all__ = [
    "KEYS",
    "Entry",
    "Source",
    "entries",
    "optional_string",
    "server_info",
    "sort_key",
]

KEYS: Mapping[str, str] = {
    "tools": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
    "prompts": "name",
}
"""The lists of a server, each with the member that identifies one of its entries."""

_NOUNS = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource template",
    "prompts": "prompt",
}
_MEMBERS: Mapping[str, type] = {
    "title": str,
    "description": str,
    "outputSchema": dict,
    "annotations": dict,
    "icons": list,
    "execution": dict,
    "_meta": dict,
}
_ANNOTATIONS: Mapping[str, type] = {
    "title": str,
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
_NOTHING: Mapping[str, JsonObject] = MappingProxyType({})
_NAME_LENGTH = 80  # characters of a name that a message repeats


class Entry(NamedTuple):
    """One sound entry of a list.

    Attributes:
        pointer: Its JSON pointer in the file.
        value: The entry, in canonical order.
    """

    pointer: str
    value: JsonObject


class Source(NamedTuple):
    """The object that holds the lists of a file.

    Attributes:
        document: The object.
        base: Its JSON pointer.
        faults: The values of the file that could not be read, from `json_reader`.
        read: Strings that stand for tools which were read before.
    """

    document: JsonObject
    base: str
    faults: Sequence[Problem]
    read: Mapping[str, JsonObject]


def entries(
    source: Source, kind: str, limits: Limits, problems: list[Problem]
) -> list[Entry]:
    """Return the sound entries of one list, sorted by their names or URIs.

    Args:
        source: The object that holds the list.
        kind: The key of the list, one of `KEYS`.
        limits: The limits on a recording.
        problems: Gets one more problem for each entry that is left out.

    Raises:
        BindgenError: The list has more entries than the limits allow.
    """
    pointer, items = child(source.base, kind), source.document.get(kind)
    if items is None:
        return []
    if not isinstance(items, list):
        problems.append(unexpected(pointer, list, items, IGNORED))
        return []
    refuse_too_many(items, pointer, limits)
    sound = _sound(items, kind, source, limits, problems)
    if kind in {"tools", "prompts"}:
        sound = _unique(sound, kind, problems)
        return sorted(sound, key=lambda entry: str(entry.value["name"]))
    return sorted(sound, key=lambda entry: sort_key(entry.value, KEYS[kind]))


def _sound(
    items: Sequence[JSON],
    kind: str,
    source: Source,
    limits: Limits,
    problems: list[Problem],
) -> list[Entry]:
    """Return the sound entries of a list in its order; others become problems."""
    pointer = child(source.base, kind)
    unreadable = _first_by_entry(source.faults, pointer)
    read = source.read if kind == "tools" else _NOTHING
    sound: list[Entry] = []
    for index, item in enumerate(items):
        at = child(pointer, index)
        if isinstance(item, str) and item in read:
            sound.append(Entry(at, read[item]))
            continue
        fault = unreadable.get(at) or next(_faults(item, at, kind, limits), None)
        if fault:
            problems.append(Problem(fault.pointer, fault.message, _left_out(kind)))
        elif isinstance(item, dict):
            sound.append(Entry(at, _without_nulls(item)))
    return sound


def sort_key(item: JSON, key: str) -> tuple[str, str]:
    """Return the key to sort an entry by: its name or URI, then its whole text.

    Args:
        item: The entry, sound or not.
        key: The member that identifies it, from `KEYS`.
    """
    name = item.get(key) if isinstance(item, dict) else None
    return name if isinstance(name, str) else "", canonical_text(item)


def server_info(value: JSON, pointer: str, problems: list[Problem]) -> JsonObject:
    """Return the server's `serverInfo`, without members of a wrong type.

    Args:
        value: The `serverInfo`, or None where there is none.
        pointer: Its JSON pointer.
        problems: Gets one more problem for each member that is ignored.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        problems.append(unexpected(pointer, dict, value, IGNORED))
        return {}
    members: dict[str, type] = {"name": str, "version": str, "title": str}
    wrong = [*mistyped(value, pointer, members, IGNORED)]
    problems += wrong
    refused = {problem.pointer for problem in wrong}
    return {
        key: member
        for key, member in value.items()
        if member is not None and child(pointer, key) not in refused
    }


def optional_string(value: JSON, pointer: str, problems: list[Problem]) -> str | None:
    """Return a string, or None with one more problem where the value is not one.

    Args:
        value: A string or None, in a sound recording.
        pointer: Its JSON pointer.
        problems: Gets one more problem where the value is ignored.
    """
    if value is not None and not isinstance(value, str):
        problems.append(unexpected(pointer, str, value, IGNORED))
        return None
    return value


def _left_out(kind: str) -> str:
    return f"the {_NOUNS[kind]} is left out; report this to the server's authors"


def _first_by_entry(faults: Sequence[Problem], pointer: str) -> dict[str, Problem]:
    """Return the first fault inside of each entry of a list, by the entry's pointer."""
    first: dict[str, Problem] = {}
    for fault in faults:
        if fault.pointer.startswith(pointer + "/"):
            index = fault.pointer[len(pointer) + 1 :].partition("/")[0]
            first.setdefault(child(pointer, index), fault)
    return first


def _faults(item: JSON, pointer: str, kind: str, limits: Limits) -> Iterator[Problem]:
    """Yield the faults that make an entry unusable."""
    hint = _left_out(kind)
    if not isinstance(item, dict):
        yield unexpected(pointer, dict, item, hint)
        return
    key = KEYS[kind]
    name = item.get(key)
    if not isinstance(name, str):
        yield unexpected_member(item, pointer, key, str, hint)
    elif not 0 < len(name) <= limits.name:
        wrong = f"expected 1 to {limits.name:,} characters, got {len(name):,}"
        yield Problem(child(pointer, key), wrong, hint)
    if kind == "tools":
        if not isinstance(item.get("inputSchema"), dict):
            yield unexpected_member(item, pointer, "inputSchema", dict, hint)
        yield from mistyped(item, pointer, _MEMBERS, hint)
        annotations = item.get("annotations")
        if isinstance(annotations, dict):
            at = child(pointer, "annotations")
            yield from mistyped(annotations, at, _ANNOTATIONS, hint)
    if nodes := count_above(item, limits.tool_nodes):
        yield Problem(pointer, too_large(nodes, limits), hint)


def _without_nulls(item: JsonObject) -> JsonObject:
    """Bring an entry into canonical order, without null for members that are absent."""
    for key in [key for key in _MEMBERS if item.get(key, key) is None]:
        del item[key]
    order_members(item)
    return item


def _unique(sound: list[Entry], kind: str, problems: list[Problem]) -> list[Entry]:
    """Return the entries without those that share a name; equal ones remain once."""
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in sound:
        by_name[str(entry.value["name"])].append(entry)
    unique: list[Entry] = []
    for name, same in by_name.items():
        first, *others = same
        if not others:
            unique.append(first)
            continue
        are_equal = len({canonical_text(entry.value) for entry in same}) == 1
        if are_equal:
            unique.append(first)
            hint = "one of them is used; report this to the server's authors"
        else:
            others = same
            hint = _left_out(kind)
        how = "equal" if are_equal else "different"
        message = (
            f"{len(same)} {how} {_NOUNS[kind]}s have the name {name[:_NAME_LENGTH]!a}"
        )
        pointers = (child(entry.pointer, "name") for entry in others)
        problems += [Problem(pointer, message, hint) for pointer in pointers]
    return unique
