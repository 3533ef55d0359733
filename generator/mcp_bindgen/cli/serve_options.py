"""Options of `mcp-bindgen serve`: answers, failures, and the real server."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from mcp_bindgen.recording.source import LiveServer

__all__ = ["answer_of", "in_file", "rate_of", "real_server"]


def real_server(
    through: str, headers: tuple[str, ...], variables: tuple[str, ...]
) -> LiveServer | None:
    """Return the real server, None where calls are not passed on.

    Raises:
        UsageError: An option does not fit the server.
    """
    from mcp_bindgen.cli.reach import is_url, reached
    from mcp_bindgen.recording.source import Source

    if headers and not is_url(through):
        raise click.UsageError("expected --record-through URL with --header")
    if variables and (is_url(through) or not through):
        raise click.UsageError("expected --record-through COMMAND with --env")
    if not through:
        return None
    if is_url(through):
        return reached(Source(through, headers))
    try:
        command = shlex.split(through)
    except ValueError as error:
        wrong = f"--record-through: expected a command, got {through[:80]!a}: {error}"
        raise click.UsageError(wrong) from error
    return reached(Source(command=command, env=variables))


def answer_of(text: str) -> tuple[str, dict[str, Any]]:
    """Return a tool and the result that answers it, from `TOOL=FILE`.

    Raises:
        BindgenError: The file has no JSON.
    """
    from mcp_bindgen.contract.replay.answers import result_in
    from mcp_bindgen.json_reader import parse

    tool, equals, file = text.partition("=")
    if not equals or not tool:
        raise click.UsageError(f"--answer: expected TOOL=FILE, got {text[:80]!a}")
    try:
        value = parse(Path(file).read_bytes())
    except OSError as error:
        reason = error.strerror or "cannot read it"
        hint = f"write the answer of {tool} into this file, as JSON"
        raise BindgenError(Problem("", f"{file}: {reason}", hint)) from error
    except BindgenError as error:
        raise BindgenError(*(in_file(p, file) for p in error.problems)) from error
    return tool, result_in(value)


def in_file(problem: Problem, file: str) -> Problem:
    """Return a problem whose message names its file."""
    where = f"{file}#{problem.pointer}" if problem.pointer else file
    return Problem("", f"{where}: {problem.message}", problem.hint)


def rate_of(text: str) -> tuple[str, float]:
    """Return a tool and the part of its calls that fails, from `TOOL=RATE`.

    Raises:
        UsageError: The rate is no number from 0 to 1.
    """
    tool, _, number = text.partition("=")
    try:
        rate = float(number)
    except ValueError:
        rate = -1.0
    if not tool or not 0 <= rate <= 1:
        wrong = f"--fail: expected TOOL=RATE with a rate from 0 to 1, got {text[:80]!a}"
        raise click.UsageError(wrong)
    return tool, rate
