# Copied by mcp-bindgen. Do not edit.
"""The results of tools, before any typing; the errors that hold a whole result."""

from __future__ import annotations

from dataclasses import dataclass, field
from reprlib import Repr
from typing import TYPE_CHECKING, Any

from . import limits
from .content import (
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    bitmap,
    content_block,
    short,
)
from .errors import (
    SERVER_FAULT,
    McpError,
    TransportError,
    listed,
    printable,
)
from .json_values import elements, members
from .plain_json import decoded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .content import Content
    from .errors import Fault

__all__ = ["TaskCancelledError", "ToolError", "ToolResult", "UnexpectedResultError"]


_structure = Repr()
_structure.maxlevel, _structure.maxdict, _structure.maxlist = 2, 6, 4


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of `tools/call`.

    Attributes:
        content: The blocks, in the server's order.
        structured: The JSON value of `structuredContent`; None also where it is null.
        has_structured: Whether the result has `structuredContent`, be it null.
        is_error: Whether the tool reports a failure.
        meta: The result's `_meta`.
        raw: The whole result, unchanged.
    """

    content: tuple[Content, ...] = ()
    structured: Any = None
    has_structured: bool = False
    is_error: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    raw: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> ToolResult:
        """Build a result from the `result` member of a JSON-RPC response.

        Raises:
            TransportError: If it has not the shape of a result.
        """
        content, failed = raw.get("content", []), raw.get("isError", False)
        blocks = elements(content)
        shaped = isinstance(content, list) and isinstance(failed, bool)
        if not shaped or not all(isinstance(block, dict) for block in blocks):
            raise TransportError(
                "the server's result is not one of MCP",
                outcome="ran",
                hint=SERVER_FAULT,
            )
        return cls(
            tuple(content_block(block) for block in blocks),
            raw.get("structuredContent"),
            "structuredContent" in raw,
            failed,
            members(raw.get("_meta")),
            raw,
        )

    @property
    def links(self) -> tuple[ResourceLink, ...]:
        """The links to resources; `client.follow(link)` reads one."""
        return tuple(b for b in self.content if isinstance(b, ResourceLink))

    @property
    def text(self) -> str:
        """The text blocks, joined by newlines."""
        return "\n".join(b.text for b in self.content if isinstance(b, TextContent))

    def json(self) -> Any:
        """Return the JSON value in the text.

        Raises:
            StrictJsonError: A ValueError, if the text is not strict JSON.
        """
        return decoded(self.text.encode("utf-8", "surrogatepass"))

    def __repr__(self) -> str:
        parts = [
            short(block.text) if isinstance(block, TextContent) else repr(block)
            for block in self.content[: limits.REPR_BLOCKS]
        ]
        if more := len(self.content) - len(parts):
            parts.append(f"and {more:,} more")
        if self.has_structured:
            parts.append(
                f"structured={printable(_structure.repr(self.structured), 200)}"
            )
        if self.is_error:
            parts.append("is_error=True")
        return f"ToolResult({', '.join(parts)})"

    def _repr_mimebundle_(self, **_which: object) -> dict[str, str]:
        """Return the forms for Jupyter: a table of structured content, then images."""
        from html import escape  # its tables are large

        from .tables import table

        plain = repr(self)
        rows = table(self.structured)
        images = "".join(
            f'<img src="data:{block.mime_type};base64,{data}">'
            for block in self.content
            if isinstance(block, (ImageContent, EmbeddedResource))
            and (data := bitmap(block))
        )
        first = rows or f"<pre>{escape(plain)}</pre>"
        html = {"text/html": f"{first}{images}"} if rows or images else {}
        return {"text/plain": plain, **html}


class TaskCancelledError(McpError):
    """The server has cancelled the task of the call, which may have run in part."""

    outcome = "unknown"

    def __init__(self, reason: object = None) -> None:
        words = f": {printable(reason, 300)}" if reason else ""
        super().__init__(f"the server cancelled the task{words}")


class ToolError(McpError):
    """The tool ran and reports a failure (`isError`).

    Attributes:
        result: The whole result; `result.text` has the tool's message.
    """

    outcome = "ran"

    def __init__(self, tool: str, result: ToolResult) -> None:
        super().__init__(printable(result.text) or "the tool reports an error")
        self.tool = tool
        self.result = result


class UnexpectedResultError(McpError):
    """The result does not fit the schema that this package was generated from.

    Attributes:
        result: The whole result, unchecked.
        faults: The faults, without the values.
    """

    outcome = "ran"

    def __init__(self, tool: str, result: ToolResult, faults: Sequence[Fault]) -> None:
        super().__init__(
            f"the result does not fit the tool's output schema:{listed(faults)}",
            hint="the server may have changed: client.verify() tells how",
        )
        self.tool = tool
        self.result = result
        self.faults = tuple(faults)
