"""The writer gives the bytes of `json.dumps(indent=2)`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.json_writer import indented

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS: Any = st.none() | st.booleans() | st.integers() | FLOATS | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_the_same_as_json(value: object) -> None:
    assert indented(value) == json.dumps(value, indent=2)


def test_a_tuple_is_a_list() -> None:
    assert indented({"a": ("b", (1,))}) == json.dumps({"a": ["b", [1]]}, indent=2)


def test_further_in() -> None:
    value: dict[str, list[object]] = {"b": [1, {}]}
    outer = json.dumps({"a": value}, indent=2)
    assert f'{{\n  "a": {indented(value, 1)}\n}}' == outer


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_json_number(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented([number])
