"""The comparisons of commands: two files, the last commit, live servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import shortest
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.reach import SECONDS, reached, servers, source_of
from mcp_bindgen.contract.summary import Choice, compared
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.contract.model import Grade
    from mcp_bindgen.contract.summary import Compared
    from mcp_bindgen.limits import Limits

__all__ = ["in_files", "of_commit", "of_files", "of_live"]


def of_files(old: str, new: str, limits: Limits, unsure: Grade) -> Compared:
    """Return the comparison of two recordings.

    Args:
        old: A path, `-` or `git:REV:PATH`.
        new: The same.
        limits: The limits of the generator.
        unsure: The grade of undecided changes.

    Raises:
        BindgenError: One of them cannot be read.
        UsageError: Both are standard input.
    """
    from mcp_bindgen.contract.inputs import read_input

    if old == new == "-":
        raise click.UsageError("standard input can be only one of the two recordings")
    before, after = read_input(old, limits), read_input(new, limits)
    return compared("", new, before, after, Choice(limits, unsure))


def of_commit(limits: Limits, unsure: Grade) -> list[Compared]:
    """Return the comparison of each server of the settings with the last commit.

    Args:
        limits: The limits of the generator.
        unsure: The grade of undecided changes.

    Raises:
        BindgenError: There are no settings, or a recording cannot be read.
    """
    from mcp_bindgen.contract.inputs import at_head, read_input

    made: list[Compared] = []
    for server in servers():
        label = shortest(server.recording).as_posix()
        old = at_head(server.recording, limits)
        new = read_input(str(server.recording), limits)
        choice = Choice(limits, unsure, server.include, server.exclude)
        try:
            made.append(compared(server.key, label, old, new, choice))
        except BindgenError as error:
            raise in_files(error, label, label) from None
    return made


def in_files(error: BindgenError, old: str, new: str) -> BindgenError:
    """Return an error whose problems name the recording that they are in.

    Args:
        error: The error.
        old: The old recording, as the user names it.
        new: The new recording.
    """
    problems: list[Problem] = []
    # What cannot be read at all is named already, without the word "git".
    names = [each.removeprefix("git:") for each in (old, new)]
    for problem in error.problems:
        is_old = problem.message.startswith("in the old recording")
        label, message = old if is_old else new, problem.message
        if not any(name in message for name in names):
            message = f"{label}: {message}"
        problems.append(Problem(problem.pointer, message, problem.hint))
    return BindgenError(*problems)


def of_live(server: Server, timeout: float | None, limits: Limits) -> Compared | None:
    """Return the comparison of a live server with its recording; None if it fails.

    Args:
        server: The server.
        timeout: The seconds to ask it; None for those of the settings.
        limits: The limits of the generator.
    """
    from mcp_bindgen.recording.recorder import Options

    choice = Choice(limits, "breaking", server.include, server.exclude)
    label = shortest(server.recording).as_posix()
    try:
        old = read(server.recording, limits)
        with stopped_after(limits.seconds):
            one = reached(source_of(server))
            era, declare = server.era or None, server.declare
            options = Options(limits=limits, era=era, declare=declare)
            seconds = timeout or server.timeout or SECONDS
            new = one.record(seconds, options).text.encode()
        made = compared(server.key, label, old, new, choice)
    except BindgenError as error:
        screen.problems(
            Problem("", f"{server.key}: {problem.message}", problem.hint)
            for problem in error.problems
        )
        return None
    screen.problems(made.report.problems, label)
    return made
