"""What a server says of resources and prompts, typed; and what it should not say."""

from __future__ import annotations

from base64 import b64encode
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.agents.prompt_messages import (
    anthropic_messages,
    gemini_contents,
    langchain,
    langchain_messages,
    openai_messages,
)
from mcp_bindgen.runtime.agents.resource_tools import (
    langchain_blobs,
    langchain_documents,
)
from mcp_bindgen.runtime.client.prompts import (
    Completion,
    PromptInfo,
    PromptMessages,
    completion_params,
    prompt_params,
)
from mcp_bindgen.runtime.client.resources import (
    BinaryResource,
    ResourceContents,
    ResourceInfo,
    ResourceTemplateInfo,
    TextResource,
)
from mcp_bindgen.runtime.client.subscribing import Listening
from mcp_bindgen.runtime.client.text_params import uri_text
from mcp_bindgen.runtime.content import EmbeddedResource, bitmap
from mcp_bindgen.runtime.errors import (
    ConfigError,
    InvalidArgumentsError,
    TransportError,
)
from mcp_bindgen.runtime.protocol.request import Request
from mcp_bindgen.runtime.results import ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PNG = b64encode(b"\x89PNG").decode()
PDF = {"uri": "a://b.pdf", "mimeType": "application/pdf", "blob": "UERG"}


def bundle(value: Any) -> dict[str, str]:
    """Return what a notebook shows of a value."""
    bundle: dict[str, str] = value._repr_mimebundle_()
    return bundle


def contents(*blocks: Any) -> ResourceContents:
    return ResourceContents.from_wire({"contents": [*blocks], "_meta": {"a": 1}})


def messages(*blocks: Mapping[str, Any], role: str = "user") -> PromptMessages:
    listed = [{"role": role, "content": block} for block in blocks]
    return PromptMessages.from_wire({"messages": listed, "description": "Two."})


@pytest.mark.parametrize(
    ("held", "expected"), [({"text": "é"}, "é".encode()), ({"blob": "aGk="}, b"hi")]
)
def test_one_method_gives_the_bytes_of_every_resource(
    held: dict[str, str], expected: bytes
) -> None:
    inner = {"uri": "a://b", "mimeType": "image/png", **held}
    read = contents(inner)
    (message,) = messages({"type": "resource", "resource": inner})
    assert isinstance(message.content, EmbeddedResource)
    embedded = message.content.decode()
    assert read.decode() == read.blocks[0].decode() == embedded == expected
    # A text is no image, whatever media type the server names.
    assert bool(bitmap(message.content)) is ("blob" in held)


def test_contents_are_texts_or_bytes() -> None:
    text = contents({"uri": "a://b", "mimeType": "application/json", "text": "[1]"})
    assert (text.text, text.data, text.json(), len(text)) == ("[1]", b"[1]", [1], 1)
    assert text.mime_type == "application/json"
    assert text.meta == {"a": 1}
    assert repr(text) == "ResourceContents(TextResource('a://b', '[1]'))"
    data = contents({"uri": "a://b", "blob": b64encode(b"{}").decode()})
    (block,) = data
    assert isinstance(block, BinaryResource)
    assert (data.text, data.data, data.json(), data.mime_type) == ("", b"{}", {}, None)
    both = contents(*[{"uri": "a://b", "text": "x"}] * 5)
    assert (both.text, repr(both)[-11:]) == ("x\nx\nx\nx\nx", "and 2 more)")
    with pytest.raises(ValueError, match="expected one block, got 5"):
        both.json()
    assert contents().mime_type is None


def test_a_notebook_shows_bitmaps_and_runs_nothing() -> None:
    image = contents({"uri": "a://<b>", "mimeType": "image/png", "blob": PNG})
    html = bundle(image)["text/html"]
    assert f'<img src="data:image/png;base64,{PNG}">' in html
    assert "a://&lt;b&gt;" in html
    (block,) = image.blocks
    assert isinstance(block, BinaryResource)
    assert bundle(block)["image/png"] == PNG
    for mime in ("image/svg+xml", "text/html"):
        svg = contents({"uri": "a://b", "mimeType": mime, "blob": PNG})
        assert [*bundle(svg)] == ["text/plain"]
    page = contents({"uri": "a://b", "mimeType": "text/html", "text": "<script>"})
    assert [*bundle(page)] == ["text/plain"]


MALFORMED: list[tuple[Callable[[Any], object], dict[str, Any]]] = [
    (ResourceContents.from_wire, {}),
    (ResourceContents.from_wire, {"contents": [1]}),
    (ResourceContents.from_wire, {"contents": [{"uri": "a://b"}]}),
    (ResourceContents.from_wire, {"contents": [{"uri": "a://b", "blob": "?"}]}),
    (PromptMessages.from_wire, {}),
    (PromptMessages.from_wire, {"messages": [{"role": "system", "content": {}}]}),
    (PromptMessages.from_wire, {"messages": [{"role": "user", "content": []}]}),
    (Completion.from_wire, {"completion": {"values": [1]}}),
    (Completion.from_wire, {"completion": []}),
]


@pytest.mark.parametrize(("read", "raw"), MALFORMED)
def test_an_answer_of_another_shape_is_an_error(
    read: Callable[[Any], object], raw: Any
) -> None:
    with pytest.raises(TransportError) as caught:
        read(raw)
    assert caught.value.outcome == "ran"


def test_listed_entries_of_wrong_types_have_no_texts() -> None:
    resource = ResourceInfo.from_wire({"uri": 1, "size": True, "title": []})
    assert (resource.uri, resource.size, resource.title) == ("", None, "")
    template = ResourceTemplateInfo.from_wire({"uriTemplate": "a://{b}", "name": "c"})
    assert (template.uri_template, template.title) == ("a://{b}", "c")
    prompt = PromptInfo.from_wire({"name": "p", "arguments": [1, {"name": "a"}]})
    assert [a.name for a in prompt.arguments] == ["", "a"]
    assert repr(prompt) == "PromptInfo('p', 'p')"
    assert repr(resource) == "ResourceInfo('', '')"
    assert repr(template) == "ResourceTemplateInfo('a://{b}', 'c')"


def test_params_are_texts() -> None:
    sent = prompt_params("p", {"a": "1", "b": None})
    assert sent == {"name": "p", "arguments": {"a": "1"}}
    wrong: Any = {"a": 1}
    with pytest.raises(InvalidArgumentsError, match="/a: expected a string"):
        prompt_params("p", wrong)
    by_template = completion_params("a", "x", None, "a://{a}", {"b": "c"})
    assert by_template["ref"] == {"type": "ref/resource", "uri": "a://{a}"}
    assert by_template["context"] == {"arguments": {"b": "c"}}
    described = PromptInfo.from_wire({"name": "p"})
    assert completion_params("a", "", described, None, None)["ref"] == {
        "type": "ref/prompt",
        "name": "p",
    }
    listed = ResourceTemplateInfo.from_wire({"uriTemplate": "a://{a}"})
    of_listed = completion_params("a", "x", None, listed, {"b": "c"})
    assert of_listed == by_template
    with pytest.raises(InvalidArgumentsError) as caught:
        completion_params("a", wrong, "p", None, wrong)
    assert [fault.path for fault in caught.value.faults] == ["/value", "/others/a"]
    listed_resource: Any = ResourceInfo.from_wire({"uri": "a://b", "name": "b"})
    wrong_names: list[Any] = [None, listed_resource]
    for wrong_name in wrong_names:
        with pytest.raises(InvalidArgumentsError, match="request:\n  /name: expected"):
            prompt_params(wrong_name, {})
    with pytest.raises(InvalidArgumentsError, match="request:\n  /ref: expected"):
        completion_params("a", "x", listed_resource, None, None)
    with pytest.raises(InvalidArgumentsError, match="/uri: expected a string"):
        uri_text("resources/read", listed_resource)
    with pytest.raises(InvalidArgumentsError, match="/uri: expected a string"):
        Listening(opened(modern=True), {}, listed_resource, print)
    for prompt, template in ((None, None), ("p", "t")):
        with pytest.raises(InvalidArgumentsError, match="a prompt or a template"):
            completion_params("a", "x", prompt, template, None)


BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "Hi"},
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {"type": "audio", "data": "UklG", "mimeType": "audio/wav"},
    {"type": "resource", "resource": PDF},
    {"type": "resource_link", "uri": "a://b", "name": "b"},
    {"type": "image", "data": "?", "mimeType": "image/tiff"},
]
SOUND, FILE = "[audio/wav, 3 bytes]", "[application/pdf, 3 bytes]"


def test_messages_of_each_framework() -> None:
    prompt = messages(*BLOCKS)
    assert (prompt.text, prompt.description, len(prompt)) == ("Hi", "Two.", 6)
    assert repr(prompt).endswith("and 3 more)")
    openai = [m["content"] for m in openai_messages(prompt)]
    assert openai[0] == "Hi"
    assert openai[1][0]["image_url"]["url"] == f"data:image/png;base64,{PNG}"
    assert openai[2][0]["input_audio"] == {"data": "UklG", "format": "wav"}
    assert openai[3][0]["file"]["file_data"] == "data:application/pdf;base64,UERG"
    assert openai[4:] == ["[b](a://b)", "[image/tiff, 0 bytes]"]
    anthropic = [m["content"][0] for m in anthropic_messages(prompt)]
    kinds = ["text", "image", "text", "document", "text", "text"]
    assert [block["type"] for block in anthropic] == kinds
    gemini = [m["parts"][0] for m in gemini_contents(prompt)]
    assert gemini[1] == {"inline_data": {"mime_type": "image/png", "data": b"\x89PNG"}}
    assert gemini[5] == {"text": "[image/tiff, 0 bytes]"}
    assert [m["role"] for m in gemini_contents(messages(BLOCKS[0], role="assistant"))]


def test_an_assistant_says_texts_alone() -> None:
    prompt = messages(*BLOCKS[:4], role="assistant")
    texts = ["Hi", "[image/png, 4 bytes]", SOUND, FILE]
    assert [m["content"] for m in openai_messages(prompt)] == texts
    assert [m["content"][0]["text"] for m in anthropic_messages(prompt)] == texts
    assert {m["role"] for m in gemini_contents(prompt)} == {"model"}


def test_langchain_gets_messages_documents_and_blobs() -> None:
    pytest.importorskip("langchain_core")
    human = langchain_messages(messages(*BLOCKS[:2]))
    assert [m.type for m in human] == ["human", "human"]
    assert human[1].content[0]["base64"] == PNG
    assert langchain_messages(messages(BLOCKS[0], role="assistant"))[0].type == "ai"
    both = contents({"uri": "a://t", "mimeType": "text/plain", "text": "T"}, PDF)
    (document,) = langchain_documents(both)
    assert (document.page_content, document.metadata["source"]) == ("T", "a://t")
    assert [blob.as_bytes() for blob in langchain_blobs(both)] == [b"T", b"PDF"]
    with pytest.raises(ConfigError, match="need langchain-core"):
        langchain("no_such_module")


def test_links_of_a_result() -> None:
    result = ToolResult.from_wire({"content": [BLOCKS[0], BLOCKS[4]]})
    assert [link.uri for link in result.links] == ["a://b"]
    (plain,) = result.links
    assert (plain.title, plain.description, plain.size) == (None, None, None)
    more = {"title": "B", "description": "All of b.", "size": 7}
    (link,) = ToolResult.from_wire({"content": [{**BLOCKS[4], **more}]}).links
    assert (link.title, link.description, link.size) == ("B", "All of b.", 7)
    (link,) = ToolResult.from_wire({"content": [{**BLOCKS[4], "size": True}]}).links
    assert link.size is None
    assert TextResource("a://b", None, "x", {}).data == b"x"


def opened(*, modern: bool) -> Any:
    """Return a session that sends nothing: its request is its flow."""

    def request(request: Request) -> Request:
        return request

    return SimpleNamespace(negotiated=SimpleNamespace(modern=modern), request=request)


def test_a_subscription_ends_as_the_user_says() -> None:
    heard: list[str] = []
    acknowledged = "notifications/subscriptions/acknowledged"
    updated = "notifications/resources/updated"

    def on_update(uri: str) -> bool:
        heard.append(uri)
        return len(heard) < 2

    listening = Listening(opened(modern=True), {}, "a://b", on_update)
    sent: Any = listening.flow(Request(listening.method, listening.params))
    assert sent.method == "subscriptions/listen"
    assert sent.params == {"notifications": {"resourceSubscriptions": ["a://b"]}}
    accepted = {"notifications": {"resourceSubscriptions": ["a://b"]}}
    ended = False
    with listening.ending():
        sent.on_notice(acknowledged, accepted)
        sent.on_notice("notifications/message", {"uri": "a://b"})
        sent.on_notice(updated, {"uri": 1})
        sent.on_notice(updated, {"uri": "a://bc"})
        sent.on_notice(updated, {"uri": "a://b"})
        sent.on_notice(updated, {"uri": "a://b/c"})
        ended = True
    assert (heard, ended) == (["a://b", "a://b/c"], False)
    with pytest.raises(ConfigError, match="does not tell of changes"):
        sent.on_notice(acknowledged, {"notifications": {}})
    assert [*listening.end(Request("resources/unsubscribe"))] == []
    with pytest.raises(ConfigError, match="of changes of resources"):
        Listening(opened(modern=False), {"resources": {}}, "a://b", on_update)
