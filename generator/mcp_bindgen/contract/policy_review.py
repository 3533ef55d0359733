"""The text of a review: a tool, or its differences from the last review."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_bindgen.json_writer import indented
from mcp_bindgen.recording.text_differences import differences
from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

__all__ = ["review_lines", "reviewed_text", "reviewed_tools"]

_MOST = 400


def reviewed_tools(text: str | None) -> dict[str, dict[str, Any]]:
    """Return the tools as they were when they were reviewed, by wire name.

    Args:
        text: The file beside the policy; without one, nothing is known.
    """
    try:
        value = loads((text or "{}").encode())
    except StrictJsonError:
        return {}
    return {name: members(tool) for name, tool in members(value).items()}


def reviewed_text(
    tools: Mapping[str, Mapping[str, Any]], names: Collection[str]
) -> str:
    """Return the text of the file beside the policy.

    Args:
        tools: The tools as they were reviewed.
        names: Those that the policy still has.
    """
    chosen = {name: tools[name] for name in sorted(tools) if name in names}
    return indented(chosen) + "\n"


def review_lines(
    tool: Mapping[str, Any], before: Mapping[str, Any] | None
) -> Iterator[str]:
    """Yield the lines that a person reads.

    Args:
        tool: The tool as it is recorded.
        before: The same at the last review, None without one.
    """
    if before is None:
        yield f"{tool['name']}: new"
        for key in ("title", "description", "annotations", "inputSchema"):
            if key in tool:
                yield f"  {key}: {_text(tool[key])}"
        return
    yield f"{tool['name']}: changed"
    for difference in differences([dict(before)], [dict(tool)]):
        yield f"  {difference.pointer or '/'}: {difference.kind}"
        for sign, whole in (("-", before), ("+", tool)):
            value = _at(whole, difference.pointer)
            if value is not None:
                yield f"    {sign} {_text(value)}"


def _at(value: Any, pointer: str) -> Any:
    for step in steps(pointer):
        value = members(value).get(step)
    return value


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    more = len(text) - _MOST
    return f"{text[:_MOST]}... [{more} more characters]" if more > 0 else text
