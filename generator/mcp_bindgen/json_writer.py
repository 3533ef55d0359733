"""Writes JSON as ASCII text, with two spaces for each level."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp_bindgen.json_reader import JSON

__all__ = [
    "Written",
    "canonical",
    "canonical_members",
    "canonical_text",
    "indented",
    "order_members",
]

_string = json.encoder.encode_basestring_ascii
_scalar = json.JSONEncoder(allow_nan=False).encode
_WORDS = {True: "true", False: "false", None: "null"}

# People read recordings, so these keys come first, in this order; then the others,
# from A to Z.
_LEADING = (
    *("format", "server", "instructions"),
    *("tools", "resources", "resourceTemplates", "prompts"),
    *("$schema", "name", "uri", "uriTemplate", "title", "version", "description"),
    *("type", "properties", "required", "inputSchema", "outputSchema"),
)
_MOST_RANKS = 1_000  # that are remembered
_FEW_KEYS = 12  # of an object whose order is remembered


class _Ranks(dict[str, tuple[int, str]]):
    """The rank of each key of an object; others come last, from A to Z."""

    def __missing__(self, key: str) -> tuple[int, str]:
        rank = (len(_LEADING), key)
        if len(self) < _MOST_RANKS:  # a few keywords are in most objects
            self[key] = rank
        return rank


_rank_of = _Ranks({key: (rank, "") for rank, key in enumerate(_LEADING)}).__getitem__


@dataclass(frozen=True, slots=True)
class Written:
    """A value whose text is known: several values have it in them.

    Attributes:
        text: What `indented` returns for it at level 0.
    """

    text: str


def indented(value: object, level: int = 0) -> str:
    """Return the text of `json.dumps(value, indent=2)`, in less than half its time.

    Args:
        value: Dicts with string keys, lists, tuples, strings, numbers, booleans,
            None, and `Written` in place of any of them.
        level: Levels of nesting around the value; its first line is not indented.

    Raises:
        ValueError: A number is NaN or infinite.
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        inner = level + 1
        # Most members are strings, and a call for each would cost more than they do.
        parts = [
            f"{_string(key)}: "
            + (_string(item) if isinstance(item, str) else indented(item, inner))
            for key, item in members
        ]
        return _block("{", parts, "}", level)
    if isinstance(value, (list, tuple)):
        elements = cast("Sequence[object]", value)
        inner = level + 1
        parts = [
            _string(item) if isinstance(item, str) else indented(item, inner)
            for item in elements
        ]
        return _block("[", parts, "]", level)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, Written):  # No string has a line break that is not escaped.
        return value.text.replace("\n", "\n" + "  " * level)
    return repr(value) if isinstance(value, int) else _scalar(value)


def _block(opening: str, parts: list[str], closing: str, level: int) -> str:
    """Return the text of an object or array from the texts of its parts.

    Args:
        opening: "{" or "[".
        parts: The text of each element, or of each member with its key; each is
            written for `level + 1`.
        closing: "}" or "]".
        level: Levels of nesting around the object or array.
    """
    if not parts:
        return opening + closing
    margin = "\n" + "  " * level
    return f"{opening}{margin}  {f',{margin}  '.join(parts)}{margin}{closing}"


def canonical(value: JSON) -> JSON:
    """Return the value with the keys of all its objects in canonical order.

    The order inside `properties` stays the server's: it is the order of parameters.
    """
    if isinstance(value, dict):
        return canonical_members(value)
    if isinstance(value, list):  # a call for each string would cost more than it does
        return [
            canonical(item) if isinstance(item, (dict, list)) else item
            for item in value
        ]
    return value


def canonical_members(value: dict[str, JSON]) -> dict[str, JSON]:
    """Return an object with the keys of all objects in it in canonical order."""
    members: dict[str, JSON] = {}
    for key in sorted(value, key=_rank_of):
        member = value[key]
        if isinstance(member, dict) and key == "properties":
            # These keys are names of parameters: a parameter named "properties" holds
            # a schema, whose own keys are sorted.
            member = {name: canonical(schema) for name, schema in member.items()}
        elif isinstance(member, (dict, list)):
            member = canonical(member)
        members[key] = member
    return members


# Most objects of a recording have the keys of many others.
@lru_cache(maxsize=1024)
def _ordered(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(keys, key=_rank_of))


def order_members(value: dict[str, JSON]) -> None:
    """Bring an object into the order of `canonical_members`, without a copy."""
    keys = tuple(value)
    order = _ordered if len(keys) <= _FEW_KEYS else _ordered.__wrapped__
    ordered = order(keys)
    if ordered != keys:
        members = [(key, value[key]) for key in ordered]
        value.clear()
        value.update(members)
    for key, member in value.items():
        if isinstance(member, dict):
            if key == "properties":
                _order_each(member.values())
            else:
                order_members(member)
        elif isinstance(member, list):
            _order_each(member)


def _order_each(values: Iterable[JSON]) -> None:
    for value in values:
        if isinstance(value, dict):
            order_members(value)
        elif isinstance(value, list):
            _order_each(value)


def canonical_text(value: JSON) -> str:
    """Return one line of ASCII text, the same for values that differ in order only."""
    return json.dumps(canonical(value), ensure_ascii=True, allow_nan=False)
