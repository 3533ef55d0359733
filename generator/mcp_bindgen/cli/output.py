"""Results as JSON or as a table, by --format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp_bindgen.errors import Problem

__all__ = ["format_option", "problems_json", "show_json", "show_table"]

_WIDEST = 60

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


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose columns are as wide as their texts."""
    lines = [[screen.line(cell)[:_WIDEST] for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        padded = (cell.ljust(n) for cell, n in zip(cells, widths, strict=True))
        screen.result("  ".join(padded).rstrip())
