"""Source: what a literal or a docstring says is what went in, and nothing else runs."""

from __future__ import annotations

import ast

import black
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.python.literals import WireStr, clean, docstring, lit, wrap
from mcp_bindgen.runtime.json_values import json_key

TEXTS = st.text() | st.lists(
    st.sampled_from(
        ['"', '"""', "'", "\\", "\n", "\r", "{", "\u202e", "\U000e0041", "x"]
    )
).map("".join)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=10,
)


@given(VALUES)
def test_a_literal_is_its_value(value: object) -> None:
    source = lit(value)
    assert source.isascii()
    assert "\n" not in source
    evaluated = ast.literal_eval(source)
    assert json_key(evaluated) == json_key(value)
    assert repr(evaluated) == repr(value)


@given(TEXTS)
def test_black_leaves_the_quotes_of_a_literal(text: str) -> None:
    source = f"x = {lit(WireStr(text))}\n"
    assert black.format_str(source, mode=black.Mode(line_length=10_000)) == source


@given(TEXTS, st.sampled_from([0, 4, 8]))
def test_a_docstring_says_its_words_and_runs_nothing(text: str, indent: int) -> None:
    words = clean(WireStr(text))
    source = docstring(wrap(words, indent, lead=3), indent)
    heads = ("", "def f():\n    ", "class A:\n    def f():\n        ")
    module = ast.parse(heads[indent // 4] + source)
    kinds = {type(node).__name__ for node in ast.walk(module)}
    allowed = {"Module", "Expr", "Constant", "FunctionDef", "ClassDef", "arguments"}
    assert kinds <= allowed
    (said,) = (n.value for n in ast.walk(module) if isinstance(n, ast.Constant))
    # Markers are broken by backslashes.
    actual, wanted = (t.replace("\\", "").split() for t in (str(said), words))
    assert actual == wanted or (said == "..." and not words)


@given(TEXTS)
def test_cleaned_text_has_no_hidden_character(text: str) -> None:
    cleaned = clean(WireStr(text))
    assert first_hidden(cleaned) is None
    assert all(line == line.rstrip() for line in cleaned.split("\n"))
