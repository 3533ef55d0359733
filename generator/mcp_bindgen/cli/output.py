"""Results as JSON or as a table, by --format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_bindgen.errors import Problem

__all__ = [
    "feature_cells",
    "feature_columns",
    "format_option",
    "problems_json",
    "show_json",
    "show_table",
]

_WIDEST = 60
_FEATURES = ("resources", "resource_templates", "prompts")

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    callback=screen.choose_json,
    help="The form of the result on standard output.",
)


def show_json(value: object) -> None:
    """Print a value as JSON, in ASCII."""
    screen.document(json.dumps(value, indent=2, allow_nan=False))


def problems_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    """Return problems for programs."""
    return [{"message": p.message, "hint": p.hint} for p in problems]


def feature_columns(facts: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the keys of the lists that a server has besides tools, for a table."""
    present = {key for fact in facts for key in fact}
    return [key for key in _FEATURES if key in present]


def feature_cells(fact: Mapping[str, object], columns: Iterable[str]) -> list[str]:
    """Return the numbers of a server for `feature_columns`."""
    return [f"{fact[key]:,}" if key in fact else "-" for key in columns]


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose columns are as wide as their texts."""
    lines = [[screen.line(cell)[:_WIDEST] for cell in row] for row in (header, *rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        pairs = zip(cells, widths, strict=True)
        padded = (cell + " " * (width - _width(cell)) for cell, width in pairs)
        screen.result("  ".join(padded).rstrip())


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: East Asian ones take two."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    wide = sum(east_asian_width(character) in "WF" for character in text)
    marks = sum(category(character) in ("Mn", "Me") for character in text)
    return len(text) + wide - marks
