"""The target of many references is taken apart once, and each of them gets it all."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.contract.alternatives import alternatives_of
from mcp_bindgen.contract.shape import Part, ShapedDocument

from tests.bench.counting import calls

if TYPE_CHECKING:
    from mcp_bindgen.contract.shape import Alternative

Json: TypeAlias = "dict[str, Any]"

NAMES = ("a", "b", "c", "d")
DRAFT_7: Json = {"$schema": "http://json-schema.org/draft-07/schema#"}


def reference(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def text(longest: int) -> Json:
    return {"type": "string", "maxLength": longest}


def union(word: str, members: list[Json], own: Json) -> Json:
    return {**own, word: members}


def document(own: Json, defs: Json) -> Json:
    """Return a schema, no part of which is in it twice, as JSON is read."""
    schema: Json = json.loads(json.dumps({**own, "$defs": defs}))
    return schema


def schemas() -> st.SearchStrategy[Json]:
    refs = st.builds(reference, st.sampled_from(NAMES))
    nothing: Json = {}
    own, words = st.just(nothing) | refs, st.sampled_from(["anyOf", "oneOf", "allOf"])

    def of(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
        return st.builds(union, words, st.lists(inner, min_size=1, max_size=3), own)

    return st.recursive(refs | st.builds(text, st.integers(1, 9)), of, max_leaves=6)


def documents() -> st.SearchStrategy[Json]:
    """Return schemas whose definitions refer to one another, also in circles."""
    nothing: Json = {}
    defs = st.fixed_dictionaries(dict.fromkeys(NAMES, schemas()))
    return st.builds(document, st.sampled_from([nothing, DRAFT_7]), defs)


def alternatives(shaped: ShapedDocument, name: str) -> list[Alternative]:
    part = Part(f"/$defs/{name}", shaped.root["$defs"][name])
    return alternatives_of(shaped, [part])


@given(documents())
def test_earlier_references_change_no_alternatives(schema: Json) -> None:
    shared = ShapedDocument.read(schema)
    for name in NAMES * 2:
        alone = alternatives(ShapedDocument.read(schema), name)
        assert alternatives(shared, name) == alone


def test_many_references_take_one_union_apart_once() -> None:
    def referring(members: int) -> None:
        any_of = [text(n + 1) for n in range(members)]
        shaped = ShapedDocument.read({"$defs": {"a": {"anyOf": any_of}}})
        for number in range(100):
            alternatives_of(shaped, [Part(f"/properties/p{number}", reference("a"))])

    referring(1)  # what only the first one costs
    few, many = (calls(partial(referring, number)) for number in (20, 40))
    assert many < 1.6 * few


def test_earlier_references_change_no_limit() -> None:
    """Each definition refers to the next one twice: the first takes 2**12 schemas."""
    defs = {"d12": text(1)}
    for n in range(12):
        defs[f"d{n}"] = {"allOf": [reference(f"d{n + 1}")] * 2}
    schema = document({}, defs)
    shared = ShapedDocument.read(schema)
    for n in reversed(range(13)):
        alone = alternatives(ShapedDocument.read(schema), f"d{n}")
        assert alternatives(shared, f"d{n}") == alone
    [[(_, first)]] = alternatives(shared, "d0")
    assert [*first] == ["overlap"]
