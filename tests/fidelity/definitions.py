"""Schemas of tools from the definitions of a document, each with what it refers to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["tools_of"]

Json = dict[str, Any]
_HOLDERS = (("$defs",), ("definitions",), ("components", "schemas"))
_LARGEST = 3_000
"""JSON values in one tool's schema; larger ones are the business of other tests."""


def tools_of(name: str, document: Any) -> Iterator[tuple[str, Json]]:
    """Yield name and schema of each tool that a document of schemas yields.

    Args:
        name: Name of the document.
        document: A JSON Schema or an OpenAPI document.
    """
    if not isinstance(document, dict):
        return
    whole = cast("Json", document)
    definitions = _definitions(whole)
    sizes = {key: _size(value) for key, value in definitions.items()}
    root = {k: v for k, v in whole.items() if k not in {"$defs", "definitions"}}
    candidates: Json = {"": root} if "properties" in root else {}
    candidates |= definitions
    for key, schema in candidates.items():
        pool = _Pool(definitions, sizes, {})
        if isinstance(schema, dict) and (made := _tool(cast("Json", schema), pool)):
            yield f"{name} {key}".strip(), made


def _definitions(document: Json) -> Json:
    for path in _HOLDERS:
        value: Any = document
        for key in path:
            holder = cast("Json", value) if isinstance(value, dict) else {}
            value = holder.get(key, {})
        if isinstance(value, dict) and value:
            return cast("Json", value)
    return {}


@dataclass(frozen=True)
class _Pool:
    """The definitions of a document, and those that one tool has reached."""

    definitions: Json
    sizes: Mapping[str, int]
    reached: Json


def _tool(schema: Json, pool: _Pool) -> Json | None:
    """Return an object schema with its definitions; None if one is out of reach."""
    reached = pool.reached
    try:
        root = _moved(schema, pool)
    except (KeyError, ValueError, RecursionError):
        return None
    if root.get("type") != "object" and "properties" not in root:
        root = {"type": "object", "properties": {"value": root}, "required": ["value"]}
    else:
        root = {**root, "type": "object"}
    if reached:
        root["$defs"] = reached
    return root if _size(root) <= _LARGEST else None


def _moved(value: Any, pool: _Pool) -> Any:
    """Return a schema as 2020-12 has it: its references lead to its own `$defs`."""
    if isinstance(value, list):
        elements = cast("list[object]", value)
        return [_moved(element, pool) for element in elements]
    if not isinstance(value, dict):
        return value
    made: Json = {}
    for key, item in cast("Json", value).items():
        if key == "$ref" and isinstance(item, str):
            made[key] = _reference(item, pool)
        elif key in {"enum", "const", "default", "examples", "example"}:
            made[key] = item
        elif key == "properties" and isinstance(item, dict):
            made[key] = {
                k: _moved(v, pool) for k, v in cast("Mapping[str, Any]", item).items()
            }
        elif key not in {"$id", "id", "$schema", "discriminator", "$comment"}:
            made[key] = _moved(item, pool)
    return _modern(made)


def _modern(schema: Json) -> Json:
    """Return what OpenAPI 3.0 and draft 4 say in the words of today."""
    if schema.pop("nullable", False) is True and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
    if isinstance(schema.get("items"), list):
        raise KeyError("items of an older draft")
    for low, high in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(low), bool) and schema.pop(low):
            schema[low] = schema.pop(high)
    return schema


def _reference(reference: str, pool: _Pool) -> str:
    match = re.fullmatch(
        r"#/(?:\$defs|definitions|components/schemas)/([^/]+)", reference
    )
    if not match:
        raise ValueError(reference)
    key = match[1].replace("~1", "/").replace("~0", "~")
    if key not in pool.reached:
        definition = pool.definitions[key]
        pool.reached[key] = True  # while it is on its way, for those that refer to it
        if sum(pool.sizes[k] for k in pool.reached) > _LARGEST:
            raise ValueError("too large")
        pool.reached[key] = _moved(definition, pool)
    return f"#/$defs/{match[1]}"


def _size(value: Any) -> int:
    parts: list[Any] = []
    if isinstance(value, dict):
        parts += cast("Json", value).values()
    elif isinstance(value, list):
        parts += value
    return 1 + sum(_size(part) for part in parts)
