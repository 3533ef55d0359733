"""JSON values are compared by their bytes first, and as their texts say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.schema.document import are_equal, canonical, packed

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 0.0, -0.0, 1.0, "", "é", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from("abé"), inner, max_size=3),
    max_leaves=5,
)


@given(VALUES, VALUES)
def test_values_are_equal_where_their_texts_are(one: Any, other: Any) -> None:
    is_same = one == other and canonical(one) == canonical(other)
    assert are_equal(one, other) == is_same
    if packed(one) == packed(other):
        assert canonical(one) == canonical(other)


@pytest.mark.parametrize("pair", [(1, 1.0), (1, True), (0, False), ([0.0], [-0.0])])
def test_equal_numbers_of_two_forms_are_two_values(pair: tuple[Any, Any]) -> None:
    assert not are_equal(*pair)
    assert not are_equal({"a": [pair[0]]}, {"a": [pair[1]]})


def test_the_order_of_members_counts_for_bytes_alone() -> None:
    one, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert packed(one) != packed(other)
    assert are_equal(one, other)
