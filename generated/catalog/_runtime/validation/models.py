# Copied by mcp-bindgen. Do not edit.
"""The base of every model: accepts and sends exactly the values of its schema."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from pydantic import VERSION, BaseModel, ConfigDict, GetCoreSchemaHandler

from ..json_values import SCALARS, are_scalars, nearest_number
from .scalars import MISSING
from .wire_names import camel, kebab, pascal

if TYPE_CHECKING:
    from pydantic_core import core_schema

__all__ = [
    "CamelModel",
    "KebabModel",
    "Model",
    "PascalModel",
    "Residual",
    "TypeBuildError",
    "to_json",
]

_MANY = 50  # of so many on, looking at all at once takes less time than at each
# Whether a member of a union is dumped by its own class, which must be built for it.
_DUMPS_BY_CLASS = VERSION.startswith("2.12.")
# Whether a class is built with the names of its module alone.
_alone: ContextVar[bool] = ContextVar("_alone", default=False)
# Until pydantic 2.13, threads that use a class first at once break it. No other thread
# holds the lock while the process forks.
_building = threading.RLock()
if sys.platform != "win32":
    os.register_at_fork(
        before=_building.acquire,
        after_in_parent=_building.release,
        after_in_child=_building.release,
    )


def to_json(value: Any) -> Any:
    """Return a value as plain JSON: models become objects, `MISSING` members go.

    Args:
        value: A model, a JSON value, or a list, tuple or mapping of these. A value
            without any model or `MISSING` in it is returned unchanged.
    """
    kind = value.__class__
    if kind in SCALARS:
        return value
    # For a few values, a loop takes less time than a map.
    if kind is dict:
        for item in value.values():
            if type(item) not in SCALARS:
                return {
                    key: item if type(item) in SCALARS else to_json(item)
                    for key, item in value.items()
                    if item is not MISSING
                }
        return value
    if kind is list:
        if len(value) > _MANY and _is_plain(value):
            return value
        for item in value:
            if type(item) not in SCALARS:
                return [to_json(item) for item in value]
        return value
    return _unusual(value)


def _is_plain(value: list[object]) -> bool:
    if are_scalars(value):
        return True

    from ..plain_json import is_plain  # most calls send no long list

    return is_plain(value)


def _unusual(value: object) -> object:
    if isinstance(value, BaseModel):
        # The mode "json" makes null of NaN, and texts of keys that are none.
        dumped = value.model_dump(by_alias=True, exclude_unset=True, warnings=False)
        return to_json(dumped)
    if isinstance(value, Mapping):
        return to_json(dict(cast("Mapping[str, object]", value)))
    if isinstance(value, (tuple, list)):
        return to_json(list(cast("Sequence[object]", value)))
    return _plain_scalar(value)


def _plain_scalar(value: object) -> object:
    """Return the text or the number of an enum's member, or the like."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, Decimal):
        return nearest_number(value)
    return float.__float__(value) if isinstance(value, float) else value


class TypeBuildError(Exception):
    """Pydantic cannot make a validator of a type."""


class Residual(Protocol):
    """A check of a value before its model reads it."""

    def wrap(self, schema: core_schema.CoreSchema) -> core_schema.CoreSchema:
        """Put the check before pydantic's own schema."""
        ...


class Model(BaseModel):
    """One object of a schema.

    Validating takes wire names only. The constructor takes Python names, as type
    checkers see them, and wire names by `**`. A dump is the JSON of which the model was
    made.
    """

    model_config = ConfigDict(
        extra="allow",
        defer_build=True,
        hide_input_in_errors=True,
        serialize_by_alias=True,
        protected_namespaces=(),
    )
    __residual__: ClassVar[Residual | None] = None
    __wire_names__: ClassVar[Mapping[str, str]]
    if not TYPE_CHECKING:
        # Sphinx writes the annotations of type checkers into the base class; classes
        # that are defined afterwards would read its form, which pydantic refuses.
        # This is no text, which pydantic 2.12 would read with the names of a subclass.
        __annotations__["__pydantic_extra__"] = dict[str, Any]

    def __init__(self, /, **data: Any) -> None:
        names = _wire_names(type(self))
        wire = {
            # A decimal may be for a text: its field decides.
            names.get(name, name): (
                value if isinstance(value, Decimal) else to_json(value)
            )
            for name, value in data.items()
            if value is not MISSING
        }
        self.__pydantic_validator__.validate_python(wire, self_instance=self)

    def _repr_html_(self) -> str | None:
        """Return the HTML for Jupyter: a table; None for an object without members."""
        from ..tables import table

        return table(to_json(self)) or None

    # Pydantic calls a custom __init__ for each nested object; this one needs no call.
    __init__.__dict__["__pydantic_base_init__"] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for base in cls.__bases__:
            # The subclass may be in a module that lacks the names of its base's.
            if issubclass(base, Model) and not base.__pydantic_fields_complete__:
                base.model_rebuild(raise_errors=False)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """Build the validator of a class that names one defined after it.

        Pydantic does so at the first use, and reads the variables of the caller before
        those of the module: a program's own `Owner` would take the stead of ours.
        Only a class that is not in a module may need them.

        Args:
            force: Whether to build it again.
            raise_errors: Whether a missing name is an error.

        Returns:
            Whether it was built; None where that was done before.
        """
        module = sys.modules.get(cls.__module__, cls)
        is_alone = vars(module).get(cls.__qualname__) is cls
        depth = 0 if is_alone else _parent_namespace_depth + 1
        token = _alone.set(is_alone)
        try:
            with _building:
                made = super().model_rebuild(
                    force=force,
                    raise_errors=raise_errors,
                    _parent_namespace_depth=depth,
                    _types_namespace=_types_namespace,
                )
                if made and _DUMPS_BY_CLASS:
                    _build_inner(cls.__pydantic_core_schema__)
                return made
        finally:
            _alone.reset(token)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler, /
    ) -> core_schema.CoreSchema:
        if not (_alone.get() or cls.__pydantic_fields_complete__):
            cls.model_rebuild(raise_errors=False)  # for a class of another module
        schema = handler(source)
        if "__residual__" not in cls.__dict__ or cls.__residual__ is None:
            return schema
        return cls.__residual__.wrap(schema)


class CamelModel(Model):
    """An object whose members have camelCase names: `max_age` is sent as `maxAge`."""

    model_config = ConfigDict(alias_generator=camel)


class PascalModel(Model):
    """An object whose members have PascalCase names: `max_age` is sent as `MaxAge`."""

    model_config = ConfigDict(alias_generator=pascal)


class KebabModel(Model):
    """An object whose members have kebab-case names: `max_age` is sent as `max-age`."""

    model_config = ConfigDict(alias_generator=kebab)


def _build_inner(schema: core_schema.CoreSchema) -> None:
    """Build the classes in the schema of another one."""
    parts: list[Any] = [schema]
    for part in parts:  # which grows meanwhile
        if isinstance(part, dict):
            parts += cast("dict[str, Any]", part).values()
        elif isinstance(part, (list, tuple)):
            parts += cast("Sequence[Any]", part)
        elif isinstance(part, type) and issubclass(part, Model):
            part.model_rebuild(raise_errors=False)


def _wire_names(model: type[Model]) -> Mapping[str, str]:
    """Return the fields of a class that have another name in JSON, with that name.

    A class that names one defined after it is complete only when it is rebuilt: until
    then, pydantic has not read the aliases of its fields.
    """
    if "__wire_names__" not in model.__dict__:
        model.model_rebuild()
        fields = model.model_fields.items()
        model.__wire_names__ = {
            name: field.alias for name, field in fields if field.alias is not None
        }
    return model.__wire_names__
