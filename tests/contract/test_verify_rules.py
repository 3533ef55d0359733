"""`verify()` names the same rules as `mcp-bindgen diff`, or says that it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.runtime.client.verify.renames import take_renamed
from mcp_bindgen.runtime.client.verify.rules import rules as own_rules
from mcp_bindgen.runtime.client.verify.tools import compare_entries, compare_tools

from tests.contract.changes import CLOSED, fields, recording, tool
from tests.contract.drift import DRIFT
from tests.contract.mutations.test_entries import CASES
from tests.packages import ROOT
from tests.shared import needs

if TYPE_CHECKING:
    from collections.abc import Iterator


# Of one server, these differ between the eras of the protocol; `verify()` is silent.
ERAS = {"TOOL_META_CHANGED", "TOOL_EXECUTION_CHANGED"}


def pairs() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the name of each pair and mutation, and its two recordings."""
    for pair in json.loads((DRIFT / "pairs.json").read_text()):
        old, new = (
            json.loads((DRIFT / pair[side]["file"]).read_bytes())
            for side in ("old", "new")
        )
        yield pair["id"], old, new
    for file in sorted((DRIFT / "mutations").glob("*.json")):
        mutation = json.loads(file.read_text())
        yield file.stem, mutation["old"], mutation["new"]


def wrong(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Yield how the findings of both differ; what one says undecided may be more."""
    said = compare_tools(old["tools"], new["tools"])
    report = compare_recordings(json.dumps(old).encode(), json.dumps(new).encode())
    names = {str(tool["name"]) for side in (old, new) for tool in side["tools"]}
    graded = [
        c
        for c in report.changes
        if c.wire != "none" and not c.rule.startswith(("PROMPT", "RESOURCE"))
    ]
    for each in sorted(names):
        own = {d.rule for d in said if d.tool == each}
        other = {c.rule for c in graded if c.tool == each} - ERAS
        decided = {rule for rule in own if not rule.endswith("_UNDECIDED")}
        if decided == own and own != other:
            yield f"{each}: {sorted(own - other)} {sorted(other - own)}"
        elif not decided <= other:
            yield f"{each}: undecided, and {sorted(decided - other)}"


@needs("drift/pairs.json")
def test_the_rules_are_those_of_diff() -> None:
    differences = [f"{name} {line}" for name, *both in pairs() for line in wrong(*both)]
    assert differences == []


def test_the_table_is_a_part_of_that_of_diff() -> None:
    table = rules()
    for name, rule in own_rules().items():
        if rule.wire != "undecided":
            assert (rule.wire, rule.message) == (table[name].wire, table[name].message)
        assert name in table


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
TWO = {"enum": ["a", "b"], "type": "string"}
LOOP = {"type": "object", "properties": {"a": {"$ref": "#"}}}
SHARED_BY_ALL = {
    f"d{n}": {"properties": {key: {"$ref": f"#/$defs/d{n + 1}"} for key in "xy"}}
    | {"type": "object"}
    for n in range(40)
}


@pytest.mark.parametrize(
    ("old", "new", "rules_now"),
    [
        (tool({"a": TEXT}), tool({}, **CLOSED), "PARAM_CLOSED_IMPLICIT PARAM_REMOVED"),
        (tool({"a": TEXT}), tool(), "PARAM_REMOVED_IGNORED"),
        (tool(), tool({"a": TEXT}, ("a",)), "PARAM_ADDED_REQUIRED"),
        (tool({"a": TEXT}), tool({"a": TEXT}, ("a",)), "PARAM_NOW_REQUIRED"),
        (tool({"a": TEXT}), tool({"a": WHOLE}), "PARAM_TYPE_CHANGED"),
        (tool({"a": TWO}), tool({"a": {"const": "a"}}), "PARAM_ENUM_VALUE_REMOVED"),
        (tool({"userId": TEXT}), tool({"user_id": TEXT}), "PARAM_RESPELLED_IGNORED"),
        (tool({"owner": TEXT}), tool({"owners": TEXT}), "PARAM_RENAMED_IGNORED"),
        (
            tool({"o": tool({"a": TEXT})["inputSchema"]}),
            tool({"o": tool({"a": {**TEXT, "minLength": 2}})["inputSchema"]}),
            "PARAM_BOUND_TIGHTENED",
        ),
        (fields({"a": TEXT}, ("a",)), fields({}), "FIELD_REMOVED_REQUIRED"),
        (fields({}, **CLOSED), fields({"a": TEXT}, **CLOSED), "FIELD_ADDED_TO_CLOSED"),
        (fields({"a": TEXT}), tool(), "OUTPUT_REMOVED"),
        (
            tool(),
            {**tool(), "execution": {"taskSupport": "required"}},
            "TOOL_TASK_NOW_REQUIRED",
        ),
        (
            tool(),
            {**tool(), "annotations": {"readOnlyHint": True}},
            "HINT_READ_ONLY_GAINED",
        ),
        # No finding is more hopeful than `diff`, and nothing else is named.
        (tool({"a": {"not": TEXT}}), tool({"a": {"not": WHOLE}}), "PARAM_UNDECIDED"),
        (
            tool({"a": {"anyOf": [TEXT, {"not": {}, "title": "x"}]}}),
            tool({"a": {"anyOf": [TEXT, {"not": {}, "title": "y"}]}}),
            "PARAM_TITLE_CHANGED",
        ),
        # What no server should send; nothing of it is an error, or takes long.
        (tool(), {"name": "search", "inputSchema": 5}, "PARAM_UNDECIDED"),
        (
            tool({"a": TEXT}),
            {**tool(), "inputSchema": {"type": "object", "properties": []}},
            "PARAM_UNDECIDED",
        ),
        (
            {**tool(), "inputSchema": LOOP},
            {**tool(), "inputSchema": {**LOOP, "required": ["a"]}},
            "PARAM_NOW_REQUIRED",
        ),
    ],
)
def test_a_change_has_a_rule(
    old: dict[str, Any], new: dict[str, Any], rules_now: str
) -> None:
    assert " ".join(sorted({d.rule for d in compare_tools([old], [new])})) == rules_now


def test_a_finding_says_where_and_how_bad() -> None:
    old, new = tool({"a": TWO}), tool({"a": {"type": "string", "enum": ["\x1b[31m"]}})
    come, gone = compare_tools([old], [new])
    assert (gone.tool, gone.pointer) == ("search", "/inputSchema/properties/a")
    assert (gone.rule, gone.wire) == ("PARAM_ENUM_VALUE_REMOVED", "breaking")
    assert (come.rule, come.wire) == ("PARAM_ENUM_VALUE_ADDED", "compatible")
    assert "\\u001b" in come.message
    assert "\x1b" not in come.message + str(come)


def with_end(end: dict[str, Any]) -> dict[str, Any]:
    """Return definitions, the last of which many lead to."""
    return {"$defs": {**SHARED_BY_ALL, "d40": end}}


def test_references_that_all_share_are_compared_in_time() -> None:
    last: tuple[dict[str, Any], ...] = ({"type": "string"}, {"type": "integer"})
    old, new = (
        tool({"a": {"$ref": "#/$defs/d0"}}, (), None, **with_end(end)) for end in last
    )
    assert {d.wire for d in compare_tools([old], [new])} == {"breaking", "undecided"}


def test_prompts_have_the_rules_of_diff() -> None:
    old: dict[str, Any] = {
        "name": "p",
        "arguments": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    }
    needed = [{"name": name, "required": True} for name in "ad"]
    arguments = [*needed, {"name": "c", "description": "C"}]
    new: dict[str, Any] = {"name": "p", "title": "P", "arguments": arguments}
    gone = {"name": "gone"}
    before, after = recording(prompts=[old, gone]), recording(prompts=[new])
    said = compare_entries("PROMPT", "prompt", {"p": old, "gone": gone}, {"p": new})
    report = compare_recordings(before, after)
    assert {(d.tool.removeprefix("prompt "), d.rule, d.wire) for d in said} == {
        (c.tool, c.rule, c.wire) for c in report.changes
    }


def test_who_does_not_verify_loads_no_rules() -> None:
    program = (
        "import sys, todo; todo.Client; todo.Difference;"
        "print([m for m in sys.modules if '.verify' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / "generated",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("case", [case for case in CASES if case[0] == "prompts"])
def test_changes_of_prompts_have_the_rules_of_diff(
    case: tuple[str, list[Any], list[Any], str],
) -> None:
    kind, *sides, _ = case
    before, after = ({str(each["name"]): each for each in side} for side in sides)
    said = {each.rule for each in compare_entries("PROMPT", "prompt", before, after)}
    old, new = (recording(**{kind: side}) for side in sides)
    assert said == {change.rule for change in compare_recordings(old, new).changes}


def test_a_prompt_of_many_arguments_is_compared_by_names_alone() -> None:
    """A server decides how many there are, and how long their names."""
    before, after = (
        {"p": {"name": "p", "arguments": [{"name": f"{side}{n}"} for n in range(999)]}}
        for side in ("a_b", "aB_c")
    )
    said = {each.rule for each in compare_entries("PROMPT", "prompt", before, after)}
    assert said == {"PROMPT_ARGUMENT_REMOVED", "PROMPT_ARGUMENT_ADDED_OPTIONAL"}


def test_the_most_similar_names_are_one_parameter() -> None:
    for removed in (["item", "item_id"], ["item_id", "item"]):
        for added in (["items", "item_ids"], ["item_ids", "items"]):
            left = dict.fromkeys([*added, "other"])
            pairs = take_renamed(removed, left, lambda _one, _other: True)
            assert pairs == {"item": "items", "item_id": "item_ids"}
            assert [*left] == ["other"]
