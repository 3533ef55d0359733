"""The fast way to read JSON says the same as the way that looks at each value."""

from __future__ import annotations

import json
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_reader import JSON, parse_leniently
from mcp_bindgen.json_scan import count, count_above, plain_members
from mcp_bindgen.limits import DEFAULT

SMALL = replace(
    DEFAULT, bytes=200, nodes=20, depth=3, digits=10, text=10, name=5, faults=3
)
# Parts of texts, many of which are no JSON together.
PARTS = (
    *('"', '"a"', '"ab c"', '"a":', '"b":', '"longer":', '"too long a text"', '""'),
    *("\\", '\\"', "\\\\", "\\\\\\", "\\n", "/", "#", "\\ud83d", "\\uDE00", "\\u00e9"),
    *("[", "]", "{", "}", "[]", "{}", "[[", "]]", ",", ":", " ", "\n", "\ufeff"),
    *("1", "-", "0.5", "1e400", "1e-400", "12345678901", "1.000000001", "NaN"),
    *("true", "null", "é", "😀"),
)
WHOLE = (
    *('"\\ud83d\\ude00"', '"\\ude00\\ud83d"', '"\\\\ud83d\\ude00"', '"\\ud83d"'),
    *('{"a": 1, "a": 2}', '{"a": {"a": 1}}', '{"longer": 1}', '[[["["]]]', "[[[[]]]]"),
    *("[1e400]", "[-0.0, 1.5]", "[12345678901]", '"12345678901"', '["\\"\\\\"]'),
)


def said(data: bytes) -> tuple[object, ...]:
    """Return what is read, or why it is refused."""
    try:
        return (*map(repr, parse_leniently(data, SMALL)),)
    except BindgenError as error:
        return error.problems


def said_slowly(data: bytes) -> tuple[object, ...]:
    with patch("mcp_bindgen.json_reader.plain_members", return_value=None):
        return said(data)


@settings(max_examples=150)
@given(st.lists(st.sampled_from((*PARTS, *WHOLE)), max_size=14).map("".join))
def test_any_text_is_read_in_the_same_way(text: str) -> None:
    assert said(text.encode()) == said_slowly(text.encode())


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_value_is_read_in_the_same_way(text: str) -> None:
    for around in ("{}", "[{}]", '{{"x": {}, "y": 1}}'):
        data = around.replace("{}", text).replace("{{", "{").replace("}}", "}").encode()
        assert said(data) == said_slowly(data)


def test_a_usual_recording_is_read_fast() -> None:
    tool = {"name": "say", "description": 'a "word"\n😀 \\', "inputSchema": {"a": 2.5}}
    for ascii_only in (True, False):
        data = json.dumps({"tools": [tool] * 50}, ensure_ascii=ascii_only).encode()
        assert plain_members(data, DEFAULT) == 1 + 50 * 4


VALUES: st.SearchStrategy[JSON] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(VALUES, st.integers(0, 20))
def test_more_values_than_allowed_are_counted(value: JSON, most: int) -> None:
    number = count(value)
    assert count_above(value, most) == (number if number > most else 0)
