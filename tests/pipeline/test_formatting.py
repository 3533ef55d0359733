"""Black as the judge of our layout, and as its mender where a line is too long."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.pipeline import formatting
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.python import expressions
from mcp_bindgen.python.style import OURS

from tests.strategies import documents

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = st.integers(1, 100).map("wordy ".__mul__).map(str.strip) | st.text(max_size=40)
NAMES = st.integers(1, 60).map("n".__mul__) | WORDS
# A type of this name and these members is too long for a line, also in parentheses.
BRANCHES = [{"$ref": f"#/$defs/{letter * 30}"} for letter in "abc"]
SELF = {"$ref": "#/$defs/Filter"}
RECURSIVE: dict[str, Any] = {
    "type": "object",
    "properties": {"filter": SELF},
    "$defs": {
        "Filter": {"anyOf": [*BRANCHES, {"type": "array", "items": SELF}]},
        **{
            letter
            * 30: {
                "type": "object",
                "properties": {letter: SELF},
                "required": [letter],
            }
            for letter in "abc"
        },
    },
}


def package(*tools: Mapping[str, Any]) -> Mapping[str, str]:
    data = json.dumps({"tools": tools}).encode()
    return generate(data, "pkg").files


def ours(files: Mapping[str, str]) -> dict[str, str]:
    """Return the sources that are not copied."""
    return {
        path: text
        for path, text in files.items()
        if path.endswith(".py") and not text.startswith("# Copied")
    }


def leaves(*_: object) -> bool:
    """Leave every line as it is, however long."""
    return True


def is_left_by_black(source: str) -> bool:
    return black.format_str(source, mode=black.Mode()) == source


@st.composite
def tools(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a tool with names, texts, enums and defaults of any length."""
    leaf = st.fixed_dictionaries(
        {"description": WORDS},
        optional={
            "type": st.sampled_from(["string", "integer", "boolean"]),
            "enum": st.lists(WORDS | st.integers(), min_size=1, max_size=8),
            "default": st.lists(WORDS) | WORDS,
            "pattern": WORDS,
            "title": NAMES,
        },
    )
    table = st.dictionaries(NAMES, leaf | documents(), max_size=5)
    properties = draw(table)
    listed = draw(st.sampled_from([[], [*properties][:2]]))
    schema = {"type": "object", "properties": properties, "required": listed}
    tool = {"name": draw(NAMES), "description": draw(WORDS), "inputSchema": schema}
    output = {"type": "object", "properties": draw(table)}
    return tool | ({"outputSchema": output} if draw(st.booleans()) else {})


@settings(max_examples=40)
@given(tools())
def test_black_leaves_what_is_made_of_any_tool(tool: dict[str, Any]) -> None:
    for path, text in ours(package(tool)).items():
        assert is_left_by_black(text), path


def test_a_line_that_is_too_long_and_not_by_a_rule_is_mended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tool = {"name": "find", "inputSchema": RECURSIVE}
    right = package(tool)["tools/find.py"]
    assert formatting.is_sure(right)
    assert is_left_by_black(right)
    assert max(map(len, right.splitlines())) > 88

    laid_out: list[str] = []
    black_itself = formatting.by_black

    def watched(text: str, style: Any) -> str:
        laid_out.append(text)
        return black_itself(text, style)

    monkeypatch.setattr(formatting, "by_black", watched)
    monkeypatch.setattr(expressions, "_stays", leaves)
    assert package(tool)["tools/find.py"] == right
    (wrong,) = laid_out
    assert not is_left_by_black(wrong)


LONG = "x" * 90


@pytest.mark.parametrize(
    ("source", "sure"),
    [
        ('x = "short"\n', True),
        (f'"""{LONG}"""\n', True),
        (f'def f():\n    """Say.\n\n    {LONG} = {LONG}\n    """\n', True),
        (f'f(\n    a="{LONG}",\n    "b": {LONG},\n    {LONG}\n)\n', True),
        (f'x = "{LONG}"\n', True),
        (f'x: Alias = "{LONG}"\n', False),
        (f'number = "{"x" * 80}"\n', False),
        (f'x = ["{LONG}"]\n', False),
        (f"f({LONG}, 1)\n", False),
        # A literal that looks like the begin of a docstring hides nothing.
        (f'x = \'"""\'\nf({LONG}, 1)\ny = \'"""\'\n', False),
    ],
)
def test_long_lines_are_right_by_few_rules(source: str, *, sure: bool) -> None:
    assert formatting.is_sure(source) is sure


def test_what_black_cannot_read_stays() -> None:
    assert formatting.by_black("x = (\n", OURS) == "x = (\n"
