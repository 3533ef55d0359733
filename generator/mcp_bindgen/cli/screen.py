"""What the terminal shows: problems and progress on stderr, nothing hidden in them."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from mcp_bindgen.hidden import show
from mcp_bindgen.recording.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp_bindgen.errors import Problem

__all__ = [
    "count",
    "detail",
    "failure",
    "hide",
    "is_quiet",
    "line",
    "options",
    "problems",
    "progress",
    "result",
    "summary",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_MOST = 50


def options(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --quiet and --verbose; they may stand before or after the command's name."""
    for name, text in (
        ("--quiet", "Show problems and results only."),
        ("--verbose", "Show each step, and where an error came from."),
    ):
        command = click.option(
            name, is_flag=True, help=text, expose_value=False, callback=_remember
        )(command)
    return command


def _remember(ctx: click.Context, param: click.Parameter, given: object) -> None:
    if given and param.name:
        ctx.find_root().meta[param.name] = True


def _is_on(name: str) -> bool:
    return name in click.get_current_context().find_root().meta


def result(text: str) -> None:
    """Print what was asked for."""
    click.echo(text)


def is_quiet() -> bool:
    """Tell whether only problems and results are to be shown."""
    return _is_on("quiet")


def progress(text: str) -> None:
    """Tell what is being done."""
    if not _is_on("quiet"):
        click.secho(line(text), err=True, dim=True)


def detail(text: str) -> None:
    """Tell a step that only --verbose shows."""
    if _is_on("verbose"):
        progress(text)


def summary(text: str) -> None:
    """Tell the outcome, in the last line."""
    if not _is_on("quiet"):
        click.secho(line(text), err=True, bold=True)


def problems(found: Iterable[Problem], source: str = "") -> None:
    """Tell what is wrong, each with its place in the source and a hint."""
    listed = list(found)
    for problem in listed[:_MOST]:
        place = f"{source}#{problem.pointer}" if problem.pointer else source
        label = click.style(line(place or "error"), fg="red", bold=True)
        click.echo(f"{label}: {line(problem.message)}", err=True)
        if problem.hint:
            label = click.style("hint", bold=True)
            click.echo(f"  {label}: {line(problem.hint)}", err=True)
    if len(listed) > _MOST:
        click.echo(f"... and {len(listed) - _MOST:,} more", err=True)


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def failure(error: Exception, *why: Problem) -> None:
    """Tell why nothing could be done, and with --verbose where that was found."""
    if _is_on("verbose"):
        trace = "".join(traceback.format_exception(error))
        click.echo(_clean(trace), err=True, nl=False)
    problems(why)


def hide(secrets: Iterable[str]) -> None:
    """Show *** from now on wherever one of these values would stand."""
    meta = click.get_current_context().find_root().meta
    meta["secrets"] = (*meta.get("secrets", ()), *secrets)


def _clean(text: str) -> str:
    meta = click.get_current_context().find_root().meta
    return show(mask(text, meta.get("secrets", ())))


def line(text: str) -> str:
    """Return the text on one line, whatever a server put into it."""
    return _clean(text).replace("\n", "\\n")
