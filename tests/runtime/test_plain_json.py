"""The quick writer of JSON decides as the strict one does, or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime.plain_json import encoded, is_plain, written
from mcp_bindgen.runtime.strict_json import StrictJsonError, dumps

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = st.sampled_from(["a", "b", 'c"', "d\\", 'e":', "\\", "", " ", "1"])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(['"', "\\", '":', '\\":', '{"a":1,"a":2}', "NaN", "e-400"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(KEYS, inner)),
    max_leaves=12,
)


def outcome(write: Callable[[object], bytes], value: object) -> bytes | str:
    """Return a text, or the refusal."""
    try:
        return write(value)
    except StrictJsonError as error:
        return f"refused: {error}"


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_both_writers_agree(value: object) -> None:
    assert is_plain(value)
    text = written(value)
    assert text is None or json.loads(text) == json.loads(dumps(value))
    assert json.loads(encoded([value] * 60)) == [json.loads(dumps(value))] * 60


class Text(str):
    """A text of another class."""

    __slots__ = ()


def nested(levels: int, inner: object) -> object:
    """Return a value in so many lists."""
    for _ in range(levels):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    "value",
    [
        *(
            float("nan"),
            [float("inf")],
            {"a": b"x"},
            {1: 2},
            [{None: 1}],
            {"a": (1, 2)},
        ),
        *("\ud800", {"\ud800": 1}, nested(250, 1), object(), {"a": {1, 2}}, Text("x")),
        *([{"a": n} for n in range(99)] + [{2: 1}], [[n] for n in range(99)] + [b""]),
    ],
)
def test_the_quick_writer_leaves_what_is_unusual(value: object) -> None:
    assert written(value) is None
    assert outcome(lambda _: encoded(value), b"") == outcome(
        lambda _: dumps(value), b""
    )


def test_a_value_that_holds_itself_has_no_json() -> None:
    ring: list[object] = []
    ring += [ring, ring, *([[0]] * 60)]
    assert written(ring) is None
    assert not is_plain(ring)  # in bounded time
    with pytest.raises(StrictJsonError):
        encoded(ring)
