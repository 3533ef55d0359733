# Copied by mcp-bindgen. Do not edit.
"""The content blocks of a result: how they are read, and how they are shown."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import limits
from .errors import LimitError, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BITMAPS",
    "AudioContent",
    "Content",
    "EmbeddedResource",
    "ImageContent",
    "ResourceLink",
    "TextContent",
    "UnknownContent",
    "bitmap",
    "content_block",
    "short",
    "size_of",
]

# Bitmaps alone: an SVG image could run a script in the notebook.
BITMAPS = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})


def _decode(
    block: ImageContent | AudioContent | EmbeddedResource, limit: int = limits.DECODED
) -> bytes:
    """Return the bytes of the block, at most `limit` in base64; a text in UTF-8.

    Raises:
        LimitError: If there are more.
        ValueError: If the text is not base64.
    """
    if size_of(block.data) > limit:
        raise LimitError(f"more than {limit} bytes in base64", outcome="ran")
    text = block.text if isinstance(block, EmbeddedResource) else None
    if text is not None:
        return text.encode("utf-8", "surrogatepass")
    return b64decode(block.data, validate=True)


def short(text: str) -> str:
    """Return a text for a repr: quoted, in ASCII, on one line, cut."""
    return f"'{printable(text, limits.REPR_TEXT)}'"


def size_of(data: str) -> int:
    """Return how many bytes a text in base64 holds."""
    return len(data) // 4 * 3 - data.count("=", -2)


def bitmap(block: Content) -> str:
    """Return a bitmap image in base64, which is safe in HTML; "" for other blocks."""
    if not isinstance(block, (ImageContent, EmbeddedResource)):
        return ""
    if block.mime_type not in BITMAPS or not block.data:
        return ""
    try:
        return b64encode(block.decode(limits.REPR_IMAGE)).decode()
    except (LimitError, ValueError) as _:
        return ""


def _show_in_notebook(
    block: ImageContent | EmbeddedResource, **_which: object
) -> dict[str, str]:
    """Return the forms of a block for Jupyter: media type to text or base64."""
    image = {str(block.mime_type): data} if (data := bitmap(block)) else {}
    return {"text/plain": repr(block), **image}


@dataclass(frozen=True, slots=True)
class TextContent:
    """Text."""

    text: str
    raw: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"TextContent({short(self.text)})"


@dataclass(frozen=True, slots=True)
class ImageContent:
    """An image; `decode()` gives its bytes, and a notebook shows it."""

    data: str
    mime_type: str
    raw: Mapping[str, Any]
    decode = _decode
    _repr_mimebundle_ = _show_in_notebook

    def __repr__(self) -> str:
        return f"ImageContent({short(self.mime_type)}, {size_of(self.data):,} bytes)"


@dataclass(frozen=True, slots=True)
class AudioContent:
    """A sound; `decode()` gives its bytes."""

    data: str
    mime_type: str
    raw: Mapping[str, Any]
    decode = _decode

    def __repr__(self) -> str:
        return f"AudioContent({short(self.mime_type)}, {size_of(self.data):,} bytes)"


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """A link to a resource; only `client.follow(link)` reads it."""

    uri: str
    name: str
    mime_type: str | None
    raw: Mapping[str, Any]

    @property
    def title(self) -> str | None:
        """The name for people, where the server has one."""
        return _text(self.raw.get("title"))

    @property
    def description(self) -> str | None:
        """The server's description of the resource."""
        return _text(self.raw.get("description"))

    @property
    def size(self) -> int | None:
        """The bytes of the resource, as the server says."""
        size = self.raw.get("size")
        return size if type(size) is int else None

    def __repr__(self) -> str:
        return f"ResourceLink({short(self.uri)})"


@dataclass(frozen=True, slots=True)
class EmbeddedResource:
    """A resource within the result: its text, or its bytes in base64.

    `decode()` gives its bytes, as for a resource that was read.
    """

    uri: str
    mime_type: str | None
    text: str | None
    data: str
    raw: Mapping[str, Any]
    decode = _decode
    _repr_mimebundle_ = _show_in_notebook

    def __repr__(self) -> str:
        held = (
            f"{size_of(self.data):,} bytes" if self.text is None else short(self.text)
        )
        return f"EmbeddedResource({short(self.uri)}, {held})"


@dataclass(frozen=True, slots=True)
class UnknownContent:
    """A block of a kind that this package does not know, or not well formed."""

    type: str
    raw: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"UnknownContent({short(self.type)})"


Content = (
    TextContent
    | ImageContent
    | AudioContent
    | ResourceLink
    | EmbeddedResource
    | UnknownContent
)


def content_block(raw: Mapping[str, Any]) -> Content:
    """Return the block of a result's `content`; a malformed one is unknown."""
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
