"""Bounds the work that `schema` would do for a value, without doing it.

`quick` accepts a value only where `schema` would surely stay within its limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import to_json

from .. import limits
from ..json_values import are_scalars
from .node import SchemaNode
from .patterns import compile_pattern
from .quick import CONTAINERS, DEEPEST
from .quick_unions import target_of
from .references import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = ["Work", "work_of"]

_WAYS = 1_000
"""Ways through a schema: it may lead to the same schema on several."""
_LEFT = frozenset(("unevaluatedItems", "unevaluatedProperties"))
_BRANCHES = _LEFT | {"anyOf", "contains", "if", "not", "oneOf"}
_REFERENCES = frozenset(("$dynamicRef", "$ref"))
_SAME_VALUE = _REFERENCES | {"allOf", "anyOf", "else", "if", "not", "oneOf", "then"}
_DEPENDENT = frozenset(("dependencies", "dependentSchemas"))
_EQUAL = frozenset(("const", "enum", "uniqueItems"))


class _Span(NamedTuple):
    """What is inside of a schema; no number of levels for a recursive one.

    Attributes:
        nested: Schemas inside each other that see the same value.
        paths: Ways through these.
        repeated: The sum of these ways, also from each schema inside.
        levels: Schemas inside each other.
    """

    nested: int
    paths: int
    repeated: int
    levels: int


@dataclass(frozen=True, slots=True)
class Work:
    """The most work of `schema` for a value, by the size of the value.

    Attributes:
        steps: Steps for each value in it ...
        again: ... and once more for each value around that one.
        patterns: Patterns, which take a part of a step for each character.
        span: How far the schema goes.
    """

    steps: int
    again: int
    patterns: int
    span: _Span

    def small(self) -> int:
        """Return how many values are allowed whatever they are."""
        if self.patterns:
            return 0
        deepest = DEEPEST if self.span.levels else DEEPEST // self.span.nested - 1
        return deepest if self._fits(deepest, deepest) else 0

    def allows(self, value: object, size: int) -> bool:
        """Return whether `schema` surely stays within its limits.

        Args:
            value: A value of plain JSON that a whole look has seen.
            size: The number of values in it.
        """
        texts = self.patterns * len(to_json(value)) if self.patterns else 0
        most = min(size, self.span.levels + DEEPEST) if self.span.levels else size
        fits = self._fits(size, most, texts)
        return fits or self._fits(size, _depth(value), texts)

    def _fits(self, size: int, depth: int, texts: int = 0) -> bool:
        if (self.span.levels or (depth + 1) * self.span.nested) > DEEPEST:
            return False
        steps = size * (self.steps + self.again * (depth + 1))
        return steps + texts // limits.ELEMENTS_A_STEP <= limits.CHECK_STEPS


def _depth(value: Any) -> int:
    """Return how many values are inside each other, or more than is allowed."""
    level: list[Any] = [*filter(_is_container, [value])]
    depth = 0
    while level and depth <= DEEPEST:
        depth += 1
        values: list[Any] = []
        for one in level:
            values += one.values() if one.__class__ is dict else one
        level = [] if are_scalars(values) else [*filter(_is_container, values)]
    return depth


def _is_container(value: object) -> bool:
    return type(value) in CONTAINERS


def work_of(root: SchemaNode, nodes: Collection[SchemaNode]) -> Work | None:
    """Return the bounds for a schema; None if it has none, or is unusual.

    Args:
        root: The schema.
        nodes: All schemas in it.
    """
    keywords = {keyword for node in nodes for keyword in node.children}
    if any(node.home is not root.home for node in nodes):
        return None
    try:
        patterns = _patterns(nodes, has_branches=bool(keywords & _BRANCHES))
        span = _span(nodes)
    except (RecursionError, ValueError) as _:
        return None
    if span.paths > _WAYS:
        return None
    # Each `unevaluated...` visits all schemas again, and their patterns.
    visits = 1 + sum(not _LEFT.isdisjoint(node.children) for node in nodes)
    # The name of a member may be looked at as a value, too.
    steps = 2 * sum(map(_steps, nodes)) * visits
    again = sum(len(_EQUAL & node.keywords.keys()) for node in nodes)
    return Work(steps, again, patterns * visits, span)


def _inner(node: SchemaNode) -> Iterator[tuple[SchemaNode, bool]]:
    """Yield the schemas inside a schema, and whether they see the same value."""
    for keyword, inner in node.children.items():
        if keyword in _REFERENCES:
            yield target_of(node, keyword), True
            continue
        nodes: Any = (inner,)
        if keyword == "patternProperties":
            nodes = (one for _, one in inner)
        elif not isinstance(inner, SchemaNode):
            nodes = inner.values() if is_object(inner) else inner
        sees_the_same = keyword in _SAME_VALUE or keyword in _DEPENDENT
        for one in nodes:
            yield one, sees_the_same


def _span(nodes: Collection[SchemaNode]) -> _Span:
    """Return the largest span of schemas.

    Raises:
        RecursionError: One asks another of the same value, and that one asks it, or too
            many ask.
    """
    spans: dict[SchemaNode, _Span | None] = {}
    try:
        each = [_span_of(node, spans, every=True) for node in nodes]
    except RecursionError:
        spans.clear()
        each = [_span_of(node, spans, every=False) for node in nodes]
    return _Span(*map(max, *each, (0, 0, 0, 0)))


def _span_of(
    node: SchemaNode, spans: dict[SchemaNode, _Span | None], *, every: bool
) -> _Span:
    if node in spans:
        if span := spans[node]:
            return span
        raise RecursionError
    spans[node] = None  # being visited
    same: list[_Span] = []
    levels = 0
    for inner, is_same in _inner(node):
        if is_same or every:
            span = _span_of(inner, spans, every=every)
            levels = max(levels, span.levels)
            same += [span] if is_same else []
    nested = 1 + max((span.nested for span in same), default=0)
    repeated = sum(span.repeated for span in same)
    paths = 1 + sum(span.paths for span in same)
    if not _LEFT.isdisjoint(node.children):
        paths += repeated  # each is looked at alone, too: does it evaluate a part?
    paths = min(paths, _WAYS + 1)
    repeated = min(paths + repeated, _WAYS + 1)
    made = spans[node] = _Span(nested, paths, repeated, every and levels + 1)
    return made


def _patterns(nodes: Iterable[SchemaNode], *, has_branches: bool) -> int:
    """Return how many patterns there are.

    Raises:
        ValueError: Steps of one cannot be counted.
    """
    named = [
        text for one in nodes for text in one.keywords.get("patternProperties", ())
    ]
    texts = [one.keywords["pattern"] for one in nodes if "pattern" in one.keywords]
    # Where no schema is left out, `quick` leaves all texts with such a pattern to
    # `schema`; else it might not see one of them.
    for text in (*named, *texts) if has_branches else named:
        compile_pattern(text)
    return len(named) + len(texts)


def _steps(node: SchemaNode) -> int:
    """Return the steps of one visit, and those for each part of the value."""
    words = node.keywords
    names = [
        len(names)
        for keyword in ("dependencies", "dependentRequired")
        for names in words.get(keyword, {}).values()
        if is_array(names)
    ]
    parts = 3 + len(words.get("patternProperties", ()))
    inner = sum(1 for _ in _inner(node)) if node.children else 0
    return node.cost + parts + inner + sum(names) // limits.NAMES_A_STEP
