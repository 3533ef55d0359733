"""`mcp-bindgen check`: does a live server still do what its recording says?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import servers_of, shortest
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.contract.model import Grade
    from mcp_bindgen.contract.summary import Compared
    from mcp_bindgen.limits import Limits

__all__ = ["check", "show_changes"]

_CANNOT = 2
_SECONDS = 60.0


@click.command(
    epilog="Example: mcp-bindgen check catalog. Exit codes: 0 as recorded, 1 changed,"
    " 2 a server cannot be reached, or not all can be compared."
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "everything", is_flag=True, help="Show changed words, too.")
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "compatible", "text"]),
    default="text",
    show_default=True,
    help="The grade from which the exit code is 1.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="The time to ask one server  [default: that of the settings, or 60]",
)
@limit_option
@screen.options
def check(
    names: tuple[str, ...],
    fail_on: Grade,
    timeout: float | None,
    limit_texts: tuple[str, ...],
    *,
    everything: bool,
) -> int:
    """Ask live servers for their tools, and compare these with the recordings.

    NAME is a server in [tool.mcp-bindgen.servers] of pyproject.toml; without NAME, all
    of them that have a URL or a command. Nothing is written.
    """
    from mcp_bindgen.cli.accept import without_accepted
    from mcp_bindgen.contract.model import is_at_least
    from mcp_bindgen.contract.summary import total

    limits = limits_from(limit_texts, DEFAULT)
    servers = servers_of(Path.cwd(), names).values()
    live = [server for server in servers if server.url or server.command]
    if not live:
        hint = "add a url or a command to the settings"
        raise BindgenError(Problem("", "no server to ask", hint))
    asked = [_compared(server, timeout, limits) for server in live]
    compared = without_accepted([each for each in asked if each])
    show_changes(compared, everything=everything)
    if len(compared) < len(live) or total(compared).problems:
        return _CANNOT
    return int(is_at_least(total(compared).grade, fail_on))


def _compared(server: Server, timeout: float | None, limits: Limits) -> Compared | None:
    """Return the comparison of a live server with its recording; None if it fails."""
    from mcp_bindgen.cli.limits import read
    from mcp_bindgen.contract.summary import Choice, compared
    from mcp_bindgen.recording.recorder import Options
    from mcp_bindgen.recording.source import Source

    source = Source(server.url, server.headers, server.command, server.env, server.cwd)
    choice = Choice(limits, "breaking", server.include, server.exclude)
    label = str(shortest(server.recording))
    try:
        old = read(server.recording, limits)
        with stopped_after(limits.seconds):
            one = source.expand(os.environ)
            screen.hide(one.secrets)
            options = Options(limits=limits, era=server.era or None)
            seconds = timeout or server.timeout or _SECONDS
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


def show_changes(servers: list[Compared], *, everything: bool) -> None:
    """Print the changes of servers on standard output; nothing for no server.

    Args:
        servers: The comparisons.
        everything: Whether changed words are shown, too.
    """
    from mcp_bindgen.contract.as_text import as_text
    from mcp_bindgen.contract.summary import total

    if servers:
        for line in as_text(servers, total(servers), everything=everything):
            screen.spans(line)
