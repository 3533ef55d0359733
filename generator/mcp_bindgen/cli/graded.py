"""The options and the report of commands with graded changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_bindgen.contract.summary import Compared, Total

__all__ = [
    "DIFF_ALL",
    "FORMATS",
    "all_option",
    "fail_on_option",
    "show",
    "show_short",
    "show_text",
]

DIFF_ALL = "mcp-bindgen diff --all"
"""The words that show all changes, for commands without an option of their own."""

FORMATS = ("text", "json", "markdown", "github", "gitlab", "junit")
"""The forms of a report."""

_MOST_LINES = 20
_P = ParamSpec("_P")
_R = TypeVar("_R")


def all_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --all to a command."""
    return click.option(
        "--all", "everything", is_flag=True, help="Show changed words, too."
    )(command)


def fail_on_option(default: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Return the decorator that adds --fail-on to a command.

    Args:
        default: The grade from which the exit code is 1, unless the user says another.
    """
    return click.option(
        "--fail-on",
        type=click.Choice(["breaking", "compatible", "text"]),
        default=default,
        show_default=True,
        help="The grade from which the exit code is 1.",
    )


def show(
    servers: Sequence[Compared], together: Total, form: str, *, everything: bool
) -> None:
    """Print a report on standard output, and for GitHub also its summary.

    Args:
        servers: The comparisons.
        together: Their grades together.
        form: One of `FORMATS`.
        everything: Whether changed words are shown, too.
    """
    from mcp_bindgen.contract import as_annotations
    from mcp_bindgen.contract.as_json import as_json
    from mcp_bindgen.contract.as_markdown import as_markdown

    if form == "text":
        show_text(servers, together, everything=everything)
        return
    if form == "json":
        screen.document(as_json(servers, together))
        return
    make = {
        "markdown": as_markdown,
        "github": as_annotations.as_github,
        "gitlab": as_annotations.as_gitlab,
        "junit": as_annotations.as_junit,
    }[form]
    screen.block(make(servers, together, everything=everything))
    if form == "github" and (file := os.environ.get("GITHUB_STEP_SUMMARY")):
        _append(file, as_markdown(servers, together, everything=everything))


def show_text(
    servers: Sequence[Compared],
    together: Total,
    *,
    everything: bool,
    more: str = "--all",
) -> None:
    """Print a report that people read on standard output."""
    from mcp_bindgen.contract.as_text import as_text

    for line in as_text(servers, together, everything=everything, more=more):
        screen.spans(line)


def show_short(changes: Compared) -> None:
    """Show the worst of some changes, and their counts, on standard error."""
    from mcp_bindgen.contract.as_text import as_text
    from mcp_bindgen.contract.summary import total

    listed = as_text([changes], total([changes]), everything=False, more=DIFF_ALL)
    *lines, last = ["".join(span.text for span in line) for line in listed]
    many = len(lines) > _MOST_LINES + 1
    for line in lines[: _MOST_LINES if many else None]:
        screen.progress(line)
    if many:
        screen.progress("... see mcp-bindgen diff")
    screen.summary(last)


def _append(file: str, text: str) -> None:
    """Add a text to the summary of a job; a summary that fails is only a message."""
    try:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write(f"{text}\n")
    except OSError as error:
        message = f"cannot write the summary: {error.strerror}"
        screen.problems([Problem("", message, "see GITHUB_STEP_SUMMARY")])
