"""What a server lists, entry by entry: the sound ones, and problems for the others."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_reader import JSON, count
from mcp_bindgen.json_writer import canonical_members, canonical_text
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.limits import Limits

__all__ = [
    "KEYS",
    "Entry",
    "JsonObject",
    "calls",
    "entries",
    "order",
    "server",
    "string",
]

JsonObject: TypeAlias = "dict[str, JSON]"

# What a server lists, and the member that tells one entry from another.
KEYS: Mapping[str, str] = {
    "tools": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
    "prompts": "name",
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
_HINTS: Mapping[str, type] = {
    "title": str,
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
_WORDS = {str: "string", dict: "object", list: "list", bool: "boolean"}

_LEFT_OUT = "it is left out; only the server's authors can mend it"
_IGNORED = "it is ignored; only the server's authors can mend it"


class Entry(NamedTuple):
    """One element of one of the lists, and where it stands."""

    pointer: str
    value: JsonObject


def entries(
    document: JsonObject,
    place: str,
    faults: Sequence[Problem],
    limits: Limits,
    problems: list[Problem],
) -> list[Entry]:
    """Return the sound entries of one list in canonical order, and add problems.

    Args:
        document: The object that holds the list.
        place: The pointer of the list, ending in one of `KEYS`.
        faults: Places with values that are no JSON.
        limits: How much of everything is allowed.
        problems: One is added for each entry that is left out.

    Raises:
        BindgenError: There are more entries than the limits allows.
    """
    kind = place.rpartition("/")[2]
    items = document.get(kind)
    if items is None:
        return []
    if not isinstance(items, list):
        problems.append(Problem(place, "no list", _IGNORED))
        return []
    _few(items, place, limits)
    known = _by_entry(faults, place)
    sound: list[Entry] = []
    for index, item in enumerate(items):
        pointer = child(place, index)
        fault = known.get(pointer) or next(_faults(item, pointer, kind, limits), None)
        if fault:
            problems.append(Problem(fault.pointer, fault.message, _LEFT_OUT))
        elif isinstance(item, dict):
            sound.append(Entry(pointer, _canonical(item)))
    if kind in {"tools", "prompts"}:
        sound = _unique(sound, problems)
        return sorted(sound, key=lambda entry: str(entry.value["name"]))
    return sorted(sound, key=lambda entry: order(entry.value, KEYS[kind]))


def order(item: JSON, key: str) -> tuple[str, str]:
    """Return what to sort an entry by.

    Args:
        item: The entry, sound or not.
        key: The member that tells one entry from another.
    """
    name = item.get(key) if isinstance(item, dict) else None
    return name if isinstance(name, str) else "", canonical_text(item)


def server(info: JSON, place: str, problems: list[Problem]) -> JsonObject:
    """Return what the server says of itself, without what has a wrong type.

    Args:
        info: The server's `serverInfo`.
        place: Its pointer.
        problems: One is added for each member that is ignored.
    """
    if info is None:
        return {}
    if not isinstance(info, dict):
        problems.append(Problem(place, "no object", _IGNORED))
        return {}
    wrong = [key for key in ("name", "version", "title") if not _is(info.get(key), str)]
    problems += [Problem(child(place, key), "no string", _IGNORED) for key in wrong]
    return {k: v for k, v in info.items() if v is not None and k not in wrong}


def string(value: JSON, place: str, problems: list[Problem]) -> str | None:
    """Return a string, or None with a problem where it is anything else.

    Args:
        value: What should be a string.
        place: Its pointer.
        problems: One is added when it is no string.
    """
    if value is not None and not isinstance(value, str):
        problems.append(Problem(place, "no string", _IGNORED))
        return None
    return value


def _few(items: list[JSON], place: str, limits: Limits) -> None:
    if len(items) > limits.tools:
        message = f"{len(items):,} entries, more than {limits.tools:,}"
        hint = f"if that is as it should be: --limit tools={len(items)}"
        raise BindgenError(Problem(place, message, hint))


def calls(
    value: JSON, place: str, limits: Limits, problems: list[Problem]
) -> tuple[JsonObject, ...]:
    """Return the recorded answers of tools in canonical order.

    Args:
        value: What should be a list of objects, or is absent.
        place: Its pointer.
        limits: How much of everything is allowed.
        problems: One is added for each entry that is ignored.

    Raises:
        BindgenError: There are more entries than the limits allows.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        problems.append(Problem(place, "no list", _IGNORED))
        return ()
    _few(value, place, limits)
    sound: dict[str, JsonObject] = {}
    for index, item in enumerate(value):
        call = _call(item)
        if call is None or count(item) > limits.tool_nodes:
            message = "no object with name, arguments and result, or too large"
            problems.append(Problem(child(place, index), message, _IGNORED))
        else:
            sound[canonical_text(call)] = call
    return tuple(sorted(sound.values(), key=lambda call: order(call, "name")))


def _call(item: JSON) -> JsonObject | None:
    if not isinstance(item, dict):
        return None
    request, response = item.get("request"), item.get("response")
    if isinstance(request, dict) and isinstance(response, dict):
        # As a log of JSON-RPC messages has it.
        params = request.get("params")
        item = {**params, **response} if isinstance(params, dict) else {}
    call = {key: item.get(key) for key in ("name", "arguments", "result")}
    kinds = {"name": str, "arguments": dict, "result": dict}
    sound = all(isinstance(call[key], kind) for key, kind in kinds.items())
    return canonical_members(call) if sound else None


def _by_entry(faults: Sequence[Problem], place: str) -> dict[str, Problem]:
    """Return the first fault of each entry of a list."""
    found: dict[str, Problem] = {}
    for fault in faults:
        if fault.pointer.startswith(place + "/"):
            index = fault.pointer[len(place) + 1 :].partition("/")[0]
            found.setdefault(child(place, index), fault)
    return found


def _faults(item: JSON, pointer: str, kind: str, limits: Limits) -> Iterator[Problem]:
    """Yield what is wrong with the shape of an entry."""
    if not isinstance(item, dict):
        yield Problem(pointer, "no object")
        return
    key = KEYS[kind]
    name = item.get(key)
    if not isinstance(name, str) or not name:
        yield Problem(child(pointer, key), "no string, or an empty one")
    elif len(name) > limits.name:
        message = f"a name of {len(name):,} characters, more than {limits.name:,}"
        yield Problem(child(pointer, key), message)
    if kind == "tools":
        if not isinstance(item.get("inputSchema"), dict):
            yield Problem(child(pointer, "inputSchema"), "no object")
        yield from _mistyped(item, pointer, _MEMBERS)
        hints = item.get("annotations")
        if isinstance(hints, dict):
            yield from _mistyped(hints, child(pointer, "annotations"), _HINTS)
    if (nodes := count(item)) > limits.tool_nodes:
        message = f"{nodes:,} JSON values, more than {limits.tool_nodes:,}"
        yield Problem(pointer, message)


def _mistyped(
    item: JsonObject, pointer: str, members: Mapping[str, type]
) -> Iterator[Problem]:
    for key, kind in members.items():
        if not _is(item.get(key), kind):
            yield Problem(child(pointer, key), f"no {_WORDS[kind]}")


def _is(value: JSON, kind: type) -> bool:
    """Tell whether a value is of a type; servers also write null for absent."""
    return value is None or isinstance(value, kind)


def _canonical(item: JsonObject) -> JsonObject:
    present = {
        key: value
        for key, value in item.items()
        if value is not None or key not in _MEMBERS
    }
    return canonical_members(present)


def _unique(sound: list[Entry], problems: list[Problem]) -> list[Entry]:
    """Return the entries whose name is theirs alone, or shared by equal ones only."""
    named: dict[str, list[Entry]] = defaultdict(list)
    for entry in sound:
        named[str(entry.value["name"])].append(entry)
    kept: list[Entry] = []
    for name, same in named.items():
        first, *others = same
        if not others:
            kept.append(first)
            continue
        if len({canonical_text(entry.value) for entry in same}) == 1:
            kept.append(first)
            what, hint = "the same again", "it is kept once"
        else:
            others = same
            what, hint = "another one with the name", _LEFT_OUT
        for entry in others:
            message = f"{what}: {name[:80]!a} is in the list {len(same)} times"
            problems.append(Problem(child(entry.pointer, "name"), message, hint))
    return kept
