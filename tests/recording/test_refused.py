"""Recordings that are refused, and tools that are left out of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_writer import canonical
from mcp_bindgen.recording.document import Recording, load

from tests.recording.test_document import ECHO, PING, PLAIN, text

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON


@pytest.mark.parametrize(
    ("data", "pointer", "message"),
    [
        (b"nonsense", "", "line 1, column 1: not JSON"),
        (b"[]", "", "expected an object, got an array"),
        (b"{}", "/tools", "expected an array, got nothing"),
        (b'{"result": []}', "/result", "expected an object, got an array"),
        (b'{"tools": {}}', "/tools", "expected an array, got an object"),
        (b'{"tools": null}', "/tools", "expected an array, got null"),
        (b'{"tools": NaN}', "/tools", "NaN is not a JSON value"),
        (b'{"tools": [], "tools": []}', "", "this object has the key 'tools' more"),
        (
            b'{"error": {"code": -32601}}',
            "/error",
            "expected a list of tools, got an er",
        ),
        (b'{"format": "mcp-bindgen/9", "tools": []}', "/format", "expected the format"),
        (text({"tools": [PING] * 2_001}), "/tools", "expected at most 2,000 entries"),
    ],
)
def test_what_is_no_list_of_tools_is_refused_whole(
    data: bytes, pointer: str, message: str
) -> None:
    with pytest.raises(BindgenError) as caught:
        load(data)
    (problem,) = caught.value.problems
    assert problem.pointer == pointer
    assert problem.message.startswith(message)


@pytest.mark.parametrize(
    ("bad", "pointer", "message"),
    [
        ("7", "", "expected an object, got a number"),
        ("null", "", "expected an object, got null"),
        ('{"inputSchema": {}}', "/name", "expected a string, got nothing"),
        (
            '{"name": "", "inputSchema": {}}',
            "/name",
            "expected 1 to 1,000 characters, got 0",
        ),
        (
            '{"name": ["x"], "inputSchema": {}}',
            "/name",
            "expected a string, got an array",
        ),
        ('{"name": "bad"}', "/inputSchema", "expected an object, got nothing"),
        (
            '{"name": "bad", "inputSchema": true}',
            "/inputSchema",
            "expected an object, got a boolean",
        ),
        (
            '{"name": "bad", "inputSchema": {}, "title": 1}',
            "/title",
            "expected a string, got a number",
        ),
        (
            '{"name": "bad", "inputSchema": {}, "outputSchema": []}',
            "/outputSchema",
            "expected an object, got an array",
        ),
        (
            '{"name": "bad", "inputSchema": {}, "annotations": {"readOnlyHint": "y"}}',
            "/annotations/readOnlyHint",
            "expected a boolean, got a string",
        ),
        (
            '{"name": "bad", "inputSchema": {"default": NaN}}',
            "/inputSchema/default",
            "NaN is not a JSON value",
        ),
        (
            '{"name": "bad", "inputSchema": ' + "[" * 70 + "]" * 70 + "}",
            "/inputSchema" + "/0" * 61,
            "expected at most 64 levels of nesting, got more",
        ),
        (
            '{"name": "bad", "inputSchema": {"enum": [' + "0," * 20_000 + "0]}}",
            "",
            "expected at most 20,000 JSON values, got 20,005",
        ),
    ],
)
def test_a_bad_tool_costs_itself_only(bad: str, pointer: str, message: str) -> None:
    data = f'{{"tools": [{json.dumps(PING)}, {bad}, {json.dumps(ECHO)}]}}'
    recording, (problem,) = load(data.encode())
    assert recording.tools == (canonical(ECHO), PING)
    assert problem.pointer == f"/tools/1{pointer}"
    assert problem.message == message
    assert problem.hint


def test_tools_of_one_name_are_reported_and_none_wins() -> None:
    other = {**PING, "description": "Not the same."}
    for tools in ([PING, other, ECHO], [other, ECHO, PING]):
        recording, problems = load(text({"tools": tools}))
        assert recording.tools == (canonical(ECHO),)
        assert len(problems) == 2
        assert all("2 different tools have the name" in p.message for p in problems)


@pytest.mark.parametrize(
    ("extra", "pointer"),
    [
        ({"server": []}, "/server"),
        ({"server": {"name": 7, "version": "1"}}, "/server/name"),
        ({"instructions": 7}, "/instructions"),
        ({"resources": {}}, "/resources"),
        ({"resources": [{"name": "no uri"}]}, "/resources/0/uri"),
        ({"prompts": [{"name": "p"}, {}]}, "/prompts/1/name"),
        ({"resourceTemplates": [None]}, "/resourceTemplates/0"),
        ({"other": float("nan")}, "/other"),
        ({"nextCursor": ""}, "/nextCursor"),
    ],
)
def test_what_is_wrong_beside_the_tools_costs_no_tool(
    extra: dict[str, JSON], pointer: str
) -> None:
    recording, (problem,) = load(text({"tools": [PING], **extra}))
    assert recording.tools == (PING,)
    assert problem.pointer == pointer


@given(PLAIN)
def test_any_json_is_read_or_refused(value: JSON) -> None:
    for document in (value, {"tools": value}, {"tools": [value], "server": value}):
        try:
            recording, _ = load(text(document))
        except BindgenError:
            continue
        assert isinstance(recording, Recording)
