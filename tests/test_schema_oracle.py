"""The second step and jsonschema-rs agree, on random, tricky and real schemas."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime.schema_check import Schema

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("MCP_BINDGEN_SHARED", ROOT.parent / "shared")) / "fidelity"


def fits(schema: Schema, value: object) -> bool:
    return next(schema.faults(value), None) is None


NAMES = st.sampled_from(["a", "b", "ab", "c"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 4)
    | st.sampled_from([0.0, 1.0, 1.5, -2.0, 0.1, 1e16, "", "a", "b", "ab", "é", "1"])
)
EMPTY: dict[str, Any] = {}
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
TYPES = ["string", "integer", "number", "boolean", "null", "object", "array"]
COUNT = st.integers(0, 3)
PATTERN = st.sampled_from(["^a", "b$", "^[ab]+$", r"\w", r"^\d", "a|c", "."])


def keywords(inner: st.SearchStrategy[Any], refs: list[str]) -> dict[str, Any]:
    """Return, for each keyword, a strategy for its value."""
    some = st.lists(inner, min_size=1, max_size=3)
    table = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, max_size=2, unique=True)
    number = st.sampled_from([-1, 0, 1, 2, 1.5, 0.1])
    words: dict[str, Any] = {
        "type": st.sampled_from(TYPES)
        | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 1.5]),
        "pattern": PATTERN,
        "required": names,
        "uniqueItems": st.booleans(),
        "properties": table,
        "patternProperties": st.dictionaries(PATTERN, inner, max_size=2),
    }
    words |= dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number
    )
    words |= dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), COUNT)
    words |= dict.fromkeys(("minProperties", "maxProperties"), COUNT)
    words |= dict.fromkeys(("additionalProperties", "propertyNames"), inner)
    words |= dict.fromkeys(("contains", "not", "if", "then", "else"), inner)
    words |= dict.fromkeys(("allOf", "anyOf", "oneOf"), some)
    return words | ({"$ref": st.sampled_from(refs)} if refs else {})


def schemas(refs: list[str], *, draft_7: bool) -> st.SearchStrategy[Any]:
    """Return a strategy for schemas that may follow the given references."""

    def bigger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        words = keywords(inner, refs)
        some = st.lists(inner, min_size=1, max_size=3)
        table = st.dictionaries(NAMES, inner, max_size=2)
        lists = st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True))
        if draft_7:
            words |= {"items": inner | some, "additionalItems": inner}
            words |= {"dependencies": table | lists}
        else:
            words |= {"items": inner, "prefixItems": some}
            words |= {"minContains": COUNT, "maxContains": COUNT}
            words |= {"dependentSchemas": table, "dependentRequired": lists}
            words |= {"unevaluatedItems": inner, "unevaluatedProperties": inner}
        return st.lists(
            st.sampled_from(sorted(words)), max_size=4, unique=True
        ).flatmap(lambda keys: st.fixed_dictionaries({k: words[k] for k in keys}))

    return st.recursive(st.booleans() | st.just(EMPTY), bigger, max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a schema of either draft whose definitions refer to later ones only."""
    draft_7 = draw(st.booleans())
    names = ["d0", "d1", "d2"]
    refs = [f"#/$defs/{name}" for name in names]
    defs = {
        name: draw(schemas(refs[index + 1 :], draft_7=draft_7))
        for index, name in enumerate(names)
    }
    body = draw(schemas(refs, draft_7=draft_7).filter(lambda s: isinstance(s, dict)))
    return {**body, "$defs": defs, **({"$schema": DRAFT_7} if draft_7 else {})}


@settings(
    deadline=None,
    max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "300")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(schema=documents(), values=st.lists(VALUES, min_size=4, max_size=8))
def test_the_verdict_is_that_of_jsonschema_rs(
    schema: dict[str, Any], values: list[Any]
) -> None:
    oracle = jsonschema_rs.validator_for(schema)
    ours = Schema(schema)
    assert [fits(ours, value) for value in values] == [
        oracle.is_valid(value) for value in values
    ]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no fidelity data: MCP_BINDGEN_SHARED")
def test_suite_and_real_schemas() -> None:
    suite = json.loads((SHARED / "suite.json").read_text())["cases"]
    real = json.loads((SHARED / "instances.json").read_text())["tools"]
    wrong = [
        (case["id"], test["description"])
        for case in suite
        for test in case["tests"]
        if fits(Schema(case["schema"]), test["data"]) != test["valid"]
    ]
    for tool in real:
        schema = Schema(tool["schema"])
        wrong += [(tool["id"], v) for v in tool["valid"] if not fits(schema, v)]
        wrong += [
            (tool["id"], bad["mutation"])
            for bad in tool["invalid"]
            if fits(schema, bad["data"])
        ]
    assert suite
    assert real
    assert wrong == []
