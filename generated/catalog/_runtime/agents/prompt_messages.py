# Copied by mcp-bindgen. Do not edit.
"""Turns the messages of prompts into those of OpenAI, Anthropic, Gemini, LangChain."""

from __future__ import annotations

from base64 import b64decode
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from .answers import part_of

if TYPE_CHECKING:
    from ..client.prompts import PromptMessage, PromptMessages
    from .answers import Part

__all__ = [
    "anthropic_messages",
    "gemini_contents",
    "langchain_messages",
    "openai_messages",
]

# Media types of images that each of the APIs takes.
_IMAGES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
# Media type of a sound to the format that OpenAI calls it.
_SOUNDS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3"}
_PDF = "application/pdf"


def openai_messages(prompt: PromptMessages) -> list[Any]:
    """Return messages for OpenAI's chat completions, as plain JSON.

    Content that the API does not take from this role becomes a short text.

    Example: `openai_messages(client.plan_day(user_id=me))`.
    """
    return [
        {"role": m.role, "content": _openai(m.role, part_of(m.content))} for m in prompt
    ]


def _openai(role: str, part: Part) -> Any:
    if role == "assistant" or part.kind in ("text", "link"):
        return part.text
    url = f"data:{part.mime_type};base64,{part.data}"
    if part.kind == "image" and part.mime_type in _IMAGES:
        return [{"type": "image_url", "image_url": {"url": url}}]
    if part.mime_type in _SOUNDS:
        sound = {"data": part.data, "format": _SOUNDS[part.mime_type]}
        return [{"type": "input_audio", "input_audio": sound}]
    if part.mime_type == _PDF:
        file = {"filename": "file.pdf", "file_data": url}
        return [{"type": "file", "file": file}]
    return part.text


def anthropic_messages(prompt: PromptMessages) -> list[Any]:
    """Return messages for Anthropic's Messages API, as plain JSON.

    Content that the API does not take from this role becomes a short text.

    Example: `anthropic_messages(client.plan_day(user_id=me))`.
    """
    return [
        {
            "role": message.role,
            "content": [_anthropic(message.role, part_of(message.content))],
        }
        for message in prompt
    ]


def _anthropic(role: str, part: Part) -> Any:
    kinds = {**dict.fromkeys(_IMAGES, "image"), _PDF: "document"}
    if role == "user" and part.data and part.mime_type in kinds:
        kind = kinds[part.mime_type]
        media = {"media_type": part.mime_type, "data": part.data}
        return {"type": kind, "source": {"type": "base64", **media}}
    return {"type": "text", "text": part.text}


def gemini_contents(prompt: PromptMessages) -> list[Any]:
    """Return contents for Gemini; the assistant is called "model" there.

    Example: `gemini_contents(client.plan_day(user_id=me))`.
    """
    return [
        {
            "role": "user" if message.role == "user" else "model",
            "parts": [_gemini(part_of(message.content))],
        }
        for message in prompt
    ]


def _gemini(part: Part) -> Any:
    data = _decoded(part)
    if data:
        return {"inline_data": {"mime_type": part.mime_type, "data": data}}
    return {"text": part.text}


def _decoded(part: Part) -> bytes:
    """Return the bytes of a part, b"" if it has none, or no valid base64."""
    try:
        return b64decode(part.data, validate=True)
    except ValueError:
        return b""


def langchain_messages(prompt: PromptMessages) -> list[Any]:
    """Return messages of LangChain: `HumanMessage` and `AIMessage`.

    Example: `langchain_messages(client.plan_day(user_id=me))`.

    Raises:
        ConfigError: langchain-core is not installed.
    """
    messages = langchain("messages")
    kinds = {"user": messages.HumanMessage, "assistant": messages.AIMessage}
    return [kinds[m.role](content=_langchain(m)) for m in prompt]


def _langchain(message: PromptMessage) -> Any:
    part = part_of(message.content)
    if message.role == "assistant" or not part.data:
        return part.text
    block = {"type": part.kind, "base64": part.data, "mime_type": part.mime_type}
    # The form of langchain-core 0.3, which later versions read, too.
    return [{**block, "source_type": "base64", "data": part.data}]


def langchain(module: str) -> Any:
    """Import a module of langchain-core.

    Raises:
        ConfigError: It is not installed.
    """
    try:
        return import_module(f"langchain_core.{module}")
    except ImportError as error:
        raise ConfigError(
            "LangChain's messages and documents need langchain-core",
            hint="pip install 'langchain-core>=0.3,<2'",
        ) from error
