"""Two schemas without the members that are the same in both: less to compare.

Most changes of a tool concern one of many parameters. The others add no finding and no
type, so they are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.names import snake
from mcp_bindgen.schema.document import are_equal, canonical, packed
from mcp_bindgen.schema.node import is_array, is_object, listed, mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["differ_plainly", "is_classless", "narrowed", "same_members", "sketched"]

# Other keywords of the root may concern equal members.
_ROOT = frozenset(
    {"type", "properties", "required", "additionalProperties", "$schema", "title"}
    | {"description", "$defs", "definitions", "x-fastmcp-wrap-result"}
)
_DEFINITIONS = ("$defs", "definitions")
# References to anything but a definition may lead into a member.
_OTHER_REFERENCE = re.compile(
    r'"\$(?:id|anchor|dynamicRef|dynamicAnchor|recursiveRef|recursiveAnchor)":'
    r'|"\$ref":(?!"#/(?:\$defs|definitions)/)'
)
# No reference that the pattern above finds is without one of these words.
_MAYBE_REFERENCE = re.compile(rb"\$(?:ref|id|anchor|dynamic|recursive)")
_MADE_UP = re.compile(r"other|\d+")  # names of undeclared members in witnesses
# Schemas of these keywords become no class, so that they change no class's name.
_WITHOUT_CLASS = frozenset(
    {"type", "description", "title", "default", "examples", "deprecated", "format"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"}
    | {"items", "enum", "const", "x-mcp-header"}
)
_ANYTHING: dict[str, Any] = {}
_FEW = 6  # values of an enum; a longer one gets a name


def same_members(old: Any, new: Any) -> list[str]:
    """Return the names of the members that are the same in two schemas.

    Args:
        old: The old schema.
        new: The new schema.
    """
    if not (is_object(old) and is_object(new)) or not {*old, *new} <= _ROOT:
        return []
    before, after = (mapped(each.get("properties")) for each in (old, new))
    names = [n for n in before if n in after and are_equal(before[n], after[n])]
    # A reference to another place than the definitions may lead anywhere.
    if any(map(_refers_elsewhere, (old, new))):
        return []
    definitions = [[each.get(key) for key in _DEFINITIONS] for each in (old, new)]
    if are_equal(*definitions):
        return names
    # The definitions differ: only members without references surely are the same.
    return [name for name in names if '"$ref"' not in canonical(before[name])]


def _refers_elsewhere(schema: Any) -> bool:
    """Return whether a reference in a schema may lead to anything but a definition."""
    has_some = _MAYBE_REFERENCE.search(packed(schema))
    return bool(has_some and _OTHER_REFERENCE.search(canonical(schema)))


def narrowed(old: Any, new: Any, same: Sequence[str]) -> tuple[Any, Any]:
    """Return two schemas without the optional members that are the same in both.

    A value without these members fits both forms of a schema, or none.

    Args:
        old: The old schema.
        new: The new schema.
        same: The names of the members that are the same.
    """
    # One stays: an object without declared members is a map, which means other things.
    names = {name for name in same[1:] if not _MADE_UP.fullmatch(name)}
    needed = [name for each in (old, new) for name in listed(each.get("required"))]
    names.difference_update(name for name in needed if isinstance(name, str))
    return _with(old, names, {}), _with(new, names, {})


def differ_plainly(old: Any, new: Any, same: Sequence[str]) -> bool:
    """Return whether the members that differ have no classes.

    Args:
        old: The old schema.
        new: The new schema.
        same: The names of the members that are the same.
    """
    differ = (
        inner
        for each in (old, new)
        for name, inner in mapped(each.get("properties")).items()
        if name not in same
    )
    return bool(same) and all(map(_has_no_class, differ))


def is_classless(schema: Any) -> bool:
    """Return whether the types of a schema need at most one class, for the root."""
    members = mapped(mapped(schema).get("properties"))
    if not members or "result" in members or not {*schema} <= _ROOT:
        return schema is None
    return schema.get("type") == "object" and all(map(_has_no_class, members.values()))


def sketched(
    old: Any, new: Any, same: Sequence[str], *, plain: bool
) -> tuple[Any, Any]:
    """Return two schemas with types of changed members only.

    Args:
        old: The old schema.
        new: The new schema.
        same: The names of the members that are the same.
        plain: Whether no member that differs has a class; else the names of classes
            depend on all members that have one, which stay.
    """
    before, after = (mapped(mapped(each).get("properties")) for each in (old, new))
    # What the only member of a result holds is the result of the function.
    if not same or ["result"] in ([*before], [*after]):
        return old, new
    needed, needed_now = (
        {n for n in listed(each.get("required")) if isinstance(n, str)}
        for each in (old, new)
    )
    unread = [
        name
        for name in same
        if (name in needed) == (name in needed_now)
        and (plain or _has_no_class(before[name]))
    ]
    names = {name: _stem(name) for name in {*before, *after}}
    # Names in Python that nobody else claims depend on no other member.
    are_apart = len({*names.values()}) == len(names)
    # One stays: a class without members takes any.
    some = unread[:1] if are_apart else unread
    anything = dict.fromkeys(some, _ANYTHING)
    return _with(old, {*unread}, anything), _with(new, {*unread}, anything)


def _stem(name: str) -> str:
    """Return the beginning of a name in Python, which no other name changes."""
    return snake(name, "field").removeprefix("field_").strip("_")


def _with(schema: Any, names: set[str], instead: dict[str, Any]) -> Any:
    """Return a schema with other members in place of some."""
    if not names:
        return schema
    members = {n: v for n, v in schema["properties"].items() if n not in names}
    whole = {**schema, "properties": {**members, **instead}}
    if "required" in schema:
        left = names - instead.keys()
        whole["required"] = [
            n for n in listed(schema["required"]) if str(n) not in left
        ]
    if whole.keys().isdisjoint(_DEFINITIONS):
        return whole
    bare = {key: value for key, value in whole.items() if key not in _DEFINITIONS}
    return whole if '"$ref"' in canonical(bare) else bare


def _has_no_class(schema: Any) -> bool:
    """Return whether a schema becomes no class, at first sight."""
    if not is_object(schema):
        return isinstance(schema, bool)
    if "anyOf" in schema:
        members = schema["anyOf"] if is_array(schema["anyOf"]) else [None]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return all(map(_has_no_class, [rest, *members]))
    kinds = schema.get("type", "any")
    named = kinds if is_array(kinds) else [kinds]
    is_plain = {*schema} <= _WITHOUT_CLASS and "object" not in named
    values = schema.get("enum", [])
    is_short = is_array(values) and len(values) <= _FEW
    return is_plain and is_short and _has_no_class(schema.get("items", True))
