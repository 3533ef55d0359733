"""Makes the looks of `quick` for the keywords of a schema."""

from __future__ import annotations

import operator
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from .. import limits
from ..json_values import number_key
from .assertions import frozen, is_multiple
from .node import EVERY, Run, TooCostlyError
from .quick import FASTER, Tables, refuse
from .quick_members import array_elements, object_members
from .quick_unevaluated import unevaluated_elements, unevaluated_members
from .quick_unions import all_of, any_of, one_of, target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .node import SchemaNode
    from .quick import Look, Maker, View

__all__ = ["COVERS", "MAKERS"]

COVERS = ("properties", "prefixItems", "$ref", "$dynamicRef", "oneOf", "anyOf", "allOf")
_LIMITS = {
    "minimum": operator.le,
    "maximum": operator.ge,
    "exclusiveMinimum": operator.lt,
    "exclusiveMaximum": operator.gt,
}


def _limit(keyword: str) -> Maker:
    return lambda view: partial(_LIMITS[keyword], view.node.keywords[keyword])


def _multiple(view: View) -> Look:
    unit, spend = view.node.keywords["multipleOf"], view.tables.spend

    def look(value: float) -> int:
        spend(FASTER * limits.MULTIPLE_COST)
        return is_multiple(value, unit)

    return look


def _least(keyword: str) -> Maker:
    def make(view: View) -> Look | None:
        least = view.node.keywords[keyword]
        return (lambda value: len(value) >= least) if least else None

    return make


def _most(keyword: str) -> Maker:
    def make(view: View) -> Look:
        most = view.node.keywords[keyword]
        return lambda value: len(value) <= most

    return make


def _enum(view: View) -> Look | None:
    return _choice(view.tables, view.node.keywords["enum"], view.kind)


def _const(view: View) -> Look | None:
    return _choice(view.tables, [view.node.keywords["const"]], view.kind)


def _choice(tables: Tables, allowed: list[Any], kind: type) -> Look | None:
    """Return the look at a value that must equal one of several."""
    if kind in {int, float}:
        numbers = {number_key(one) for one in allowed if type(one) in {int, float}}
        return (lambda value: number_key(value) in numbers) if numbers else refuse
    same = [one for one in allowed if type(one) is kind]
    if not same:
        return refuse
    if kind is str:
        return frozenset(same).__contains__
    if kind in {dict, list}:
        spare = Run((), {})
        keys = {frozen(one, spare) for one in same}

        def is_one(value: object) -> bool:
            return frozen(value, tables.run) in keys

        return is_one
    if kind is bool and len({*same}) == 1:
        return partial(operator.is_, same[0])
    return None


def _pattern(view: View) -> Look:
    try:
        return view.tables.matcher(view.node.keywords["pattern"])
    except ValueError:  # only the other engine reads it, and counts its steps
        return _leave


def _leave(_value: object) -> int:
    """Leave a value to `schema`."""
    raise TooCostlyError


def _required(view: View) -> Look | None:
    names = frozenset(view.node.keywords["required"])
    if not names or "properties" in view.node.keywords:  # whose look asks for them
        return None
    return lambda value: all(name in value for name in names)


def _dependent(keyword: str) -> Maker:
    def make(view: View) -> Look:
        needs: Mapping[str, Any] = view.node.keywords[keyword]
        inner: Mapping[str, SchemaNode] = view.node.children[keyword]
        looks = {name: view.part(inner[name]) for name in inner}
        spend = view.tables.spend

        def look(value: dict[str, Any]) -> int:
            spend(len(needs))
            for name in needs:
                if name not in value:
                    continue
                if name not in looks:
                    spend(len(needs[name]))
                    if not all(needed in value for needed in needs[name]):
                        return 0
                elif (test := looks[name]) is not None and not test(value):
                    return 0
            return 1

        return look

    return make


def _unique(view: View) -> Look | None:
    run, spend = view.tables.run, view.tables.spend

    def look(value: list[Any]) -> int:
        spend(len(value))
        if {*map(type, value)} == {str}:
            return len({*value}) == len(value)
        return len({frozen(item, run) for item in value}) == len(value)

    return look if view.node.keywords["uniqueItems"] is True else None


def _property_names(view: View) -> Look | None:
    inner = view.inside(view.node.children["propertyNames"])[str]
    if inner is None:
        return None

    def look(value: dict[str, Any]) -> int:
        view.tables.spend(len(value))
        return all(type(name) is str and inner(name) for name in value)

    return look


def _contains(view: View) -> Look:
    looks = view.inside(view.node.children["contains"])
    words: Mapping[str, float] = view.node.keywords
    least, most = words.get("minContains", 1), words.get("maxContains", inf)

    def look(value: list[Any]) -> int:
        view.tables.spend(len(value))
        count = 0
        for item in value:
            test = looks[type(item)]
            count += test is None or test(item) > 0
        return least <= count <= most

    return look


def _not(view: View) -> Look | None:
    inner = view.part(view.node.children["not"])
    if inner is None:
        return refuse
    return None if inner is refuse else lambda value: not inner(value)


def _if(view: View) -> Look | None:
    children = view.node.children
    condition, then, other = (
        view.part(children[keyword]) if keyword in children else None
        for keyword in ("if", "then", "else")
    )
    if condition is None or condition is refuse:
        return other if condition else then
    if then is None and other is None:
        return None

    def look(value: object) -> int:
        inner = then if condition(value) else other
        return 1 if inner is None else inner(value)

    return look


MAKERS: dict[str, tuple[tuple[type, ...], Maker]] = {
    **{keyword: ((int, float), _limit(keyword)) for keyword in _LIMITS},
    "multipleOf": ((int, float), _multiple),
    "minLength": ((str,), _least("minLength")),
    "maxLength": ((str,), _most("maxLength")),
    "minItems": ((list,), _least("minItems")),
    "maxItems": ((list,), _most("maxItems")),
    "minProperties": ((dict,), _least("minProperties")),
    "maxProperties": ((dict,), _most("maxProperties")),
    "enum": (EVERY, _enum),
    "const": (EVERY, _const),
    "pattern": ((str,), _pattern),
    "required": ((dict,), _required),
    "dependencies": ((dict,), _dependent("dependencies")),
    "dependentRequired": ((dict,), _dependent("dependentRequired")),
    "dependentSchemas": ((dict,), _dependent("dependentSchemas")),
    "properties": ((dict,), object_members),
    "propertyNames": ((dict,), _property_names),
    "prefixItems": ((list,), array_elements),
    "contains": ((list,), _contains),
    "uniqueItems": ((list,), _unique),
    "$ref": (EVERY, target("$ref")),
    "$dynamicRef": (EVERY, target("$dynamicRef")),
    "anyOf": (EVERY, any_of),
    "oneOf": (EVERY, one_of),
    "allOf": (EVERY, all_of),
    "not": (EVERY, _not),
    "if": (EVERY, _if),
    "unevaluatedProperties": ((dict,), unevaluated_members),
    "unevaluatedItems": ((list,), unevaluated_elements),
}
