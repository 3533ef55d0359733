"""Recordings: the formats that are read, the one that is written, what is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_writer import canonical
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.recording.document import Recording, arrange, digest, dump, load

from tests.packages import ROOT
from tests.shared import SHARED, needs

if TYPE_CHECKING:
    import random

    from mcp_bindgen.json_reader import JSON

ECHO: dict[str, JSON] = {
    "name": "echo",
    "description": "Says it again.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "properties": {"type": "integer", "description": "A name like another."},
            "case": {"enum": ["up", "down"]},
        },
        "required": ["text"],
    },
    "annotations": {"readOnlyHint": True},
    "_meta": {"vendor": {"z": 1, "a": [1, 2]}},
}
PING: dict[str, JSON] = {"name": "ping", "inputSchema": {"type": "object"}}

PLAIN: st.SearchStrategy[JSON] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "a", "b", "required"]), inner
        )
    ),
    max_leaves=8,
)
TOOLS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.text(min_size=1, max_size=4),
            "inputSchema": st.dictionaries(
                st.sampled_from(["type", "properties", "$defs", "title"]), PLAIN
            ),
        },
        optional={
            "description": st.text(),
            "_meta": st.dictionaries(st.text(max_size=3), PLAIN, max_size=2),
        },
    ),
    max_size=4,
    unique_by=lambda tool: str(tool["name"]),
)


def text(document: object) -> bytes:
    return json.dumps(document).encode()


def sound(document: object) -> Recording:
    recording, problems = load(text(document))
    assert problems == ()
    return recording


def shuffled(value: JSON, chance: random.Random, *, named: bool = False) -> JSON:
    """Return the value as another era would write it: other key order, same names."""
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    if not named:
        chance.shuffle(keys)
    return {
        key: shuffled(value[key], chance, named=key == "properties" and not named)
        for key in keys
    }


@pytest.mark.slow
@given(TOOLS, st.randoms(use_true_random=False))
def test_order_of_tools_and_keys_never_matters(
    tools: list[JSON], chance: random.Random
) -> None:
    one = sound({"tools": tools})
    others = [shuffled(tool, chance) for tool in tools]
    chance.shuffle(others)
    other = sound({"tools": others})
    assert dump(one) == dump(other)
    assert digest(one) == digest(other)
    assert json.dumps(one.tools) == json.dumps(other.tools)


@pytest.mark.slow
@given(TOOLS)
def test_what_was_dumped_loads_as_it_was(tools: list[JSON]) -> None:
    recording = sound({"server": {"name": "x"}, "instructions": "i", "tools": tools})
    dumped = dump(recording)
    again, problems = load(dumped.encode())
    assert problems == ()
    assert again == recording
    assert dump(again) == dumped
    assert dumped.isascii()


def test_the_order_of_properties_is_the_servers() -> None:
    value = canonical(ECHO["inputSchema"])
    assert isinstance(value, dict)
    assert list(value) == ["type", "properties", "required"]
    assert json.dumps(value["properties"]) == json.dumps(
        {
            "text": {"type": "string"},
            "properties": {"description": "A name like another.", "type": "integer"},
            "case": {"enum": ["up", "down"]},
        }
    )


def test_every_field_is_recorded() -> None:
    (tool,) = sound({"tools": [ECHO]}).tools
    assert tool == ECHO


@pytest.mark.parametrize(
    ("document", "server", "instructions", "pointer"),
    [
        ({"tools": [PING]}, {}, None, "/tools/0"),
        (
            {"format": "mcp-bindgen/1", "server": {"name": "s"}, "tools": [PING]},
            {"name": "s"},
            None,
            "/tools/0",
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "result": {"tools": [PING]}},
            {},
            None,
            "/result/tools/0",
        ),
        (
            {
                "result": {
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "m"}},
                    "tools": [PING],
                    "ttlMs": 0,
                }
            },
            {"name": "m"},
            None,
            "/result/tools/0",
        ),
        (
            {
                "server": {"registry": "somewhere", "package": "p"},
                "initialize": {"serverInfo": {"name": "i"}, "instructions": "do"},
                "tools": [PING],
                "pages": 1,
            },
            {"name": "i"},
            "do",
            "/tools/0",
        ),
    ],
)
def test_formats(
    document: JSON, server: JSON, instructions: str | None, pointer: str
) -> None:
    recording = sound(document)
    assert recording.server == server
    assert recording.instructions == instructions
    assert recording.tools == (PING,)
    assert recording.pointers == (pointer,)


def test_pointers_lead_into_the_file_that_was_read() -> None:
    recording = sound({"tools": [PING, ECHO]})
    assert [tool["name"] for tool in recording.tools] == ["echo", "ping"]
    assert recording.pointers == ("/tools/1", "/tools/0")


def test_equal_tools_with_one_name_are_used_once() -> None:
    recording, (problem,) = load(text({"tools": [PING, PING]}))
    assert recording.tools == (PING,)
    assert problem.pointer == "/tools/1/name"


def test_null_is_absent_where_a_field_may_be_absent() -> None:
    empty: JSON = {**PING, "title": None, "outputSchema": None, "_meta": None}
    assert sound({"tools": [empty]}).tools == (PING,)


def test_the_digest_is_of_what_both_eras_tell() -> None:
    here = sound({"tools": [{**PING, "execution": {"taskSupport": "forbidden"}}]})
    there = sound({"server": {"name": "x"}, "tools": [PING]})
    assert digest(here) == digest(there)
    assert digest(here) != digest(sound({"tools": [ECHO]}))
    prompt: JSON = {"name": "p"}
    assert digest(there) != digest(sound({"tools": [PING], "prompts": [prompt]}))


def test_an_unchecked_recording_keeps_what_is_wrong() -> None:
    arranged = arrange({"server": {}, "tools": [{"name": 3}, PING, ECHO, 5]})
    assert json.loads(arranged)["tools"] == [5, {"name": 3}, ECHO, PING]


def test_the_limits_can_be_changed() -> None:
    with pytest.raises(BindgenError):
        load(text({"tools": [PING, ECHO]}), replace(DEFAULT, tools=1))


@needs("corpus")
@pytest.mark.parametrize("name", ["recordings/ms-365", "openmetadata"])
def test_real_recordings_are_whole(name: str) -> None:
    data = (SHARED / "corpus" / f"{name}.json").read_bytes()
    recording, problems = load(data)
    assert problems == ()
    original = {tool["name"]: tool for tool in json.loads(data)["tools"]}
    assert {str(tool["name"]): tool for tool in recording.tools} == original
    assert load(dump(recording).encode()) == (recording, ())


@pytest.mark.parametrize("name", ["catalog", "todo"])
def test_a_recording_is_read_once_and_nobody_changes_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (ROOT / "generated" / name / "recording.json").read_bytes()
    recording, _ = load(data)
    before = dump(recording)
    assert load(bytes(data))[0] is recording
    with monkeypatch.context() as patch:
        patch.setattr("mcp_bindgen.recording.document.parse_leniently", None)
        first = generate(data, name).files  # the last reader: it is free afterwards
    assert load(data)[0] is not recording
    assert generate(bytes(data), name).files == first
    assert dump(recording) == before


@pytest.mark.parametrize("content", [1, 1.5, True, "a", {"a": 1}, None])
def test_a_call_whose_content_is_no_list_is_ignored(content: Any) -> None:
    call = {"name": "t", "arguments": {}, "result": {"content": content}}
    sound = {**call, "result": {"content": [{"type": "text", "text": '{"a": 1}'}]}}
    tools = [{"name": "t", "inputSchema": {"type": "object"}}]
    data = json.dumps({"tools": tools, "calls": [call, sound]}).encode()
    recording, [problem] = load(data)
    assert problem.pointer == "/calls/0"
    assert [*recording.calls] == [sound]
    assert generate(data, "catalog").catalog.tools[0].result == "TResult"
