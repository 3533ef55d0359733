"""The docstrings of generated code, from a server's texts."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.literals import (
    Code,
    WireStr,
    clean,
    docstring,
    text_width,
    wrap,
)
from mcp_bindgen.python.prose import joined, with_sentence
from mcp_bindgen.render.class_paths import class_paths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.ir import Field, Object, PolicyMark, Tool

__all__ = ["FILTERS", "field_text", "first_line", "policy_text"]

_LINE_LENGTH = 160


def doc(text: WireStr, indent: int, instead: str = "") -> Code:
    """Return a docstring of the server's text, or of our own text if there is none."""
    sentence = _prose(text) or instead or "..."
    lines = wrap(sentence, indent, lead=3)
    if len(lines) == 1 and indent + len(lines[0]) + 6 > text_width():
        lines = wrap(sentence, indent, lead=6)
    return docstring(lines, indent)


def field_doc(field: Field) -> Code:
    """Return the docstring under a field."""
    return doc(WireStr(field_text(field)), 4)


def field_text(field: Field) -> str:
    """Return the text about a field: its description, its default."""
    text = _prose(field.doc)
    if field.default is not None:
        text = with_sentence(text, f"Default: `{clean(WireStr(field.default))}`.")
    return text


def function_doc(tool: Tool) -> Code:
    """Return the docstring of a tool's functions, in Google style."""
    lines = wrap(_summary(tool), 4, lead=3)
    if tool.policy:
        lines += ["", *wrap(policy_text(tool.policy, "call"), 4)]
    entries: list[str] = []
    # The server's own list would be followed by another one of defaults alone.
    listed = "Args:" in map(str.strip, lines)
    for parameter in tool.parameters:
        renamed = parameter.name != parameter.wire.text and not parameter.regular
        silent = listed and not (parameter.doc.text or renamed)
        text = "" if silent else field_text(parameter)
        if renamed:
            text = with_sentence(text, f"Sent as {_quoted(parameter.wire)}.")
        if text:
            first = f"{parameter.name}: {text}"
            wrapped = wrap(first, 8, hang=4)
            entries += [f"    {line}" if line else "" for line in wrapped]
    if tool.extra:
        entries += ["    extra: Arguments by wire name; the schema names none."]
    if entries:
        lines += ["", "Args:", *entries]
    if tool.returns == "inferred":
        lines += ["", "Returns:", "    The shape that recorded answers had; the raw"]
        lines += ["    result where an answer differs."]
    return docstring(lines, 4)


def policy_text(mark: PolicyMark, act: str) -> str:
    """Return the decision of the owner's policy, as a sentence.

    Args:
        mark: The decision.
        act: What it is about: "call", or "request" for resources and prompts.
    """
    if mark.denied:
        return f"Policy: each {act} is denied."
    parts = [f"Policy: {mark.risk} risk"]
    for calls, modes in (
        (f"each {act}", mark.approval),
        (f"some {act}s", mark.sometimes),
    ):
        if modes:
            named = clean(WireStr(", ".join(modes)))
            parts.append(f"a person approves {calls} in {named}")
    parts += [f"some {act}s are denied"] if mark.denies else []
    return f"{'; '.join(parts)}."


def module_doc(tool: Tool) -> Code:
    """Return the docstring of a tool's module."""
    return docstring(wrap(f"The tool {_quoted(tool.wire)}.", 0, lead=6), 0)


def class_doc(type_: Object, tool: Tool, paths: Mapping[str, tuple[str, str]]) -> Code:
    """Return the docstring of a class: the server's text, or else the class's location.

    Args:
        type_: The class.
        tool: Its tool.
        paths: The result of `class_paths` for the tool.
    """
    path, role = paths[type_.name]
    of_tool = f"of {_quoted(tool.wire)}"
    if path:
        instead = f"`{path}` in the {role} {of_tool}."
    elif type_.name not in (tool.arguments.name, tool.result):
        instead = f"One form of the {role} {of_tool}."
    elif role == "result" and tool.returns == "inferred":
        instead = f"Result {of_tool}, inferred from recorded answers."
    else:
        instead = f"{role.capitalize()} {of_tool}."
    return doc(type_.doc, 4, instead)


def member_doc(tool: Tool) -> Code:
    """Return the docstring of a tool's enum member: the first line of its text."""
    return doc(WireStr(tool.line), 4)


def first_line(tool: Tool) -> str:
    """Return the first line of a tool's text, which is cut where it is long."""
    first = " ".join(_first_line(tool).split())
    if len(first) > _LINE_LENGTH:
        first = textwrap.shorten(first, _LINE_LENGTH, placeholder=" ...")
    return first


def _summary(tool: Tool) -> str:
    """Return the server's text about a tool: its description, its title, or nothing."""
    text = _prose(tool.description)
    if not text and tool.title != tool.wire:
        text = clean(tool.title)
    return text or f"Call {_quoted(tool.wire)}."


def _first_line(tool: Tool) -> str:
    """Return the first line of the summary; a line that is a paragraph stays alone."""
    first, _, others = clean(tool.description, breaks=True).partition("\n")
    if first and others.startswith("\n"):
        return first
    return _summary(tool).partition("\n")[0]


def _prose(text: WireStr) -> str:
    """Return a server's text without the line breaks that wrapped it."""
    cleaned = clean(text, breaks=True)
    if "\n" not in cleaned:
        return cleaned
    return joined(with_sentence(cleaned, ""), text_width())


def _quoted(wire: WireStr) -> str:
    """Return a wire name in backticks; as JSON if it has hidden characters."""
    quoted = clean(wire)
    if quoted != wire.text or not quoted or "\n" in quoted or "`" in quoted:
        quoted = json.dumps(wire.text)
    return f"`{quoted}`"


def has_doc(field: Field) -> bool:
    """Return whether a field has any text."""
    return field.default is not None or bool(clean(field.doc))


FILTERS: dict[str, Any] = {
    "class_doc": class_doc,
    "class_paths": class_paths,
    "doc": doc,
    "field_doc": field_doc,
    "function_doc": function_doc,
    "has_doc": has_doc,
    "member_doc": member_doc,
    "module_doc": module_doc,
}
