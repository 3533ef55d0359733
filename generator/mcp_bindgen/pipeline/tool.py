"""Compiles one tool to its types, and makes all decisions that templates print."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from mcp_bindgen.python.expressions import Expr, name, union
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.python.names import pascal, upper
from mcp_bindgen.runtime.protocol.headers import header_params
from mcp_bindgen.schema.classes import plain
from mcp_bindgen.schema.compile import (
    compile_arguments,
    compile_result,
)
from mcp_bindgen.schema.infer import infer
from mcp_bindgen.schema.ir import Alias, Field, Note, Object, Tool
from mcp_bindgen.schema.node import SchemaError, mapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.limits import Budget
    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["build", "outline"]


def build(plan: ToolPlan, budget: Budget) -> Tool:
    """Return a tool with all its types.

    Args:
        plan: The tool to make.
        budget: Counts the steps.

    Raises:
        SchemaError: A schema of the tool cannot become types; the pointer leads into
            the tool.
    """
    raw, stem = plan.raw, pascal(plan.function)
    arguments = compile_arguments(raw["inputSchema"], stem, budget)
    root = cast("Object", arguments.root)
    taken = frozenset(type_.name for type_ in arguments.types)
    compiled_result = _result(plan, stem, taken, budget)
    name_ = plan.function
    renamed = (Note("renamed", "/name", name_),) if name_ != raw["name"] else ()
    types = (*arguments.types, *compiled_result.types)
    return replace(
        outline(plan),
        arguments=root,
        result=compiled_result.result,
        returns=compiled_result.returns,
        return_type=compiled_result.type,
        types=types,
        extra=not root.fields and not root.closed,
        header_params=_headers(raw["inputSchema"]),
        checked=any(type_.residual for type_ in types),
        notes=(*renamed, *arguments.notes, *compiled_result.notes),
    )


def outline(plan: ToolPlan) -> Tool:
    """Return a tool without its types and notes, which take long to make."""
    raw, function = plan.raw, plan.function
    annotations = mapped(raw.get("annotations"))
    title = raw.get("title") or annotations.get("title") or raw["name"]
    class_ = PyName(f"{pascal(function)}Arguments")
    return Tool(
        wire=WireStr(raw["name"]),
        title=WireStr(str(title)),
        description=WireStr(raw.get("description") or ""),
        function=function,
        member=upper(function),
        arguments=Object(class_, WireStr(""), (), closed=False),
        result=None,
        returns="raw",
        return_type=name("Any"),
        types=(),
        extra=False,
        read_only=_hint(annotations, "readOnlyHint"),
        destructive=_hint(annotations, "destructiveHint"),
        idempotent=_hint(annotations, "idempotentHint"),
        header_params=(),
        raw=raw,
        pointer=plan.pointer,
    )


def _hint(annotations: Mapping[str, Any], key: str) -> bool | None:
    value = annotations.get(key)
    return value if isinstance(value, bool) else None


def _headers(
    schema: Mapping[str, Any],
) -> tuple[tuple[WireStr, tuple[WireStr, ...]], ...]:
    """Return the header parameters of a tool (MCP 2026-07-28, custom headers).

    Raises:
        SchemaError: An annotation breaks the rules; clients must drop such a tool.
    """
    try:
        params = header_params(schema)
    except ValueError as error:
        raise SchemaError("/inputSchema", str(error)) from error
    return tuple(
        (WireStr(token), tuple(map(WireStr, path)))
        for token, path in sorted(params.items())
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """The result of a tool's function: its type, and the other types for it."""

    result: PyName | None
    returns: Literal["raw", "model", "unwrapped", "inferred"]
    type: Expr
    types: tuple[Object | Alias, ...] = ()
    notes: tuple[Note, ...] = ()


def _result(
    plan: ToolPlan, stem: str, taken: frozenset[str], budget: Budget
) -> _Result:
    raw, samples = plan.raw, plan.samples
    schema = raw.get("outputSchema")
    if isinstance(schema, dict):
        compiled = compile_result(cast("dict[str, Any]", schema), stem, taken, budget)
        class_, notes = compiled.root.name, compiled.notes
        inner = _wrapped(raw, compiled.root)
        if inner is None:
            return _Result(class_, "model", name(class_), compiled.types, notes)
        notes = (*notes, Note("unwrapped", "/outputSchema", "result"))
        return _Result(class_, "unwrapped", plain(inner.type), compiled.types, notes)
    if not samples:
        return _Result(None, "raw", name("ToolResult"))
    try:
        compiled = compile_result(infer(samples), stem, taken, budget, "")
    except SchemaError as error:
        reason = f"nothing is inferred from recorded answers: {error.message}"
        notes = (Note("not-enforced", "", reason),)
        return _Result(None, "raw", name("ToolResult"), (), notes)
    class_ = compiled.root.name
    either = union([name(class_), name("ToolResult")])
    notes = (*compiled.notes, Note("inferred", "", f"from {len(samples)} answers"))
    return _Result(class_, "inferred", either, compiled.types, notes)


def _wrapped(raw: Mapping[str, Any], root: Object | Alias) -> Field | None:
    """Return the only field of a result that a server's library has wrapped.

    FastMCP marks such a schema with `x-fastmcp-wrap-result`. The official SDK gives it
    the title `<tool>Output`, and its only property the title `Result`. Any other object
    with one property `result` is the author's own, and stays an object.
    """
    if isinstance(root, Alias) or [f.wire.text for f in root.fields] != ["result"]:
        return None
    schema = mapped(raw["outputSchema"])
    inner = mapped(mapped(schema.get("properties")).get("result"))
    by_title = schema.get("title") == f"{raw['name']}Output" and (
        inner.get("title") == "Result"
    )
    certain = schema.get("x-fastmcp-wrap-result") is True or by_title
    return root.fields[0] if certain and root.fields[0].required else None
