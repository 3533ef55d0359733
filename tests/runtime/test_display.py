"""Results show a short text where they are printed, and their images in notebooks."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from mcp_bindgen.runtime.content import ImageContent
from mcp_bindgen.runtime.results import ToolResult

PNG = b64encode(b"\x89PNG picture").decode()


def result(*blocks: dict[str, Any], **more: Any) -> ToolResult:
    """Return the result of these blocks."""
    return ToolResult.from_wire({"content": [*blocks], **more})


def bundle(value: Any) -> dict[str, str]:
    """Return what a notebook shows, called as IPython calls it."""
    bundle: dict[str, str] = value._repr_mimebundle_(include=None, exclude=None)
    return bundle


def image(data: str = PNG, mime_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": mime_type}


def resource(**more: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": "file:///a", **more}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (result(), "ToolResult()"),
        (result({"type": "text", "text": "3 tasks"}), "ToolResult('3 tasks')"),
        (result({"type": "text", "text": "a\n\x1b[2J\u202e"}), r"a\n\x1b[2J\u202e"),
        (result({"type": "text", "text": "x" * 999}), "x... [919 more characters]'"),
        (result(image()), "ToolResult(ImageContent('image/png', 12 bytes))"),
        (result({**image(), "type": "audio"}), "AudioContent('image/png', 12 bytes)"),
        (result({"type": "resource_link", "uri": "u:1"}), "ResourceLink('u:1')"),
        (result(resource(text="t")), "EmbeddedResource('file:///a', 't')"),
        (result(resource(blob="aGk=")), "EmbeddedResource('file:///a', 2 bytes)"),
        (result({"type": "new"}), "UnknownContent('new')"),
        (result(*[image()] * 5), ", and 2 more)"),
        (result(structuredContent={"id": 3}), "ToolResult(structured={'id': 3})"),
        (result(isError=True), "ToolResult(is_error=True)"),
    ],
)
def test_a_repr_shows_a_short_text(value: ToolResult, text: str) -> None:
    assert text in repr(value)


def test_a_repr_of_much_is_short() -> None:
    deep: dict[str, Any] = {f"{'k' * 999}{n}": ["x" * 9999] * 99 for n in range(99)}
    assert len(repr(result(*[image()] * 99, structuredContent=deep))) < 600


def test_a_notebook_shows_images() -> None:
    value = result({"type": "text", "text": "<b>"}, image(), image())
    assert bundle(value) == {
        "text/plain": repr(value),
        "text/html": "<pre>ToolResult(&#x27;&lt;b&gt;&#x27;, "
        "ImageContent(&#x27;image/png&#x27;, 12 bytes), "
        "ImageContent(&#x27;image/png&#x27;, 12 bytes))</pre>"
        + f'<img src="data:image/png;base64,{PNG}">' * 2,
    }
    block = value.content[1]
    assert isinstance(block, ImageContent)
    assert bundle(block) == {"text/plain": repr(block), "image/png": PNG}
    embedded = result(resource(blob=PNG, mimeType="image/png"))
    assert "<img" in bundle(embedded)["text/html"]


@pytest.mark.parametrize(
    "hostile",
    [
        image('"><script>'),
        image(mime_type="image/svg+xml"),
        image(mime_type='image/png"'),
        image("A" * 30_000_000),
        resource(blob='"><script>', mimeType="image/png"),
        resource(text="<script>", mimeType="image/png"),
        {"type": "text", "text": "<script>"},
    ],
)
def test_a_notebook_shows_nothing_that_could_run(hostile: dict[str, Any]) -> None:
    value = result(hostile)
    assert bundle(value) == {"text/plain": repr(value)}
    for block in value.content:
        if isinstance(block, ImageContent):
            assert bundle(block) == {"text/plain": repr(block)}
