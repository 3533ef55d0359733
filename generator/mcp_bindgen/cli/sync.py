"""`mcp-bindgen sync`: records the servers of the settings again, and regenerates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import jobs as planned
from mcp_bindgen.cli import screen
from mcp_bindgen.cli.generate import refuse_runtime, shared_runtimes
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.record import record_server
from mcp_bindgen.cli.run import Options, run
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.cache import user_cache
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.limits import Limits

__all__ = ["sync"]

_CANNOT = 2


@click.command(
    epilog="Example: mcp-bindgen sync catalog. Exit codes: 0 nothing changed,"
    " 1 something changed, 2 a server or a package failed."
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--offline", is_flag=True, help="Take the recordings as they are.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="The time to record one server.",
)
@limit_option
@screen.options
def sync(
    names: tuple[str, ...],
    timeout: float,
    limit_texts: tuple[str, ...],
    *,
    offline: bool,
) -> int:
    """Record servers again, regenerate their packages, and show what changed.

    NAME is a server in [tool.mcp-bindgen.servers] of pyproject.toml; without NAME, all
    of them. A server that fails keeps its package; the others go on.
    """
    limits = limits_from(limit_texts, DEFAULT)
    servers = _servers(names)
    codes = {server.key: 0 for server in servers}
    if not offline:
        codes = {server.key: _record(server, timeout, limits) for server in servers}
    recorded = [server for server in servers if codes[server.key] != _CANNOT]
    jobs = planned.for_servers(recorded, Settings(limits=limits))
    refuse_runtime(jobs)
    generated = run(jobs, Options(cache=user_cache(), sync=True)) if jobs else 0
    shared = shared_runtimes(jobs, check=False, show=True)
    return max([generated, *codes.values(), *shared])


def _servers(names: Sequence[str]) -> list[Server]:
    """Return the servers of the settings, or those of these names.

    Raises:
        BindgenError: There are no settings, or no server of one of these names.
    """
    from mcp_bindgen.cli import config

    file = config.find(Path.cwd())
    known = {server.key: server for server in config.load(file)} if file else {}
    if not known:
        hint = "add [tool.mcp-bindgen.servers.NAME] to pyproject.toml"
        raise BindgenError(Problem("", "the settings name no server", hint))
    hint = f"known: {', '.join(known)}"
    if unknown := [name for name in names if name not in known]:
        raise BindgenError(
            *(Problem("", f"no server {n[:80]!a} in settings", hint) for n in unknown)
        )
    return [known[name] for name in dict.fromkeys(names or known)]


def _record(server: Server, timeout: float, limits: Limits) -> int:
    """Record a server into its file; return 0, or 2 if that failed."""
    from mcp_bindgen.recording.recorder import Options as RecordOptions

    if not server.url and not server.command:
        return 0  # Its recording comes from elsewhere.
    try:
        with stopped_after(limits.seconds):
            record_server(server, timeout, RecordOptions(limits=limits))
    except BindgenError as error:
        screen.problems(_of(server.key, problem) for problem in error.problems)
        return _CANNOT
    return 0


def _of(name: str, problem: Problem) -> Problem:
    return Problem("", f"{name}: {problem.message}", problem.hint)
