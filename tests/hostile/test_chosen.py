"""What a server has chosen so that reading it takes long: numbers, names, answers."""

# Reading a name is private to its module.
# pyright: reportPrivateUsage=false
from __future__ import annotations

import unicodedata

import pytest
from mcp_bindgen.python import names as naming
from mcp_bindgen.runtime.json_values import json_key, number_key
from mcp_bindgen.schema.infer import infer

# Python's hash of each of these is the same.
ALIKE = [(2**61 - 1) * number for number in range(1, 1_001)]
LONG = "\ufdfa"  # 18 characters where it is taken apart


def test_numbers_do_not_meet_in_one_slot_of_a_table() -> None:
    assert len({*map(hash, ALIKE)}) == 1
    assert len({hash(json_key(number)) for number in ALIKE}) > len(ALIKE) // 2
    assert len({hash(json_key([number])) for number in ALIKE}) > len(ALIKE) // 2


@pytest.mark.parametrize("number", [0, 1, -7, 2**53, 10**30, -(2**70)])
def test_equal_numbers_have_one_key(number: int) -> None:
    assert json_key(number) == json_key(float(number)) or float(number) != number
    assert number_key(number) != number_key(number + 1)
    assert json_key(bool(number)) != json_key(int(bool(number)))


def test_fractions_have_keys_of_their_own() -> None:
    keys = {number_key(number) for number in (0.5, -0.5, 5e-324, 1e308, 0.0, -0.0)}
    assert len(keys) == len((0.5, -0.5, 5e-324, 1e308, 0.0))


class Key(str):
    """A name that counts how often a table is asked for it, or given it."""

    __slots__ = ()

    hashes = 0

    def __hash__(self) -> int:
        Key.hashes += 1
        return super().__hash__()


def test_answers_are_not_searched_for_the_names_of_others() -> None:
    schema = infer([{Key(f"k{number}"): 1} for number in range(100)])
    assert len(schema["properties"]) == 100
    assert schema["required"] == []
    assert Key.hashes < 1_000
    assert infer([{"a": 1, "b": 2}, {"a": "x"}])["required"] == ["a"]


def test_no_more_of_a_name_is_read_than_it_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    examineds: list[str] = []

    def is_mark(char: str) -> bool:
        examineds.append(char)
        return unicodedata.category(char) == "Mn"

    monkeypatch.setattr(naming, "_is_mark", is_mark)
    assert naming._words(f"word {LONG * 1_000}") == ["word"]
    assert len(examineds) <= 1_000
