# Copied by mcp-bindgen. Do not edit.
"""The input schemas of own tools, in forms that every interface of models accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import core_schema

__all__ = ["input_schema"]

_LOOK_AROUND = ("(?=", "(?!", "(?<")


class _Accepted(GenerateJsonSchema):
    def tuple_schema(self, schema: core_schema.TupleSchema) -> dict[str, Any]:
        """Return the schema of a tuple, with `items`: some interfaces demand them."""
        return {"items": {}, **super().tuple_schema(schema)}

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> dict[str, Any]:
        """Return the schema of a decimal, without a pattern that looks around."""
        made = super().decimal_schema(schema)
        for part in made.get("anyOf", ()):
            if any(sign in part.get("pattern", "") for sign in _LOOK_AROUND):
                del part["pattern"]
        return made


def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the input schema of a model of arguments, without the titles of pydantic.

    Example: `input_schema(create_model("Arguments", city=(str, ...)))`.

    Args:
        arguments: A field for each parameter, which is its alias.
    """
    schema = arguments.model_json_schema(schema_generator=_Accepted)
    del schema["title"]
    for parameter in schema.get("properties", {}).values():
        parameter.pop("title", None)  # pydantic's own, from the name
    schema.setdefault("properties", {})
    return schema
