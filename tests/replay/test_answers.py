"""The answers of a recording: recorded, chosen, generated, refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.replay.answers import (
    Answers,
    Options,
    RefusedError,
    fits,
)
from mcp_bindgen.contract.replay.changed import breaking_changes
from mcp_bindgen.contract.replay.generated import empty_value, value_of
from mcp_bindgen.contract.replay.listed import contents, prompt
from mcp_bindgen.contract.replay.matching import key_of, mismatch, without
from mcp_bindgen.contract.replay.through import with_calls
from mcp_bindgen.hidden import HIDDEN, disarm
from mcp_bindgen.recording.document import dump, load
from mcp_bindgen.runtime.validation.schema import SchemaChecker

if TYPE_CHECKING:
    from mcp_bindgen.recording.document import Recording

CATALOG = Path(__file__).parents[2] / "generated" / "catalog" / "recording.json"
IMPOSSIBLE = {"type": "string", "minLength": 2, "maxLength": 1}
INPUT = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "size": {"minimum": 1}},
    "required": ["query"],
}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "search",
        "inputSchema": INPUT,
        "outputSchema": {
            "type": "object",
            "properties": {"total": {"type": "integer"}},
            "required": ["total"],
        },
    },
    {"name": "plain", "inputSchema": {"type": "object"}},
    {
        "name": "never",
        "inputSchema": {"type": "object"},
        "outputSchema": {
            "type": "object",
            "properties": {"a": IMPOSSIBLE},
            "required": ["a"],
        },
    },
]
CALLS: list[dict[str, Any]] = [
    {
        "name": "search",
        "arguments": {"query": "sales", "size": 2},
        "result": {"content": [], "structuredContent": {"total": 41}},
    }
]


def recording(**more: Any) -> Recording:
    document = {"tools": TOOLS, "calls": CALLS, **more}
    loaded, problems = load(json.dumps(document).encode())
    assert problems == ()
    return loaded


def structured(answers: Answers, arguments: dict[str, Any], **choice: Any) -> Any:
    return answers.result("search", arguments, choice).get("structuredContent")


def text(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


def test_a_recorded_call_has_its_recorded_answer() -> None:
    answers = Answers(recording())
    assert structured(answers, {"size": 2, "query": "sales"}) == {"total": 41}
    assert structured(answers, {"query": "sales"}) == {"total": 1}
    assert answers.stale() == []


def test_stale_calls_are_those_that_nobody_made() -> None:
    answers = Answers(recording())
    assert [call["name"] for call in answers.stale()] == ["search"]


def test_arguments_are_checked_by_pointer_and_rule() -> None:
    refused = Answers(recording()).result("search", {"query": 3, "size": 0}, {})
    assert refused["isError"] is True
    assert "/query: type: must be of type string" in text(refused)
    assert "/size: minimum: must be at least 1" in text(refused)
    rules = [fault["rule"] for fault in refused["_meta"]["mcp-bindgen"]["faults"]]
    assert sorted(rules) == ["minimum", "type"]


def test_strict_names_the_nearest_call_and_a_command() -> None:
    answers = Answers(recording(), Options(file="r.json", strict=True))
    refused = answers.result("search", {"query": "sale", "size": 2}, {})
    assert refused["isError"] is True
    assert '/query: recorded "sales", is "sale" now' in text(refused)
    assert "mcp-bindgen record SERVER --call search" in text(refused)
    assert "there is no recorded call of plain" in text(answers.result("plain", {}, {}))


HOSTILE = "t\n::error::forged\x1b[2J\u2028\u202e##[add-mask]"


def test_reports_repeat_no_text_of_a_server_as_it_is() -> None:
    schema = {"type": "object", "properties": {HOSTILE: {"type": "string"}}}
    tool: dict[str, Any] = {"name": HOSTILE, "inputSchema": schema}
    later = {**tool, "inputSchema": {**schema, "required": [HOSTILE]}}
    before, now = recording(tools=[tool]), recording(tools=[later])
    call = {"name": HOSTILE, "arguments": {HOSTILE: "1"}}
    lines = mismatch([call], HOSTILE, {HOSTILE: "2"}, "a command").split("\n")
    assert len(lines) == 4
    changed = breaking_changes(before, now)
    assert len(changed) == 1
    for line in (*lines, *changed):
        assert not HIDDEN.search(line)
        assert "\n" not in line
        assert disarm(line) == line
        assert "forged" in line or line.startswith("hint")


def test_a_caller_chooses() -> None:
    answers = Answers(recording())
    arguments = {"query": "sales", "size": 2}
    assert structured(answers, arguments, answer="generated") == {"total": 1}
    assert structured(answers, arguments, answer="empty") == {"total": 0}
    assert answers.result("search", arguments, {"answer": "error"})["isError"] is True
    assert answers.result("plain", {}, {"answer": "empty"})["content"] == []


def test_a_fixed_answer_and_failures() -> None:
    fixed: dict[str, Any] = {
        "search": {"content": [], "structuredContent": {"total": 7}}
    }
    options = Options(fixed=fixed, failing={"plain": 0.5})
    answers = Answers(recording(), options)
    assert structured(answers, {"query": "sales", "size": 2}) == {"total": 7}
    failed = [answers.result("plain", {}, {})["isError"] for _ in range(200)]
    assert 60 < sum(failed) < 140
    again = Answers(recording(), options)
    assert [again.result("plain", {}, {})["isError"] for _ in range(200)] == failed


def test_unknown_tools_and_impossible_schemas() -> None:
    answers = Answers(recording())
    with pytest.raises(RefusedError, match="Unknown tool: nope"):
        answers.result("nope", {}, {})
    (problem,) = answers.problems()
    assert problem.message == "never: no value is known that fits its output schema"
    assert answers.result("never", {}, {})["isError"] is True


def test_a_tool_without_an_answer_has_its_location_in_the_file() -> None:
    loaded, _ = load(json.dumps({"tools": [TOOLS[0], TOOLS[2], TOOLS[1]]}).encode())
    (problem,) = Answers(loaded).problems()
    assert problem.pointer == "/tools/1/outputSchema"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_generated_answers_fit_real_schemas(seed: int) -> None:
    loaded, _ = load(CATALOG.read_bytes())
    answers = Answers(loaded, Options(seed=seed))
    assert [*answers.problems()] == []
    for name, tool in answers.tools.items():
        for choice in ("generated", "empty"):
            result = answers.result(name, {}, {"answer": choice})
            assert result["isError"] is True or fits(tool, result) == []


def test_a_seed_gives_other_values_and_always_the_same() -> None:
    schema = {
        "type": "object",
        "properties": {c: {"enum": [1, 2, 3]} for c in "abcdefgh"},
    }
    values = [value_of(schema, seed) for seed in range(4)]
    assert values == [value_of(schema, seed) for seed in range(4)]
    assert len({json.dumps(value) for value in values}) > 2


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 5}, 5),
        ({"type": "string", "examples": ["so"]}, "so"),
        ({"type": "integer", "default": 9}, 9),
        ({"type": "string", "examples": [3], "minLength": 3}, "some words, any text"),
        ({"anyOf": [{"type": "null"}, {"const": 1}]}, 1),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"enum": ["x", "y"]}}}, "x"),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True, True]),
        (IMPOSSIBLE, ABSENT),
        ({"type": 5}, ABSENT),
    ],
)
def test_the_preferred_value(schema: dict[str, Any], value: object) -> None:
    assert value_of(schema) == value


def test_recursion_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}
    schema = {"$ref": "#/$defs/n", "$defs": {"n": node}}
    assert not [*SchemaChecker(schema).faults(value_of(schema))]
    assert empty_value(schema) == {}


def test_secrets_are_masked_and_calls_still_match() -> None:
    call = {
        "name": "plain",
        "arguments": {"api_key": "s3cret", "n": 1},
        "result": {"content": [{"type": "text", "text": "Bearer abcdefghij of shh!"}]},
    }
    masked = dump(with_calls(recording(), [call], ["shh!"]))
    assert "s3cret" not in masked
    assert "abcdefghij" not in masked
    assert "shh!" not in masked
    loaded, _ = load(masked.encode())
    answer = Answers(loaded).result("plain", {"n": 1, "api_key": "another"}, {})
    assert text(answer) == "Bearer *** of ***"


def test_a_new_call_replaces_an_older_one() -> None:
    new: dict[str, Any] = {
        **CALLS[0],
        "result": {"content": [], "structuredContent": {"total": 42}},
    }
    changed = with_calls(recording(), [new])
    assert structured(Answers(changed), {"query": "sales", "size": 2}) == {"total": 42}
    assert len(changed.calls) == 1


def test_equal_calls_have_equal_keys_in_any_order() -> None:
    names = [*"abcdefgh"]
    shuffled = random.Random(0).sample(names, len(names))
    keys = {key_of("t", dict.fromkeys(order, 1)) for order in (names, shuffled)}
    assert len(keys) == 1
    assert key_of("t", {"a": 1}) != key_of("t", {"a": "1"})


def test_a_nested_difference_has_a_pointer() -> None:
    calls = [{"name": "t", "arguments": {"a": {"b": [1], "c": 2}}}]
    message = mismatch(calls, "t", {"a": {"b": [2], "d": 3}}, "COMMAND")
    assert "  /a/b: recorded [1], is [2] now" in message
    assert "  /a/c: recorded 2, and is not there now" in message
    assert "  /a/d: not recorded, and is 3 now" in message
    assert message.endswith("hint: record it with COMMAND")
    assert without({"password": "x", "n": [{"token": "y"}]}) == {
        "password": "***",
        "n": [{"token": "***"}],
    }


def test_resources_and_prompts_have_made_contents() -> None:
    loaded = recording(
        resources=[{"uri": "a://b", "name": "b", "mimeType": "application/json"}],
        resourceTemplates=[{"uriTemplate": "c://{id}/x", "name": "c"}],
        prompts=[{"name": "p", "arguments": [{"name": "q", "required": True}]}],
    )
    assert contents(loaded, "a://b")["contents"][0]["text"] == "{}"
    assert contents(loaded, "c://5/x")["contents"][0]["uri"] == "c://5/x"
    assert prompt(loaded, {"name": "p", "arguments": {"q": "1"}})["messages"]
    for wrong in ("c://5/y", "z://"):
        with pytest.raises(RefusedError, match="Resource not found"):
            contents(loaded, wrong)
    with pytest.raises(RefusedError, match="Missing required argument: q"):
        prompt(loaded, {"name": "p"})
    with pytest.raises(RefusedError, match="Unknown prompt"):
        prompt(loaded, {"name": "z"})
