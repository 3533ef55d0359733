"""The messages of prompts, judged by the types of each framework's own library."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, cast

import pytest
from mcp_bindgen.runtime.agents.prompt_messages import (
    anthropic_messages,
    gemini_contents,
    langchain_messages,
    openai_messages,
)
from mcp_bindgen.runtime.client.prompts import PromptMessages
from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable

PNG = b64encode(b"\x89PNG").decode()
PDF = {"uri": "a://b.pdf", "mimeType": "application/pdf", "blob": "UERG"}
BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "Hi"},
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {"type": "image", "data": PNG, "mimeType": "image/svg+xml"},
    {"type": "image", "data": "?", "mimeType": "image/png"},
    {"type": "audio", "data": "UklG", "mimeType": "audio/wav"},
    {"type": "audio", "data": "UklG", "mimeType": "audio/ogg"},
    {"type": "resource", "resource": PDF},
    {"type": "resource", "resource": {"uri": "a://t", "text": "T"}},
    {"type": "resource_link", "uri": "a://b", "name": "b"},
    {"type": "odd"},
]
MESSAGES = [
    {"role": role, "content": block}
    for role in ("user", "assistant")
    for block in BLOCKS
]
PROMPT = PromptMessages.from_wire({"messages": MESSAGES})


def judge(kind: Any, messages: list[Any]) -> None:
    """Validate messages and each part; a list of parts is validated as it is read."""
    adapter = TypeAdapter[dict[str, Any]](kind)  # it must outlive the lists
    for message in map(adapter.validate_python, messages):
        _ = [*cast("list[Any]", message["content"])]


@pytest.mark.parametrize(
    ("library", "name", "convert"),
    [
        ("openai.types.chat", "ChatCompletionMessageParam", openai_messages),
        ("anthropic.types", "MessageParam", anthropic_messages),
    ],
)
def test_messages_have_the_types_of_the_library(
    library: str, name: str, convert: Callable[[PromptMessages], list[Any]]
) -> None:
    kind = getattr(pytest.importorskip(library), name)
    messages = convert(PROMPT)
    assert len(messages) == len(MESSAGES)
    judge(kind, messages)
    with pytest.raises(ValidationError):
        judge(kind, [{"role": "user", "content": [{"type": "odd", "text": 1}]}])


def test_contents_are_those_of_gemini() -> None:
    types = pytest.importorskip("google.genai.types")
    contents = [types.Content.model_validate(c) for c in gemini_contents(PROMPT)]
    parts = [content.parts[0] for content in contents]
    assert parts[1].inline_data.data == b"\x89PNG"
    assert [c.role for c in contents] == [*["user"] * 10, *["model"] * 10]


def test_langchain_reads_its_messages() -> None:
    messages = pytest.importorskip("langchain_core.messages")
    made = langchain_messages(PROMPT)
    kinds = {"human": messages.HumanMessage, "ai": messages.AIMessage}
    assert all(isinstance(message, kinds[message.type]) for message in made)
    blocks = [message.content_blocks for message in made[:2]]
    assert blocks[0] == [{"type": "text", "text": "Hi"}]
    assert blocks[1][0]["base64"] == PNG
