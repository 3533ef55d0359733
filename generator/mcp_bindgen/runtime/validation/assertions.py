"""What each JSON Schema keyword asks of a value, as one small test for each."""

from __future__ import annotations

import json
import operator
from fractions import Fraction
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from ..errors import Fault, kind_of, shown
from ..strict_json import number_key
from .backtracking import pattern_matcher
from .node import EVERY, Node, Run, doubt, refusal, under
from .references import expect, is_array, is_object, is_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from .backtracking import Matcher
    from .node import Maker, Test, Words

__all__ = ["TESTS"]


def _is_multiple(value: float, unit: float) -> bool:
    if isinstance(value, float) and not isfinite(value):
        return False
    # A float stands for the decimal number that its JSON text shows.
    exact, step = (
        Fraction(n if isinstance(n, int) else repr(n)) for n in (value, unit)
    )
    return exact % step == 0


def _frozen(value: Any, run: Run) -> Hashable:
    """Return what is equal for equal JSON values only; 1 is 1.0 and not true."""
    run.spend(1)
    if is_array(value):
        return (list, *[_frozen(item, run) for item in value])
    if is_object(value):
        return frozenset((key, _frozen(item, run)) for key, item in value.items())
    if _is_number(value):
        return number_key(value)
    return (isinstance(value, str), value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _limit(word: str, _node: Node, words: Words) -> Test:
    fits, text = _LIMITS[word]
    bound = words[word]
    expect(_is_number(bound) and abs(bound) != inf, word, "a number")
    expect(word != "multipleOf" or bound > 0, word, "more than 0")
    refuse = refusal(word, text.format(bound))
    return lambda value, run: () if fits(value, bound) else refuse(value, run)


def _size(word: str, _node: Node, words: Words) -> Test:
    bound = words[word]
    counts = _is_number(bound) and abs(bound) != inf and bound == int(bound) >= 0
    expect(counts, word, "a count")
    fits, text = (operator.ge, "least") if word[:3] == "min" else (operator.le, "most")
    refuse = refusal(word, f"must have at {text} {bound} {_PARTS[word[3:]]}")
    return lambda value, run: () if fits(len(value), bound) else refuse(value, run)


def _one_of(word: str, node: Node, words: Words) -> Test:
    allowed = words[word] if word == "enum" else [words[word]]
    expect(is_array(allowed), word, "an array")
    spare = Run((node.home,), {})
    frozen = {_frozen(value, spare) for value in allowed}
    told = shown(json.dumps(allowed[:8])[1:-1], 120)
    refuse = refusal(word, f"must be {'one of ' * (word == 'enum')}{told}")
    return lambda value, run: (
        () if _frozen(value, run) in frozen else refuse(value, run)
    )


def _pattern(_word: str, _node: Node, words: Words) -> Test:
    pattern = words["pattern"]
    expect(isinstance(pattern, str), "pattern", "a string")
    refuse = refusal("pattern", f"must match the pattern {shown(pattern, 120)}")
    try:
        matches = pattern_matcher(pattern)
    except ValueError:
        return doubt
    return lambda value, run: (() if matches(value, run.spend) else refuse(value, run))


def _missing(
    rule: str, names: Iterable[str], value: Mapping[str, Any]
) -> Iterator[Fault]:
    """Yield a fault for each missing name, so that no more are made than are asked."""
    for name in names:
        if name not in value:
            text = f"misses the property {shown(name, 120)}"
            yield Fault("", rule, text, kind_of(value))


def _required(_word: str, _node: Node, words: Words) -> Test:
    names = words["required"]
    expect(is_texts(names), "required", "an array of strings")
    return lambda value, _run: _missing("required", names, value)


def _dependent(word: str, node: Node, words: Words) -> Test:
    needs: Words = words[word]
    kids: Mapping[str, Node] = node.kids[word]
    for name in needs.keys() - kids.keys():
        expect(is_texts(needs[name]), word, "an array of strings")

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        for name in needs:
            if name in value and name in kids:
                yield from kids[name].faults(value, run)
            elif name in value:
                run.spend(len(needs[name]) // 16)
                yield from _missing(word, needs[name], value)

    return test


def _unique(_word: str, _node: Node, words: Words) -> Test | None:
    def test(value: list[Any], run: Run) -> Iterable[Fault]:
        seen: dict[Hashable, int] = {}
        for index, item in enumerate(value):
            twin = seen.setdefault(_frozen(item, run), index)
            if twin != index:
                text = f"has equal elements, {twin} and {index}"
                return (Fault("", "uniqueItems", text, kind_of(value)),)
        return ()

    return test if words["uniqueItems"] is True else None


def _members(_word: str, node: Node, _words: Words) -> Test:
    kids = node.kids
    named = {name: (kid,) for name, kid in kids.get("properties", {}).items()}
    rest = (kids["additionalProperties"],) if "additionalProperties" in kids else ()
    patterns: list[tuple[Matcher, Node]]
    patterns = kids.get("patternProperties", [])

    def chosen(name: str, run: Run) -> Iterable[Node]:
        hits = [kid for matches, kid in patterns if matches(name, run.spend)]
        return [*named.get(name, ()), *hits] or rest

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) * (1 + len(patterns)) // 4)
        for name, item in value.items():
            for kid in chosen(name, run) if patterns else named.get(name, rest):
                for fault in kid.faults(item, run):
                    yield under(name, fault)

    return test


def _elements(_word: str, node: Node, _words: Words) -> Test:
    first: list[Node] = node.kids.get("prefixItems", [])
    rest: Node | None = node.kids.get("items")

    def test(value: list[Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) // 4)
        for index, item in enumerate(value if rest else value[: len(first)]):
            kid = first[index] if index < len(first) else rest
            for fault in kid.faults(item, run) if kid else ():
                yield under(index, fault)

    return test


def _names(_word: str, node: Node, _words: Words) -> Test:
    kid: Node = node.kids["propertyNames"]

    def test(value: dict[str, Any], run: Run) -> Iterator[Fault]:
        run.spend(len(value) // 4)
        for name in value:
            fault = kid.first(name, run)
            if fault:
                text = f"the name {fault.message}"
                yield under(name, Fault("", "propertyNames", text, fault.given))

    return test


def _contains(_word: str, node: Node, words: Words) -> Test:
    kid: Node = node.kids["contains"]
    least, most = words.get("minContains", 1), words.get("maxContains", inf)
    expect(_is_number(least) and _is_number(most), "contains", "counted by numbers")
    rule = "minContains" if "minContains" in words else "contains"
    few = refusal(rule, f"must contain at least {least} of what the schema asks")
    many = refusal("maxContains", f"must contain at most {most} of it")

    def test(value: list[Any], run: Run) -> Iterable[Fault]:
        run.spend(len(value) // 4)
        verdicts = [kid.holds(item, run) for item in value]
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
    "multipleOf": (_is_multiple, "must be a multiple of {}"),
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
    "properties": ((dict,), _members),
    "propertyNames": ((dict,), _names),
    "prefixItems": ((list,), _elements),
    "contains": ((list,), _contains),
    "uniqueItems": ((list,), _unique),
}
