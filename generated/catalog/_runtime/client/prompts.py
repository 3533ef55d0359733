# Copied by mcp-bindgen. Do not edit.
"""Prompts: their entries in a server's list, and their messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .. import limits
from ..content import Content, TextContent, content_block, short
from ..errors import SERVER_FAULT, Fault, InvalidArgumentsError, TransportError
from ..json_values import elements, members
from .feature_marks import Marked
from .resources import ResourceTemplateInfo
from .text_params import not_texts, texts_only

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "Completion",
    "PromptArgument",
    "PromptInfo",
    "PromptMessage",
    "PromptMessages",
    "completion_params",
    "prompt_params",
]


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One argument of a prompt.

    Attributes:
        name: Its name on the wire.
        title: Its name for people; the name where it has no title.
        description: Its description, or "".
        required: Whether the prompt needs it.
    """

    name: str
    title: str
    description: str
    required: bool


@dataclass(frozen=True, slots=True)
class PromptInfo(Marked):
    """One prompt that a server lists.

    Attributes:
        prompt: Its name on the wire.
        title: Its name for people; the name on the wire where it has no title.
        description: Its description, or "".
        arguments: Its arguments, in the server's order.
        raw: The whole entry.
    """

    prompt: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> PromptInfo:
        """Return the prompt of an entry of `prompts/list`."""
        name = _text(raw, "name")
        return cls(
            prompt=name,
            title=_text(raw, "title") or name,
            description=_text(raw, "description"),
            arguments=tuple(
                _argument(members(item)) for item in elements(raw.get("arguments"))
            ),
            raw=raw,
        )

    def __repr__(self) -> str:
        return f"PromptInfo({short(self.prompt)}, {short(self.title)})"


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt.

    Attributes:
        role: The speaker: "user" or "assistant".
        content: A block, of the same kinds as those of a tool's result.
        raw: The message, unchanged.
    """

    role: Literal["user", "assistant"]
    content: Content
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PromptMessages:
    """The messages that a prompt gives.

    Attributes:
        messages: The messages, in the server's order.
        description: The server's description of them, or "".
        meta: The `_meta` of the result.
        raw: The whole result, unchanged.
    """

    messages: tuple[PromptMessage, ...]
    description: str
    meta: Mapping[str, Any]
    raw: Mapping[str, Any]

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> PromptMessages:
        """Build the messages from the result of `prompts/get`.

        Raises:
            TransportError: If it has not the shape of such a result.
        """
        if not isinstance(raw.get("messages"), list):
            raise _malformed()
        messages = tuple(_message(members(item)) for item in elements(raw["messages"]))
        description = _text(raw, "description")
        return cls(messages, description, members(raw.get("_meta")), raw)

    @property
    def text(self) -> str:
        """The texts of all messages, joined by newlines."""
        contents = (message.content for message in self.messages)
        return "\n".join(c.text for c in contents if isinstance(c, TextContent))

    def __iter__(self) -> Iterator[PromptMessage]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

    def __repr__(self) -> str:
        parts = [repr(m) for m in self.messages[: limits.REPR_BLOCKS]]
        if more := len(self.messages) - len(parts):
            parts.append(f"and {more:,} more")
        return f"PromptMessages({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Completion:
    """Values that a server suggests for an argument.

    Attributes:
        values: The values, the best first; MCP allows a server to give 100.
        total: How many there are, where the server says it.
        has_more: Whether there are more than these.
    """

    values: tuple[str, ...]
    total: int | None
    has_more: bool

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> Completion:
        """Build the values from the result of `completion/complete`.

        Raises:
            TransportError: If it has not the shape of such a result.
        """
        completion = members(raw.get("completion"))
        values, total = elements(completion.get("values")), completion.get("total")
        if not isinstance(completion.get("values"), list) or not all(
            isinstance(value, str) for value in values
        ):
            message = "the server's answer is no completion of MCP"
            raise TransportError(message, outcome="ran", hint=SERVER_FAULT)
        total = total if type(total) is int else None
        return cls(tuple(values), total, completion.get("hasMore") is True)


def prompt_params(name: str, arguments: Mapping[str, Any] | None) -> dict[str, object]:
    """Return the params of `prompts/get`; an argument that is None is left out.

    Raises:
        InvalidArgumentsError: The name or an argument is no string.
    """
    sent = {key: v for key, v in (arguments or {}).items() if v is not None}
    texts_only("prompts/get", {"name": name})
    texts_only(name, sent, "prompt")
    return {"name": str(name), "arguments": sent}


def completion_params(
    argument: str,
    value: str,
    prompt: str | PromptInfo | None,
    template: str | ResourceTemplateInfo | None,
    others: Mapping[str, str] | None,
) -> dict[str, object]:
    """Return the params of `completion/complete`.

    Raises:
        InvalidArgumentsError: There is a prompt and a template, or neither, or a value
            is no string.
    """
    if isinstance(prompt, PromptInfo):
        prompt = prompt.prompt
    if isinstance(template, ResourceTemplateInfo):
        template = template.uri_template
    faults = [*not_texts({"argument": argument, "value": value})]
    faults += not_texts(others or {}, "/others")
    if (prompt is None) == (template is None):
        faults.append(Fault("/ref", "oneOf", "expected a prompt or a template"))
    else:
        faults += not_texts({"ref": template if prompt is None else prompt})
    if faults:
        raise InvalidArgumentsError("completion/complete", faults, "request")
    ref = {"type": "ref/prompt", "name": str(prompt)}
    if template is not None:
        ref = {"type": "ref/resource", "uri": str(template)}
    params: dict[str, object] = {
        "ref": ref,
        "argument": {"name": argument, "value": value},
    }
    return {**params, "context": {"arguments": dict(others)}} if others else params


def _argument(raw: dict[str, Any]) -> PromptArgument:
    name = _text(raw, "name")
    return PromptArgument(
        name=name,
        title=_text(raw, "title") or name,
        description=_text(raw, "description"),
        required=raw.get("required") is True,
    )


def _message(raw: dict[str, Any]) -> PromptMessage:
    match raw:
        case {"role": "user" | "assistant" as role, "content": dict()}:
            return PromptMessage(role, content_block(members(raw["content"])), raw)
        case _:
            raise _malformed()


def _malformed() -> TransportError:
    message = "the server's answer is no list of messages of MCP"
    return TransportError(message, outcome="ran", hint=SERVER_FAULT)


def _text(raw: Mapping[str, Any], key: str) -> str:
    value: object = raw.get(key)
    return value if isinstance(value, str) else ""
