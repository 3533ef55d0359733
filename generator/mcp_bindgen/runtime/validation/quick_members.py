"""Makes the looks of `quick` at the members of objects and the elements of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .node import TooCostlyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .node import SchemaNode
    from .quick import Look, Looks, Tables, View

__all__ = ["array_elements", "object_members"]

_FEW = 8
"""Up to so many, a loop takes less time than to look at all at once."""

# Some looks count their work without `Tables.spend`: they are at most values, and a
# call takes longer than to count.


def object_members(view: View) -> Look:
    """Make the look of `required`, `properties` and what is beside them."""
    children, keywords = view.node.children, view.node.keywords
    named = {
        name: view.inside(inner)
        for name, inner in children.get("properties", {}).items()
    }
    required = (*dict.fromkeys(keywords.get("required", ())),)
    rest = _rest(view, "additionalProperties")
    if "patternProperties" in children:
        matchers = map(view.tables.matcher, keywords["patternProperties"])
        looks = [view.inside(inner) for _, inner in children["patternProperties"]]
        patterns = [*zip(matchers, looks, strict=True)]
        return _of_patterns(view.tables, (required, named, rest), patterns)
    if rest is not None:
        return _of_all(view.tables, required, named, rest)
    return _of_some(view.tables, required, named)


def _rest(view: View, keyword: str) -> Looks | None:
    """Return the looks at parts that no other keyword names; None to pass over them."""
    inner: SchemaNode | None = view.node.children.get(keyword)
    if inner is None or not inner.keywords:
        return view.tables.anything() if view.whole else None
    return view.inside(inner)


def _of_all(
    tables: Tables, required: tuple[str, ...], named: dict[str, Looks], rest: Looks
) -> Look:
    looks_of, run, most = named.get, tables.run, tables.most

    def look(value: dict[str, Any]) -> int:
        for name in required:
            if name not in value:
                return 0
        size = len(value) + 1
        run.steps += size
        if run.steps > most:
            raise TooCostlyError
        for name, item in value.items():
            if type(name) is not str:
                return 0
            test = looks_of(name, rest)[type(item)]
            if test is not None:
                inside = test(item)
                if not inside:
                    return 0
                size += inside
        return size

    return look


def _of_some(
    tables: Tables, required: tuple[str, ...], named: dict[str, Looks]
) -> Look:
    """Look at the named members only."""
    pairs, run, most = [*named.items()], tables.run, tables.most

    def look(value: dict[str, Any]) -> int:
        for name in required:
            if name not in value:
                return 0
        run.steps += len(pairs)
        if run.steps > most:
            raise TooCostlyError
        for name, looks in pairs:
            if name in value:
                item = value[name]
                test = looks[type(item)]
                if test is not None and not test(item):
                    return 0
        return 1

    return look


def _of_patterns(
    tables: Tables,
    members: tuple[tuple[str, ...], dict[str, Looks], Looks | None],
    patterns: list[tuple[Look, Looks]],
) -> Look:
    required, named, rest = members

    def looks_of(name: str) -> Iterator[Looks]:
        by_name = [named[name]] if name in named else []
        by_name += [looks for is_match, looks in patterns if is_match(name)]
        return iter(by_name or ([] if rest is None else [rest]))

    def look(value: dict[str, Any]) -> int:
        for name in required:
            if name not in value:
                return 0
        size = len(value) + 1
        tables.spend(size)
        for name, item in value.items():
            if type(name) is not str:
                return 0
            for looks in looks_of(name):
                test = looks[type(item)]
                inside = 1 if test is None else test(item)
                if not inside:
                    return 0
                size += inside
        return size

    return look


def array_elements(view: View) -> Look:
    """Make the look of `prefixItems` and `items`."""
    first: list[SchemaNode] = view.node.children.get("prefixItems", [])
    rest = _rest(view, "items")
    every = None if rest is None else _of_each(view.tables, rest)
    if not first:
        return every or (lambda _value: 1)
    positions, spend = [view.inside(inner) for inner in first], view.tables.spend

    def look(value: list[Any]) -> int:
        spend(len(positions))
        size = 0 if every else 1
        for looks, item in zip(positions, value, strict=False):
            test = looks[type(item)]
            inside = 1 if test is None else test(item)
            if not inside:
                return 0
            size += inside
        if every:
            inside = every(value[len(positions) :])
            return size + inside if inside else 0
        return size

    return look


def _of_each(tables: Tables, rest: Looks) -> Look:
    run, most = tables.run, tables.most

    def look(value: list[Any]) -> int:
        size = len(value) + 1
        run.steps += size
        if run.steps > most:
            raise TooCostlyError
        if size > _FEW and not any(rest[kind] for kind in {*map(type, value)}):
            return size
        for item in value:
            test = rest[type(item)]
            if test is not None:
                inside = test(item)
                if not inside:
                    return 0
                size += inside
        return size

    return look
