# Copied by mcp-bindgen. Do not edit.
"""Reads large answers for one fault: pydantic keeps each fault in memory.

A list of a million empty objects is a short text, and each object may miss a thousand
members.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pydantic_core import SchemaValidator

from .. import limits
from ..errors import FAILURE, printable
from .models import TypeBuildError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic import TypeAdapter

__all__ = ["builds", "reader"]

_Container: TypeAlias = "dict[str, object] | list[object]"

_ENDED_EARLY = frozenset({"list", "tuple"})


def reader(type_: Any) -> Callable[[object], Any]:
    """Return a function that validates an answer of any size.

    Of an answer that is not large, the function reports all faults.

    Args:
        type_: A model, or any type that pydantic reads.

    Raises:
        TypeBuildError: Pydantic does not read the type.
    """
    try:
        adapter = _built(type_)
    except FAILURE as error:
        if builds(type_):
            raise  # out of a signal handler: the type is not at fault
        raise TypeBuildError(printable(error, 300)) from error
    validate = adapter.validate_python

    @cache
    def validate_large() -> Callable[[object], Any]:
        return _ended_early(adapter)

    def read(value: object) -> Any:
        return validate_large()(value) if _is_large(value) else validate(value)

    return read


def _ended_early(adapter: TypeAdapter[Any]) -> Callable[[object], Any]:
    """Return a function that validates a value, and reports few faults."""
    make: Any = SchemaValidator
    whole = _bounded(adapter.core_schema, classes=True)
    try:
        # The validator that a class has already would report all faults.
        checked: SchemaValidator = make(whole, _use_prebuilt=False)
    except TypeError:  # pydantic 2.12 uses it always
        fields = SchemaValidator(_bounded(adapter.core_schema, classes=False))

        def read(value: object) -> Any:
            fields.validate_python(value)
            return adapter.validate_python(value)

        return read
    return checked.validate_python


def _built(type_: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    adapter = TypeAdapter[Any](type_)
    adapter.rebuild()
    return adapter


def builds(type_: Any) -> bool:
    """Return whether pydantic can make a validator of a type.

    Args:
        type_: A model, or any type that pydantic reads.
    """
    try:
        _built(type_)
    except FAILURE:
        return False
    return True


def _is_large(value: object) -> bool:
    count, containers = 1, _containers([value])
    while containers and count <= limits.LARGE_ANSWER:
        count += sum(map(len, containers))
        if count <= limits.LARGE_ANSWER:
            containers = _containers(chain.from_iterable(map(_inside, containers)))
    return count > limits.LARGE_ANSWER


def _containers(values: Iterable[object]) -> list[_Container]:
    return [one for one in values if isinstance(one, (dict, list))]


def _inside(value: _Container) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value


def _bounded(schema: object, *, classes: bool) -> Any:
    """Return a schema of pydantic's whose containers report one fault of their parts.

    A list stops at its first fault. A mapping cannot stop, so its faults become one.
    Without classes, a model becomes its fields.
    """
    if isinstance(schema, list):
        return [_bounded(one, classes=classes) for one in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = cast("dict[str, object]", schema).items()
    made: dict[str, Any] = {k: _bounded(one, classes=classes) for k, one in parts}
    # Not every dict is a schema: in a table of choices, "type" may be a tag.
    kind = str(made.get("type"))
    if kind in _ENDED_EARLY:
        return {**made, "fail_fast": True}
    if kind == "model" and not classes:
        extra = made.get("config", {}).get("extra_fields_behavior", "allow")
        return {**made["schema"], **_named(made), "extra_behavior": extra}
    if kind == "dict":
        inner = {"keys_schema", "values_schema"} & made.keys()
        return _one_fault({**made, **{key: _one_fault(made[key]) for key in inner}})
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
