"""What survives of a schema: its own references, known keywords, one dialect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from mcp_bindgen.runtime.json_pointer import child, steps

__all__ = [
    "KINDS",
    "Document",
    "SchemaError",
    "canonical",
    "is_schema",
    "listed",
    "mapped",
    "members",
    "types_of",
]

Node = Mapping[str, Any] | bool

# Where schemas stand inside a schema: alone, in a list, or in a map of names.
SINGLE = frozenset("""
    additionalItems additionalProperties contains contentSchema else if items not
    propertyNames then unevaluatedItems unevaluatedProperties
    """.split())
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
MAPS = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
# Keywords that allow and forbid nothing.
ANNOTATIONS = frozenset("""
    $schema $comment $defs definitions $anchor $id title description default examples
    example deprecated readOnly writeOnly format contentEncoding contentMediaType
    contentSchema
    """.split())
# Keywords that types or residual validation know; any other has no effect and goes.
KNOWN = SINGLE | LISTS | MAPS | ANNOTATIONS | frozenset("""
        $ref $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor type enum const
        minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum
        multipleOf minItems maxItems uniqueItems minContains maxContains required
        minProperties maxProperties dependentRequired dependencies
        """.split())
# Of these, what has no meaning in a schema that declares a draft before 2019-09.
_LATER = frozenset("""
    prefixItems minContains maxContains dependentRequired dependentSchemas
    unevaluatedItems unevaluatedProperties $dynamicRef
    """.split())
# Keywords that allow or forbid something.
EFFECTIVE = KNOWN - ANNOTATIONS
_INDEX_DIGITS = 8
JSON_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


class SchemaError(Exception):
    """A schema that nothing can be made of."""

    def __init__(self, pointer: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Document:
    """One schema with everything its references may lead to."""

    root: Mapping[str, Any]
    anchors: Mapping[str, str]

    @classmethod
    def read(cls, root: Mapping[str, Any]) -> Document:
        """Check the shape of every part and note its anchors.

        Raises:
            SchemaError: A keyword has a value of the wrong kind.
        """
        if _is_older(root):
            root = _older(root)
        anchors: dict[str, str] = {}
        for pointer, node in walk(root, ""):
            _check(pointer, node)
            anchor = node.get("$anchor")
            if isinstance(anchor, str):
                anchors.setdefault(anchor, pointer)
            old = node.get("$id")
            if isinstance(old, str) and old.startswith("#"):
                anchors.setdefault(old[1:], pointer)
        return cls(root, anchors)

    @property
    def is_draft7(self) -> bool:
        """Whether the schema declares a draft before 2019-09."""
        return _is_older(self.root)

    def target(self, ref: str) -> tuple[str, Node] | None:
        """Return pointer and node of a local reference, or nothing if it is not one.

        Raises:
            SchemaError: It is local and leads nowhere.
        """
        if not ref.startswith("#"):
            return None
        fragment = unquote(ref[1:])
        if fragment and not fragment.startswith("/"):
            pointer = self.anchors.get(fragment)
            return None if pointer is None else (pointer, self.at(pointer))
        return fragment, self.at(fragment)

    def at(self, pointer: str) -> Node:
        """Return the schema at a JSON pointer."""
        found: Any = self.root
        for key in steps(pointer):
            if isinstance(found, dict) and key in found:
                found = cast("dict[str, Any]", found)[key]
            elif isinstance(found, list) and _is_index(
                key, cast("list[object]", found)
            ):
                found = cast("list[object]", found)[int(key)]
            else:
                raise SchemaError(pointer, "a $ref leads nowhere")
        if not is_schema(found):
            raise SchemaError(pointer, "a $ref leads to something that is no schema")
        return cast("Node", found)


def _is_older(root: Mapping[str, Any]) -> bool:
    declared = root.get("$schema")
    return isinstance(declared, str) and "draft-0" in declared


def _older(node: Any) -> Any:
    """Return a schema without the keywords that came after its draft."""
    if isinstance(node, list):
        return [_older(part) for part in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for keyword, value in cast("dict[str, Any]", node).items():
        if keyword in _LATER:
            continue
        if keyword in MAPS | {"dependencies"} and isinstance(value, dict):
            parts = cast("dict[str, Any]", value).items()
            kept[keyword] = {name: _older(part) for name, part in parts}
        else:
            kept[keyword] = _older(value) if keyword in SINGLE | LISTS else value
    return kept


def _is_index(key: str, found: list[Any]) -> bool:
    return (
        key.isascii()
        and key.isdigit()
        and len(key) < _INDEX_DIGITS
        and int(key) < len(found)
    )


def is_schema(value: object) -> bool:
    """Tell whether a JSON value may stand where a schema is wanted."""
    return isinstance(value, (dict, bool))


def members(node: Mapping[str, Any], keyword: str) -> Mapping[str, Any]:
    """Return the map under a keyword, empty where there is none."""
    return cast("Mapping[str, Any]", node.get(keyword) or {})


def types_of(node: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the types that a schema names, in its order."""
    declared = node.get("type")
    if declared is None:
        return ()
    names = cast("list[str]", declared) if isinstance(declared, list) else [declared]
    return tuple(dict.fromkeys(names))


def walk(
    node: Mapping[str, Any], pointer: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every object schema with its pointer, the outer before the inner."""
    pending: list[tuple[str, object]] = [(pointer, node)]
    while pending:
        place, found = pending.pop()
        if not isinstance(found, dict):
            continue
        schema = cast("dict[str, Any]", found)
        yield place, schema
        pending += reversed(list(_parts(schema, place)))


def _parts(node: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, object]]:
    for keyword, value in node.items():
        if not isinstance(value, (dict, list, bool)):
            continue
        place = child(pointer, keyword)
        if isinstance(value, list) and keyword in LISTS:
            for number, item in enumerate(cast("list[object]", value)):
                yield child(place, number), item
        elif isinstance(value, dict) and keyword in MAPS | {"dependencies"}:
            for name, item in cast("dict[str, Any]", value).items():
                yield child(place, name), item
        elif keyword in SINGLE:
            yield place, value


def _check(pointer: str, node: Mapping[str, Any]) -> None:
    for keyword in node.keys() & _SHAPED:
        if not _fits(keyword, node[keyword]):
            place = child(pointer, keyword)
            raise SchemaError(place, f"{keyword} has a value of the wrong kind")


def _fits(keyword: str, value: object) -> bool:
    if keyword == "type" and isinstance(value, str):
        return value in JSON_TYPES
    array = listed(value)
    is_array, is_object = isinstance(value, list), isinstance(value, dict)
    if keyword in MAPS:
        return is_object and all(map(is_schema, mapped(value).values()))
    if keyword in LISTS and is_array:
        return all(map(is_schema, array))
    if keyword in SINGLE:
        return is_schema(value)
    if keyword == "type":
        return all(name in JSON_TYPES for name in array or [value])
    if keyword == "required":
        return is_array and all(isinstance(name, str) for name in array)
    if keyword in _NUMBERS:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, _TYPES.get(keyword, object)) and keyword not in LISTS


def listed(value: object) -> list[object]:
    """Return a JSON array, or an empty one for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def mapped(value: object) -> dict[str, Any]:
    """Return a JSON object, or an empty one for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


_TYPES: Mapping[str, type] = {
    "enum": list,
    "pattern": str,
    "$ref": str,
    "$dynamicRef": str,
}
_NUMBERS = frozenset("""
    minLength maxLength minimum maximum multipleOf minItems maxItems minContains
    maxContains minProperties maxProperties exclusiveMinimum exclusiveMaximum
    """.split())
# Keywords whose value is not of any kind.
_SHAPED = MAPS | LISTS | SINGLE | _NUMBERS | _TYPES.keys() | {"type", "required"}


def canonical(value: object) -> str:
    """Return one text for equal JSON values, whatever the order of members."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
