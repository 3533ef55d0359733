# Copied by mcp-bindgen. Do not edit.
"""The rules of `verify()`: a part of the rules of `mcp-bindgen diff`, with grades."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..drift import Wire

__all__ = ["ABSENT", "Change", "Rule", "message", "rules"]


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()
"""Stands for a value that is not there, which JSON cannot say."""


class Rule(NamedTuple):
    """One kind of change.

    Attributes:
        wire: Its effect on this package.
        message: The sentence of a finding, with `{old}` and `{new}`.
    """

    wire: Wire
    message: str


class Change(NamedTuple):
    """One change of a tool, with its rule.

    Attributes:
        rule: The name of the rule.
        pointer: JSON pointer into the tool; of a removed part, into the recorded one.
        old: The value before, or `ABSENT`.
        new: The value now, or `ABSENT`.
        kind: "added", "removed" or "changed".
    """

    rule: str
    pointer: str
    old: Any = ABSENT
    new: Any = ABSENT
    kind: str = "changed"


@cache
def rules() -> Mapping[str, Rule]:
    """Return every rule by its name."""
    return {
        name: Rule(wire, text)
        for wire, group in zip(_WIRES, _TABLE.split("\n\n"), strict=True)
        for name, _, text in (line.partition(" ") for line in group.strip().split("\n"))
    }


def message(change: Change) -> str:
    """Return the sentence of a finding; values of the server are cut, and escaped."""
    as_text = _bounds if "_BOUND_" in change.rule else _json
    values = {"old": _short(as_text(change.old)), "new": _short(as_text(change.new))}
    return rules()[change.rule].message.format_map(values)


def _bounds(bounds: Mapping[str, object]) -> str:
    """Return bounds by their keywords, as `diff` writes them."""
    texts = [f"{keyword} {json.dumps(value)}" for keyword, value in bounds.items()]
    return ", ".join(texts) or "nothing"


def _json(value: object) -> str:
    return "nothing" if value is ABSENT else json.dumps(value)


def _short(text: str) -> str:
    most = limits.VERIFY_VALUE
    return text if len(text) <= most else text[: most - 3] + "..."


_WIRES: tuple[Wire, ...] = ("breaking", "compatible", "text", "undecided")
# A group for each of these grades, with a line for each rule.
_TABLE = """
TOOL_REMOVED the tool is gone
TOOL_RENAMED the tool is named {new} now
TOOL_RESPELLED the tool is spelled {new} now
TOOL_TASK_NOW_REQUIRED the tool must be called as a task now
PARAM_ADDED_REQUIRED the parameter is new and required
PARAM_NOW_REQUIRED the parameter is required now
PARAM_REMOVED the parameter is gone, and the server refuses it
PARAM_RENAMED the parameter is named {new} now
PARAM_RESPELLED the parameter is spelled {new} now
PARAM_TYPE_CHANGED the type changed from {old} to {new}
PARAM_TYPE_NARROWED the type accepts less: {old} became {new}
PARAM_ANY_NARROWED any value was accepted, now only {new}
PARAM_NULL_REMOVED null is no longer accepted
PARAM_ENUM_VALUE_REMOVED the value {old} is no longer accepted
PARAM_ENUM_IMPOSED only {new} are accepted now
PARAM_BOUND_TIGHTENED a bound is tighter: {old} became {new}
PARAM_PATTERN_IMPOSED the text must match {new} now
PARAM_PATTERN_CHANGED the pattern changed from {old} to {new}
PARAM_CLOSED undeclared names are refused now
OUTPUT_REMOVED the tool has no output schema now
FIELD_REMOVED_REQUIRED the field is gone
FIELD_ADDED_TO_CLOSED the field is new, and the old schema refuses it
FIELD_NOW_OPTIONAL the field may be missing now
FIELD_RESPELLED the field is spelled {new} now
FIELD_RENAMED the field is named {new} now
FIELD_TYPE_CHANGED the type changed from {old} to {new}
FIELD_TYPE_WIDENED the type holds more: {old} became {new}
FIELD_NULL_ADDED the field may be null now
FIELD_ENUM_VALUE_ADDED the field may be {new} now
FIELD_ENUM_LIFTED the field may have any value of the type now, not only {old}
FIELD_BOUND_LOOSENED a bound is looser: {old} became {new}
FIELD_PATTERN_LIFTED the text need not match {old} now
FIELD_PATTERN_CHANGED the pattern changed from {old} to {new}
FIELD_OPENED undeclared fields are allowed now
RESOURCE_REMOVED the resource is gone
RESOURCE_TEMPLATE_REMOVED the resource template is gone
PROMPT_REMOVED the prompt is gone
PROMPT_ARGUMENT_ADDED_REQUIRED the argument is new and required
PROMPT_ARGUMENT_NOW_REQUIRED the argument is required now
PROMPT_ARGUMENT_REMOVED the argument is gone
PROMPT_ARGUMENT_RENAMED the argument is named {new} now
PROMPT_ARGUMENT_RESPELLED the argument is spelled {new} now

TOOL_ADDED the tool is new
PARAM_ADDED_OPTIONAL the parameter is new and optional
PARAM_NOW_OPTIONAL the parameter is optional now
PARAM_REMOVED_IGNORED the parameter is gone; a server that gets it ignores it
PARAM_RENAMED_IGNORED the parameter is named {new} now; the old name is ignored
PARAM_RESPELLED_IGNORED the parameter is spelled {new} now; the old name is ignored
PARAM_TYPE_WIDENED the type accepts more: {old} became {new}
PARAM_NULL_ADDED null is accepted now
PARAM_ENUM_VALUE_ADDED the value {new} is accepted now
PARAM_ENUM_LIFTED any value of the type is accepted now, not only {old}
PARAM_BOUND_LOOSENED a bound is looser: {old} became {new}
PARAM_BOUND_VACUOUS a bound that no real integer reaches changed: {old} became {new}
PARAM_PATTERN_LIFTED the text need not match {old} now
PARAM_FORMAT_CHANGED the format changed from {old} to {new}
PARAM_CLOSED_IMPLICIT undeclared names are limited now
PARAM_OPENED undeclared names are accepted now
PARAM_DEFAULT_CHANGED the default changed from {old} to {new}
OUTPUT_ADDED the tool has an output schema now
FIELD_REMOVED the field is gone; it was optional
FIELD_ADDED the field is new
FIELD_NOW_REQUIRED the field is always there now
FIELD_RESPELLED_IGNORED the field is spelled {new} now; old packages read it as missing
FIELD_RENAMED_IGNORED the field is named {new} now; old packages read it as missing
FIELD_TYPE_NARROWED the type holds less: {old} became {new}
FIELD_NULL_REMOVED the field is never null now
FIELD_ENUM_VALUE_REMOVED the field is never {old} now
FIELD_ENUM_IMPOSED the field has only the values {new} now
FIELD_BOUND_TIGHTENED a bound is tighter: {old} became {new}
FIELD_BOUND_VACUOUS a bound that no real integer reaches changed: {old} became {new}
FIELD_PATTERN_IMPOSED the text matches {new} now
FIELD_FORMAT_CHANGED the format changed from {old} to {new}
FIELD_OPENED_IMPLICIT undeclared fields are no longer refused
FIELD_CLOSED undeclared fields are never sent now
FIELD_DEFAULT_CHANGED the default changed from {old} to {new}
HINT_READ_ONLY_GAINED the tool says now that it only reads
HINT_READ_ONLY_LOST the tool no longer says that it only reads
HINT_DESTRUCTIVE_GAINED the tool says now that it may destroy
HINT_DESTRUCTIVE_LOST the tool says now that it destroys nothing
HINT_IDEMPOTENT_GAINED the tool says now that a second call changes nothing
HINT_IDEMPOTENT_LOST the tool no longer says that a second call changes nothing
HINT_OPEN_WORLD_CHANGED the hint openWorldHint changed from {old} to {new}
RESOURCE_TYPE_CHANGED the MIME type changed from {old} to {new}
RESOURCE_TEMPLATE_TYPE_CHANGED the MIME type changed from {old} to {new}
PROMPT_ARGUMENT_ADDED_OPTIONAL the argument is new and optional
PROMPT_ARGUMENT_NOW_OPTIONAL the argument is optional now

TOOL_TITLE_CHANGED the title changed
TOOL_DESCRIPTION_CHANGED the description changed
TOOL_ICONS_CHANGED the icons changed
PARAM_TITLE_CHANGED the title changed
PARAM_DESCRIPTION_CHANGED the description changed
PARAM_TEXT_CHANGED an example or a note changed
FIELD_TITLE_CHANGED the title changed
FIELD_DESCRIPTION_CHANGED the description changed
FIELD_TEXT_CHANGED an example or a note changed
HINT_OTHER_CHANGED a hint changed from {old} to {new}, which means the same
RESOURCE_ADDED the resource is new
RESOURCE_TEXT_CHANGED a text of the resource changed
RESOURCE_TEMPLATE_ADDED the resource template is new
RESOURCE_TEMPLATE_TEXT_CHANGED a text of the resource template changed
PROMPT_ADDED the prompt is new
PROMPT_TEXT_CHANGED a text of the prompt changed
PROMPT_ARGUMENT_TEXT_CHANGED a text of the argument changed
SERVER_NAME_CHANGED the name of the server changed from {old} to {new}
SERVER_TITLE_CHANGED the title of the server changed
SERVER_VERSION_CHANGED the version of the server changed from {old} to {new}
SERVER_INSTRUCTIONS_CHANGED the instructions of the server changed
SERVER_TEXT_CHANGED another text of the server changed

PARAM_UNDECIDED the schema changed in a way that only `mcp-bindgen diff` grades
FIELD_UNDECIDED the schema changed in a way that only `mcp-bindgen diff` grades
"""
