# Copied by mcp-bindgen. Do not edit.
"""Accepts a value that surely fits a schema, in a few steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import limits
from .quick import Tables
from .quick_keywords import COVERS, MAKERS
from .work import work_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from .node import SchemaNode

__all__ = ["acceptor"]

_FASTER = 4
"""Steps of a look that take as long as one of `schema`, at least."""
_FEW = 50
"""Members of an object that a look need not count."""


def acceptor(
    root: SchemaNode, nodes: Collection[SchemaNode]
) -> Callable[[object], bool]:
    """Return a function that tells whether a value surely fits.

    Args:
        root: The schema.
        nodes: All schemas in it.
    """
    work = work_of(root, nodes)
    if work is None:
        return lambda _value: False
    few = _FEW if work.has_few_ways() else 0
    most = _FASTER * limits.CHECK_STEPS // work.span.paths
    tables = Tables(MAKERS, COVERS, most, few)
    looks, run, allows = tables.of(root, whole=True), tables.run, work.allows
    small = work.small()

    def accepts(value: object) -> bool:
        if run.steps:  # a look of another thread is under way
            return False
        run.steps = 1
        try:
            look = looks[type(value)]
            size = 1 if look is None else look(value)
            return 0 < size <= small or (size > 0 and allows(value, size))
        except (RecursionError, ValueError) as _:
            return False
        finally:
            run.steps = 0

    return accepts
