# Copied by mcp-bindgen. Do not edit.
"""What a tool answers, before any typing; the errors that hold a whole answer."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import LimitError, McpError, TransportError, listed, shown
from .strict_json import elements, loads, members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .errors import Fault

_DECODED = 64 * 1024 * 1024


def _decode(
    block: ImageContent | AudioContent | EmbeddedResource, limit: int = _DECODED
) -> bytes:
    """Return the bytes that the block holds in base64, at most `limit`.

    Raises:
        LimitError: If there are more.
        ValueError: If the text is not base64.
    """
    if len(block.data) // 4 * 3 - block.data.count("=", -2) > limit:
        raise LimitError(f"more than {limit} bytes in base64", outcome="ran")
    return b64decode(block.data, validate=True)


@dataclass(frozen=True, slots=True)
class TextContent:
    """Text."""

    text: str = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ImageContent:
    """An image; `decode()` gives its bytes."""

    data: str = field(repr=False)
    mime_type: str
    raw: Mapping[str, Any] = field(repr=False)
    decode = _decode


@dataclass(frozen=True, slots=True)
class AudioContent:
    """A sound; `decode()` gives its bytes."""

    data: str = field(repr=False)
    mime_type: str
    raw: Mapping[str, Any] = field(repr=False)
    decode = _decode


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """A link to a resource, never followed by this package."""

    uri: str
    name: str
    mime_type: str | None
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class EmbeddedResource:
    """A resource within the result: its text, or its bytes in base64."""

    uri: str
    mime_type: str | None
    text: str | None = field(repr=False)
    data: str = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)
    decode = _decode


@dataclass(frozen=True, slots=True)
class UnknownContent:
    """A block of a kind that this package does not know, or not well formed."""

    type: str
    raw: Mapping[str, Any] = field(repr=False)


Content = (
    TextContent
    | ImageContent
    | AudioContent
    | ResourceLink
    | EmbeddedResource
    | UnknownContent
)


def _block(raw: Mapping[str, Any]) -> Content:
    match raw:
        case {"type": "text", "text": str(text)}:
            return TextContent(text, raw)
        case {"type": "image", "data": str(data), "mimeType": str(mime)}:
            return ImageContent(data, mime, raw)
        case {"type": "audio", "data": str(data), "mimeType": str(mime)}:
            return AudioContent(data, mime, raw)
        case {"type": "resource_link", "uri": str(uri)}:
            return ResourceLink(
                uri, str(raw.get("name", "")), _text(raw.get("mimeType")), raw
            )
        case {"type": "resource", "resource": {"uri": str(uri), **inner}}:
            return EmbeddedResource(
                uri,
                _text(inner.get("mimeType")),
                _text(inner.get("text")),
                _text(inner.get("blob")) or "",
                raw,
            )
        case _:
            return UnknownContent(str(raw.get("type", "")), raw)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a server answers to `tools/call`.

    Attributes:
        content: The blocks, in the server's order.
        structured: The JSON value of `structuredContent`; None also where it is null.
        has_structured: Whether there is any: tells null from absent.
        is_error: Whether the tool reports a failure.
        meta: The result's `_meta`.
        raw: The whole result as it came.
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
        given, failed = raw.get("content", []), raw.get("isError", False)
        blocks = elements(given)
        shaped = isinstance(given, list) and isinstance(failed, bool)
        if not shaped or not all(isinstance(block, dict) for block in blocks):
            raise TransportError("the server's result is not one of MCP", outcome="ran")
        return cls(
            tuple(_block(block) for block in blocks),
            raw.get("structuredContent"),
            "structuredContent" in raw,
            failed,
            members(raw.get("_meta")),
            raw,
        )

    @property
    def text(self) -> str:
        """The text blocks, joined by newlines."""
        return "\n".join(b.text for b in self.content if isinstance(b, TextContent))

    def json(self) -> Any:
        """Return the text as the JSON value that it spells.

        Raises:
            StrictJsonError: A ValueError, if the text is not strict JSON.
        """
        return loads(self.text.encode("utf-8", "surrogatepass"))

    def __repr__(self) -> str:
        kinds = ", ".join(type(block).__name__ for block in self.content)
        structured = type(self.structured).__name__ if self.has_structured else "absent"
        return (
            f"ToolResult(content=[{kinds}], structured={structured}, "
            f"is_error={self.is_error})"
        )


class ToolError(McpError):
    """The tool ran and reports a failure (`isError`).

    Attributes:
        result: The whole result; `result.text` is what the tool says.
    """

    outcome = "ran"

    def __init__(self, tool: str, result: ToolResult) -> None:
        super().__init__(shown(result.text) or "the tool reports an error")
        self.tool = tool
        self.result = result


class UnexpectedResultError(McpError):
    """The result does not fit the schema that this package was generated from.

    Attributes:
        result: The whole result, unchecked.
        faults: What is wrong, without the values.
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
