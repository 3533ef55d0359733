"""The levels of a JSON value: as many for each reader and writer, looked at whole."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.plain_json import decoded, encoded, is_plain, written
from mcp_bindgen.runtime.strict_json import StrictJsonError, dumps, loads

from tests.runtime.test_plain_json import Size, Text, nested

if TYPE_CHECKING:
    from collections.abc import Callable

# The levels of each value by its name.
LEVELS: dict[str, tuple[object, int]] = {
    "one": ([1], 1),
    "many": ([0] * 60, 1),
    "empty": ([{}] * 60, 2),
    "full": ([{"a": [1]}] * 60, 3),
    "mixed": ([[], 1, {"a": "x"}] * 40, 2),
}


def refuses(work: Callable[[], object]) -> bool:
    """Return whether a reader or a writer refuses its input for its depth."""
    try:
        work()
    except StrictJsonError as error:
        return str(error) == f"nested deeper than {limits.JSON_DEPTH}"
    return False


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_each_way_allows_as_many_levels(name: str, more: int) -> None:
    inner, levels = LEVELS[name]
    value = nested(limits.JSON_DEPTH + more - levels, inner)
    text = json.dumps(value).encode()
    fits = more <= 0
    assert is_plain(value) == fits
    assert fits or written(value) is None
    for read in (loads, decoded):
        assert refuses(partial(read, text)) != fits
    for write in (dumps, encoded):
        assert refuses(partial(write, value)) != fits


def plainly(value: object) -> bool:
    """Return whether a value is plain, by a look at each part."""
    if type(value) is dict:
        members = cast("dict[object, object]", value)
        return all(type(key) is str for key in members) and all(
            map(plainly, members.values())
        )
    if type(value) is list:
        return all(map(plainly, cast("list[object]", value)))
    return type(value) in {str, int, float, bool, type(None)}


def repeated(part: object, times: int) -> list[object]:
    return [part] * times


def odd_values() -> st.SearchStrategy[object]:
    """Return values, of which some are no plain JSON, in short and in long lists."""
    odd: list[object] = [b"x", Text("x"), (1,), {1: 2}, {Text("a"): 1}, Size.ONE]
    leaves: st.SearchStrategy[object] = st.none() | st.text(max_size=2)
    return st.recursive(
        leaves | st.sampled_from(odd),
        lambda inner: st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=2), inner, max_size=4)
        | st.builds(repeated, inner, st.integers(45, 60)),
        max_leaves=8,
    )


@given(odd_values())
def test_a_look_at_whole_levels_says_the_same_as_a_look_at_each(value: object) -> None:
    assert is_plain(value) == plainly(value)
