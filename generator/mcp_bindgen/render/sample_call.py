"""A call of a tool in Python whose arguments have the right types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import Bracket, Name, Union, flat
from mcp_bindgen.python.literals import Code, lit
from mcp_bindgen.render.field_types import accepted_type
from mcp_bindgen.schema.ir import Alias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.python.expressions import Expr
    from mcp_bindgen.schema.ir import Object, Tool

__all__ = ["sample_call", "sample_models"]

_DEPTH = 6
_SIMPLE = {
    "str": '"..."',
    "String": '"..."',
    "int": "1",
    "Integer": "1",
    "float": "1.0",
    "Number": "1.0",
    "bool": "True",
    "Boolean": "True",
    "None": "None",
    "Any": "None",
    "MISSING": "MISSING",
    "DateLike": '"2026-01-31"',
    "DateTimeLike": '"2026-01-31T12:00:00Z"',
    "TimeLike": '"12:00:00Z"',
    "UuidLike": '"123e4567-e89b-42d3-a456-426614174000"',
    "PathTextLike": '"..."',
    "DecimalLike": '"1.5"',
}


def sample_call(tool: Tool, client: str = "client") -> Code:
    """Return a call with a value for each required parameter.

    Example: `client.search_metadata(query="...")`.

    Args:
        tool: The tool, with its types.
        client: The name of the client.
    """
    types = {str(type_.name): type_ for type_ in tool.types}
    required = [p for p in tool.parameters if p.required]
    values = (f"{p.name}={_sample(accepted_type(p), types, 0)}" for p in required)
    return Code(f"{client}.{tool.function}({', '.join(values)})")


def sample_models(tool: Tool) -> list[str]:
    """Return the classes that `sample_call` names, sorted: the caller imports them."""
    types = {str(type_.name): type_ for type_ in tool.types}
    call = sample_call(tool)
    return sorted(name for name in types if f"{name}(" in call.split("=", 1)[-1])


def _sample(type_: Expr, types: Mapping[str, Object | Alias], depth: int) -> str:
    """Return source of a value; `None` where a type is nested too deeply."""
    if depth > _DEPTH:
        return "None"
    if isinstance(type_, Union):
        plain = [m for m in type_.members if flat(m) not in {"None", "MISSING"}]
        return _sample((plain or [*type_.members])[0], types, depth)
    if isinstance(type_, Name):
        return _named(str(type_.code), types, depth)
    return _bracketed(type_, types, depth)


def _named(name: str, types: Mapping[str, Object | Alias], depth: int) -> str:
    type_ = types.get(name)
    if isinstance(type_, Alias):
        return _sample(type_.type, types, depth + 1)
    if type_ is None:
        return _SIMPLE.get(name, '"..."')
    required = [f for f in type_.fields if f.required]
    values = (f"{f.name}={_sample(f.type, types, depth + 1)}" for f in required)
    return f"{name}({', '.join(values)})"


def _bracketed(type_: Bracket, types: Mapping[str, Object | Alias], depth: int) -> str:
    first = type_.items[0].expr if type_.items else None
    if first is None:
        return "None"
    if type_.head == "Literal":
        return flat(first)
    if type_.head == "Annotated":
        return _sample(first, types, depth)
    if type_.head in {"list", "Sequence"}:
        return f"[{_sample(first, types, depth + 1)}]"
    if type_.head in {"dict", "Mapping"}:
        value = _sample(type_.items[-1].expr, types, depth + 1)
        return f"{{{lit('key')}: {value}}}"
    if type_.head == "tuple":
        values = [_sample(i.expr, types, depth + 1) for i in type_.items]
        return f"({', '.join(values)},)"
    return _sample(first, types, depth)
