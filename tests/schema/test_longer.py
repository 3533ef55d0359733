"""A value's text is measured without being written, where it is far from a limit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.schema.document import canonical, is_longer

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner, max_size=6)
    | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=20,
)


@given(VALUES)
def test_verdict_is_that_of_the_text(value: Any) -> None:
    length = len(canonical(value))
    verdicts = [is_longer(value, most) for most in (0, length - 1, length, length + 1)]
    assert verdicts == [length > 0, True, False, False]


SINGLE: list[Any] = [True, False, None, 0, -1.5e-300, 10**30, "", {}, []]
LONGEST: list[Any] = [
    *([value] * 500 for value in SINGLE),
    "\x1f" * 500,
    "\U0001f600" * 500,
    {"\x00" * n: "\x7f" for n in range(60)},
    [-(2**31)] * 500,
    [["x" * 200] * 2] * 300,
]


@pytest.mark.parametrize("value", LONGEST, ids=lambda value: json.dumps(value)[:12])
def test_no_form_of_values_is_longer_than_it_is_said(value: Any) -> None:
    length = len(canonical(value))
    assert is_longer(value, length - 1)
    assert not is_longer(value, length)
