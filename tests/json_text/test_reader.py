"""Strict JSON under limits."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_reader import JSON, parse, parse_leniently
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.runtime.json_pointer import child

SMALL = replace(
    DEFAULT, bytes=200, nodes=20, depth=3, digits=10, text=10, name=10, faults=3
)

VALUES: st.SearchStrategy[JSON] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def refused(data: bytes) -> str:
    with pytest.raises(BindgenError) as caught:
        parse_leniently(data, SMALL)
    (problem,) = caught.value.problems
    assert problem.pointer == ""
    return problem.message


@given(VALUES)
def test_honest_json_is_read_as_it_is(value: JSON) -> None:
    for ascii_only in (True, False):
        data = json.dumps(value, ensure_ascii=ascii_only, indent=1).encode()
        assert parse(data) == value


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1, column 1: not JSON: Expecting value"),
        (b"[1,\n2", "line 2, column 2: not JSON: Expecting ',' delimiter"),
        (b"]" * 200, "line 1, column 1: not JSON: Expecting value"),
        (b"[]]" + b"[" * 19, "line 1, column 3: not JSON: Extra data"),
        (b"[1] 2", "line 1, column 5: not JSON: Extra data"),
        (b"[]\n\xff", "line 2: expected UTF-8, got the byte 0xff"),
        ('{"a": 1}'.encode("utf-16"), "line 1: expected UTF-8, got the byte 0xff"),
        (b" " * 201, "expected at most 200 bytes, got more"),
        (b"[" * 21, "expected at most 20 JSON values, got more"),
        (b"[" + b"1," * 20 + b"1]", "expected at most 20 JSON values, got more"),
        (b"[[[[[1", "line 1, column 4: not JSON: Expecting value"),
        (b'["' + b'\\"' * 40, "line 1, column 2: not JSON: Unterminated string"),
        (b"[NaN, NaN, NaN, NaN]", "more than 3 values cannot be read"),
    ],
)
def test_what_is_no_json_or_too_much_is_refused_whole(
    data: bytes, message: str
) -> None:
    assert refused(data).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "NaN is not a JSON value"),
        ("-Infinity", "-Infinity is not a JSON value"),
        ("1e400", "1e400 is outside the range of a double"),
        ("1" * 11, "expected a number of at most 10 characters, got 11"),
        ("0." + "1" * 11, "expected a number of at most 10 characters, got 13"),
        ('"12345678901"', "expected a string of at most 10 characters, got 11"),
        ('{"12345678901": 1}', "expected a key of at most 10 characters, got 11"),
        (r'"\ud800"', "the string holds half of a surrogate pair"),
        (r'{"\udfff": 1}', "the string holds half of a surrogate pair"),
        ('{"b": 1, "b": 1}', "this object has the key 'b' more than once"),
        ("[[1]]", "expected at most 3 levels of nesting, got more"),
        ('[{"a": "]"}]', "expected at most 3 levels of nesting, got more"),
    ],
)
def test_one_bad_value_is_reported_and_the_rest_is_read(
    text: str, message: str
) -> None:
    data = f'{{"good": [1], "a/b": [0, {text}]}}'.encode()
    value, (problem,), _ = parse_leniently(data, SMALL)
    deeper = "/0" if "nesting" in message else ""
    assert problem.pointer == f"/a~1b/1{deeper}"
    assert problem.message.startswith(message)
    assert value == {"good": [1], "a/b": [0, [None] if deeper else None]}
    with pytest.raises(BindgenError) as caught:
        parse(data, SMALL)
    assert caught.value.problems == (problem,)


def test_a_bad_root_has_the_empty_pointer() -> None:
    value, (problem,), _ = parse_leniently(b"NaN")
    assert (value, problem.pointer) == (None, "")


def test_numbers_keep_their_kind() -> None:
    value = parse(b"[1, 1.0, -0.0, 1E2, 12345678901234567890]")
    assert repr(value) == "[1, 1.0, -0.0, 100.0, 12345678901234567890]"


def test_a_long_key_is_cut_in_the_pointer() -> None:
    key = "k" * 500
    _, (problem,), _ = parse_leniently(json.dumps({key: math.nan}).encode())
    assert problem.pointer == "/" + "k" * 80


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 10_000_000,
        b'{"a":' * 2_000_000,
        b"[" * 60 + b"[]," * 3_000_000,
        b'["' + b'\\"' * 4_900_000,
        b'"' * 9_999_999,
        b"[" + b"9" * 9_000_000 + b"]",
        b"{" + b",".join(b'"%d":0' % n for n in range(190_000)) + b',"7":0}',
        b"[" + b"1e999," * 190_000 + b"1]",
    ],
    ids=range(8),
)
@pytest.mark.timeout(60)
def test_bombs_end(data: bytes) -> None:
    with pytest.raises(BindgenError):
        parse(data)


def test_pointers_escape_as_the_rfc_says() -> None:
    assert child(child("", "a/b~c"), 0) == "/a~1b~0c/0"


@pytest.mark.parametrize(
    "text",
    [
        *("0.1", "1e22", "-0.0e-00000000064", "0E-999999999999999999", "5e-324"),
        *("0.10000000000000001", "1.000000000000000000000", "1" + "0" * 21 + ".0"),
        "0.1000000000000000055511151231257827021181583404541015625",
    ],
)
def test_numbers_are_exact(text: str) -> None:
    assert parse_leniently(text.encode()) == (float(text), (), ())


@pytest.mark.parametrize("text", ["1e-400", "-0.001e-330", "1e400", "-1" + "0.5e999"])
def test_a_number_that_no_double_is_near_is_a_fault(text: str) -> None:
    value, (fault,), rounded = parse_leniently(f'{{"a": {text}}}'.encode())
    assert (value, rounded) == ({"a": None}, ())
    assert (fault.pointer, fault.message) == (
        "/a",
        f"{text} is outside the range of a double",
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("3.141592653589793238", math.pi), ("0.1000000000000000000001", 0.1)],
)
def test_a_number_that_is_rounded_is_reported(text: str, value: float) -> None:
    tree, faults, (note,) = parse_leniently(f"[{text}]".encode())
    assert (tree, faults) == ([value], ())
    assert (note.pointer, note.message) == ("/0", f"{text} is read as {value!r}")
    assert "nearest" in note.hint


def test_no_number_is_taken_for_what_is_nested_too_deeply() -> None:
    _, (fault,), _ = parse_leniently(b"[[[[1]]]]", SMALL)
    assert fault.message == "expected at most 3 levels of nesting, got more"
    assert parse(b"-0.0e-00000000064") == 0
