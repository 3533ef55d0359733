"""The tools as JSON for models and programs: names, texts and schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_bindgen.json_writer import Written, indented
from mcp_bindgen.python.expressions import call, flat, name, statement
from mcp_bindgen.python.literals import (
    WIDTH,
    Code,
    WireStr,
    clean,
    docstring,
    lit,
    wrap,
)
from mcp_bindgen.render.model_schema import model_schema
from mcp_bindgen.render.openai_strict import verdict
from mcp_bindgen.render.tool_module import export_order
from mcp_bindgen.runtime.agents.toolinfo import brief
from mcp_bindgen.schema.classes import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_bindgen.schema.ir import Catalog, Field, PolicyMark, Tool

__all__ = ["ENTRIES", "FILTERS", "entries", "policy_facts"]

OPENAI_TEXT_LIMIT = 1024


def entries(tool: Tool, exported: str, kinds: Iterable[str]) -> dict[str, str]:
    """Return the entry of a tool in each kind of JSON file, indented by one level.

    Args:
        tool: The tool.
        exported: Its name for models.
        kinds: Keys of `ENTRIES`.
    """
    schema = _Schema.of(tool)
    return {kind: indented(ENTRIES[kind](tool, exported, schema), 1) for kind in kinds}


class _Schema(NamedTuple):
    """The input schema for models, which is in several entries."""

    value: dict[str, Any]
    written: Written

    @classmethod
    def of(cls, tool: Tool) -> _Schema:
        value = model_schema(tool.raw["inputSchema"])
        return cls(value, Written(indented(value)))


def _info(tool: Tool, exported: str, schema: _Schema) -> dict[str, Any]:
    hints = {
        "read_only": tool.read_only,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
    }
    raw = cast("Mapping[str, Any]", tool.raw.get("annotations") or {})
    if isinstance(raw.get("openWorldHint"), bool):
        hints["open_world"] = raw["openWorldHint"]
    return {
        "export_name": exported,
        "function": str(tool.function),
        "title": clean(tool.title),
        "description": clean(tool.description),
        "hints": {key: value for key, value in hints.items() if value is not None},
        "parameters": [_parameter(tool, field) for field in tool.arguments.fields],
        "schema": schema.written,
        **policy_facts(tool.policy),
    }


def policy_facts(mark: PolicyMark | None) -> dict[str, Any]:
    """Return the decision of a policy, {} without a policy."""
    if mark is None:
        return {}
    denied = {"denied": True} if mark.denied else {}
    return {"risk": mark.risk, "approval": [*mark.approval], **denied}


def _parameter(tool: Tool, field: Field) -> dict[str, Any]:
    properties = cast(
        "Mapping[str, Any]", tool.raw["inputSchema"].get("properties") or {}
    )
    schema = properties.get(field.wire.text)
    default = (
        {"default": cast("dict[str, Any]", schema)["default"]}
        if isinstance(schema, dict) and "default" in schema
        else {}
    )
    return {
        "name": str(field.name),
        "wire": field.wire.text,
        "type": str(flat(plain(field.type))),
        "required": field.required,
        "description": clean(field.doc),
        **default,
    }


def _openai(tool: Tool, exported: str, schema: _Schema) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": exported,
            "description": brief(clean(tool.description), OPENAI_TEXT_LIMIT),
            "parameters": schema.written,
        },
    }


def _strict(tool: Tool, _exported: str, schema: _Schema) -> dict[str, Any]:
    parameters = verdict(tool.raw["inputSchema"], schema.value)
    if isinstance(parameters, dict):
        return {"parameters": parameters}
    pointer, reason = parameters
    return {"pointer": pointer, "reason": reason}


ENTRIES: Mapping[str, Callable[[Tool, str, _Schema], dict[str, Any]]] = {
    "info": _info,
    "openai": _openai,
    "openai_strict": _strict,
}
"""Kind of JSON file to the function that makes a tool's entry in it."""


def entry_map(catalog: Catalog, kind: str) -> Code:
    """Return the tools' entries of a kind by wire name."""
    entries = ((f"{indented(t.wire.text)}: ", _entry(t, kind)) for t in catalog.tools)
    return _block("{", entries, "}")


def entry_list(catalog: Catalog, kind: str) -> Code:
    """Return the tools' entries of a kind."""
    return _block("[", (("", _entry(tool, kind)) for tool in catalog.tools), "]")


def _block(opening: str, parts: Iterable[tuple[str, str]], closing: str) -> Code:
    """Return the text of a long object or array, of which no part is copied before."""
    pieces = [opening]
    margin = "\n  "
    for key, text in parts:
        pieces += (margin, key, text)
        margin = ",\n  "
    pieces.append(f"\n{closing}" if len(pieces) > 1 else closing)
    return Code("".join(pieces))


def _entry(tool: Tool, kind: str) -> str:
    """Return the JSON of a tool's entry.

    Raises:
        LookupError: The target does not name this kind in its `entries`.
    """
    if kind not in tool.entries:
        raise LookupError(
            f'there are no entries: add "{kind}" to entries in target.toml'
        )
    return tool.entries[kind]


def as_json(value: object) -> Code:
    """Return any value of a catalogue as JSON, for templates of users."""
    return Code(indented(value.text if isinstance(value, WireStr) else value))


def langchain_factory(tool: Tool) -> Code:
    """Return the function that makes a LangChain tool of one tool."""
    head, parameter = f"def {tool.function}_tool(", "client: Client | AsyncClient"
    tail = ") -> StructuredTool:"
    if len(head + parameter + tail) > WIDTH:
        parameter = f"\n    {parameter},\n"
    text = wrap(f"Make a LangChain tool of `{clean(tool.wire)}`.", 4, lead=6)
    made = call("make_tool", name("client"), name(f"Tool.{tool.member}"))
    return Code(
        f"{head}{parameter}{tail}\n    {docstring(text, 4)}\n"
        f"    {statement('return ', made, '', 4)}"
    )


def langchain_names(catalog: Catalog) -> list[Code]:
    """Return the public names of `langchain.py`, as literals."""
    factories = (f"{tool.function}_tool" for tool in catalog.tools)
    names = ["langchain_tools", "make_tool", *factories]
    return [lit(name) for name in sorted(names, key=export_order)]


FILTERS: dict[str, Any] = {
    "entry_list": entry_list,
    "entry_map": entry_map,
    "json": as_json,
    "langchain_factory": langchain_factory,
    "langchain_names": langchain_names,
    "text": clean,
}
