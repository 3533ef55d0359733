"""Takes out of a source all statements that stay as they are at any width."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.pipeline.statements import Block, blocks, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["excerpt", "whole"]

Rows: TypeAlias = tuple[int, int]
"""The first and the last row of something, from 1."""

_NAME = "_statements_left_out_"
_MARK = re.compile(rf"^ *(?:import )?{_NAME}([0-9]+)\n", re.MULTILINE)
_LAYOUT = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


def excerpt(text: str, width: int) -> tuple[str, list[str]]:
    """Return a source with only the statements that another width may change.

    A statement on one row that is short enough stays, and so does a docstring. In place
    of each run of such statements stands a name; `whole` puts the run back. Black finds
    the version of Python by imports of `__future__`: a source without them stays whole.

    Example: of `a = 1` and a call over three rows behind it, `_statements_left_out_0`
    and the call are left; the only run is the row `a = 1`.

    Args:
        text: A source that black has laid out at some width.
        width: Columns of a line.

    Returns:
        The source, and the runs by number.
    """
    body = ast.parse(text).body
    future = [n for n, each in enumerate(body, 1) if _is_future(each)]
    if not future or _NAME in text or "fmt:" in text:
        return text, []
    rows = io.StringIO(text).readlines()  # as `ast` and `tokenize` count them
    changing = sorted(_changing(text, rows, width))
    made: list[str] = []
    runs: list[str] = []
    end = 0
    for first, last in _runs(body[future[-1] :], rows, changing):
        row = rows[first - 1]
        indent = row[: len(row) - len(row.lstrip())]
        # Black adds empty rows where imports end.
        word = "import " if row.lstrip().startswith(("import ", "from ")) else ""
        made += [*rows[end : first - 1], f"{indent}{word}{_NAME}{len(runs)}\n"]
        runs.append("".join(rows[first - 1 : last]))
        end = last
    return "".join([*made, *rows[end:]]), runs


def whole(text: str, runs: list[str]) -> str:
    """Return the source with the runs of statements that `excerpt` took out.

    Args:
        text: The source of `excerpt`, in any layout.
        runs: The runs.
    """
    return _MARK.sub(lambda match: runs[int(match[1])], text)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _changing(text: str, rows: list[str], width: int) -> set[int]:
    """Return the rows of statements that are too long, or go over several rows.

    Black lays out no comment of its own row, and of a docstring only the end.
    """
    changing: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            first, last = statement[0].start[0], statement[-1].end[0]
            is_docstring = len(statement) == 1 and statement[0].type == tokenize.STRING
            if _columns(rows[last - 1]) > width or (first != last and not is_docstring):
                changing.update(range(first, last + 1))
            statement = []
        elif token.type not in _LAYOUT:
            statement.append(token)
    return changing


def _columns(row: str) -> int:
    """Return the columns of a row, or more: some characters take two."""
    return len(row.rstrip("\n")) * (1 if row.isascii() else 2)


def _runs(block: Block, rows: list[str], changing: list[int]) -> Iterator[Rows]:
    """Yield the rows of the longest runs of statements that stay."""

    def kind(statement: ast.stmt) -> tuple[bool, bool]:
        first, last = rows_of(statement)
        is_elif = rows[first - 1].lstrip().startswith("elif ")
        stays = bisect(changing, first - 1) == bisect(changing, last) and not is_elif
        return stays, isinstance(statement, ast.Import | ast.ImportFrom)

    for (stays, _), group in groupby(block, kind):
        statements = [*group]
        if stays:
            yield rows_of(statements[0])[0], rows_of(statements[-1])[1]
            continue
        for statement in statements:
            for inner in blocks(statement):
                yield from _runs(inner, rows, changing)
