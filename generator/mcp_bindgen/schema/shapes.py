"""The form of each keyword's value; other schemas are refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.hidden import show
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.json_values import kind_of
from mcp_bindgen.schema.keywords import JSON_TYPES, LISTS, MAPS, NUMBERS, SINGLE
from mcp_bindgen.schema.node import (
    SchemaError,
    is_array,
    is_object,
    is_schema,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["check_keywords"]

_TEXT_LENGTH = 40  # characters of a text in a message


class _Shape(NamedTuple):
    """The values that a keyword may have, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_type(value: object) -> bool:
    if is_array(value):
        return all(map(_is_type_name, value))
    return _is_type_name(value)


def _is_type_name(value: object) -> bool:
    return isinstance(value, str) and value in JSON_TYPES


def _is_list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    def is_list(value: object) -> bool:
        return is_array(value) and all(map(fits, value))

    return is_list


def _is_map_of_schemas(value: object) -> bool:
    return is_object(value) and all(map(is_schema, value.values()))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_schema_or_schemas(value: object) -> bool:
    return is_schema(value) or _SCHEMAS.fits(value)


_SCHEMAS = _Shape("an array of schemas", _is_list_of(is_schema))
_TEXT = _Shape("a string", _is_text)
# Of several lines with one keyword, the last one counts.
_SHAPES: Mapping[str, _Shape] = {
    **dict.fromkeys(SINGLE, _Shape("a schema", is_schema)),
    **dict.fromkeys(LISTS, _SCHEMAS),
    **dict.fromkeys(MAPS, _Shape("an object of schemas", _is_map_of_schemas)),
    **dict.fromkeys(NUMBERS, _Shape("a number", _is_number)),
    "items": _Shape(
        "a schema or an array of schemas",
        _is_schema_or_schemas,
    ),
    "type": _Shape("the name of a JSON type, or an array of them", _is_type),
    "required": _Shape("an array of strings", _is_list_of(_is_text)),
    "enum": _Shape("an array", is_array),
    "pattern": _TEXT,
    "$ref": _TEXT,
    "$dynamicRef": _TEXT,
}


def check_keywords(pointer: str, node: Mapping[str, Any]) -> None:
    """Check the values of a schema's own keywords.

    Args:
        pointer: The pointer of the schema.
        node: The schema.

    Raises:
        SchemaError: A keyword has a value of the wrong type.
    """
    faulty = [
        keyword
        for keyword, value in node.items()
        if keyword in _SHAPES and not _SHAPES[keyword].fits(value)
    ]
    if faulty:
        keyword = min(faulty)  # whatever the order of the keywords
        words, actual = _SHAPES[keyword].words, _described(node[keyword])
        raise SchemaError(child(pointer, keyword), f"expected {words}, got {actual}")


def _described(value: object) -> str:
    """Return a short text itself, and the kind of any other value."""
    if isinstance(value, str) and len(value) <= _TEXT_LENGTH:
        text = json.dumps(value, ensure_ascii=False)
        return show(text if text.isprintable() else json.dumps(value))
    return kind_of(value)
