"""The rest of a schema besides its type, as sentences for people."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.hidden import show
from mcp_bindgen.python.expressions import Expr, names
from mcp_bindgen.runtime.validation.texts import FORMATS
from mcp_bindgen.schema.node import is_object, listed, mapped, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.schema.context import CompileContext
    from mcp_bindgen.schema.node import Node

__all__ = ["default_of", "describe", "text_format"]

_TEXT_LENGTH = 200
_FORMAT_DEPTH = 20  # schemas inside of schemas in which a format is looked for
_NO_FORMAT = frozenset({""})
_MAY_HAVE_FORMAT = {"format", "$ref", "allOf", "anyOf", "oneOf"}
_PATTERN_LENGTH = 60
# Libraries write these bounds where nobody has set any.
_LARGE = 2**31 - 1
_SIZES = {
    "string": ("Length", "character"),
    "array": ("Items", "element"),
    "object": ("Properties", "member"),
}


def describe(node: Mapping[str, Any]) -> str:
    """Return the description of a schema, its limits and its examples."""
    described = node.get("description")
    text = described.rstrip() if isinstance(described, str) else ""
    for sentence in _limits(_present(node), text):
        text = _add(text, sentence)
    examples = listed(node.get("examples"))
    texts = ", ".join(f"`{_json(e)}`" for e in examples)
    return _add(text, f"Examples: {texts}.") if 0 < len(texts) < _TEXT_LENGTH else text


def _json(value: object) -> str:
    """Return a value as people read it: hidden characters become escapes."""
    return show(json.dumps(value, ensure_ascii=False))


def _add(text: str, sentence: str) -> str:
    if not text:
        return sentence
    if "\n" in text:
        return f"{text}\n{sentence}"
    stop = "" if text.endswith((".", "!", "?", ":")) else "."
    return f"{text}{stop} {sentence}"


def _present(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the only branch of a union that is not null, or the node itself."""
    if "anyOf" not in node and "oneOf" not in node:
        return node
    nodes = [*listed(node.get("anyOf")), *listed(node.get("oneOf"))]
    branches = [mapped(each) for each in nodes]
    others = [branch for branch in branches if types_of(branch) != ("null",)]
    return others[0] if len(branches) > len(others) == 1 else node


def _limits(node: Mapping[str, Any], text: str) -> Iterator[str]:
    types = types_of(node)
    if {"integer", "number"} & {*types}:
        yield from _unsaid(_range(node), text)
        if "multipleOf" in node:
            yield from _unsaid(f"a multiple of {_number(node['multipleOf'])}", text)
    # A tuple says its size by its elements.
    is_tuple = "prefixItems" in node or isinstance(node.get("items"), list)
    for kind, (measure, noun) in _SIZES.items():
        if kind in types and not (kind == "array" and is_tuple):
            yield from _unsaid(_size(node, measure, noun), text)
    pattern, format_ = node.get("pattern"), node.get("format")
    if (
        "string" in types
        and isinstance(pattern, str)
        and len(pattern) < _PATTERN_LENGTH
    ):
        yield f"Matches `{pattern}`."
    if "string" in types and isinstance(format_, str) and format_.isascii():
        yield from _unsaid(f"format: `{format_}`", text)


def _unsaid(sentence: str, text: str) -> Iterator[str]:
    """Yield a sentence, unless the text has all its numbers, or its word."""
    if not sentence:
        return
    words = re.findall(r"-?\d[\d.]*|(?<=`)[^`]+", sentence)
    if words and not all(
        re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text) for w in words
    ):
        yield f"{sentence[0].upper()}{sentence[1:]}."


def _range(node: Mapping[str, Any]) -> str:
    low, high = (
        [
            (word, node[key])
            for word, key in pairs
            if abs(node.get(key, _LARGE)) < _LARGE
        ]
        for pairs in (
            (("at least", "minimum"), ("more than", "exclusiveMinimum")),
            (("at most", "maximum"), ("less than", "exclusiveMaximum")),
        )
    )
    if [word for word, _ in low + high] == ["at least", "at most"]:
        return f"from {_number(low[0][1])} to {_number(high[0][1])}"
    return ", ".join(f"{word} {_number(number)}" for word, number in low + high)


def _number(value: float) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < _LARGE
    return str(int(value) if whole else value)


def _size(node: Mapping[str, Any], measure: str, noun: str) -> str:
    low, high = (
        None if f"{end}{measure}" not in node else _number(node[f"{end}{measure}"])
        for end in ("min", "max")
    )
    low = None if low == "0" else low
    plural = noun if (high or low) == "1" else f"{noun}s"
    if low and high:
        return f"{low} {plural}" if low == high else f"{low} to {high} {plural}"
    if high:
        return f"at most {high} {plural}"
    return f"at least {low} {plural}" if low else ""


def text_format(context: CompileContext, node: Node) -> str:
    """Return the `format` that has a class of Python, "" without any.

    Args:
        context: Resolves references, and keeps the formats of schemas.
        node: The schema of texts, or of texts and null.
    """
    if isinstance(node, bool) or _MAY_HAVE_FORMAT.isdisjoint(node):
        return ""
    formats = _formats(context, node, 0)
    only = next(iter(formats)) if len(formats) == 1 else ""
    return only if only in FORMATS else ""


def _formats(context: CompileContext, node: object, depth: int) -> frozenset[str]:
    """Return the formats of a schema's texts, "" for texts without any."""
    if not is_object(node) or depth > _FORMAT_DEPTH:
        return _NO_FORMAT
    if id(node) not in context.formats:
        context.formats[id(node)] = _NO_FORMAT  # where it refers to itself
        required = _required_formats(context, node, depth + 1)
        branches = [*listed(node.get("anyOf")), *listed(node.get("oneOf"))]
        others = [b for b in branches if types_of(mapped(b)) != ("null",)]
        allowed = {f for b in others for f in _formats(context, b, depth + 1)}
        formats = required | (allowed - _NO_FORMAT if required else allowed)
        context.formats[id(node)] = formats or _NO_FORMAT
    return context.formats[id(node)]


def _required_formats(
    context: CompileContext, node: Mapping[str, Any], depth: int
) -> frozenset[str]:
    """Return the formats that all texts of a schema have together."""
    if context.document.is_inner(node):  # its references lead into itself
        return frozenset()
    parts = [*listed(node.get("allOf"))]
    format_ = node.get("format")
    own = {format_} if isinstance(format_, str) else set[str]()
    if target := context.document.target_of(node):
        parts.append(target[1])
    formats = {f for part in parts for f in _formats(context, part, depth)}
    return frozenset(own | formats) - _NO_FORMAT


def default_of(node: Mapping[str, Any], type_: Expr) -> str | None:
    """Return the default of a schema as JSON, cut where it is long."""
    if "default" not in node:
        return None
    # A default of null where null is not allowed says no more than "not set".
    if node["default"] is None and "None" not in names(type_):
        return None
    text = _json(node["default"])
    return text if len(text) <= _TEXT_LENGTH else f"{text[:_TEXT_LENGTH]}..."
