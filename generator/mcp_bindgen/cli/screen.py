"""The only module that prints: results on stdout, everything else on stderr.

Each text passes `_clean`, which escapes control characters and masks secrets.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from mcp_bindgen.hidden import disarm, one_line, show
from mcp_bindgen.recording.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_bindgen.errors import Problem

__all__ = [
    "block",
    "bug",
    "choose_json",
    "contents",
    "count",
    "detail",
    "document",
    "expect_json",
    "forget_problems",
    "hide",
    "is_answered",
    "is_json",
    "is_left",
    "is_quiet",
    "is_verbose",
    "line",
    "options",
    "problems",
    "progress",
    "result",
    "spans",
    "summary",
    "text",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_MOST_PROBLEMS = 50


def options(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --quiet and --verbose to a command, before or after its name."""
    for names, text in (
        (("-q", "--quiet"), "Show only results and problems."),
        (("--verbose",), "Show each step, and all messages to and from a server."),
    ):
        command = click.option(
            *names, is_flag=True, help=text, expose_value=False, callback=_remember
        )(command)
    return command


def _remember(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if value and param.name:
        ctx.find_root().meta[param.name] = True


def is_quiet() -> bool:
    """Return whether the user chose --quiet."""
    return _is_on("quiet")


def is_verbose() -> bool:
    """Return whether the user chose --verbose."""
    return _is_on("verbose")


def is_json() -> bool:
    """Return whether the user chose --format json."""
    return _is_on("json")


def _is_on(name: str) -> bool:
    return name in click.get_current_context().find_root().meta


def choose_json(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Remember --format json: from now on, results as text go to stderr."""
    del param
    if value == "json":
        ctx.find_root().meta["json"] = True
    return value


def expect_json() -> None:
    """Remember that the result will be a JSON document, also if the command fails."""
    click.get_current_context().find_root().meta["json"] = True


def document(text: str) -> None:
    """Print the result of --format json on stdout, and nothing else."""
    click.get_current_context().find_root().meta["answered"] = True
    _print(disarm(_clean(text)))


def is_answered() -> bool:
    """Return whether the result of --format json was printed."""
    return _is_on("answered")


def result(text: str) -> None:
    """Print one line of a result on stdout."""
    _print(line(text), err=is_json())


def block(text: str) -> None:
    """Print a result of several lines on stdout.

    Texts of a server in it are escaped before: else a server could add lines.
    """
    _print(_clean(text), err=is_json())


def text(words: str) -> None:
    """Print a server's text on stdout, so that no CI service obeys a line of it."""
    _print(disarm(_clean(words)))


def spans(parts: Iterable[tuple[str, str]]) -> None:
    """Print a line of a result on stdout, whose parts may have colours.

    Args:
        parts: Texts, each with its colour, "bold", or "".
    """
    styled = (
        (
            click.style(line(text), bold=colour == "bold" or None)
            if colour in {"", "bold"}
            else click.style(line(text), fg=colour)
        )
        for text, colour in parts
    )
    _print("".join(styled), err=is_json())


def progress(text: str) -> None:
    """Show a step, unless --quiet."""
    if not is_quiet():
        _print(click.style(line(text), dim=True), err=True)


def question(text: str) -> None:
    """Show a line on stderr that a person has to see, also with --quiet."""
    _print(line(text), err=True)


def detail(text: str) -> None:
    """Show a step that only --verbose shows."""
    if is_verbose():
        progress(text)


def summary(text: str) -> None:
    """Show the last line of the command, its result in short, unless --quiet."""
    if not is_quiet():
        _print(click.style(line(text), bold=True), err=True)


def problems(listed: Iterable[Problem], source: str = "") -> None:
    """Show problems, each with its location and its hint.

    A command that records and generates reads a recording twice; a problem of a file is
    shown once.

    Args:
        listed: The problems; of more than 50, the others are only counted.
        source: Name of the file that the problems' pointers lead into.
    """
    every = list(listed)
    if source:
        every = [
            problem
            for problem in every
            if (source, problem) not in _problems_of_files()
        ]
        _problems_of_files().update((source, problem) for problem in every)
    for problem in every[:_MOST_PROBLEMS]:
        location = f"{source}#{problem.pointer}" if problem.pointer else source
        label = click.style(line(location or "error"), fg="red", bold=True)
        _print(f"{label}: {line(problem.message)}", err=True)
        if problem.hint:
            label = click.style("hint", bold=True)
            _print(f"  {label}: {line(problem.hint)}", err=True)
    if len(every) > _MOST_PROBLEMS:
        _print(f"... and {len(every) - _MOST_PROBLEMS:,} more", err=True)


def forget_problems() -> None:
    """Show problems again that were shown: the command begins again."""
    _problems_of_files().clear()


def _problems_of_files() -> set[tuple[str, Problem]]:
    """Return the problems of files that the command has shown."""
    context = click.get_current_context(silent=True)
    problems: set[tuple[str, Problem]] = set()
    if context:
        problems = context.find_root().meta.setdefault("problems", problems)
    return problems


def count(number: int, noun: str) -> str:
    """Return a number with its noun, as "1 tool" or "2,000 tools"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def contents(tools: int, others: Mapping[str, int]) -> str:
    """Return what a server has, as "1 tool, 2 resource templates".

    Args:
        tools: The number of tools.
        others: Key of a list, as "resource_templates", to the number of its entries.
    """
    nouns = {key: key.replace("_", " ").removesuffix("s") for key in others}
    listed = [count(number, nouns[key]) for key, number in others.items() if number]
    return ", ".join([count(tools, "tool"), *listed])


def bug(error: Exception, problem: Problem) -> None:
    """Show a bug of mcp-bindgen, with --verbose also its traceback.

    Args:
        error: The exception that ended the command.
        problem: The problem to show.
    """
    if is_verbose():
        trace = "".join(traceback.format_exception(error))
        _print(_clean(trace).rstrip("\n"), err=True)
    problems([problem])


def hide(secrets: Iterable[str]) -> None:
    """Show *** instead of these values from now on."""
    meta = click.get_current_context().find_root().meta
    meta["secrets"] = (*meta.get("secrets", ()), *secrets)


def line(text: str) -> str:
    """Return a text as one line that is safe to print."""
    return one_line(_masked(text))


def _print(text: str, *, err: bool = False) -> None:
    """Print a line; where its reader has left, the command goes on without it.

    A closed pipe, as of `| head`, must not end a command before it has saved its work.
    """
    try:
        click.echo(text, err=err)
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, (sys.stderr if err else sys.stdout).fileno())
        os.close(nowhere)
        click.get_current_context().find_root().meta["left"] = True


def is_left() -> bool:
    """Return whether a reader of the output has left."""
    return _is_on("left")


def _clean(text: str) -> str:
    """Return a text with *** for secrets and escapes for hidden characters."""
    return show(_masked(text))


def _masked(text: str) -> str:
    meta = click.get_current_context().find_root().meta
    return mask(text, meta.get("secrets", ()))
