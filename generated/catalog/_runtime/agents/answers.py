# Copied by mcp-bindgen. Do not edit.
"""The answer to a model's call: parts for the model, a typed value for the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from ..client.approval import DeniedError
from ..content import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    size_of,
)
from ..errors import (
    InputRequiredError,
    InvalidArgumentsError,
    LimitError,
    McpError,
    ProtocolError,
    UnusableToolError,
)
from ..results import ToolError, UnexpectedResultError
from ..strict_json import StrictJsonError, dumps, loads

if TYPE_CHECKING:
    from ..content import Content
    from ..errors import Outcome
    from ..results import ToolResult

__all__ = [
    "MODEL_ERRORS",
    "Answer",
    "Part",
    "accepted",
    "arguments_of",
    "failed",
    "part_of",
    "refused",
]

Kind = Literal["text", "image", "audio", "file", "link"]

_TEXTS = ("application/json", "application/xml", "application/yaml")

MODEL_ERRORS = (
    DeniedError,
    InputRequiredError,
    InvalidArgumentsError,
    ProtocolError,
    ToolError,
    UnexpectedResultError,
    UnusableToolError,
)
"""Errors that a model can do something about; all others are for the program."""


_RUNS: dict[Outcome, str] = {
    "not sent": "The tool has not run.",
    "refused": "The tool has not run.",
    "unknown": "The tool may have run.",
    "ran": "The tool has run.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer, for frameworks that take more than text.

    Attributes:
        kind: Its kind; "file" is any other content in base64.
        text: Its text, or a short text in place of the bytes.
        data: The bytes in base64.
        mime_type: The media type of the bytes.
        uri: The target of a link.
    """

    kind: Kind
    text: str = field(repr=False)
    data: str = field(default="", repr=False)
    mime_type: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a call.

    Attributes:
        parts: The content for the model.
        value: The result, typed by the tool's output schema; None in a failure.
        result: The whole result, where the tool ran.
        error: Why the call failed, or None.
    """

    parts: tuple[Part, ...]
    value: object = field(default=None, repr=False)
    result: ToolResult | None = None
    error: Exception | None = None

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.error is not None

    @property
    def text(self) -> str:
        """The whole answer as text."""
        return "\n".join(part.text for part in self.parts)


def accepted(result: ToolResult, value: object) -> Answer:
    """Return the answer of a call that went well."""
    return Answer(_parts(result), value, result)


def refused(error: Exception) -> Answer:
    """Return the answer of a call that failed."""
    if isinstance(error, ToolError):
        parts = _parts(error.result) or (Part("text", error.message),)
        return Answer(parts, None, error.result, error)
    text = error.message if isinstance(error, McpError) else str(error)
    if isinstance(error, UnexpectedResultError):
        text += f"\n{_RUNS['ran']}"
        return Answer((Part("text", text),), None, error.result, error)
    return Answer((Part("text", text),), None, None, error)


def failed(error: Exception) -> Answer:
    """Return the answer of a call that ended with any error.

    The text says whether the tool has run, as far as anyone knows. For an error of
    another package it has the class only: the error's text is for the program.
    """
    if isinstance(error, MODEL_ERRORS):
        return refused(error)
    if isinstance(error, McpError):
        text = f"{error.message}\n{_RUNS[error.outcome]}"
    else:
        text = f"the call ended with {type(error).__name__}\n{_RUNS['unknown']}"
    return Answer((Part("text", text),), None, None, error)


def arguments_of(written: object) -> dict[str, Any]:
    """Return the arguments that a model wrote, as JSON text or as an object.

    Raises:
        StrictJsonError: They are no object.
    """
    value = written
    if isinstance(written, str):
        value = loads((written.strip() or "{}").encode("utf-8", "surrogatepass"))
    elif isinstance(written, Mapping):
        value = dict(cast("Mapping[str, Any]", written))
    if not isinstance(value, dict):
        raise StrictJsonError("the arguments must be a JSON object")
    return cast("dict[str, Any]", value)


def _parts(result: ToolResult) -> tuple[Part, ...]:
    """Return the blocks of a result; its structured value where it has none."""
    if result.content or not result.has_structured:
        return tuple(map(part_of, result.content))
    return (Part("text", dumps(result.structured).decode()),)


def part_of(block: Content) -> Part:
    """Return a content block as a part of an answer."""
    match block:
        case TextContent():
            return Part("text", block.text)
        case ImageContent():
            return _bytes("image", block.data, block.mime_type)
        case AudioContent():
            return _bytes("audio", block.data, block.mime_type)
        case ResourceLink():
            text = f"[{block.name}]({block.uri})"
            return Part("link", text, "", block.mime_type or "", block.uri)
        case EmbeddedResource() if block.text is not None:
            return Part("text", block.text, "", block.mime_type or "", block.uri)
        case EmbeddedResource():
            mime = block.mime_type or "application/octet-stream"
            kinds = {"image": "image", "audio": "audio"}
            if (decoded := _text_in(block, mime)) is not None:
                return Part("text", decoded, "", mime, block.uri)
            kind = kinds.get(mime.partition("/")[0], "file")
            return _bytes(cast("Kind", kind), block.data, mime, block.uri)
        case _:
            return Part("text", f"[{block.type}]")


def _text_in(block: EmbeddedResource, mime: str) -> str | None:
    """Return the text that a server sent in base64, None for other bytes.

    Some servers send all files in base64, and models read texts best as texts.
    """
    if mime.partition(";")[0] not in _TEXTS and not mime.startswith("text/"):
        return None
    try:
        return block.decode().decode()
    except (LimitError, ValueError) as _:
        return None


def _bytes(kind: Kind, data: str, mime: str, uri: str = "") -> Part:
    return Part(kind, f"[{mime}, {size_of(data)} bytes]", data, mime, uri)
