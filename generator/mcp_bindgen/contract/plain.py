"""Tools whose arguments have no classes: the type of each schema is compiled once.

Many tools take the same few schemas, and nothing else in a tool changes such a type.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.tool import build, outline
from mcp_bindgen.python.literals import WireStr
from mcp_bindgen.python.names import field_names
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.ir import Field
from mcp_bindgen.schema.node import SchemaError, listed, mapped

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.schema.ir import Tool

__all__ = ["Types", "plain_tool"]

Types: TypeAlias = "dict[str, Expr]"
"""The types of schemas by their texts."""


def plain_tool(plan: ToolPlan, types: Types, limits: Limits) -> Tool:
    """Return a tool with the types of its arguments, and without its result.

    Args:
        plan: The tool; no parameter of it has a class.
        types: The types that were compiled before; these are added.
        limits: The limits of the generator.

    Raises:
        SchemaError: A schema cannot become types.
    """
    schema, tool = plan.raw["inputSchema"], outline(plan)
    properties = dict(mapped(schema.get("properties")))
    required = dict.fromkeys(map(str, listed(schema.get("required"))), True)
    if schema.get("additionalProperties") is not False:
        properties = {**required, **properties}
    try:
        fields = tuple(
            Field(
                name,
                WireStr(wire),
                _type(plan, properties[wire], types, limits),
                required=wire in required,
                doc=WireStr(""),
            )
            for wire, name in field_names(properties).items()
        )
    except SchemaError:  # its pointer leads into a schema of one parameter
        return build(plan, Budget(limits))
    return replace(tool, arguments=replace(tool.arguments, fields=fields))


def _type(plan: ToolPlan, schema: Any, types: Types, limits: Limits) -> Expr:
    """Return the type of a parameter with this schema."""
    root = plan.raw["inputSchema"]
    whole = {k: v for k, v in root.items() if k in {"$schema", "type"}}
    whole["properties"] = {"x": schema}
    text = canonical(whole)
    if text not in types:
        raw = {"name": plan.raw["name"], "inputSchema": whole}
        tool = build(replace(plan, raw=raw, samples=[]), Budget(limits))
        types[text] = tool.arguments.fields[0].type
    return types[text]
