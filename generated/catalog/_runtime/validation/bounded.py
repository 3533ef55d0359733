# Copied by mcp-bindgen. Do not edit.
"""Reads large answers with few faults: pydantic keeps each that it finds in memory.

A list of a million empty objects is short, and may miss a thousand members in each.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic_core import SchemaValidator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic import TypeAdapter
    from pydantic_core import CoreSchema

__all__ = ["reader"]

T = TypeVar("T")

_LARGE = 10_000  # JSON values
_ENDED_EARLY = frozenset({"list", "tuple"})


def reader(adapter: TypeAdapter[T]) -> Callable[[object], T]:
    """Make what validates an answer of any size.

    Args:
        adapter: Tells all faults of what is not large.
    """

    @cache
    def check() -> SchemaValidator:
        adapter.rebuild()
        return SchemaValidator(cast("CoreSchema", _bounded(adapter.core_schema)))

    def read(value: object) -> T:
        if _is_large(value):
            check().validate_python(value)
        return adapter.validate_python(value)

    return read


def _is_large(value: object) -> bool:
    level, count = [value], 0
    while level and count <= _LARGE:
        count += len(level)
        level = [inner for item in level for inner in _inside(item)]
    return count > _LARGE


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _bounded(schema: object) -> Any:
    """Return a schema of pydantic's whose containers tell one fault of what they hold.

    Lists end at the first. Mappings cannot, so theirs become one. Models lose their
    class, as pydantic would take the validator that the class has already.
    """
    if isinstance(schema, list):
        return [_bounded(item) for item in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, object]", schema).items()
    made: dict[str, Any] = {key: _bounded(item) for key, item in members}
    # In a table of choices, a tag may be called so.
    kind = str(made.get("type"))
    if kind in _ENDED_EARLY:
        return {**made, "fail_fast": True}
    if kind == "model":
        extra = made.get("config", {}).get("extra_fields_behavior", "allow")
        return {**made["schema"], **_named(made), "extra_behavior": extra}
    if kind == "dict":
        parts = {"keys_schema", "values_schema"} & made.keys()
        return _one_fault({**made, **{part: _one_fault(made[part]) for part in parts}})
    return made


def _one_fault(schema: dict[str, Any]) -> dict[str, Any]:
    text = "Input should fit what is declared for it"
    return {
        **_named(schema),
        "type": "custom-error",
        "schema": {key: part for key, part in schema.items() if key != "ref"},
        "custom_error_type": "members",
        "custom_error_message": text,
    }


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the name by which others refer to a schema, if it has one."""
    return {"ref": schema["ref"]} if "ref" in schema else {}
