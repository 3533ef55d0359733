# Copied by mcp-bindgen. Do not edit.
"""The session's facts about a request, for the span of OpenTelemetry around it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FACTS", "REQUEST_ID", "note_request", "note_result"]

REQUEST_ID = "jsonrpc.request.id"
FACTS: ContextVar[dict[str, Any] | None] = ContextVar("mcp_span_facts", default=None)
"""The attributes of the span that is open; None without OpenTelemetry."""


def note_request(method: str, number: int) -> None:
    """Note the id of a request, where the span is of the same method."""
    facts = FACTS.get()
    if facts is not None and facts["mcp.method.name"] == method:
        facts[REQUEST_ID] = str(number)


def note_result(method: str, result: Mapping[str, Any]) -> None:
    """Note that a tool reports a failure, which is a result and no error here."""
    facts = FACTS.get()
    failed = result.get("isError") is True
    if facts is not None and failed and facts["mcp.method.name"] == method:
        facts["error.type"] = "tool_error"
