"""Says whether two sources differ in their layout alone."""

from __future__ import annotations

import ast
from typing import TypeAlias

from mcp_bindgen.pipeline.statements import Block, blocks, rows_of

__all__ = ["is_same_program"]

Rows: TypeAlias = "list[bytes]"


def is_same_program(text: str, other: str) -> bool:
    """Return whether two sources differ in their layout alone.

    Statements of the same text are the same; only the others are compared as trees, a
    third of the time where another width is the difference.

    Args:
        text: A source.
        other: Another source, which may be anything.
    """
    if text == other:
        return True
    # A comment there could say in which encoding Python reads the file.
    if "coding" in "".join(other.split("\n")[:2]):
        return False
    try:
        one, two = ast.parse(text).body, ast.parse(other).body
        return _are_same(one, two, _rows(text), _rows(other))
    except (SyntaxError, ValueError, RecursionError):
        return False


def _rows(text: str) -> Rows:
    """Return the rows of a source as the parser counts them and their columns.

    It takes a carriage return for the end of a row, too: such a source has no rows
    here, so that all of it is compared as a tree.
    """
    return [] if "\r" in text else text.encode().split(b"\n")


def _are_same(block: Block, other: Block, rows: Rows, others: Rows) -> bool:
    if len(block) != len(other):
        return False
    for one, two in zip(block, other, strict=True):
        if _has_same_text(one, two, rows, others):
            continue
        inner = [_taken(one), _taken(two)]
        if _tree(one) != _tree(two) or len(inner[0]) != len(inner[1]):
            return False
        for mine, theirs in zip(*inner, strict=True):
            if not _are_same(mine, theirs, rows, others):
                return False
    return True


def _has_same_text(one: ast.stmt, two: ast.stmt, rows: Rows, others: Rows) -> bool:
    """Return whether two statements stand in the same columns of the same rows."""
    first, last = rows_of(one)
    other_first, other_last = rows_of(two)
    return (
        one.col_offset == two.col_offset
        and one.end_col_offset == two.end_col_offset
        and last <= len(rows)
        and rows[first - 1 : last] == others[other_first - 1 : other_last]
    )


def _taken(statement: ast.stmt) -> list[Block]:
    """Take the blocks out of a statement, and return them.

    A `pass` stays in each: a block behind `else` is not one behind `finally`.
    """
    inner = [*blocks(statement)]
    copies = [[*block] for block in inner]
    for block in inner:
        block[:] = [ast.Pass()]
    return copies


def _tree(statement: ast.stmt) -> str:
    """Return the syntax tree of a statement; of a docstring, the words."""
    match statement:
        case ast.Expr(ast.Constant(str(words)) as constant):
            constant.value = " ".join(words.split())
        case _:
            pass
    return ast.dump(statement)
