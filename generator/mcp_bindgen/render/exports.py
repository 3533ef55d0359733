"""The tools as JSON for models and programs: names, texts and schemas."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.json_writer import block, indented
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
from mcp_bindgen.python.names import digest, digests
from mcp_bindgen.render.openai_strict import verdict
from mcp_bindgen.render.tool_module import export_order
from mcp_bindgen.runtime.agents.toolinfo import NAME_LIMIT, brief
from mcp_bindgen.schema.classes import plain
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.keywords import KNOWN, LISTS, MAPS, SINGLE
from mcp_bindgen.schema.node import SchemaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_bindgen.schema.ir import Catalog, Field, PolicyMark, Tool

__all__ = ["ENTRIES", "FILTERS", "entries", "export_names", "model_schema"]

OPENAI_TEXT_LIMIT = 1024
_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{NAME_LIMIT - 1}}}")
_UNWANTED = frozenset({"$schema", "$id", "$comment"})
# Keywords with texts for models, on which no value depends; others stay exact.
_FOR_MODELS = frozenset(
    "examples example format contentEncoding contentMediaType".split()
)
_COMBINED = ("allOf", "anyOf", "oneOf")
_ROOT_DROPPED = (*_COMBINED, "not", "enum", "const", "if", "then", "else")


def export_names(wires: Iterable[str]) -> dict[str, str]:
    """Return for each wire name the name that every model's API takes.

    A name depends on its wire name alone, except where two would be the same.
    """
    listed = sorted(set(wires))
    bases = {wire: _base(wire) for wire in listed}
    claims = Counter(bases.values())
    names: dict[str, str] = {w: w for w in listed if bases[w] == w}
    taken = {*claims}
    for wire in (w for w in listed if w not in names):
        name = bases[wire]
        if claims[name] > 1:
            choices = (_marked(name, digits) for digits in digests(wire))
            name = next(choice for choice in choices if choice not in taken)
        names[wire] = name
        taken.add(name)
    return names


def _base(wire: str) -> str:
    if _NAME.fullmatch(wire):
        return wire
    base = re.sub(r"[^A-Za-z0-9_-]+", "_", wire[:1000]).strip("_")
    if not base:
        return f"tool_{digest(wire)}"
    base = base if re.match(r"[A-Za-z_]", base) else f"tool_{base}"
    return base if len(base) <= NAME_LIMIT else _marked(base, digest(wire))


def _marked(base: str, digits: str) -> str:
    return f"{base[: NAME_LIMIT - 1 - len(digits)].rstrip('_')}_{digits}"


def model_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an input schema for models.

    Texts are cleaned, keywords that mean nothing are dropped, and the root is a plain
    object, as every API demands: alternatives at the root become optional parameters,
    and calls are still checked against the whole schema.
    """
    root = _object(_shown(_followed(schema, schema)))
    properties = _object(root.get("properties"))
    for keyword in _COMBINED:
        for branch in root.get(keyword, ()):
            inner = _followed(_object(branch), root)
            for key, value in _object(inner.get("properties")).items():
                properties.setdefault(key, value)
    plain = {k: v for k, v in root.items() if k not in _ROOT_DROPPED and k != "$ref"}
    return {**plain, "type": "object", "properties": properties}


def _followed(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with the members of its $ref's target, its own ones first."""
    document = Document(root, {})
    seen: set[str] = set()
    while isinstance(ref := schema.get("$ref"), str) and ref not in seen:
        seen.add(ref)
        target: tuple[str, object] | None = None
        with suppress(SchemaError):  # It leads to what models are not shown.
            target = document.target(ref)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**_object(target and target[1]), **rest}
    return schema


def _object(value: object) -> dict[str, Any]:
    """Return a copy of a JSON object, {} for any other value."""
    return dict(cast("dict[str, Any]", value)) if isinstance(value, dict) else {}


def _shown(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    shown: dict[str, Any] = {}
    for keyword, item in cast("dict[str, Any]", value).items():
        if keyword not in KNOWN or keyword in _UNWANTED:
            continue
        if keyword in ("title", "description"):
            if isinstance(item, str):
                shown[keyword] = clean(WireStr(item))
        elif keyword in _FOR_MODELS:
            shown[keyword] = _seen(item)
        elif isinstance(item, list) and keyword in LISTS:
            shown[keyword] = [_shown(part) for part in cast("list[object]", item)]
        elif isinstance(item, dict) and keyword in MAPS | {"dependencies"}:
            parts = cast("dict[str, Any]", item).items()
            shown[keyword] = {key: _shown(part) for key, part in parts}
        else:
            shown[keyword] = _shown(item) if keyword in SINGLE else item
    return shown


def _seen(value: Any) -> Any:
    """Return a value without the hidden characters in its texts."""
    if isinstance(value, str):
        return clean(WireStr(value)) if first_hidden(value) else value
    if isinstance(value, list):
        return [_seen(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        return {key: _seen(item) for key, item in members}
    return value


def entries(tool: Tool, exported: str, kinds: Iterable[str]) -> dict[str, str]:
    """Return the entry of a tool in each kind of JSON file, indented by one level.

    Args:
        tool: The tool.
        exported: Its name for models.
        kinds: Keys of `ENTRIES`.
    """
    shown = model_schema(tool.raw["inputSchema"])
    return {kind: indented(ENTRIES[kind](tool, exported, shown), 1) for kind in kinds}


def _info(tool: Tool, exported: str, shown: dict[str, Any]) -> dict[str, Any]:
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
        "schema": shown,
        **_policy(tool.policy),
    }


def _policy(mark: PolicyMark | None) -> dict[str, Any]:
    """Return what a policy says of a tool; nothing without a policy."""
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


def _openai(tool: Tool, exported: str, shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": exported,
            "description": brief(clean(tool.description), OPENAI_TEXT_LIMIT),
            "parameters": shown,
        },
    }


def _strict(tool: Tool, _exported: str, shown: dict[str, Any]) -> dict[str, Any]:
    parameters = verdict(tool.raw["inputSchema"], shown)
    if isinstance(parameters, dict):
        return {"parameters": parameters}
    pointer, reason = parameters
    return {"pointer": pointer, "reason": reason}


ENTRIES: Mapping[str, Callable[[Tool, str, dict[str, Any]], dict[str, Any]]] = {
    "info": _info,
    "openai": _openai,
    "openai_strict": _strict,
}
"""Kind of JSON file to the function that makes a tool's entry in it."""


def entry_map(catalog: Catalog, kind: str) -> Code:
    """Return the tools' entries of a kind by wire name."""
    tools = catalog.tools
    parts = [f"{indented(tool.wire.text)}: {_entry(tool, kind)}" for tool in tools]
    return Code(block("{", parts, "}"))


def entry_list(catalog: Catalog, kind: str) -> Code:
    """Return the tools' entries of a kind."""
    return Code(block("[", [_entry(tool, kind) for tool in catalog.tools], "]"))


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
