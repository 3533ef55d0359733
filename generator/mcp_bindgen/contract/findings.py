"""Makes a finding of a change: its grades, its sentence, its name in Python."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_bindgen.contract.model import (
    ABSENT,
    Change,
    SchemaChange,
    fingerprint,
    show_path,
)
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.python.names import snake
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Side
    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["entry_finding", "finding"]

_VALUE_LENGTH = 60  # characters of a value that a message repeats
_BASES = {"in": "/inputSchema", "out": "/outputSchema"}


def finding(
    plan: ToolPlan,
    change: SchemaChange,
    side: Side | None = None,
    *,
    unsure: bool = False,
) -> Change:
    """Return the finding for a change of a tool.

    Args:
        plan: The tool, in the old recording where it is there.
        change: The change; its pointer leads into the schema of a side, or into the
            tool where there is no side.
        side: Whether it is about the arguments or the result; None for the tool.
        unsure: Whether it is undecided.
    """
    path = "" if side is None else show_path(side, change.path)
    pointer = (_BASES[side] if side else "") + change.pointer
    location = _Location(
        str(plan.raw["name"]), path, pointer, _symbol(plan, change, side)
    )
    made = _made(location, change)
    return replace(made, unsure=True) if unsure else made


def entry_finding(name: str, change: SchemaChange) -> Change:
    """Return the finding for a change of the server, a resource or a prompt.

    Args:
        name: The name or the URI of the entry, "" for the server.
        change: The change.
    """
    path = "".join(map(str, change.path)).lstrip("/")
    return _made(_Location(name, path, change.pointer, ""), change)


class _Location(NamedTuple):
    """The location of a change: in a tool, in a value, in JSON, and in Python."""

    tool: str
    path: str
    pointer: str
    symbol: str


def _made(at: _Location, change: SchemaChange) -> Change:
    rule = rules()[change.rule]
    message = rule.message
    for key, value in (("{old}", change.old), ("{new}", change.new)):
        if key in message:
            message = message.replace(key, short_value(value))
    return Change(
        rule=change.rule,
        tool=at.tool,
        path=at.path,
        pointer=at.pointer,
        symbol=at.symbol,
        wire=rule.wire,
        wire_strict=rule.wire_strict,
        source=rule.source,
        message=message,
        witness=ABSENT,
        # Of the members of a tool itself, as of two hints, the pointer is the name.
        fingerprint=fingerprint(
            change.rule, at.tool, at.path or at.pointer, change.old, change.new
        ),
        gone=change.gone,
        unsure=change.unsure,
    )


def short_value(value: Any) -> str:
    """Return a value as a message repeats it: short, on one line."""
    if value is ABSENT or value is None:
        return "nothing" if value is ABSENT else "null"
    texts = [each for each in elements(value) if isinstance(each, str)]
    if texts and len(texts) == len(elements(value)):
        text = ", ".join(texts)
    elif isinstance(value, dict):
        listed = members(cast("object", value)).items()
        text = ", ".join(f"{name} {json.dumps(v)}" for name, v in listed)
        text = text or "nothing"
    else:
        text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _VALUE_LENGTH else text[: _VALUE_LENGTH - 3] + "..."


def _symbol(plan: ToolPlan, change: SchemaChange, side: Side | None) -> str:
    """Return the name that callers use in Python: `search(owner)`."""
    parts: list[str] = []
    for step in change.path:
        if step.kind == "name":
            parts.append(("." if parts else "") + snake(step.name, "field"))
        else:
            parts.append(
                {"items": "[]", "extra": "{}"}.get(step.kind, f"[{step.name}]")
            )
    inner = "".join(parts)
    if side == "in":
        return f"{plan.function}({inner})"
    if side == "out":
        dot = "." if inner and not inner.startswith("[") else ""
        return f"{plan.function}(){dot}{inner}"
    return str(plan.function)
