"""Reads the recorded calls of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.errors import Problem
from mcp_bindgen.json_scan import count
from mcp_bindgen.json_writer import canonical_members, canonical_text
from mcp_bindgen.recording.entries import sort_key
from mcp_bindgen.recording.mismatch import (
    IGNORED,
    refuse_too_many,
    too_large,
    unexpected,
)
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.mismatch import JsonObject

__all__ = ["calls"]


def calls(
    value: JSON, pointer: str, limits: Limits, problems: list[Problem]
) -> tuple[JsonObject, ...]:
    """Return the recorded calls of tools, sorted, each different one once.

    Args:
        value: The list of calls, or None where there is none.
        pointer: Its JSON pointer.
        limits: The limits on a recording.
        problems: Gets one more problem for each call that is ignored.

    Raises:
        BindgenError: The list has more entries than the limits allow.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        problems.append(unexpected(pointer, list, value, IGNORED))
        return ()
    refuse_too_many(value, pointer, limits)
    sound: dict[str, JsonObject] = {}
    for index, item in enumerate(value):
        call, nodes = _call(item), count(item)
        if call is None or nodes > limits.tool_nodes:
            malformed = "expected a call: name, arguments, and result with blocks"
            message = malformed if call is None else too_large(nodes, limits)
            problems.append(Problem(child(pointer, index), message, IGNORED))
        else:
            sound[canonical_text(call)] = call
    return tuple(sorted(sound.values(), key=lambda call: sort_key(call, "name")))


def _call(item: JSON) -> JsonObject | None:
    """Return a recorded call in canonical form, None where it is not one."""
    if not isinstance(item, dict):
        return None
    request, response = item.get("request"), item.get("response")
    if isinstance(request, dict) and isinstance(response, dict):
        # A log of JSON-RPC messages holds the call like this.
        params = request.get("params")
        item = {**params, **response} if isinstance(params, dict) else {}
    call = {key: item.get(key) for key in ("name", "arguments", "result")}
    kinds = {"name": str, "arguments": dict, "result": dict}
    if not all(isinstance(call[key], kind) for key, kind in kinds.items()):
        return None
    has_blocks = isinstance(members(call["result"]).get("content", []), list)
    return canonical_members(call) if has_blocks else None
