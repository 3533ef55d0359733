"""Tools whose members have no classes: the type of each schema is compiled once.

Many tools have the same few schemas, and nothing else in a tool changes such a type.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.tool import build, outline
from mcp_bindgen.python.expressions import name
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.python.names import field_names, pascal
from mcp_bindgen.schema.document import packed
from mcp_bindgen.schema.ir import Field, Object
from mcp_bindgen.schema.node import SchemaError, listed, mapped

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.schema.ir import Tool

__all__ = ["Types", "plain_tool"]

Types: TypeAlias = "dict[bytes, Expr]"
"""The types of schemas by their bytes."""


def plain_tool(plan: ToolPlan, types: Types, limits: Limits) -> Tool:
    """Return a tool with the types of its arguments and of the members of its result.

    Args:
        plan: The tool; none of these members has a class.
        types: The types that were compiled before; these are added.
        limits: The limits of the generator.

    Raises:
        SchemaError: A schema cannot become types.
    """
    tool, schema = outline(plan), plan.raw.get("outputSchema")
    if schema is not None and not _is_class(schema):
        return build(plan, Budget(limits, bare=True))
    try:
        taken = _fields(plan, plan.raw["inputSchema"], types, limits)
        returned = _fields(plan, mapped(schema), types, limits)
    except SchemaError:  # its pointer leads into a schema of one member
        return build(plan, Budget(limits, bare=True))
    arguments = replace(tool.arguments, fields=taken)
    if schema is None:
        return replace(tool, arguments=arguments)
    class_ = PyName(f"{pascal(plan.function)}Result")
    result = Object(class_, WireStr(""), returned, closed=False)
    type_ = name(class_)
    return replace(
        tool, arguments=arguments, returns="model", return_type=type_, types=(result,)
    )


def _is_class(schema: Any) -> bool:
    """Return whether a result is a class, and no wrapped value."""
    names = [*mapped(mapped(schema).get("properties"))]
    return bool(names) and schema.get("type") == "object" and names != ["result"]


def _fields(
    plan: ToolPlan, schema: Any, types: Types, limits: Limits
) -> tuple[Field, ...]:
    """Return the fields of the class of a schema.

    Raises:
        SchemaError: The schema of one of them cannot become a type.
    """
    properties = dict(mapped(schema.get("properties")))
    required = dict.fromkeys(map(str, listed(schema.get("required"))), True)
    if schema.get("additionalProperties") is not False:
        properties = {**required, **properties}
    return tuple(
        Field(
            python_name,
            WireStr(wire),
            _type(plan, schema, properties[wire], types, limits),
            required=wire in required,
            doc=WireStr(""),
        )
        for wire, python_name in field_names(properties).items()
    )


def _type(plan: ToolPlan, root: Any, schema: Any, types: Types, limits: Limits) -> Expr:
    """Return the type of a member with this schema."""
    whole = {k: v for k, v in root.items() if k in {"$schema", "type"}}
    whole["properties"] = {"x": schema}
    data = packed(whole)
    if data not in types:
        raw = {"name": plan.raw["name"], "inputSchema": whole}
        tool = build(replace(plan, raw=raw, samples=[]), Budget(limits, bare=True))
        types[data] = tool.arguments.fields[0].type
    return types[data]
