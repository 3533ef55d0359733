"""Whole recordings at random: sound ones that were damaged, and any JSON at all."""

from __future__ import annotations

import ast
import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.schema.keywords import KNOWN
from mcp_bindgen.schema.node import listed, mapped

from tests.hostile.payloads import TEXTS, VALUES
from tests.hostile.positions import GOOD, Json, document, tool
from tests.strategies import documents

OURS = "fault of mcp-bindgen"
JUNK: st.SearchStrategy[Any] = st.sampled_from([*TEXTS.values(), *VALUES.values()])
JSON = st.recursive(
    JUNK | st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(sorted(KNOWN)) | st.text(max_size=4), inner),
    max_leaves=12,
)
WORDS = st.sampled_from(sorted(KNOWN | {"x-mcp-header", "x"}))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    paths = [path]
    for key, item in [*mapped(value).items(), *enumerate(listed(value))]:
        paths += _places(item, (*path, key))
    return paths


@st.composite
def damaged(draw: st.DrawFn) -> Json:
    """Take a sound recording and change some places in it."""
    schemas = draw(st.lists(documents(), min_size=1, max_size=3))
    tools = [
        tool(
            (
                {"type": "object", "properties": {"p": schema}}
                if draw(st.booleans())
                else schema
            ),
            name=f"t{number}",
            outputSchema=draw(st.sampled_from(schemas)),
        )
        for number, schema in enumerate(schemas)
    ]
    recording = document(*tools, server={"name": "s"}, instructions="i")
    for _ in range(draw(st.integers(0, 4))):
        # The sound tool stays as it is.
        places = [p for p in _places(recording) if len(p) > 2 and p[:2] != ("tools", 0)]
        path = draw(st.sampled_from(places))
        parent: Any = recording
        for step in path[:-1]:
            parent = parent[step]
        if isinstance(parent, dict) and draw(st.booleans()):
            parent[draw(WORDS)] = deepcopy(draw(JSON))
        else:
            parent[path[-1]] = deepcopy(draw(JSON))
    return recording


def _check(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        assert problem.message
        assert problem.hint
        assert OURS not in problem.hint


@pytest.mark.slow
@given(damaged())
@example(document(tool({"$ref": "#"}), tool({"allOf": [{"$ref": "#"}]}, name="x")))
def test_a_damaged_recording_costs_what_is_damaged(recording: Json) -> None:
    package = generate(json.dumps(recording).encode(), "fuzzed")
    _check(package.problems)
    names = {made.wire.text for made in package.catalog.tools}
    assert GOOD["name"] in names
    pointers = [problem.pointer for problem in package.problems]
    for number, entry in enumerate(recording["tools"]):
        if str(mapped(entry).get("name")) not in names:
            assert any(f"/tools/{number}/" in f"{p}/" for p in pointers)
    for path, text in package.files.items():
        if path.startswith("tools/"):
            ast.parse(text)


@given(JSON | st.fixed_dictionaries({"tools": JSON | st.lists(JSON)}))
def test_any_json_is_generated_from_or_refused(value: object) -> None:
    try:
        package = generate(json.dumps(value).encode(), "fuzzed")
    except BindgenError as error:
        _check(error.problems)
    else:
        _check(package.problems)


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_refused_with_a_reason(data: bytes) -> None:
    try:
        generate(data, "fuzzed")
    except BindgenError as error:
        _check(error.problems)
