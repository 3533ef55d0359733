"""Residual validation: checks values against the schema where types are not enough."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import GetCoreSchemaHandler, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from ..json_pointer import steps
from .models import to_json
from .schema import SchemaChecker

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..errors import Fault

__all__ = ["Checked"]

_FEW = 100
"""Values that are checked in less time than an acceptor is made."""


class Checked:
    """A schema that a value must fit before its model reads it.

    Use it in `Annotated`, or as `__residual__` of a model:
    `Annotated[Any, Checked('{"not": {"type": "null"}}')]`.

    Args:
        schema: The JSON Schema as JSON text.
    """

    def __init__(self, schema: str) -> None:
        self._text = schema
        self._was_used = False

    @cached_property
    def _schema(self) -> SchemaChecker:
        return SchemaChecker(json.loads(self._text))

    @cached_property
    def _accepts(self) -> Callable[[object], bool]:
        from .accept import acceptor  # an import of a tool checks nothing

        return acceptor(self._schema)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return self.wrap(handler(source))

    def wrap(self, schema: core_schema.CoreSchema) -> core_schema.CoreSchema:
        """Put the check before pydantic's own schema."""
        return core_schema.no_info_before_validator_function(self._check, schema)

    def _check(self, value: object) -> object:
        # To make an acceptor takes longer than to check one small value, and a program
        # may call a tool once only.
        if (self._was_used or not _is_small(value)) and self._accepts(value):
            return value
        self._was_used = True
        faults = [
            InitErrorDetails(
                type=PydanticCustomError("schema", "{message}", _context(fault)),
                loc=tuple(steps(fault.path)),
                input=None,
            )
            for fault in self._schema.faults(_json(value))
        ]
        if faults:
            raise ValidationError.from_exception_data("schema", faults)
        return value


def _is_small(value: object) -> bool:
    """Return whether a value has few values in it."""
    values: list[Any] = [value]
    for one in values:  # it grows
        if isinstance(one, dict | list):
            values += one.values() if isinstance(one, dict) else one
        if len(values) > _FEW:
            return False
    return True


def _json(value: object) -> object:
    from ..plain_json import is_plain  # an import of a tool needs none of these

    json = to_json(value)
    if is_plain(json):
        return json
    from .texts import texts_of

    return texts_of(json)


def _context(fault: Fault) -> dict[str, Any]:
    return {"message": fault.message, "rule": fault.rule, "actual": fault.actual}
