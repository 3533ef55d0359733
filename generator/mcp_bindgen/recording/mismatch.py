"""Makes the problems for values of a recording that have a wrong kind or size."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits

__all__ = [
    "IGNORED",
    "JsonObject",
    "describe_kind",
    "mistyped",
    "refuse_too_many",
    "too_large",
    "unexpected",
    "unexpected_member",
]

JsonObject: TypeAlias = "dict[str, JSON]"

IGNORED = "the value is ignored; report this to the server's authors"

_KINDS: Mapping[type, str] = {
    str: "a string",
    dict: "an object",
    list: "an array",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def describe_kind(value: JSON) -> str:
    """Return the kind of a JSON value as messages write it, as "an array"."""
    return _KINDS[type(value)]


def unexpected(pointer: str, expected: type, value: JSON, hint: str) -> Problem:
    """Return the problem of a value of a wrong kind.

    Example: `unexpected("/tools", list, {}, "").message` is "expected an array, got an
    object".

    Args:
        pointer: The JSON pointer of the value.
        expected: The Python type that the value should have.
        value: The value.
        hint: The advice to the reader.
    """
    message = f"expected {_KINDS[expected]}, got {describe_kind(value)}"
    return Problem(pointer, message, hint)


def unexpected_member(
    item: JsonObject, pointer: str, key: str, expected: type, hint: str
) -> Problem:
    """Return the problem of a member of an object that is absent or of a wrong kind.

    Args:
        item: The object.
        pointer: The JSON pointer of the object.
        key: The key of the member.
        expected: The Python type that the member should have.
        hint: The advice to the reader.
    """
    kind = describe_kind(item[key]) if key in item else "nothing"
    return Problem(
        child(pointer, key), f"expected {_KINDS[expected]}, got {kind}", hint
    )


def too_large(nodes: int, limits: Limits) -> str:
    """Return the message for an entry with too many JSON values in it."""
    return f"expected at most {limits.tool_nodes:,} JSON values, got {nodes:,}"


def mistyped(
    item: JsonObject, pointer: str, members: Mapping[str, type], hint: str
) -> Iterator[Problem]:
    """Yield a problem for each member of a wrong type; null counts as absent."""
    for key, kind in members.items():
        value = item.get(key)
        if value is not None and not isinstance(value, kind):
            yield unexpected_member(item, pointer, key, kind, hint)


def refuse_too_many(items: list[JSON], pointer: str, limits: Limits) -> None:
    """Raise BindgenError where a list has more entries than the limits allow."""
    if len(items) > limits.tools:
        message = f"expected at most {limits.tools:,} entries, got {len(items):,}"
        hint = "if you trust the server, raise the limit:"
        hint = f"{hint} --limit tools={len(items)}"
        raise BindgenError(Problem(pointer, message, hint))
