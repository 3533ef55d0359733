# Copied by mcp-bindgen. Do not edit.
"""The outcome of a call as a value: its result or its error, without exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..errors import McpError
from ..results import ToolError

if TYPE_CHECKING:
    from ..results import ToolResult

__all__ = ["ToolCallResult"]


@dataclass(frozen=True, slots=True)
class ToolCallResult:
    """The outcome of a call that raises nothing.

    Attributes:
        tool: Wire name of the tool.
        elapsed: Seconds from the call to its outcome.
        error: The error of a failure, or None.
        result: The whole result, where one arrived.
    """

    tool: str
    elapsed: float
    error: McpError | None
    result: ToolResult | None

    @classmethod
    def of(
        cls, tool: str, start: float, result: ToolResult | McpError
    ) -> ToolCallResult:
        """Return the outcome of a call that has a result or an error.

        Args:
            tool: Wire name of the tool.
            start: The time of the call, of `time.monotonic`.
            result: The result of the call, or its error.
        """
        elapsed = monotonic() - start
        if isinstance(result, McpError):
            return cls(tool, elapsed, result, None)
        error = ToolError(tool, result) if result.is_error else None
        return cls(tool, elapsed, error, result)

    @property
    def success(self) -> bool:
        """Whether the tool ran and reports no failure."""
        return self.error is None

    @property
    def data(self) -> Any:
        """The structured value; where there is none, the text as JSON or as text."""
        if self.error is not None or self.result is None:
            return None
        if self.result.has_structured:
            return self.result.structured
        try:
            return self.result.json()
        except ValueError:
            return self.result.text
