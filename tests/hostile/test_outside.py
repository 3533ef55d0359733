"""Values under no keyword that references lead to: schemas too, or refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.schema.keywords import KNOWN
from mcp_bindgen.schema.node import walk
from mcp_bindgen.schema.outside import outside

from tests.hostile.positions import GOOD, Json, document, tool

if TYPE_CHECKING:
    from collections.abc import Callable

# A reference, and the members of a schema where it leads to a value.
HOLDERS: dict[str, Callable[[Json], Json]] = {
    "#/x": lambda schema: {"x": schema},
    "#/x/0/d": lambda schema: {"x": [{"d": schema}]},
    "#%2Fx": lambda schema: {"x": schema},
    "#/default": lambda schema: {"default": schema},
    "#/examples/0": lambda schema: {"examples": [schema]},
    "#/$defs/a/b": lambda schema: {"$defs": {"a": {"b": schema}}},
}
WORDS = sorted(KNOWN - {"$schema", "$id"})
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, False, 0, 1.5, "", "a", "#/x", "#", "(", "object"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(WORDS) | st.just("a"), inner, max_size=4),
    max_leaves=8,
)
SCHEMAS = st.dictionaries(st.sampled_from(WORDS), VALUES, min_size=1, max_size=4)


def recording(schema: Json, pointer: str, keyword: str) -> Json:
    """Return a recording in which arguments and a result refer to a schema."""
    holder, ref = HOLDERS[pointer](schema), {keyword: pointer}
    arguments = {"type": "object", "properties": {"p": ref}, **holder}
    return document(tool(arguments, outputSchema={**ref, **holder}))


@pytest.mark.slow
@given(SCHEMAS, st.sampled_from([*HOLDERS]), st.sampled_from(["$ref", "$dynamicRef"]))
def test_a_value_that_a_reference_makes_a_schema(
    schema: Json, pointer: str, keyword: str
) -> None:
    data = json.dumps(recording(schema, pointer, keyword)).encode()
    package = generate(data, "fuzzed")
    names = [made.wire.text for made in package.catalog.tools]
    assert GOOD["name"] in names
    assert ("bad" in names) != bool(package.problems)
    for problem in package.problems:
        assert "fault of mcp-bindgen" not in problem.hint
    compare_recordings(json.dumps(document()).encode(), data)
    compare_recordings(data, data)


@pytest.mark.parametrize("pointer", HOLDERS)
def test_it_is_refused_where_it_stands(pointer: str) -> None:
    schema: Json = {"anyOf": ["a text", {}]}
    data = json.dumps(recording(schema, pointer, "$ref")).encode()
    (problem,) = generate(data, "fuzzed").problems
    assert "expected" in problem.message
    assert problem.pointer.startswith("/tools/1/inputSchema/")


def test_its_patterns_and_properties_are_limited() -> None:
    schemas: list[Json] = [
        {"patternProperties": {f"[ab]{{900}}{number}": {} for number in range(10)}},
        {"properties": {f"p{number}": {} for number in range(6_000)}},
    ]
    for schema in schemas:
        data = json.dumps(recording(schema, "#/x", "$ref")).encode()
        (problem,) = generate(data, "fuzzed").problems
        assert "more than" in problem.message


def test_each_value_is_walked_once() -> None:
    """A value with many pointers ("/~0", "/~") costs no more than one."""
    inner: Json = {"properties": {f"p{number}": {} for number in range(200)}}
    refs = [{"$ref": f"#/{name}/{last}"} for name in ("~0", "~") for last in ("a", "b")]
    root: Json = {"anyOf": refs, "~": {"a": inner, "b": inner}}
    assert len([*outside(root, [*walk(root, "")])]) == 1 + 200


def test_an_index_has_one_spelling() -> None:
    """By RFC 6901, section 4, `/x/00` is nothing: what it holds was lost in pruning."""
    holder = {"x": [{"default": {"k": {"minimum": 2}}, "not": {"type": "string"}}]}
    refs = {"a": {"$ref": "#/x/0/default/k"}, "b": {"$ref": "#/x/00"}}
    schema = {"type": "object", "properties": refs, **holder}
    (problem,) = generate(json.dumps(document(tool(schema))).encode(), "f").problems
    assert problem.message == "expected a schema where this $ref leads, got nothing"
