"""Parts of schemas whose order does not count, and places where a change still does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.python_types import Atom, in_order
from mcp_bindgen.runtime.client.verify import spelling
from mcp_bindgen.runtime.client.verify.tools import compare_tools
from mcp_bindgen.schema.node import is_array, is_object

from tests.contract.changes import recording, tool
from tests.contract.test_order import TEXT, branch, made

DEPENDENT = [
    {"dependentRequired": {"title": ["a", "b"]}},
    {"dependencies": {"title": ["a", "b"], "b": ["title", "a"]}},
    {"anyOf": [{"dependencies": {"default": ["a", "b"]}}, branch((), a=TEXT)]},
]


@pytest.mark.parametrize("keywords", DEPENDENT)
def test_names_that_a_member_needs_have_no_order(keywords: dict[str, Any]) -> None:
    def turned(value: Any) -> Any:
        if is_object(value):
            return {key: turned(inner) for key, inner in value.items()}
        return value[::-1] if is_array(value) else value

    one, other = {**branch((), a=TEXT), **keywords}, turned(keywords)
    old = tool({"v": one}, **keywords)
    new = tool({"v": {**one, **other}}, **other)
    assert compare_recordings(recording(old), recording(new)).changes == ()
    assert [*compare_tools([old], [new])] == []


@pytest.mark.parametrize("keyword", ["dependentRequired", "dependencies"])
def test_a_name_that_is_a_keyword_is_a_name(keyword: str) -> None:
    olds, news = ({keyword: {"title": names_}} for names_ in (["a"], ["a", "b"]))
    old, new = (tool({"v": {**branch(()), **more}}) for more in (olds, news))
    assert [c.rule for c in compare_tools([old], [new])] == ["PARAM_UNDECIDED"]


def test_a_member_that_is_called_enum_has_words() -> None:
    members = branch((), enum={**TEXT, "description": "a"})
    old = tool({"v": {"anyOf": [members, branch((), q=TEXT)]}})
    new = json.loads(
        json.dumps(old).replace('"description": "a"', '"description": "b"')
    )
    rules = [c.rule for c in compare_tools([old], [new])]
    assert rules == ["PARAM_DESCRIPTION_CHANGED"]


def test_the_number_of_a_branch_counts_where_a_reference_leads_to_it() -> None:
    branches = [branch(("q",), q=TEXT), branch(("r",), r=TEXT)]
    old, new = (
        tool({"v": {"anyOf": each}, "w": {"$ref": "#/properties/v/anyOf/0"}})
        for each in (branches, branches[::-1])
    )
    report = compare_recordings(recording(old), recording(new))
    assert report.wire == "breaking"
    assert [c.rule for c in compare_tools([old], [new])] == ["PARAM_UNDECIDED"]


def test_words_inside_of_equal_branches_have_no_order() -> None:
    def either(text: str, *kinds: str) -> dict[str, Any]:
        parts = {"a": {"type": "array", "description": text}, "n": {"type": "number"}}
        return {"anyOf": [parts[kind] for kind in kinds], "title": text}

    old = tool({"v": {"anyOf": [either("x", "a", "n"), either("y", "a", "n")]}})
    new = tool({"v": {"anyOf": [either("y", "a", "n"), either("x", "n", "a")]}})
    assert [*compare_tools([old], [new])] == []


@pytest.mark.parametrize("listed", [[1, 1.0], [[1], [1.0], "a"]])
def test_equal_values_of_a_list_have_no_order(listed: list[Any]) -> None:
    old, new = (tool({"v": {"enum": each}}) for each in (listed, listed[::-1]))
    assert made(old) == made(new)
    assert compare_recordings(recording(old), recording(new)).changes == ()


def test_a_branch_that_only_requires_becomes_a_class() -> None:
    branches: list[Any] = [{"type": "object", "required": ["p"]}]
    branches.append({"properties": {"p": {}}})
    old, new = (tool({"v": {"anyOf": each}}) for each in (branches, branches[::-1]))
    assert made(old) == made(new)
    assert compare_recordings(recording(old), recording(new)).changes == ()


def test_a_class_of_two_places_is_reported_at_the_first_of_the_alphabet() -> None:
    def named(key: str, *places: str) -> dict[str, Any]:
        either = {"anyOf": [{"$ref": f"#/$defs/{key}"}, branch((), r=TEXT)]}
        more: dict[str, Any] = {"$defs": {key: branch((), q=TEXT)}}
        return tool(dict.fromkeys(places, either), **more)

    paths = [
        [c.path for c in compare_recordings(recording(old), recording(new)).changes]
        for old, new in (
            (named("Owner", "a", "b"), named("Page", "a", "b")),
            (named("Owner", "b", "a"), named("Page", "b", "a")),
        )
    ]
    assert paths[0] == paths[1] != []


def test_a_class_of_a_result_is_renamed_by_the_arguments_alone() -> None:
    output = {"outputSchema": branch((), item=branch((), a=TEXT))}
    old, new = (
        {**tool({name: branch((), q=TEXT)}), **output} for name in ("item", "other")
    )
    changes = compare_recordings(recording(old), recording(new)).changes
    renamed = [c.path for c in changes if c.rule == "PYTHON_MODEL_RENAMED"]
    assert renamed == ["out/item"]


def test_types_have_one_order_for_any_hash() -> None:
    inner = frozenset(Atom(kind) for kind in ("str", "int", "None", "bool"))
    lists = [Atom("list", inner=inner - {each}) for each in sorted(inner)]
    # Not their `repr`, which has a set in the order of the hashes.
    assert [in_order(each)[2] for each in lists] == [
        *("bool | int | str", "None | int | str"),
        *("None | bool | str", "None | bool | int"),
    ]


def test_no_order_says_where_the_work_ends() -> None:
    def chained(leaf: str, *places: str) -> dict[str, Any]:
        levels = range(12)  # 2**12 paths lead to the leaf: more than are compared
        inner = {f"d{n}": dict.fromkeys(places, ref(n + 1)) for n in levels}
        definitions = {key: branch((), **members) for key, members in inner.items()}
        more: dict[str, Any] = {"$defs": {**definitions, "d12": {"type": leaf}}}
        return tool(dict.fromkeys(places, ref(0)), **more)

    def ref(number: int) -> dict[str, Any]:
        return {"$ref": f"#/$defs/d{number}"}

    undecided = [
        {c.path for c in compare_recordings(recording(old), recording(new)).changes}
        for old, new in (
            (chained("string", "a", "b"), chained("integer", "a", "b")),
            (chained("string", "b", "a"), chained("integer", "b", "a")),
        )
    ]
    assert undecided[0] == undecided[1]


def test_verify_reads_each_nested_union_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def nested(depth: int, turn: int) -> dict[str, Any]:
        inner: dict[str, Any] = {**TEXT, "description": f"{turn}"}
        for _ in range(depth):
            inner = {"anyOf": [branch((), a=inner), branch((), b=TEXT)][::turn]}
        return tool({"v": inner})

    def texts(depth: int) -> int:
        calls: list[object] = []

        def counted(value: object) -> str:
            calls.append(value)
            return json.dumps(value, sort_keys=True)

        monkeypatch.setattr(spelling, "text", counted)
        changes = compare_tools([nested(depth, 1)], [nested(depth, -1)])
        assert [c.rule for c in changes] == ["PARAM_DESCRIPTION_CHANGED"]
        return len(calls)

    assert texts(40) < 6 * texts(10)
