"""The rows and the blocks of a statement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Block", "blocks", "rows_of"]

Block: TypeAlias = "list[ast.stmt]"


def rows_of(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and the last row of a statement, from 1, with its decorators.

    Args:
        statement: A statement with its places.
    """
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            starts = [each.lineno for each in statement.decorator_list]
        case _:
            starts = []
    return min([statement.lineno, *starts]), statement.end_lineno or statement.lineno


def blocks(statement: ast.stmt) -> Iterator[Block]:
    """Yield the blocks in a statement, in the order of their rows.

    Args:
        statement: A statement.
    """
    for _, value in ast.iter_fields(statement):
        parts = cast("list[object]", value) if isinstance(value, list) else []
        if any(isinstance(each, ast.stmt) for each in parts):
            yield cast("Block", parts)
        for each in parts:
            if isinstance(each, ast.ExceptHandler | ast.match_case):
                yield each.body
