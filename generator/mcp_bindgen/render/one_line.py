"""A tool as one line for people and models: its signature and its first sentence."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import Bracket, Expr, Item, Union, flat, name
from mcp_bindgen.python.literals import clean
from mcp_bindgen.render.field_types import accepted_type

if TYPE_CHECKING:
    from mcp_bindgen.python.literals import WireStr
    from mcp_bindgen.schema.ir import Field, Tool

__all__ = ["call_signature", "first_sentence", "sentence_of", "short_type"]

_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
_MOST_CHOICES = 4
_WIDEST = 60


def call_signature(tool: Tool, *, everything: bool = False) -> str:
    """Return `name(required: type, ...3) -> Result`: how a program calls a tool.

    Args:
        tool: The tool.
        everything: Whether optional parameters are listed, too, and types are whole;
            else `...3` replaces three of them.
    """
    required = [p for p in tool.parameters if p.required]
    optional = [p for p in tool.parameters if not p.required]
    parts = [_parameter(p, everything=everything) for p in required]
    if everything:
        parts += [f"{_parameter(p, everything=True)} = MISSING" for p in optional]
    elif optional:
        parts.append(f"...{len(optional)}")
    if tool.extra:
        parts.append("extra: Mapping[str, Any] = {}")
    result = flat(tool.return_type) if everything else short_type(tool.return_type)
    return f"{tool.function}({', '.join(parts)}) -> {result}"


def _parameter(field: Field, *, everything: bool) -> str:
    type_ = accepted_type(field)
    return f"{field.name}: {flat(type_) if everything else short_type(type_)}"


def short_type(type_: Expr) -> str:
    """Return a type with few choices of a Literal, and `...` where it is long.

    Example: `Literal["table", "topic", "chart", "team", ...]`.
    """
    text = flat(_shortened(type_))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3].rstrip()}..."


def _shortened(type_: Expr) -> Expr:
    if isinstance(type_, Union):
        return Union(tuple(map(_shortened, type_.members)))
    if not isinstance(type_, Bracket):
        return type_
    items = tuple(Item(_shortened(i.expr), i.prefix) for i in type_.items)
    if type_.head == "Annotated":  # the docs have its metadata
        return items[0].expr
    if type_.head == "Literal" and len(items) > _MOST_CHOICES:
        items = (*items[:_MOST_CHOICES], Item(name("...")))
    return Bracket(type_.head, type_.brackets, items)


def first_sentence(tool: Tool, width: int = 100) -> str:
    """Return the first sentence of the server's text about a tool, "" without any.

    Args:
        tool: The tool.
        width: The most characters.
    """
    title = sentence_of(tool.title, width) if tool.title != tool.wire else ""
    return sentence_of(tool.description, width) or title


def sentence_of(server_text: WireStr, width: int = 100) -> str:
    """Return the first sentence of a server's text, on one line."""
    text = clean(server_text)
    first = " ".join(_SENTENCE.split(text.strip(), maxsplit=1)[0].split())
    return textwrap.shorten(first, width, placeholder=" ...") if first else ""
