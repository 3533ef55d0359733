# Copied by mcp-bindgen. Do not edit.
"""Reads and writes usual JSON at the speed of pydantic's own reader and writer.

`strict_json` decides about all that is unusual, so that both modules agree.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from . import limits
from .json_values import SCALARS, are_scalars
from .strict_json import dumps, has_many_digits, loads

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["decoded", "encoded", "is_plain", "written"]

_TEXT = frozenset({str})
_KINDS = frozenset({dict, list})
_FEW = 50
_SHORT = 2_000  # bytes
_values: Callable[[Any], Collection[Any]] = methodcaller("values")
# Numbers of fewer digits and smaller exponents are neither infinite nor rounded to 0.
_ALIKE = bytes.maketrans(b"123456789E", b"000000000e")
_MANY_DIGITS = b"0" * 100
_LARGE_EXPONENT = b"0e000"


def decoded(data: bytes | bytearray) -> Any:
    """Return the value of a UTF-8 JSON text; several times faster than `loads`.

    Raises:
        StrictJsonError: As `loads` does.
    """
    # In one more list, the depth that pydantic's reader allows is that of `loads`.
    text = b"[%b]" % bytes(data)
    try:
        values = _from_json()(text)
        again = _to_json()(values)
    except (RecursionError, ValueError) as _:
        return loads(data)  # which says why
    same = text == again or _says_the_same(text, again)
    if same and len(values) == 1 and not _may_have_many(data):
        return values[0]
    return loads(data)


def _says_the_same(text: bytes, again: bytes) -> bool:
    """Return whether a text has no equal keys and no number out of range.

    Each member of an object has a colon. The reader takes the last of equal keys, so
    that there are fewer colons in the text that was written again. Only an escape may
    write a colon inside of a text in another way.
    """
    if b"\\u00" in text or text.count(b":") != again.count(b":"):
        return False
    alike = text.translate(_ALIKE)
    if _MANY_DIGITS in alike:
        return False
    # The first search is fast; the second leaves out the signs of exponents.
    return b"0e" not in alike or _LARGE_EXPONENT not in alike.translate(None, b"+-")


def _may_have_many(data: bytes | bytearray) -> bool:
    """Return whether a text may have more values than are allowed."""
    most = limits.JSON_VALUES
    # Each value takes two bytes or more, and each but the first follows a mark.
    long = len(data) > 2 * most
    return long and sum(map(data.count, (b"[", b"{", b","))) > most


def encoded(value: object) -> bytes:
    """Return a value as compact UTF-8 JSON to send; many times faster than `dumps`.

    Versions of pydantic spell some numbers in other ways, 1e16 for 1e+16, so it is not
    for texts that are compared.

    Raises:
        StrictJsonError: As `dumps` does.
    """
    text = written(value)
    return dumps(value) if text is None else text


def written(value: object) -> bytes | None:
    """Return a value as compact UTF-8 JSON; None where it may have no JSON form."""
    try:
        text = _to_json()(value)
        # It writes bytes, dates and more, which JSON has no form for. To read the text
        # again takes less time than to look at each value, but not for long lists.
        if len(text) < _SHORT or _has_many_objects(text):
            plain = _from_json()(b"[%b]" % text) == [value]
        else:
            plain = is_plain(value) and not _has_constant(text)
    except (RecursionError, TypeError, ValueError) as _:
        return None
    return text if plain and not has_many_digits(text) else None


def _has_many_objects(text: bytes) -> bool:
    """Return whether a text has many objects; a search from its end is fast."""
    return text.rfind(b"{") > _SHORT and len(text.split(b"{", _FEW + 1)) > _FEW + 1


def _has_constant(text: bytes) -> bool:
    """Return whether a text has NaN or Infinity; a search for one letter is fast."""
    has_nan = b"N" in text and b"NaN" in text
    return has_nan or (b"I" in text and b"Infinity" in text)


def is_plain(value: object) -> bool:
    """Return whether a value is JSON of Python's own classes, within the depth.

    For a recursive value, the answer may be either.
    """
    containers: list[Any] = [[value]]
    for item in containers:  # which grows meanwhile
        kind, values = item.__class__, item
        if kind is dict:
            if not _TEXT.issuperset(map(type, item)):
                return False
            values = _values(item)
        elif kind is not list:
            return False
        if not are_scalars(values):
            if len(containers) + len(values) > _FEW:
                return _is_plain_by_levels(value)
            containers += [one for one in values if type(one) not in SCALARS]
    return True


def _is_plain_by_levels(value: object) -> bool:
    """Look at whole levels at once: no step of Python for each container."""
    level: list[Any] = [value]
    for _ in range(limits.JSON_DEPTH + 1):
        kinds = {*map(type, level)}
        if kinds <= SCALARS:
            return True
        if kinds & SCALARS:
            level = [one for one in level if type(one) not in SCALARS]
            kinds -= SCALARS
        if not kinds <= _KINDS or len(level) > limits.JSON_VALUES:
            return False
        objects, lists = (_of_kind(kind, kinds, level) for kind in (dict, list))
        if not _TEXT.issuperset(map(type, chain.from_iterable(objects))):
            return False
        level = [*chain.from_iterable(map(_values, objects))]
        level += chain.from_iterable(lists)
    return False


def _of_kind(kind: type, kinds: set[type], level: list[Any]) -> list[Any]:
    """Return the containers of one kind; most levels have no other."""
    if kind not in kinds:
        return []
    return level if len(kinds) == 1 else [one for one in level if type(one) is kind]


@cache
def _to_json() -> Callable[..., bytes]:
    from pydantic_core import to_json  # some programs only import

    return to_json


@cache
def _from_json() -> Callable[..., Any]:
    from pydantic_core import from_json

    # Texts that are members repeat seldom; to remember each takes time.
    return partial(from_json, allow_inf_nan=False, cache_strings="keys")
