# Copied by mcp-bindgen. Do not edit.
"""Tells errors, logs and OpenTelemetry which call it is that they see."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .errors import McpError

if TYPE_CHECKING:
    from collections.abc import Generator

_log = logging.getLogger(__name__.partition("._runtime")[0])


@contextmanager
def observed(client: Any, method: str, tool: str | None = None) -> Generator[None]:
    """Note a call, and complete the error that it raises."""
    try:
        yield
    except McpError as error:
        error.tool = error.tool if tool is None else tool
        error.server = client.server
        _log.debug("%s %s failed: %s", method, tool or "", type(error).__name__)
        raise
