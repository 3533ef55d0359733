"""Where a server's text, number or structure can stand in a recording."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.schema.keywords import KNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["GOOD", "KEYWORDS", "MEMBERS", "PLACES", "Json", "Make", "document", "tool"]

Json: TypeAlias = dict[str, Any]
Make: TypeAlias = "Callable[[Any], Json]"

GOOD: Json = {
    "name": "good_one",
    "description": "Stays, whatever the others do.",
    "inputSchema": {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "A word."}},
        "required": ["word"],
    },
}
"""A sound tool: in every recording, and in every package."""


def tool(schema: object = None, **members: object) -> Json:
    """Return the tool that is attacked with."""
    return {"name": "bad", "inputSchema": schema or {"type": "object"}, **members}


def document(*tools: Json, **members: Any) -> Json:
    """Return a recording of the sound tool and others."""
    return {"tools": [GOOD, *tools], **members}


def _schema(make: Make) -> Make:
    return lambda text: document(tool(make(text)))


def _property(make: Make) -> Make:
    return lambda text: document(
        tool({"type": "object", "properties": {"a": make(text)}, "required": ["a"]})
    )


def _result(make: Make) -> Make:
    return lambda text: document(tool(outputSchema=make(text)))


def _member(key: str) -> Make:
    return lambda text: document(tool(**{key: text}))


def _answer(text: str, result: Json) -> Json:
    return {"name": "good_one", "arguments": {text: text}, "result": result}


_INNER = {"type": "object", "properties": {"b": {"type": "string"}}}

PLACES: dict[str, Make] = {
    "name": lambda text: document({**tool(), "name": text}),
    "title": _member("title"),
    "description": _member("description"),
    "annotations": lambda text: document(tool(annotations={"title": text})),
    "annotation": lambda text: document(tool(annotations={text: text})),
    "meta": lambda text: document(tool(_meta={text: {text: [text]}})),
    "icons": lambda text: document(tool(icons=[{"src": text}])),
    "member": lambda text: document(tool(**{text or "x": text})),
    "schema-title": _schema(lambda text: {**_INNER, "title": text}),
    "schema-description": _schema(lambda text: {**_INNER, "description": text}),
    "schema-dialect": _schema(lambda text: {**_INNER, "$schema": text}),
    "property": _schema(
        lambda text: {"type": "object", "properties": {text: {"type": "integer"}}}
    ),
    "properties": _schema(
        lambda text: {"properties": {text: True, f"{text}_": True, "b": {}}}
    ),
    "required": _schema(lambda text: {"type": "object", "required": [text]}),
    "required-too": _schema(lambda text: {**_INNER, "required": ["b", text]}),
    "inner-property": _property(
        lambda text: {"type": "object", "properties": {text: {"enum": [text, 1]}}}
    ),
    "property-title": _property(lambda text: {**_INNER, "title": text}),
    "property-description": _property(
        lambda text: {"type": "string", "description": text}
    ),
    "default": _property(lambda text: {"type": "string", "default": text}),
    "default-inside": _property(lambda text: {"default": {text: [text]}}),
    "enum": _property(lambda text: {"enum": [text, "other"]}),
    "enum-of-all-kinds": _property(lambda text: {"enum": [text, [text], {text: 1}]}),
    "const": _property(lambda text: {"const": text}),
    "examples": _property(lambda text: {"type": "string", "examples": [text]}),
    "pattern": _property(lambda text: {"type": "string", "pattern": text}),
    "format": _property(lambda text: {"type": "string", "format": text}),
    "type": _property(lambda text: {"type": text}),
    "comment": _property(lambda text: {"type": "string", "$comment": text}),
    "pattern-property": _property(
        lambda text: {"type": "object", "patternProperties": {text: {"const": 1}}}
    ),
    "property-names": _property(
        lambda text: {"type": "object", "propertyNames": {"pattern": text}}
    ),
    "dependent": _property(
        lambda text: {**_INNER, "dependentRequired": {text: [text]}}
    ),
    "definition": _schema(
        lambda text: {
            "type": "object",
            "$defs": {text: _INNER},
            "properties": {
                "a": {"$ref": "#/$defs/" + text.replace("~", "~0").replace("/", "~1")}
            },
        }
    ),
    "reference": _property(lambda text: {"$ref": text}),
    "root-reference": _schema(lambda text: {"type": "object", "$ref": text}),
    "dynamic-reference": _property(lambda text: {"$dynamicRef": text}),
    "identity": _property(lambda text: {**_INNER, "$id": text}),
    "root-identity": _schema(
        lambda text: {"$id": text, "properties": {"a": {"$ref": "#/$defs/b"}}}
    ),
    "anchor": _property(lambda text: {"allOf": [{**_INNER, "$anchor": text}]}),
    "discriminator": _property(
        lambda text: {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": kind}},
                    "required": ["kind"],
                    "title": text,
                }
                for kind in (text, f"{text}2")
            ],
            "discriminator": {"propertyName": text, "mapping": {text: text}},
        }
    ),
    "header": _property(lambda text: {"type": "string", "x-mcp-header": text}),
    "extension": _property(
        lambda text: {
            "type": "string",
            "customTypePath": text,
            "customBasePath": text,
            "x-python-import": {"module": text, "name": text},
            "x-python-type": text,
            "default_factory": text,
            text: text,
        }
    ),
    "result-property": _result(
        lambda text: {"type": "object", "properties": {text: _INNER}, "title": text}
    ),
    "result-enum": _result(
        lambda text: {"type": "object", "properties": {"a": {"enum": [text]}}}
    ),
    "result-wrapped": _result(
        lambda text: {
            "type": "object",
            "properties": {"result": {"type": "string", "default": text}},
            "required": ["result"],
            "x-fastmcp-wrap-result": True,
            "description": text,
        }
    ),
    "server": lambda text: document(
        server={"name": text, "version": text, "title": text, text: text}
    ),
    "instructions": lambda text: document(instructions=text),
    "resource": lambda text: document(
        resources=[{"uri": text, "name": text, "description": text}],
        resourceTemplates=[{"uriTemplate": text, "name": text}],
    ),
    "prompt": lambda text: document(
        prompts=[{"name": text, "arguments": [{"name": text}]}]
    ),
    "call": lambda text: document(
        calls=[
            _answer(text, {"structuredContent": {text: {text: text}}}),
            _answer(text, {"content": [{"text": text}]}) | {"name": text},
        ]
    ),
    "collision": lambda text: document(
        tool(),
        {**tool(), "name": text},
        {**tool(), "name": f"{text} "},
        {**tool(), "name": text.upper() or "x"},
    ),
}
"""Name to what makes a recording with a text there."""


def _keyword(keyword: str, value: object) -> Json:
    return {"type": "string", keyword: value}


def _root_keyword(keyword: str, value: object) -> Json:
    return {**_INNER, keyword: value}


def _tool_member(key: str, value: object) -> Json:
    return document({**tool(), key: value})


def _hint(key: str, value: object) -> Json:
    return document(tool(annotations={key: value}))


def _top(key: str, value: object) -> Json:
    return {**document(tool()), key: value}


KEYWORDS: dict[str, Make] = {
    **{
        f"property {word}": _property(partial(_keyword, word)) for word in sorted(KNOWN)
    },
    **{f"root {word}": _schema(partial(_root_keyword, word)) for word in sorted(KNOWN)},
}
"""Name to what makes a recording with a value for a keyword of JSON Schema."""


MEMBERS: dict[str, Make] = {
    **{
        f"tool {key}": partial(_tool_member, key)
        for key in (
            *("name", "title", "description", "inputSchema", "outputSchema"),
            *("annotations", "icons", "execution", "_meta", "unknown"),
        )
    },
    **{
        f"hint {key}": partial(_hint, key)
        for key in ("readOnlyHint", "destructiveHint", "title", "unknown")
    },
    **{
        f"file {key}": partial(_top, key)
        for key in (
            *("server", "instructions", "resources", "resourceTemplates", "prompts"),
            *("calls", "format", "nextCursor", "_meta", "initialize", "unknown"),
        )
    },
    "tool": document,
    "any header": _property(lambda value: {"type": "string", "x-mcp-header": value}),
    "header of": _property(lambda value: {"type": value, "x-mcp-header": "X"}),
    "any default": _property(lambda value: {"type": "string", "default": value}),
    "any resource": lambda value: document(resources=[value]),
    "any prompt": lambda value: document(prompts=[value]),
    "any call": lambda value: document(
        calls=[{"name": "bad", "arguments": {}, "result": value}, value]
    ),
    "answer": lambda value: document(
        calls=[
            {"name": "good_one", "arguments": {}, "result": {"structuredContent": v}}
            for v in (value, [value], {"a": value})
        ]
    ),
}
"""Name to what makes a recording with a value for anything else."""
