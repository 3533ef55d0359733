"""Accepts a value that surely fits a schema, in a few steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import limits
from .quick import FASTER, Tables
from .quick_keywords import COVERS, MAKERS
from .work import work_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .schema import SchemaChecker

__all__ = ["acceptor"]


def acceptor(checker: SchemaChecker) -> Callable[[object], bool]:
    """Return a function that tells whether a value surely has no faults.

    It says False of a value that is no plain JSON, and of one that may be costly.

    Args:
        checker: The schema, compiled.
    """
    work = work_of(checker.root, checker.nodes)
    if work is None:
        return lambda _value: False
    most = FASTER * limits.CHECK_STEPS // work.span.paths
    tables = Tables(MAKERS, COVERS, most)
    looks, run, allows = tables.of(checker.root, whole=True), tables.run, work.allows
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
