"""Makes the looks of `quick` for `unevaluatedProperties` and `unevaluatedItems`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .quick import refuse
from .quick_unions import target_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .node import SchemaNode
    from .quick import Look, Looks, View

__all__ = ["unevaluated_elements", "unevaluated_members"]


@dataclass(slots=True)
class _Evaluated:
    """The members, or elements, that a schema and those in it evaluate.

    Attributes:
        every: Whether it evaluates all of them.
        names: Names of members.
        patterns: Tests of the names of members.
        first: The number of elements at the start.
        elements: Looks at elements anywhere.
        maybe: What a schema evaluates where a look accepts the value.
    """

    every: bool = False
    names: set[str] = field(default_factory=set[str])
    patterns: list[Look] = field(default_factory=list["Look"])
    first: int = 0
    elements: list[Looks] = field(default_factory=list["Looks"])
    maybe: list[tuple[Look, _Evaluated]] = field(
        default_factory=list["tuple[Look, _Evaluated]"]
    )

    def has(self, name: str) -> bool:
        """Return whether it evaluates the member of a name."""
        if self.every or name in self.names:
            return True
        return any(is_match(name) for is_match in self.patterns)

    def has_element(self, position: int, element: object) -> bool:
        """Return whether it evaluates an element."""
        if self.every or position < self.first:
            return True
        looks = (looks[type(element)] for looks in self.elements)
        return any(look is None or look(element) for look in looks)


def unevaluated_members(view: View) -> Look | None:
    """Make the look of `unevaluatedProperties`."""
    inner = view.inside(view.node.children["unevaluatedProperties"])
    evaluated = _evaluated(view, [view.node])
    if evaluated.every:
        return None
    spend, named = view.tables.spend, evaluated.names

    def look(value: dict[str, Any]) -> int:
        by = _for_value(evaluated, value)
        spend(len(value) * len(by))
        for name, item in value.items():
            if type(name) is not str:
                return 0
            if name in named:
                continue
            test = inner[type(item)]
            if test is None or any(one.has(name) for one in by):
                continue
            if not test(item):
                return 0
        return 1

    return look


def unevaluated_elements(view: View) -> Look | None:
    """Make the look of `unevaluatedItems`."""
    inner = view.inside(view.node.children["unevaluatedItems"])
    evaluated = _evaluated(view, [view.node])
    if evaluated.every:
        return None
    spend, first = view.tables.spend, evaluated.first

    def look(value: list[Any]) -> int:
        by = _for_value(evaluated, value)
        spend(len(value) * len(by))
        for position, item in enumerate(value[first:], first):
            test = inner[type(item)]
            if test is None or any(one.has_element(position, item) for one in by):
                continue
            if not test(item):
                return 0
        return 1

    return look


def _for_value(evaluated: _Evaluated, value: object) -> Sequence[_Evaluated]:
    """Return all that evaluates parts of a value."""
    by = [evaluated]
    for one in by:  # it grows
        by += [more for look, more in one.maybe if look(value)]
    return by


def _evaluated(view: View, pending: list[SchemaNode]) -> _Evaluated:
    """Return what some schemas evaluate, with those in them that see the same value.

    Args:
        view: What the look is made for.
        pending: The schemas; no schema in them leads back to itself.
    """
    made = _Evaluated()
    for node in pending:  # it grows
        children = node.children
        if view.kind is dict:
            _add_members(made, node, view)
            keyword = "unevaluatedProperties"
        else:
            _add_elements(made, node, view)
            keyword = "unevaluatedItems"
        made.every |= keyword in children and node is not view.node
        pending += children.get("allOf", ())
        refs = (key for key in ("$ref", "$dynamicRef") if key in children)
        pending += [target_of(node, key) for key in refs]
        for look, some in _maybe(view, node):
            if look is None:
                pending += some
            elif look is not refuse:
                made.maybe.append((look, _evaluated(view, some)))
    return made


def _add_members(made: _Evaluated, node: SchemaNode, view: View) -> None:
    made.every |= "additionalProperties" in node.children
    made.names |= node.children.get("properties", {}).keys()
    patterns = node.keywords.get("patternProperties", ())
    made.patterns += map(view.tables.matcher, patterns)


def _add_elements(made: _Evaluated, node: SchemaNode, view: View) -> None:
    made.every |= "items" in node.children
    made.first = max(made.first, len(node.children.get("prefixItems", ())))
    if "contains" in node.children:
        made.elements.append(view.inside(node.children["contains"]))


def _maybe(
    view: View, node: SchemaNode
) -> Iterator[tuple[Look | None, list[SchemaNode]]]:
    """Yield schemas that apply where a look accepts the value; None accepts all."""
    children = node.children
    for keyword in ("anyOf", "oneOf"):
        for branch in children.get(keyword, ()):
            yield view.part(branch), [branch]
    for keyword in ("dependentSchemas", "dependencies") if view.kind is dict else ():
        for name, inner in children.get(keyword, {}).items():
            yield _has(name), [inner]
    if "if" in children:
        look = view.part(children["if"])
        then = [children[keyword] for keyword in ("if", "then") if keyword in children]
        yield look, then
        if "else" in children:
            yield _negated(look), [children["else"]]


def _has(name: str) -> Look:
    return lambda value: name in value


def _negated(look: Look | None) -> Look | None:
    if look is None:
        return refuse
    return None if look is refuse else lambda value: not look(value)
