# Copied by mcp-bindgen. Do not edit.
"""Resources: their entries in a server's list, and their contents."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from .. import limits
from ..content import BITMAPS, short
from ..errors import SERVER_FAULT, TransportError
from ..json_values import elements, members
from ..strict_json import loads
from .feature_marks import Marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "BinaryResource",
    "ResourceContents",
    "ResourceInfo",
    "ResourceTemplateInfo",
    "TextResource",
]


@dataclass(frozen=True, slots=True)
class ResourceInfo(Marked):
    """One resource that a server lists.

    Attributes:
        uri: Its URI.
        name: Its name for programs.
        title: Its name for people; the name where it has no title.
        description: Its description, or "".
        mime_type: Its media type, where the server says one.
        size: Its size in bytes, where the server says it.
        raw: The whole entry.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str | None
    size: int | None
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> ResourceInfo:
        """Return the resource of an entry of `resources/list`."""
        name, size = _text(raw, "name"), raw.get("size")
        return cls(
            uri=_text(raw, "uri"),
            name=name,
            title=_text(raw, "title") or name,
            description=_text(raw, "description"),
            mime_type=_text(raw, "mimeType") or None,
            size=size if type(size) is int else None,
            raw=raw,
        )

    def __repr__(self) -> str:
        return f"ResourceInfo({short(self.uri)}, {short(self.title)})"


@dataclass(frozen=True, slots=True)
class ResourceTemplateInfo(Marked):
    """One resource template that a server lists.

    Attributes:
        uri_template: The template of its URIs (RFC 6570).
        name: Its name for programs.
        title: Its name for people; the name where it has no title.
        description: Its description, or "".
        mime_type: The media type of all its resources, where the server says one.
        raw: The whole entry.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str | None
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> ResourceTemplateInfo:
        """Return the template of an entry of `resources/templates/list`."""
        name = _text(raw, "name")
        return cls(
            uri_template=_text(raw, "uriTemplate"),
            name=name,
            title=_text(raw, "title") or name,
            description=_text(raw, "description"),
            mime_type=_text(raw, "mimeType") or None,
            raw=raw,
        )

    def __repr__(self) -> str:
        texts = f"{short(self.uri_template)}, {short(self.title)}"
        return f"ResourceTemplateInfo({texts})"


def _decode(block: TextResource | BinaryResource | ResourceContents) -> bytes:
    """Return the bytes of the block, as `decode` of blocks in results does."""
    return block.data


@dataclass(frozen=True, slots=True)
class TextResource:
    """The text of a resource.

    Attributes:
        uri: The URI of the resource.
        mime_type: Its media type, where the server says one.
        text: The text.
        raw: The block, unchanged.
    """

    uri: str
    mime_type: str | None
    text: str
    raw: Mapping[str, Any]
    decode = _decode

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    def json(self) -> Any:
        """Return the JSON value in the text.

        Raises:
            StrictJsonError: A ValueError, if the text is not strict JSON.
        """
        return loads(self.data)

    def __repr__(self) -> str:
        return f"TextResource({short(self.uri)}, {short(self.text)})"


@dataclass(frozen=True, slots=True)
class BinaryResource:
    """The bytes of a resource; a notebook shows those of an image.

    Attributes:
        uri: The URI of the resource.
        mime_type: Its media type, where the server says one.
        data: The bytes.
        raw: The block, unchanged, with the bytes in base64.
    """

    uri: str
    mime_type: str | None
    data: bytes = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)
    decode = _decode

    def json(self) -> Any:
        """Return the JSON value in the bytes.

        Raises:
            StrictJsonError: A ValueError, if the bytes are not strict JSON.
        """
        return loads(self.data)

    def __repr__(self) -> str:
        return f"BinaryResource({short(self.uri)}, {len(self.data):,} bytes)"

    def _repr_mimebundle_(self, **_which: object) -> dict[str, str]:
        """Return the forms for Jupyter: media type to text or base64."""
        image = {str(self.mime_type): data} if (data := _bitmap(self)) else {}
        return {"text/plain": repr(self), **image}


@dataclass(frozen=True, slots=True)
class ResourceContents:
    """The contents of one URI: one block, or one for each file of a folder.

    Attributes:
        blocks: The blocks, in the server's order.
        meta: The `_meta` of the result.
        raw: The whole result, unchanged.
    """

    blocks: tuple[TextResource | BinaryResource, ...]
    meta: Mapping[str, Any]
    raw: Mapping[str, Any]
    decode = _decode

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> ResourceContents:
        """Build the contents from the result of `resources/read`.

        Raises:
            TransportError: If it has not the shape of such a result.
        """
        contents = raw.get("contents")
        if not isinstance(contents, list):
            raise _malformed("no list of contents")
        blocks = tuple(_block(members(item)) for item in elements(raw["contents"]))
        return cls(blocks, members(raw.get("_meta")), raw)

    @property
    def text(self) -> str:
        """The texts, joined by newlines."""
        texts = (b.text for b in self.blocks if isinstance(b, TextResource))
        return "\n".join(texts)

    @property
    def data(self) -> bytes:
        """The bytes of the only block.

        Raises:
            ValueError: If there is not exactly one.
        """
        return self._only().data

    @property
    def mime_type(self) -> str | None:
        """The media type of the first block, where the server says one."""
        return self.blocks[0].mime_type if self.blocks else None

    def json(self) -> Any:
        """Return the JSON value in the only block.

        Raises:
            ValueError: If there is not exactly one block, or it is not strict JSON.
        """
        return self._only().json()

    def _only(self) -> TextResource | BinaryResource:
        if len(self.blocks) != 1:
            raise ValueError(f"expected one block, got {len(self.blocks)}: see blocks")
        return self.blocks[0]

    def __iter__(self) -> Iterator[TextResource | BinaryResource]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def __repr__(self) -> str:
        parts = [repr(block) for block in self.blocks[: limits.REPR_BLOCKS]]
        if more := len(self.blocks) - len(parts):
            parts.append(f"and {more:,} more")
        return f"ResourceContents({', '.join(parts)})"

    def _repr_mimebundle_(self, **_which: object) -> dict[str, str]:
        """Return the forms for Jupyter: the images below the repr, if there are any.

        A text of the media type text/html is shown as text: it could run a script.
        """
        plain = repr(self)
        images = "".join(
            f'<img src="data:{block.mime_type};base64,{data}">'
            for block in self.blocks
            if isinstance(block, BinaryResource) and (data := _bitmap(block))
        )
        html = {"text/html": f"<pre>{escape(plain)}</pre>{images}"} if images else {}
        return {"text/plain": plain, **html}


def _block(raw: dict[str, Any]) -> TextResource | BinaryResource:
    mime = raw.get("mimeType")
    mime = mime if isinstance(mime, str) else None
    match raw:
        case {"uri": str(uri), "text": str(text)}:
            return TextResource(uri, mime, text, raw)
        case {"uri": str(uri), "blob": str(blob)}:
            try:
                data = b64decode(blob, validate=True)
            except ValueError:
                raise _malformed("a blob that is not base64") from None
            return BinaryResource(uri, mime, data, raw)
        case _:
            raise _malformed("contents without a text or a blob")


def _malformed(reason: str) -> TransportError:
    message = f"the server's answer is no resource of MCP: {reason}"
    return TransportError(message, outcome="ran", hint=SERVER_FAULT)


def _bitmap(block: BinaryResource) -> str:
    """Return a bitmap image in base64, which is safe in HTML; "" for other blocks."""
    is_bitmap = block.mime_type in BITMAPS and len(block.data) <= limits.REPR_IMAGE
    return b64encode(block.data).decode() if is_bitmap else ""


def _text(raw: Mapping[str, Any], key: str) -> str:
    value: object = raw.get(key)
    return value if isinstance(value, str) else ""
