# Copied by mcp-bindgen. Do not edit.
"""A request as the server would read it, in a copy that nobody else can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...json_values import members
from ...protocol.messages import encode
from ...strict_json import loads

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CALL", "NOTHING", "arguments_of", "private_copy"]

CALL = "tools/call"
NOTHING: dict[str, Any] = {}
"""Stands for arguments that are absent."""


def private_copy(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return params as the server would read them, in a copy that nobody else has.

    Raises:
        InvalidArgumentsError: Something in them has no JSON form.
    """
    copy: dict[str, Any] = loads(encode({"method": method, "params": dict(params)}))
    return members(copy["params"])


def arguments_of(method: str, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what rules about arguments see; None where that is no object."""
    if method != CALL:
        return {key: value for key, value in params.items() if key != "_meta"}
    if not isinstance(params.get("name"), str):
        return None
    # Absent arguments are an empty object; null is none.
    arguments = params.get("arguments", NOTHING)
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None
