"""Recordings of one tool, to compare in tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.contract.diff import compare_recordings

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Change, Report

CLOSED: dict[str, Any] = {"additionalProperties": False}


def tool(
    properties: dict[str, Any] | None = None,
    required: tuple[str, ...] = (),
    output: Any = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a tool; keywords beside these go into its input schema."""
    schema = {"type": "object", "properties": properties or {}, "required": [*required]}
    raw = {"name": "search", "inputSchema": {**schema, **more}}
    return raw if output is None else {**raw, "outputSchema": output}


def fields(
    properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return a tool without parameters, and with these fields of its result."""
    return tool(output=tool(properties, required, **more)["inputSchema"])


def recording(*tools: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"tools": tools, **more}).encode()


def _listed(side: Any) -> list[Any]:
    return cast("list[object]", side) if isinstance(side, list) else [side]


def report(old: Any, new: Any) -> Report:
    """Compare two tools, or two lists of tools."""
    before, after = (recording(*_listed(side)) for side in (old, new))
    return compare_recordings(before, after)


def only(old: Any, new: Any) -> Change:
    """Return the only change that is no text."""
    changes = [c for c in report(old, new).changes if c.grade != "text"]
    assert len(changes) == 1, [change.rule for change in changes]
    return changes[0]
