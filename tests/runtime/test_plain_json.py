"""The quick reader and writer of JSON decide as the strict ones do, or not at all."""

from __future__ import annotations

import json
from collections import deque
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime.plain_json import decoded, encoded, is_plain, written
from mcp_bindgen.runtime.strict_json import (
    StrictJsonError,
    dumps,
    has_many_digits,
    loads,
)

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


class Kind(Enum):
    """No text and no number, but it has one."""

    ONE = 1


class Size(IntEnum):
    """A number."""

    ONE = 1


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
        *("\ud800", {"\ud800": 1}, nested(250, 1), object(), {"a": {1, 2}}),
        *({True: 1}, {1: 2, "1": 2}, range(2), Path("a"), UUID(int=1), date.min),
        *(Decimal(1), Fraction(1), {"a": deque([1])}, Kind.ONE, {"a": Kind.ONE}),
        *([{"a": n} for n in range(99)] + [{2: 1}], [[n] for n in range(99)] + [b""]),
    ],
)
def test_the_quick_writer_leaves_what_is_unusual(value: object) -> None:
    assert written(value) is None
    assert outcome(lambda _: encoded(value), b"") == outcome(
        lambda _: dumps(value), b""
    )


@pytest.mark.parametrize("value", [Text("x"), {Text("x"): Text("y")}, Size.ONE])
@pytest.mark.parametrize("times", [1, 3_000])
def test_subclasses_are_written_as_their_base(value: object, times: int) -> None:
    values = [value] * times
    assert encoded(values) == dumps(values)


def test_a_value_that_holds_itself_has_no_json() -> None:
    ring: list[object] = []
    ring += [ring, ring, *([[0]] * 60)]
    assert written(ring) is None
    assert not is_plain(ring)  # in bounded time
    with pytest.raises(StrictJsonError):
        encoded(ring)


@given(
    st.integers(0, 250),
    st.integers(4_150, 4_450),
    st.sampled_from(["", "x", "1,", "9" * 4_299 + "x"]),
    st.sampled_from(["0", "7", "30"]),
)
def test_a_long_number_is_one_at_any_offset(
    before: int, length: int, other: str, digits: str
) -> None:
    number = (digits * length)[:length]
    text = f"{'x' * before}{number}x{other}"
    assert has_many_digits(text.encode()) == (length >= 4_300)


@pytest.mark.parametrize("odd", [b"x", (1,), Text("x"), {1: 2}, {1}, 1j, date.today])
@pytest.mark.parametrize("index", [0, 70, 139])
@pytest.mark.parametrize("others", [["x"], [1], ["x", 1], [{"a": 1}], [[1]]])
def test_one_odd_value_counts_at_any_index(
    odd: object, index: int, others: list[object]
) -> None:
    values = (others * 140)[:140]
    assert is_plain(values)
    values[index] = odd
    assert not is_plain(values)


SPACES = st.sampled_from(["", " ", "\n", "\t \r"])
NUMBERS = [
    *("0", "-0", "-0.0", "1e5", "1E+22", "1e-7", "1.0", "12345678901234567890"),
    *("1e307", "1e308", "1e309", "-1E400", "1e-307", "1e-308", "5e-324", "1e-400"),
    *("9" * 99, "9" * 101, "9" * 4300, "-" + "9" * 4300, "9" * 4301, "-" + "9" * 4301),
    *("0." + "0" * 98 + "1", "0." + "0" * 400 + "1", "1" * 400 + ".0", "1e0005"),
    *("0.1234567890123456789012345", "2.2250738585072011e-308", "01", "1.", "+1"),
    *("NaN", "Infinity", "-Infinity", "4e5123", "1e22", "1e21", "123456789.125e3"),
]
TEXTS = st.one_of(
    st.text(max_size=6).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.text(max_size=6).map(json.dumps),
    st.sampled_from(
        [
            *('"\\u003a"', '"a:b"', '"\\":"', '"\\ud800"', '"\\ud83d\\ude00"'),
            *('"3e4000"', '"\\u003A:"', '"\\/"', '"\\x"', '"\x01"', '"\x7f"'),
        ]
    ),
)


def joined(opened: str, parts: list[str], closed: str) -> str:
    """Return a container of some parts."""
    return f"{opened}{','.join(parts)}{closed}"


def array(parts: list[str]) -> str:
    """Return an array of some members."""
    return joined("[", parts, "]")


def object_of(parts: list[str]) -> str:
    """Return an object of some members with their keys."""
    return joined("{", parts, "}")


def member(key: str, space: str, value: str) -> str:
    """Return a key with its value, and white space before the colon."""
    return f"{json.dumps(key)}{space}:{value}"


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return arrays and objects, whose keys may be equal, with white space."""
    spaced = st.tuples(SPACES, inner).map("".join)
    members = st.builds(member, KEYS, SPACES, spaced)
    return st.one_of(
        st.lists(spaced, max_size=4).map(array),
        st.lists(members, max_size=4).map(object_of),
    )


JSON_TEXTS = st.recursive(
    st.one_of(TEXTS, st.sampled_from(NUMBERS), st.sampled_from(["null", "true"])),
    containers,
    max_leaves=10,
)


def read(reader: Callable[[bytes | bytearray], object], data: bytes | bytearray) -> str:
    """Return a value with its types, or the refusal."""
    try:
        return repr(reader(data))
    except StrictJsonError as error:
        return f"refused: {error}"


@settings(max_examples=300, deadline=None)
@given(JSON_TEXTS)
def test_both_readers_agree(text: str) -> None:
    data = text.encode()
    assert read(decoded, data) == read(loads, data)


@pytest.mark.parametrize(
    "data",
    [
        *(number.encode() for number in NUMBERS),
        *(b"", b" ", b"1,2", b"1],[2", b"]", b"[", b"{}{}", b"\xff", b'"\xff"'),
        *(b"\xef\xbb\xbf1", b'"\xed\xa0\x80"', b'{"a":1,"a":1}', b'{"a":1,"a":2}'),
        *(b'{"a":{"b":1,"b":1}}', b'{"a":"\\u003a","b":1,"b":1}', b"[1,]", b"nul"),
        *(b'{"a" :1, "a" :1}', b'[{"a":1},{"a":1}]', b'{"\\u0061":1,"a":1}'),
        *(b"[" * n + b"]" * n for n in (199, 200, 201, 202, 5_000)),
        *(b"[" + b"1," * n + b"1]" for n in (999_998, 999_999, 1_000_000)),
    ],
    ids=lambda data: str(data)[:20],
)
def test_both_readers_agree_about_edges(data: bytes) -> None:
    assert read(decoded, data) == read(loads, data)
    assert read(decoded, bytearray(data)) == read(loads, data)
