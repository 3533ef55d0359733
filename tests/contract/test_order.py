"""Another order of what JSON Schema gives no order is no change, on either axis."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.python_types import atoms
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.client.verify.tools import compare_tools
from mcp_bindgen.schema.compile import compile_arguments, compile_result
from mcp_bindgen.schema.ir import Object
from mcp_bindgen.schema.node import SchemaError

from tests.contract.changes import recording, tool
from tests.contract.random_orders import random_tool, shuffled_tool
from tests.contract.random_pairs import LARGEST
from tests.shared import SHARED, needs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.compile import CompiledSchema

TEXT = {"type": "string"}
LEAST = 1_200  # characters of a real tool; smaller ones have few names
TRIED = 80  # random tools; the issue's own generator found 3 of 700 pairs


def described(compiled: CompiledSchema) -> object:
    """Return all types of a schema, without their order."""
    types = {str(type_.name): type_ for type_ in compiled.types}
    return {
        name: (
            {(f.name, f.wire.text, f.required, atoms(f.type, types)) for f in t.fields}
            if isinstance(t, Object)
            else atoms(t.type, types, frozenset({name}))
        )
        for name, t in types.items()
    }


def made(tool_: Mapping[str, Any]) -> list[object]:
    """Return the types of a tool; its fault, where a schema cannot become types."""
    result = tool_.get("outputSchema", {})
    try:
        return [
            described(compile_arguments(tool_["inputSchema"], "Search")),
            described(compile_result(result, "Search", frozenset())),
        ]
    except SchemaError as error:
        return [error.message]


@pytest.mark.parametrize("seed", range(0, TRIED, 10))
def test_another_order_is_no_change(seed: int) -> None:
    for number in range(seed, seed + 10):
        r = random.Random(f"order {number}")
        old = random_tool(r)
        new = shuffled_tool(r, old)
        assert made(old) == made(new), number
        report = compare_recordings(recording(old), recording(new))
        is_readable = len(made(old)) > 1
        assert (report.grade == "none" and not report.changes) == is_readable, number
        assert [*compare_tools([old], [new])] == [], number


@pytest.mark.slow
@needs("corpus/recordings")
def test_another_order_of_real_tools_is_no_change() -> None:
    for file in sorted((SHARED / "corpus" / "recordings").glob("*.json")):
        r = random.Random(file.name)
        tools = load(file.read_bytes())[0].tools
        old = [each for each in tools if LEAST < len(json.dumps(each)) < LARGEST]
        new = [shuffled_tool(r, each) for each in r.sample(old, len(old))]
        report = compare_recordings(recording(*old), recording(*new))
        assert report.changes == (), file.name
        assert [*compare_tools(old, new)] == [], file.name


def branch(required: tuple[str, ...], **properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required]}


def names(schema: Mapping[str, Any]) -> set[str]:
    """Return the names of the classes inside the arguments."""
    types = compile_arguments(tool({"v": schema})["inputSchema"], "Search").types
    return {str(type_.name) for type_ in types} - {"SearchArguments"}


def test_a_branch_is_called_after_the_first_word_of_the_alphabet() -> None:
    members = {"page": TEXT, "owner": TEXT, "kind": TEXT}
    other = branch((), limit=TEXT)
    for order in permutations(members):
        needed = tuple(name for name in order if name != "page")
        one = branch(needed, **{name: members[name] for name in order})
        for branches in ([one, other], [other, one]):
            assert names({"anyOf": branches}) == {"VByKind", "VWithLimit"}


def test_a_tag_is_the_first_of_the_alphabet_that_can_be_one() -> None:
    def tagged(first: str, second: str) -> dict[str, Any]:
        texts = {"type": {"const": first}, "@id": {"const": "x" + first}}
        return branch(("type", "@id", "kind"), **texts, kind={"const": second})

    branches = [tagged("one", "red"), tagged("two", "blue")]
    turned = [{**each, "required": each["required"][::-1]} for each in branches]
    assert names({"oneOf": branches}) == {"Red", "Blue"}
    assert names({"oneOf": turned[::-1]}) == {"Red", "Blue"}


def test_branches_without_a_word_have_numbers_by_what_they_say() -> None:
    one, two = (
        branch((), a={"type": "array", "items": {"type": "array", "items": kind}})
        for kind in (TEXT, {"type": "integer"})
    )
    types = [
        described(compile_arguments(tool({"v": schema})["inputSchema"], "Search"))
        for schema in ({"anyOf": [one, two]}, {"anyOf": [two, one]})
    ]
    assert names({"anyOf": [two, one]}) == {"VVariant1", "VVariant2"}
    assert types[0] == types[1]


CONTRADICTIONS: dict[str, list[Any]] = {
    "types": [TEXT, {"type": "integer"}, {"type": ["string", "null"]}],
    "enums": [{"enum": ["a", "b"]}, {"enum": ["c"]}, {"enum": ["a", "c"]}],
    "constants": [{"const": 1}, {"const": "a"}],
    "unions": [{"anyOf": [TEXT, {"type": "null"}]}, {"anyOf": [{"type": "integer"}]}],
    "elements": [
        {"type": "array", "items": TEXT},
        {"type": "array", "prefixItems": [{"type": "integer"}]},
    ],
    "titles": [
        {**branch((), a=TEXT), "title": "One"},
        {**branch((), a={"type": "integer"}), "title": "Two"},
    ],
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradiction_has_one_type_in_any_order(case: str) -> None:
    olds = [
        tool({"response": {"allOf": [*p]}}) for p in permutations(CONTRADICTIONS[case])
    ]
    for new in olds[1:]:
        assert made(olds[0]) == made(new)
        report = compare_recordings(recording(olds[0]), recording(new))
        assert report.changes == ()


def test_members_stay_in_the_order_of_their_schema() -> None:
    parts = [branch(("z",), z=TEXT), branch((), m=TEXT, a=TEXT)]
    schema = tool({"y": TEXT, "b": {"allOf": parts}, "c": TEXT})["inputSchema"]
    types = {str(t.name): t for t in compile_arguments(schema, "Search").types}
    fields = [
        [str(field.name) for field in type_.fields]
        for type_ in (types["SearchArguments"], types["B"])
        if isinstance(type_, Object)
    ]
    assert fields == [["y", "b", "c"], ["z", "m", "a"]]


def test_texts_of_branches_in_another_order_are_no_change() -> None:
    texts = [{**TEXT, "description": "a"}, {"type": "integer", "description": "b"}]
    branches = [*texts, branch((), q=TEXT), branch((), r=TEXT)]
    old, new = (tool({"a": {"anyOf": each}}) for each in (branches, branches[::-1]))
    assert [*compare_tools([old], [new])] == []
    changed = json.loads(json.dumps(new).replace('"b"', '"c"'))
    assert [c.rule for c in compare_tools([old], [changed])] == [
        "PARAM_DESCRIPTION_CHANGED"
    ]
