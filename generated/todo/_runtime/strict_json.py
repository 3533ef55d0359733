# Copied by mcp-bindgen. Do not edit.
"""Reads and writes JSON strictly, with one error type for everything else."""

from __future__ import annotations

import json
import math
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from . import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["StrictJsonError", "dumps", "has_many_digits", "loads"]

_DEPTH = limits.JSON_DEPTH
_DIGITS = limits.JSON_DIGITS
_VALUES = limits.JSON_VALUES
_STRIDE = 100  # bytes
_CONTAINERS = (dict, list, tuple)
_TEXT = frozenset({str})
_SCALARS = frozenset({str, int, float, bool, type(None)})
_NOT_ZERO = re.compile(r"[-0.]*[1-9]")
_OUTSIDE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class StrictJsonError(ValueError):
    """The text is not strict JSON, or the value has no JSON form."""


def _refuse(name: str) -> Any:
    raise StrictJsonError(f"{name} is not JSON")


def _int(digits: str) -> int:
    if (number := len(digits.removeprefix("-"))) > _DIGITS:
        raise StrictJsonError(f"a number of {number} digits")
    return int(digits)


def _float(text: str) -> float:
    if len(text) > _DIGITS or math.isinf(number := float(text)):
        raise StrictJsonError("a number out of range")
    if not number and _NOT_ZERO.match(text):
        raise StrictJsonError("a number that is too small")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise StrictJsonError("an object with the same key twice")
    return unique


def _decoder(parse_int: Callable[[str], int]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object,
        parse_int=parse_int,
        parse_float=_float,
        parse_constant=_refuse,
    )


_DECODER = _decoder(_int)
_QUICK_DECODER = _decoder(int)  # for texts without a number of so many digits
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")


_ENCODER = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def _check_depth(value: object) -> None:
    level: list[Any] = [value]
    for _ in range(_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, _CONTAINERS):
                inner += item.values() if isinstance(item, dict) else item
        if not inner:
            return
        level = inner
    if any(isinstance(item, _CONTAINERS) for item in level):
        raise StrictJsonError(f"nested deeper than {_DEPTH}")


def _check_keys(value: object) -> None:
    containers: list[Any] = [[value]]
    for item in containers:  # which grows meanwhile
        values = item
        if isinstance(item, dict):
            keys = cast("dict[object, object]", item)
            if not _TEXT.issuperset(map(type, keys)) and not _are_texts(keys):
                raise StrictJsonError("an object key that is no string")
            values = keys.values()
        if not _SCALARS.issuperset(map(type, values)):
            containers += [one for one in values if isinstance(one, _CONTAINERS)]


def _are_texts(keys: Iterable[object]) -> bool:
    return all(isinstance(key, str) for key in keys)


def loads(data: bytes | bytearray) -> Any:
    """Return the value of a UTF-8 JSON text.

    NaN, Infinity, numbers out of range, equal keys, lone surrogates, bad UTF-8, 4,300
    digits, 200 levels and a million values are refused.

    Raises:
        StrictJsonError: If the text is anything else than strict JSON.
    """
    try:
        text = data.decode("utf-8")
        brackets = text.count("[") + text.count("{")
        if brackets + text.count(",") > _VALUES:
            _refuse_many(text)
        decoder = _DECODER if has_many_digits(data) else _QUICK_DECODER
        value = decoder.decode(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except (RecursionError, ValueError) as error:
        raise _fault(error) from None
    if brackets > _DEPTH:
        _check_depth(value)
    return value


def has_many_digits(text: bytes | bytearray) -> bool:
    """Return whether there may be a number, in a text too, of too many characters."""
    if len(text) < _DIGITS:
        return False
    # Some bytes of each such number are among every hundredth: there are far fewer.
    sample = text[::_STRIDE].translate(_DIGITS_ALIKE)
    if b"0" * (_DIGITS // _STRIDE) not in sample:
        return False
    # A number of one more character than are allowed may begin with a sign.
    return b"0" * _DIGITS in text.translate(_DIGITS_ALIKE)


def _refuse_many(text: str) -> None:
    """Refuse a text whose values would take far more memory than the text."""
    marks = (match for match in _OUTSIDE.finditer(text) if match[0][0] != '"')
    if next(islice(marks, _VALUES, None), None):
        raise StrictJsonError(f"more than {_VALUES:,} values")


def dumps(value: object) -> bytes:
    """Return a value as compact UTF-8 JSON.

    Raises:
        StrictJsonError: For NaN, bytes, lone surrogates, cycles, keys that are no
            strings, and other values without a JSON form.
    """
    try:
        text = _ENCODER.encode(value)
        # json has found that there is no cycle.
        if text.count("[") + text.count("{") > _DEPTH:
            _check_depth(value)
        _check_keys(value)
        return text.encode()
    except (RecursionError, TypeError, ValueError) as error:
        raise _fault(error) from None


def _fault(error: Exception) -> StrictJsonError:
    # Python's own messages quote the value, so only our own are used.
    if isinstance(error, StrictJsonError):
        return error
    if isinstance(error, RecursionError):
        return StrictJsonError(f"nested deeper than {_DEPTH}")
    if isinstance(error, UnicodeError):
        return StrictJsonError("text that is not valid Unicode")
    if isinstance(error, json.JSONDecodeError):
        return StrictJsonError(f"no JSON at character {error.pos}")
    return StrictJsonError("a value that has no JSON form")
