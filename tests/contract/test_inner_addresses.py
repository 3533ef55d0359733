"""Inner schemas with an `$id`: their changes are graded, and words around them stay."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.json_values import elements, members

from tests.contract.changes import report, tool

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
LATEST = "https://json-schema.org/draft/2020-12/schema"
SEVEN = "http://json-schema.org/draft-07/schema#"
SIX = "http://json-schema.org/draft-06/schema#"
OF_2019 = "https://json-schema.org/draft/2019-09/schema"
INNER: Json = {"$id": "https://x.example/c", "$ref": "#/$defs/z", "$defs": {"z": TEXT}}
WHOLE: Json = {
    "type": "object",
    "properties": {
        "a": {"$ref": "https://x.example/i"},
        "b": {"allOf": [{"$ref": "https://x.example/i"}]},
        "c": INNER,
        "d": {"type": "array", "items": {"$ref": "https://x.example/i"}},
        "e": {"anyOf": [{**INNER, "$id": "https://x.example/e"}, {"type": "null"}]},
    },
    "$defs": {"q": {"$id": "https://x.example/i", "type": "string"}},
}


def pointers(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each schema."""
    inner = [*members(node).items(), *enumerate(elements(node))]
    if members(node) == node and path[-1:] not in {("properties",), ("$defs",)}:
        yield path
    for key, item in inner:
        yield from pointers(item, (*path, key))


def changed(schema: Json, path: tuple[Any, ...], **keywords: Any) -> Json:
    """Return a schema with more keywords at a path."""
    new = copy.deepcopy(schema)
    node: Any = new
    for step in path:
        node = node[step]
    node |= keywords
    return new


def grades(old: Json, new: Json) -> set[str]:
    one, other = ({"name": "t", "inputSchema": schema} for schema in (old, new))
    return {change.grade for change in report(one, other).changes}


@pytest.mark.parametrize("word", ["title", "$comment", "x-note", "description"])
def test_words_break_nothing(word: str) -> None:
    for path in pointers(WHOLE):
        assert grades(WHOLE, changed(WHOLE, path, **{word: "T"})) <= {"text"}, path


@pytest.mark.parametrize("path", [("properties", "c", "$defs", "z"), ("$defs", "q")])
def test_another_type_breaks(path: tuple[Any, ...]) -> None:
    assert grades(WHOLE, changed(WHOLE, path, type="integer")) == {"breaking"}


@pytest.mark.parametrize("home", ["default", "examples", "x-parts"])
def test_a_reference_may_lead_into_any_keyword(home: str) -> None:
    address = "https://x.example/d"
    inner: Json = {"$id": address, home: {"one": TEXT}}
    reference = {"$ref": f"{address}#/{home}/one"}
    old = tool({"a": reference}, ())
    old["inputSchema"]["$defs"] = {"d": inner}
    new = copy.deepcopy(old)
    new["inputSchema"]["$defs"]["d"][home]["one"] = {"type": "integer"}
    assert {change.grade for change in report(old, new).changes} == {"breaking"}


def test_an_inner_schema_of_a_later_draft_has_its_keywords() -> None:
    inner = {"$id": "https://x.example/c", "$schema": LATEST, "type": "object"}
    old: Json = {"$schema": SEVEN, "type": "object", "properties": {"a": inner}}
    more = {"dependentRequired": {"u": ["v"]}}
    assert grades(old, changed(old, ("properties", "a"), **more)) == {"breaking"}


@pytest.mark.parametrize(
    ("drafts", "keywords"),
    [
        ((SIX, SEVEN), {"if": {"type": "string"}, "then": False}),
        ((OF_2019, LATEST), {"prefixItems": [{"type": "string"}]}),
    ],
)
def test_a_later_draft_gives_keywords_a_meaning(
    drafts: tuple[str, str], keywords: Json
) -> None:
    schema: Json = {"type": "object", "properties": {"a": keywords}}
    old, new = ({"$schema": draft, **schema} for draft in drafts)
    assert grades(old, new) == {"breaking"}
