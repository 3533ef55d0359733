# Copied by mcp-bindgen. Do not edit.
"""Calls a tool for a model: whatever a model should hear comes back as an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from .errors import (
    InputRequiredError,
    InvalidArgumentsError,
    McpError,
    ProtocolError,
    ToolError,
    UnexpectedResultError,
)
from .results import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from .strict_json import StrictJsonError, dumps, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .binding import Binding
    from .client import AsyncBaseClient, BaseClient
    from .results import Content, ToolResult
    from .toolinfo import ToolInfo

__all__ = ["Answer", "answer", "answer_async", "arguments_of", "refusal", "text_of"]

# What a model can do something about; anything else is for the program.
_TOLD = (
    InputRequiredError,
    InvalidArgumentsError,
    ProtocolError,
    ToolError,
    UnexpectedResultError,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call.

    Attributes:
        text: What a model is told.
        value: The result, typed as the tool's function has it; None in a failure.
        result: The whole result, where the tool ran.
        error: Why the call failed, or None.
    """

    text: str
    value: object = None
    result: ToolResult | None = None
    error: Exception | None = None

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.error is not None


def answer(
    client: BaseClient, info: ToolInfo, arguments: Mapping[str, object]
) -> Answer:
    """Call a tool and return what a model is told of it.

    Args:
        client: A client of the tool's server.
        info: The tool.
        arguments: Wire name to JSON value; checked before anything is sent.

    Raises:
        McpError: What no model can help: no connection, no rights, no time.
    """
    try:
        result, value = client.call(_whole(info.binding()), arguments)
    except _TOLD as error:
        return refusal(error)
    return Answer(text_of(result), value, result)


async def answer_async(
    client: AsyncBaseClient, info: ToolInfo, arguments: Mapping[str, object]
) -> Answer:
    """Do the same with an async client."""
    try:
        result, value = await client.call(_whole(info.binding()), arguments)
    except _TOLD as error:
        return refusal(error)
    return Answer(text_of(result), value, result)


def _whole(binding: Binding[Any]) -> Binding[tuple[ToolResult, object]]:
    """Return a binding whose result is both the raw and the typed one."""
    reader = partial(_read_whole, binding)
    return replace(cast("Binding[tuple[ToolResult, object]]", binding), read=reader)


def _read_whole(
    binding: Binding[Any], tool: str, result: ToolResult
) -> tuple[ToolResult, object]:
    return result, binding.read(tool, result)


def refusal(error: Exception) -> Answer:
    """Return what a model is told of an error."""
    result: ToolResult | None = getattr(error, "result", None)
    if isinstance(error, ToolError):
        return Answer(text_of(error.result) or error.message, None, result, error)
    text = error.message if isinstance(error, McpError) else str(error)
    ran = isinstance(error, McpError) and error.outcome == "ran"
    return Answer(f"{text}\nThe tool ran." if ran else text, None, result, error)


def arguments_of(text: str) -> dict[str, Any]:
    """Return the arguments that a model wrote.

    Raises:
        StrictJsonError: If they are not the JSON text of an object.
    """
    value = loads((text.strip() or "{}").encode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise StrictJsonError("the arguments must be a JSON object")
    return cast("dict[str, Any]", value)


def text_of(result: ToolResult) -> str:
    """Return a result as text; where it has no blocks, its structured value as JSON."""
    if result.content or not result.has_structured:
        return "\n".join(map(_text, result.content))
    try:
        return dumps(result.structured).decode()
    except StrictJsonError:
        return ""


def _text(block: Content) -> str:
    match block:
        case TextContent():
            return block.text
        case ImageContent() | AudioContent():
            return f"[{block.mime_type}, {len(block.data) * 3 // 4} bytes]"
        case ResourceLink():
            return f"[{block.name}]({block.uri})"
        case EmbeddedResource():
            size = len(block.data) * 3 // 4
            return block.text if block.text is not None else f"[{size} bytes]"
        case _:
            return f"[{block.type}]"
