# Copied by mcp-bindgen. Do not edit.
"""Tests for the keywords that combine schemas: `anyOf`, `$ref`, `unevaluated...`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import limits
from .node import EVERY, Run, SchemaNode, refusal, under
from .references import Resource, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..errors import Fault
    from .node import Keywords, Maker, Test

__all__ = ["COMBINERS"]

# An alternative that fails at its root by one of these was not meant; if a single other
# is left, its fault is clearer than "fits none".
_NOT_MEANT = ("type", "const", "enum")


def _all_of(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    children: list[SchemaNode] = node.children["allOf"]

    def test(value: object, run: Run) -> Iterator[Fault]:
        for inner in children:
            yield from inner.faults(value, run)

    return test


def _some(keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    """Make the test of `anyOf` and `oneOf`."""
    children: list[SchemaNode] = node.children[keyword]
    none = refusal(keyword, f"must fit one of the {len(children)} alternatives")
    many = refusal(keyword, "must fit only one of the alternatives")

    def test(value: object, run: Run) -> Iterable[Fault]:
        # The first fault of each alternative that does not fit.
        faults: list[Fault] = []
        sure = 0  # alternatives that fit without a doubt
        for inner in children:
            doubts = run.doubts
            fault = inner.first(value, run)
            if fault:
                faults.append(fault)
            elif keyword == "anyOf":
                return ()
            else:
                sure += run.doubts == doubts
        if len(faults) < len(children):
            # An alternative that may fit: it refuses nothing.
            return many(value, run) if sure > 1 else ()
        near = [fault for fault in faults if fault.path or fault.rule not in _NOT_MEANT]
        return near if len(near) == 1 else none(value, run)

    return test


def _not(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    inner: SchemaNode = node.children["not"]
    refuse = refusal("not", "must not fit the schema of not")
    return lambda value, run: refuse(value, run) if inner.holds(value, run) else ()


def _if(_keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    children = node.children
    nodes: dict[bool | None, SchemaNode | None]
    nodes = {True: children.get("then"), False: children.get("else"), None: None}

    def test(value: object, run: Run) -> Iterable[Fault]:
        inner = nodes[children["if"].holds(value, run)]
        return inner.faults(value, run) if inner else ()

    return test


def _ref(keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    children: Mapping[Resource | None, SchemaNode] = node.children[keyword]

    return lambda value, run: _target(children, run).faults(value, run)


def _target(children: Mapping[Resource | None, SchemaNode], run: Run) -> SchemaNode:
    """Return the target of a reference; `$dynamicRef` takes the outermost one."""
    return next(
        (children[home] for home in run.scope if home in children), children[None]
    )


def _unevaluated(keyword: str, node: SchemaNode, _keywords: Keywords) -> Test:
    inner: SchemaNode = node.children[keyword]

    def test(value: Any, run: Run) -> Iterator[Fault]:
        run.spend(len(value) // limits.ELEMENTS_A_STEP)
        evaluated = _evaluated(node, value, run, keyword)
        for step, item in value.items() if is_object(value) else enumerate(value):
            for fault in () if step in evaluated else inner.faults(item, run):
                yield under(step, fault)

    return test


def _evaluated(node: SchemaNode, value: Any, run: Run, keyword: str) -> set[object]:
    """Return the names or positions that a schema evaluates, with its references."""
    names: set[object] = set()
    visited: set[int] = set()  # a reference may lead back
    scope = run.scope
    pending = [(node, scope)]
    while pending:
        at, run.scope = pending.pop()
        if id(at) in visited:
            continue
        visited.add(id(at))
        run.spend(at.cost + len(value) // limits.ELEMENTS_A_STEP)
        # An inner `unevaluated...` evaluates all that is left; the outer one is the
        # test that asks here.
        if at is not node and keyword in at.children:
            names.update(value if is_object(value) else range(len(value)))
        names.update(_evaluated_items(at.children, value, run))
        if at.home not in run.scope:
            run.scope = (*run.scope, at.home)
        pending += [(inner, run.scope) for inner in _applied(at.children, value, run)]
    run.scope = scope
    return names


def _evaluated_items(
    children: dict[str, Any], value: Any, run: Run
) -> Iterator[object]:
    """Yield the names or positions that one schema's own keywords evaluate."""
    if not is_object(value):
        # `items` evaluates every position, `prefixItems` the first ones.
        all_items = "items" in children
        yield from range(len(value if all_items else children.get("prefixItems", ())))
        element = children.get("contains")
        if element:
            yield from (i for i, v in enumerate(value) if not element.first(v, run))
    elif "additionalProperties" in children:
        yield from value
    else:
        named = children.get("properties", ())
        patterns = children.get("patternProperties", ())
        name: Any  # any object may be a key
        for name in value:
            usual = patterns if isinstance(name, str) else ()
            if name in named or any(matches(name, run.spend) for matches, _ in usual):
                yield name


def _applied(children: dict[str, Any], value: Any, run: Run) -> Iterator[SchemaNode]:
    """Yield the schemas inside one that apply to the same value and that it fits."""
    yield from children.get("allOf", ())
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in children:
            yield _target(children[keyword], run)
    for keyword in ("anyOf", "oneOf"):
        yield from (
            inner for inner in children.get(keyword, ()) if not inner.first(value, run)
        )
    for keyword in ("dependentSchemas", "dependencies") if is_object(value) else ():
        yield from (
            inner for name, inner in children.get(keyword, {}).items() if name in value
        )
    if "if" in children:
        # Where a doubt decides (None), both branches may apply.
        fits = children["if"].holds(value, run)
        keywords = (("if", fits is not False), ("then", fits is not False))
        for keyword, counts in (*keywords, ("else", fits is not True)):
            if counts and keyword in children:
                yield children[keyword]


COMBINERS: dict[str, tuple[tuple[type, ...], Maker]] = {
    **dict.fromkeys(("$ref", "$dynamicRef"), (EVERY, _ref)),
    **dict.fromkeys(("anyOf", "oneOf"), (EVERY, _some)),
    "allOf": (EVERY, _all_of),
    "not": (EVERY, _not),
    "if": (EVERY, _if),
    "unevaluatedProperties": ((dict,), _unevaluated),
    "unevaluatedItems": ((list,), _unevaluated),
}
