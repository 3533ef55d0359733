"""JSON Schemas as they are read: their parts, and pointers to these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.keywords import LISTS, MAPS, SINGLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = [
    "Node",
    "SchemaError",
    "inner_schemas",
    "is_array",
    "is_object",
    "is_resource",
    "is_schema",
    "listed",
    "mapped",
    "members",
    "types_of",
    "walk",
    "with_inner",
]

Node: TypeAlias = "Mapping[str, Any] | bool"

_NAMED_SCHEMAS = MAPS | {"dependencies"}
_WITH_SCHEMAS = _NAMED_SCHEMAS | LISTS | SINGLE  # none needs an escape in a pointer


class SchemaError(Exception):
    """A schema that cannot become types.

    Attributes:
        pointer: JSON pointer to the fault.
        message: The expected and the actual value.
        hint: The advice, "" for none.
    """

    def __init__(self, pointer: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message
        self.hint = hint


def is_schema(value: object) -> bool:
    """Return whether a JSON value may be a schema."""
    return isinstance(value, (dict, bool))


def is_array(value: object) -> TypeGuard[list[object]]:
    """Return whether a JSON value is an array."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_resource(node: Mapping[str, Any]) -> bool:
    """Return whether references in a schema lead into this schema only."""
    return "$id" in node and not str(node["$id"]).startswith("#")


def listed(value: object) -> list[object]:
    """Return a JSON array, or an empty one for any other value."""
    return value if is_array(value) else []


def mapped(value: object) -> dict[str, Any]:
    """Return a JSON object, or an empty one for any other value."""
    return value if is_object(value) else {}


def members(node: Mapping[str, Any], keyword: str) -> Mapping[str, Any]:
    """Return the map under a keyword, empty where there is none."""
    return cast("Mapping[str, Any]", node.get(keyword) or {})


def types_of(node: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the types that a schema names, in its order."""
    declared = node.get("type")
    if declared is None:
        return ()
    if isinstance(declared, str):
        return (declared,)
    return tuple(dict.fromkeys(cast("list[str]", declared)))


def walk(
    node: Mapping[str, Any], pointer: str, visited: set[int] | None = None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every object schema with its pointer, the outer before the inner.

    Args:
        node: The outermost schema.
        pointer: Its pointer.
        visited: Identities of schemas to leave out, with all in them; those that this
            yields are added. By default, none is left out.
    """
    pending: list[tuple[str, object]] = [(pointer, node)]
    while pending:
        here, value = pending.pop()
        if visited is not None and id(value) in visited:
            continue
        if is_object(value):
            if visited is not None:
                visited.add(id(value))
            yield here, value
            if not _WITH_SCHEMAS.isdisjoint(value):
                pending += reversed(list(inner_schemas(value, here)))


def inner_schemas(
    node: Mapping[str, Any], pointer: str
) -> Iterator[tuple[str, object]]:
    """Yield the values directly inside a schema that must be schemas, with pointers."""
    for keyword, value in node.items():
        if keyword not in _WITH_SCHEMAS:
            continue
        here = f"{pointer}/{keyword}"
        if keyword in LISTS and is_array(value):
            for number, item in enumerate(value):
                yield f"{here}/{number}", item
        elif keyword in _NAMED_SCHEMAS and is_object(value):
            for name, item in value.items():
                yield child(here, name), item
        elif keyword in SINGLE and isinstance(value, (dict, list, bool)):
            yield here, value


def with_inner(node: Mapping[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a schema with each schema directly inside it changed."""
    changed = dict(node)
    for keyword, value in node.items():
        if keyword in LISTS and is_array(value):
            changed[keyword] = [change(item) for item in value]
        elif keyword in _NAMED_SCHEMAS and is_object(value):
            changed[keyword] = {name: change(item) for name, item in value.items()}
        elif keyword in SINGLE:
            changed[keyword] = change(value)
    return changed
