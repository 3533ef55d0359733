"""Rewrites code that black and ruff lay out in two ways; the program stays the same."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["alike"]

Position: TypeAlias = tuple[int, int]
Edit: TypeAlias = tuple[int, int, str]
"""Start and end in a source, and the text that is to stand there."""

_PART = re.compile(r"""([a-z]*)("(?!"")|'(?!''))(.*)\2""", re.IGNORECASE)
_OPENING = {"FSTRING_START", "TSTRING_START"}
_CLOSING = {"FSTRING_END", "TSTRING_END"}


def alike(text: str, width: int) -> str:
    """Return a source of black's in which ruff finds less to change.

    Strings side by side are one string where it fits on a line, since ruff joins them.
    A tuple or a `with` over several lines has parentheses, which ruff adds. A comment
    behind the last bracket of a statement moves above it: only black counts its width.

    Args:
        text: A source that black has laid out.
        width: Columns of a line.
    """
    lines = io.StringIO(text).readlines()  # as `tokenize` and `ast` count them
    starts = [0, *accumulate(map(len, lines))]
    tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    edits = [*_comments(tokens, lines, starts), *_brackets(text, lines, starts)]
    for parts in _neighbours(tokens):
        first, last = parts[0][0], parts[-1][1]
        joined = _joined([text[_at(a, starts) : _at(b, starts)] for a, b in parts])
        rest = lines[last[0] - 1][last[1] :].split("  #")[0].rstrip()
        if joined and first[1] + len(joined) + len(rest) <= width:
            edits.append((_at(first, starts), _at(last, starts), joined))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _at(position: Position, starts: list[int]) -> int:
    row, column = position
    return starts[row - 1] + column


def _neighbours(
    tokens: list[tokenize.TokenInfo],
) -> Iterator[list[tuple[Position, Position]]]:
    """Yield the positions of two or more strings side by side."""
    parts: list[tuple[Position, Position]] = []
    depth, begin = 0, (0, 0)
    for token in tokens:
        kind = tokenize.tok_name[token.type]
        if kind in _OPENING:
            begin = begin if depth else token.start
            depth += 1
        elif kind in _CLOSING:
            depth -= 1
            if not depth:
                parts.append((begin, token.end))
        elif depth or kind == "NL":
            continue
        elif kind == "STRING":
            parts.append((token.start, token.end))
        else:
            if len(parts) > 1:
                yield parts
            parts = []


def _joined(parts: list[str]) -> str:
    """Return one string for several; nothing where ruff joins none."""
    matches = [match for part in parts if (match := _PART.fullmatch(part))]
    prefixes = {match[1].lower() for match in matches}
    if len(matches) < len(parts) or not _one_kind(prefixes):
        return ""
    prefix, quotes = max(prefixes), {match[2] for match in matches}
    body = "".join(
        re.sub("([{}])", r"\1\1", match[3]) if match[1] != prefix else match[3]
        for match in matches
    )
    if len(quotes) > 1:
        quotes = {quote for quote in quotes if quote not in body}
    quote = min(quotes, default="")
    return quote and prefix + quote + body + quote


def _one_kind(prefixes: set[str]) -> bool:
    return len(prefixes) == 1 or prefixes == {"", "f"}


def _comments(
    tokens: list[tokenize.TokenInfo], lines: list[str], starts: list[int]
) -> Iterator[Edit]:
    """Yield the edits that move a comment behind a last bracket above its statement."""
    first = None
    for token, following in pairwise(tokens):
        if token.type in {tokenize.NL, tokenize.INDENT, tokenize.DEDENT}:
            continue
        if token.type == tokenize.NEWLINE:
            first = None
        elif first is None and token.type != tokenize.COMMENT:
            first = token.start
        elif first and token.type == tokenize.COMMENT and token.start[0] > first[0]:
            line = lines[token.start[0] - 1]
            if following.type == tokenize.NEWLINE and line.lstrip()[0] in ")]}":
                above = starts[first[0] - 1]
                yield above, above, f"{' ' * first[1]}{token.string}\n"
                end = _at(token.start, starts)
                yield end - 2, end + len(token.string), ""


def _brackets(text: str, lines: list[str], starts: list[int]) -> Iterator[Edit]:
    """Yield parentheses for tuples and `with` on several lines that have none."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Assign(value=ast.Tuple([first, *_]) as both) | ast.Return(
                value=ast.Tuple([first, *_]) as both
            ) if (first.lineno, first.col_offset) == (both.lineno, both.col_offset):
                yield from _enclosed(first, both, lines, starts)
            case ast.With([item, *_, end]) | ast.AsyncWith([item, *_, end]) if (
                item.context_expr.lineno == node.lineno
            ):
                last = end.optional_vars or end.context_expr
                yield from _enclosed(item.context_expr, last, lines, starts)
            case _:
                pass


def _enclosed(
    first: ast.expr, last: ast.expr, lines: list[str], starts: list[int]
) -> Iterator[Edit]:
    """Yield parentheses around expressions of more than one line."""
    if first.lineno == last.end_lineno:
        return
    start = _at(_column(lines, first.lineno, first.col_offset), starts)
    end = _column(lines, last.end_lineno or 0, last.end_col_offset or 0)
    yield start, start, "("
    yield _at(end, starts), _at(end, starts), ")"


def _column(lines: list[str], row: int, byte: int) -> Position:
    """Return a position in characters; a syntax tree counts the column in bytes."""
    return row, len(lines[row - 1].encode()[:byte].decode())
