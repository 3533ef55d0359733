"""What a model is told of a result, kind by kind, and of a call that failed."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.agents.answers import Part, accepted, arguments_of, refused
from mcp_bindgen.runtime.agents.nulls import without_nulls
from mcp_bindgen.runtime.agents.toolinfo import brief, short_name
from mcp_bindgen.runtime.errors import Fault
from mcp_bindgen.runtime.results import ToolError, ToolResult, UnexpectedResultError
from mcp_bindgen.runtime.strict_json import StrictJsonError

from tests.targets.fakes import BLOCKS


def result(*content: dict[str, Any], **more: Any) -> ToolResult:
    """Return a result as it comes off the wire."""
    return ToolResult.from_wire({"content": list(content), **more})


def resource(**fields: str) -> dict[str, Any]:
    """Return an embedded resource with bytes."""
    return {"type": "resource", "resource": {"uri": "x:y", "blob": "aGk=", **fields}}


def test_each_kind_of_content_is_a_part() -> None:
    answer = accepted(result(*BLOCKS, resource(mimeType="image/png"), resource()), 1)
    assert answer.parts == (
        Part("text", "hello"),
        Part("image", "[image/png, 2 bytes]", "aGk=", "image/png"),
        Part("audio", "[audio/wav, 2 bytes]", "aGk=", "audio/wav"),
        Part("link", "[a](https://example.org/a.pdf)", "", "", BLOCKS[3]["uri"]),
        Part("text", "inner", "", "", "file:///a.txt"),
        Part(
            *("file", "[application/pdf, 2 bytes]", "aGk="),
            *("application/pdf", "file:///a.bin"),
        ),
        Part("text", "[hologram]"),
        Part("image", "[image/png, 2 bytes]", "aGk=", "image/png", "x:y"),
        Part(
            *("file", "[application/octet-stream, 2 bytes]", "aGk="),
            *("application/octet-stream", "x:y"),
        ),
    )
    assert answer.text.splitlines()[:2] == ["hello", "[image/png, 2 bytes]"]
    assert (answer.is_error, answer.value) == (False, 1)


@pytest.mark.parametrize(
    ("mime", "blob", "kind", "text"),
    [
        ("text/plain", "aGk=", "text", "hi"),
        ("text/markdown; charset=utf-8", "w6k=", "text", "é"),
        ("application/json", "e30=", "text", "{}"),
        ("text/plain", "/w==", "file", "[text/plain, 1 bytes]"),
        ("text/plain", "?", "file", "[text/plain, 0 bytes]"),
        ("application/zip", "aGk=", "file", "[application/zip, 2 bytes]"),
    ],
)
def test_a_text_that_is_sent_in_base64_is_a_text_for_models(
    mime: str, blob: str, kind: str, text: str
) -> None:
    (part,) = accepted(result(resource(mimeType=mime, blob=blob)), None).parts
    assert (part.kind, part.text, part.mime_type) == (kind, text, mime)


def test_a_structured_value_is_reported_where_there_is_no_content() -> None:
    assert accepted(result(structuredContent={"a": 1}), None).text == '{"a":1}'
    assert accepted(result(), None).parts == ()


def test_a_failure_is_reported_with_what_is_known() -> None:
    said = {"type": "text", "text": "no such\nthing"}
    failed = refused(ToolError("t", result(said, isError=True)))
    assert (failed.is_error, failed.text) == (True, "no such\nthing")
    silent = refused(ToolError("t", result(isError=True)))
    assert silent.text == "the tool reports an error"
    odd = refused(UnexpectedResultError("t", result(said), [Fault("/a", "type", "no")]))
    assert odd.text.endswith("/a: no\nThe tool has run.")
    assert odd.result is not None


def test_arguments_are_the_text_of_an_object() -> None:
    assert arguments_of(" ") == {}
    assert arguments_of('{"a": 1}') == {"a": 1}
    for text in ("[]", "{", '"\ud800"'):
        with pytest.raises(StrictJsonError):
            arguments_of(text)


NULL = {"o": None}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (True, NULL),
        (False, {}),
        ({"$ref": "#/$defs/a~1b"}, {}),
        ({"$ref": "#/%24defs/a~1b"}, {}),
        ({"$ref": "#text"}, {}),
        ({"$ref": "#old"}, {}),
        ({"$ref": "#nothing"}, NULL),
        ({"$ref": "https://a.example/"}, NULL),
        ({"$ref": "#/properties/o"}, NULL),  # a circle: nobody knows
        ({"allOf": [{"$ref": "#/properties/o"}]}, NULL),
        ({"enum": ["a"]}, {}),
        ({"const": "a"}, {}),
    ],
)
def test_a_null_goes_where_the_schema_takes_none(schema: object, said: object) -> None:
    text = {"type": "string", "$anchor": "text"}
    old = {"type": "string", "$id": "#old"}
    definitions = {"$defs": {"a/b": text}, "definitions": {"b": old}}
    root = {"type": "object", "properties": {"o": schema}, **definitions}
    assert without_nulls({"o": None}, root, root) == said


def test_schemas_that_lead_to_one_another_are_visited_once() -> None:
    twice: dict[str, Any] = {"$defs": {"d31": {"type": "string"}}}
    for n in range(31):
        ref = {"$ref": f"#/$defs/d{n + 1}"}
        twice["$defs"][f"d{n}"] = {"anyOf": [ref, ref]}
    root = {**twice, "properties": {"o": {"$ref": "#/$defs/d0"}}}
    assert without_nulls({"o": None}, root, root) == {}


def test_a_value_is_looked_at_for_so_long() -> None:
    inner: dict[str, Any] = {"$ref": "#/$defs/x"}
    branch = {"type": "object", "properties": {"a": inner}}
    root = {"$defs": {"x": {**branch, "anyOf": [branch]}}}
    value: Any = {"a": {}, "b": None}
    assert without_nulls(value, root["$defs"]["x"], root) == value
    for _ in range(30):
        value = {"a": value}
    assert without_nulls(value, root["$defs"]["x"], root) == value


def test_long_texts_end_with_a_word_and_long_names_differ() -> None:
    assert brief("one two", 7) == "one two"
    assert brief("one two three", 12) == "one two ..."
    assert brief("x" * 13, 12) == "xxxxxxxx ..."
    assert brief("a " + "x" * 12, 12) == "a xxxxxx ..."
    names = {short_name("x" * size) for size in (64, 65, 66)}
    assert len(names) == 3
    assert {len(name) for name in names} == {64}
    assert short_name("3 d") == "_3_d"
