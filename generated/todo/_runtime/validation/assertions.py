# Copied by mcp-bindgen. Do not edit.
"""Tests for the keywords that look at one value: one small test for each keyword."""

from __future__ import annotations

import json
import operator
from fractions import Fraction
from functools import cache
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import Fault, printable
from ..json_values import hashable, kind_of, number_key
from .backtracking import pattern_matcher
from .node import EVERY, Run, SchemaNode, doubt, refusal, under
from .references import expect, is_array, is_object, is_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from .backtracking import Matcher
    from .node import Keywords, Maker, Test

__all__ = ["TESTS", "frozen", "is_multiple"]


def is_multiple(value: float, unit: float) -> bool:
    """Return whether a number is a multiple of another, as decimal numbers."""
    if isinstance(value, float) and not isfinite(value):
        return False
    # A float counts as the decimal number in its JSON text.
    exact, step = (
        Fraction(n if isinstance(n, int) else repr(n)) for n in (value, unit)
    )
    return exact % step == 0


def frozen(value: Any, run: Run) -> Hashable:
    """Return a hashable key; equal JSON values have equal keys: 1 is 1.0, not true."""
    run.spend(1)
    if is_array(value):
        return (list, *[frozen(item, run) for item in value])
    if is_object(value):
        return frozenset((key, frozen(item, run)) for key, item in value.items())
    if _is_number(value):
        return number_key(value)
    return (True, value) if isinstance(value, str) else (False, hashable(value))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _limit(keyword: str, _node: SchemaNode, keywords: Keywords) -> Test:
    fits, text = _LIMITS[keyword]
    bound = keywords[keyword]
    expect(_is_number(bound) and abs(bound) != inf, keyword, "a number")
    expect(keyword != "multipleOf" or bound > 0, keyword, "more than 0")
    refuse = refusal(keyword, text.format(bound))
    return lambda value, run: () if fits(value, bound) else refuse(value, run)


def _size(keyword: str, _node: SchemaNode, keywords: Keywords) -> Test:
    bound = keywords[keyword]
    counts = _is_number(bound) and abs(bound) != inf and bound == int(bound) >= 0
    expect(counts, keyword, "a count")
    fits, text = (
        (operator.ge, "least") if keyword[:3] == "min" else (operator.le, "most")
    )
    refuse = refusal(keyword, f"must have at {text} {bound} {_PARTS[keyword[3:]]}")
    return lambda value, run: () if fits(len(value), bound) else refuse(value, run)


def _one_of(keyword: str, node: SchemaNode, keywords: Keywords) -> Test:
    allowed = keywords[keyword] if keyword == "enum" else [keywords[keyword]]
    expect(is_array(allowed), keyword, "an array")
    spare = Run((node.home,), {})
    keys = {frozen(value, spare) for value in allowed}

    @cache
    def text() -> str:
        choices = json.dumps(allowed[: limits.FAULT_CHOICES])[1:-1]
        listed = printable(choices, limits.FAULT_TEXT)
        return f"must be {'one of ' * (keyword == 'enum')}{listed}"

    def refuse(value: object) -> Iterable[Fault]:
        return (Fault("", keyword, text(), kind_of(value)),)

    return lambda value, run: () if frozen(value, run) in keys else refuse(value)


def _pattern(_keyword: str, _node: SchemaNode, keywords: Keywords) -> Test:
    pattern = keywords["pattern"]
    expect(isinstance(pattern, str), "pattern", "a string")
    refuse = refusal(
        "pattern", f"must match the pattern {printable(pattern, limits.FAULT_TEXT)}"
    )
    try:
        matches = pattern_matcher(pattern)
    except ValueError:
        return doubt
    return lambda value, run: () if matches(value, run.spend) else refuse(value, run)


def _missing(
    rule: str, names: Iterable[str], value: Mapping[str, Any]
) -> Iterator[Fault]:
    """Yield a fault for each missing name, lazily: callers stop early."""
    for name in names:
        if name not in value:
            text = f"must have the property {printable(name, limits.FAULT_TEXT)}"
            yield Fault("", rule, text, kind_of(value))


def _required(_keyword: str, _node: SchemaNode, keywords: Keywords) -> Test:
    names = keywords["required"]
    expect(is_texts(names), "required", "an array of strings")
    return lambda value, _run: _missing("required", names, value)


def _dependent(keyword: str, node: SchemaNode, keywords: Keywords) -> Test:
    needs: Keywords = keywords[keyword]
    children: Mapping[str, SchemaNode] = node.children[keyword]
    for name in needs.keys() - children.keys():
        expect(is_texts(needs[name]), keyword, "an array of strings")

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        for name in needs:
            if name in value and name in children:
                yield from children[name].faults(value, run)
            elif name in value:
                run.spend(len(needs[name]) // limits.NAMES_A_STEP)
                yield from _missing(keyword, needs[name], value)

    return test


def _unique(_keyword: str, _node: SchemaNode, keywords: Keywords) -> Test | None:
    def test(value: list[Any], run: Run) -> Iterable[Fault]:
        indexes: dict[Hashable, int] = {}
        for index, item in enumerate(value):
            twin = indexes.setdefault(frozen(item, run), index)
            if twin != index:
                text = f"must have no equal elements; {twin} and {index} are equal"
                return (Fault("", "uniqueItems", text, kind_of(value)),)
        return ()

    return test if keywords["uniqueItems"] is True else None


def _object_members(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    children = node.children
    named = {name: (inner,) for name, inner in children.get("properties", {}).items()}
    rest = (
        (children["additionalProperties"],)
        if "additionalProperties" in children
        else ()
    )
    patterns: list[tuple[Matcher, SchemaNode]]
    patterns = children.get("patternProperties", [])

    def chosen(name: Any, run: Run) -> Iterable[SchemaNode]:
        usual = patterns if isinstance(name, str) else ()  # any object may be a key
        hits = [inner for matches, inner in usual if matches(name, run.spend)]
        return [*named.get(name, ()), *hits] or rest

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) * (1 + len(patterns)) // limits.ELEMENTS_A_STEP)
        for name, item in value.items():
            for inner in chosen(name, run) if patterns else named.get(name, rest):
                for fault in inner.faults(item, run):
                    yield under(name, fault)

    return test


def _array_elements(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    first: list[SchemaNode] = node.children.get("prefixItems", [])
    rest: SchemaNode | None = node.children.get("items")

    def test(value: list[Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) // limits.ELEMENTS_A_STEP)
        for index, item in enumerate(value if rest else value[: len(first)]):
            inner = first[index] if index < len(first) else rest
            for fault in inner.faults(item, run) if inner else ():
                yield under(index, fault)

    return test


def _property_names(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    inner: SchemaNode = node.children["propertyNames"]

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) // limits.ELEMENTS_A_STEP)
        for name in value:
            fault = inner.first(name, run)
            if fault:
                text = f"the name {fault.message}"
                yield under(name, Fault("", "propertyNames", text, fault.actual))

    return test


def _contains(_keyword: str, node: SchemaNode, keywords: Keywords) -> Test:
    inner: SchemaNode = node.children["contains"]
    least = keywords.get("minContains", 1)
    most = keywords.get("maxContains", inf)
    expect(_is_number(least) and _is_number(most), "contains", "counted by numbers")
    rule = "minContains" if "minContains" in keywords else "contains"
    few = refusal(
        rule, f"must contain at least {least} elements that fit the schema of contains"
    )
    many = refusal(
        "maxContains",
        f"must contain at most {most} elements that fit the schema of contains",
    )

    def test(value: list[Any], run: Run) -> Iterable[Fault]:
        run.spend(len(value) // limits.ELEMENTS_A_STEP)
        verdicts = [inner.holds(item, run) for item in value]
        if len(value) - verdicts.count(False) < least:
            return few(value, run)
        return many(value, run) if verdicts.count(True) > most else ()

    return test


_PARTS = {"Length": "characters", "Items": "elements", "Properties": "members"}
_LIMITS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (operator.ge, "must be at least {}"),
    "maximum": (operator.le, "must be at most {}"),
    "exclusiveMinimum": (operator.gt, "must be more than {}"),
    "exclusiveMaximum": (operator.lt, "must be less than {}"),
    "multipleOf": (is_multiple, "must be a multiple of {}"),
}
TESTS: dict[str, tuple[tuple[type, ...], Maker]] = {
    **dict.fromkeys(_LIMITS, ((int, float), _limit)),
    **dict.fromkeys(("minLength", "maxLength"), ((str,), _size)),
    **dict.fromkeys(("minItems", "maxItems"), ((list,), _size)),
    **dict.fromkeys(("minProperties", "maxProperties"), ((dict,), _size)),
    **dict.fromkeys(("enum", "const"), (EVERY, _one_of)),
    "pattern": ((str,), _pattern),
    "required": ((dict,), _required),
    "dependencies": ((dict,), _dependent),
    "dependentRequired": ((dict,), _dependent),
    "dependentSchemas": ((dict,), _dependent),
    "properties": ((dict,), _object_members),
    "propertyNames": ((dict,), _property_names),
    "prefixItems": ((list,), _array_elements),
    "contains": ((list,), _contains),
    "uniqueItems": ((list,), _unique),
}
