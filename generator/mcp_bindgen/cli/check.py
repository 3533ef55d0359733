"""`mcp-bindgen check`: is a live server still as its recording says?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.graded import all_option, fail_on_option, show_text
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import servers
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Grade

__all__ = ["check"]

_CANNOT = 2


@click.command(
    epilog="Example: mcp-bindgen check catalog. Exit codes: 0 as recorded, 1 changed,"
    " 2 a server cannot be reached, or not all can be compared."
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@all_option
@fail_on_option("text")
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="The time to ask one server  [default: that of the settings, or 60]",
)
@limit_option
@format_option
@screen.options
def check(
    names: tuple[str, ...],
    fail_on: Grade,
    timeout: float | None,
    limit_texts: tuple[str, ...],
    form: str,
    *,
    everything: bool,
) -> int:
    """Ask live servers for their tools, and compare these with the recordings.

    NAME is a server in [tool.mcp-bindgen.servers] of pyproject.toml; without NAME, all
    of them that have a URL or a command. Nothing is written.
    """
    from mcp_bindgen.cli.accept import without_accepted
    from mcp_bindgen.cli.comparisons import of_live
    from mcp_bindgen.contract.model import is_at_least
    from mcp_bindgen.contract.summary import total

    limits = limits_from(limit_texts, DEFAULT)
    live = [server for server in servers(names) if server.url or server.command]
    if not live:
        hint = "add a url or a command to the settings"
        raise BindgenError(Problem("", "no server to ask", hint))
    tried = [of_live(server, timeout, limits) for server in live]
    compared = without_accepted([each for each in tried if each])
    together = total(compared)
    if form == "json":
        from mcp_bindgen.contract.as_json import as_json

        names_of = [each.name for each in compared]
        failed = [s.key for s in live if s.key not in names_of]
        show_json(json.loads(as_json(compared, together, failed=failed)))
    elif compared:
        # Without it, the last line would say "no changes" of servers that nobody saw.
        problems = together.problems + len(live) - len(compared)
        together = replace(together, problems=problems)
        show_text(compared, together, everything=everything)
    if len(compared) < len(live) or together.problems:
        return _CANNOT
    return int(is_at_least(together.grade, fail_on))
