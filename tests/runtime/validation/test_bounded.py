"""Large answers: read like any other, and refused with few faults."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.validation.bounded import reader
from mcp_bindgen.runtime.validation.models import Model
from mcp_bindgen.runtime.validation.scalars import MISSING
from pydantic import ConfigDict, Field, ValidationError
from typing_extensions import TypeAliasType

MANY = limits.LARGE_ANSWER


class Cat(Model):
    kind: Literal["cat"]
    name: str
    age: int


class Dog(Model):
    kind: Literal["dog"]
    name: str
    age: int


class Odd(Model):
    kind: Literal["type", "list", "model"]


class Home(Model):
    pets: list[Annotated[Cat | Dog | Odd, Field(discriminator="kind")]]


class Node(Model):
    model_config = ConfigDict(extra="forbid")
    name: str
    below: list[Node] | MISSING = MISSING


Tree = TypeAliasType("Tree", "dict[str, Tree]")
CAT: list[Any] = [{}]
NAMELESS: list[Any] = [{"kind": "cat"}]


def faults(type_: Any, value: object) -> int:
    with pytest.raises(ValidationError) as caught:
        reader(type_)(value)
    return caught.value.error_count()


def test_what_fits_is_read_at_any_size() -> None:
    rex = {"kind": "dog", "name": "Rex", "age": 3}
    read = reader(Home)
    for count in (1, MANY):
        home = read({"pets": [rex] * count})
        assert home.model_dump() == {"pets": [rex] * count}
        assert isinstance(home.pets[-1], Dog)
    assert len(read({"pets": [{"kind": "type"}] * MANY}).pets) == MANY


def test_of_a_large_list_the_first_element_that_does_not_fit_is_reported() -> None:
    assert faults(list[Cat], CAT * 10) == 30
    assert faults(list[Cat], CAT * MANY) == 3
    assert faults(Home, {"pets": NAMELESS * MANY}) == 2
    assert faults(tuple[Cat, Cat, list[int]], [*CAT, *CAT, [1] * MANY]) == 3


def test_models_refuse_what_is_not_declared_at_any_size() -> None:
    tree = {"name": "a", "below": [{"name": "b", "below": [{"name": "c"}] * MANY}]}
    below = reader(Node)(tree).below
    assert below is not MISSING
    assert below[0].name == "b"
    assert faults(Node, {"name": "a", "below": [{"name": "b", "x": 1}] * MANY}) == 1
    assert faults(list[Node], [{"name": 1}] * MANY) == 1


@pytest.mark.parametrize("type_", [dict[str, Cat], dict[Literal["a"], Any]])
def test_a_large_mapping_has_one_fault(type_: Any) -> None:
    for count in (5, MANY):
        members: dict[str, Any] = {str(number): {} for number in range(count)}
        assert (faults(type_, members) == 1) is (count == MANY)


def test_a_mapping_that_holds_itself_has_one_fault() -> None:
    value: dict[str, Any] = {str(number): {} for number in range(MANY)}
    assert reader(Tree)(value) == value
    assert faults(Tree, {**value, "a": {"b": 1}, "c": 1}) == 1


def test_a_large_value_inside_a_union_is_tried_by_each_member() -> None:
    mixed = dict[str, int] | list[int] | int
    assert faults(mixed, {str(number): "" for number in range(MANY)}) == 3
    assert reader(mixed)([1] * MANY) == [1] * MANY
