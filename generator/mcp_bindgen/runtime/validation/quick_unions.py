"""Makes the looks of `quick` for the keywords that combine schemas."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from .quick import joined, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .node import SchemaNode
    from .quick import Look, Maker, View

__all__ = ["all_of", "any_of", "one_of", "target", "target_of"]

_NAMES = 50
"""Members that may tell the branches of a union apart ..."""
_TEXTS = 16
"""... and texts of such a member: a few are not costly to compare."""


def target(keyword: str) -> Maker:
    """Return how the look of a reference is made: it is that of the target."""
    return lambda view: view.same(target_of(view.node, keyword))


def target_of(node: SchemaNode, keyword: str) -> SchemaNode:
    """Return the target of a reference in a document of one resource."""
    targets: Mapping[Any, SchemaNode] = node.children[keyword]
    return targets[node.home if node.home in targets else None]


def all_of(view: View) -> Look | None:
    """Make the look of `allOf`; the last part looks at every value, if one must."""
    *others, last = view.node.children["allOf"]
    return joined([*map(view.part, others), view.same(last)])


def any_of(view: View) -> Look | None:
    """Make the look of `anyOf`."""
    return _union(view, view.node.children["anyOf"], _any)


def one_of(view: View) -> Look | None:
    """Make the look of `oneOf`."""
    return _union(view, view.node.children["oneOf"], _one)


def _union(
    view: View,
    branches: Sequence[SchemaNode],
    combined: Callable[[list[Look | None]], Look | None],
) -> Look | None:
    def look_of(some: Iterable[SchemaNode]) -> Look | None:
        return combined([look for look in map(view.same, some) if look is not refuse])

    tag = _tag(branches) if view.kind is dict else None
    return look_of(branches) if tag is None else _tagged(tag, branches, look_of)


def _any(looks: list[Look | None]) -> Look | None:
    some = [look for look in looks if look is not None]
    if len(some) < len(looks):
        return None
    if len(some) < 2:
        return some[0] if some else refuse

    def look(value: object) -> int:
        for test in some:
            size = test(value)
            if size:
                return size
        return 0

    return look


def _one(looks: list[Look | None]) -> Look | None:
    if len(looks) < 2:
        return looks[0] if looks else refuse
    some = [look for look in looks if look is not None]
    sure = len(looks) - len(some)
    if sure > 1:
        return refuse

    def look(value: object) -> int:
        only = sure
        for test in some:
            size = test(value)
            if size:
                if only:
                    return 0
                only = size
        return only

    return look if some else None


def _tagged(
    name: str,
    branches: Sequence[SchemaNode],
    look_of: Callable[[Iterable[SchemaNode]], Look | None],
) -> Look:
    """Look only at the branches that allow the text of a member that all speak of."""
    by_text: dict[str, list[SchemaNode]] = {}
    for branch in branches:
        for text in _texts(branch, name) or ():
            by_text.setdefault(text, []).append(branch)
    optional = [branch for branch in branches if not _needs(branch, name)]
    looks: dict[str | None, Look | None] = {}

    def look(value: dict[str, Any]) -> int:
        text = value.get(name)
        if type(text) is not str:
            if name in value:
                return 0
        elif text not in by_text:
            return 0
        if text not in looks:
            looks[text] = look_of(optional if text is None else by_text[text])
        test = looks[text]
        return 1 if test is None else test(value)

    return look


def _tag(branches: Sequence[SchemaNode]) -> str | None:
    """Return the member for which every branch of a union lists texts."""
    if len(branches) < 2:
        return None
    names: Iterator[str] = (
        name
        for part in _parts(branches[0])
        for name in islice(part.children.get("properties", ()), _NAMES)
    )
    return next(
        (name for name in names if all(_texts(one, name) for one in branches)), None
    )


def _texts(branch: SchemaNode, name: str) -> frozenset[str] | None:
    """Return the texts that a schema allows for a member, if it lists them."""
    for part in _parts(branch):
        inner: SchemaNode | None = part.children.get("properties", {}).get(name)
        if inner:
            allowed = inner.keywords.get("enum", [inner.keywords.get("const")])
            if len(allowed) <= _TEXTS and all(type(one) is str for one in allowed):
                return frozenset(allowed)
    return None


def _needs(branch: SchemaNode, name: str) -> bool:
    return any(name in part.keywords.get("required", ()) for part in _parts(branch))


def _parts(branch: SchemaNode) -> Iterator[SchemaNode]:
    """Yield a schema, and the target of its reference."""
    yield branch
    if "$ref" in branch.children:
        yield target_of(branch, "$ref")
