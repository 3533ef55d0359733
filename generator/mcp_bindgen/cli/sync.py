"""`mcp-bindgen sync`: records the servers of the settings again, and regenerates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import reach, screen
from mcp_bindgen.cli.generate import refuse_runtime, shared_runtimes
from mcp_bindgen.cli.jobs import for_servers
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.record_server import Saved, try_record
from mcp_bindgen.cli.run import Options, run
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.cache import user_cache
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.limits import Limits

__all__ = ["sync"]

_CANNOT = 2


@click.command(
    epilog="Example: mcp-bindgen sync catalog. Exit codes: 0 nothing changed,"
    " 1 something changed, 2 a server or a package failed."
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--offline", is_flag=True, help="Use the recordings as they are, without a network."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="The time to record one server  [default: that of the settings, or 60]",
)
@limit_option
@screen.options
def sync(
    names: tuple[str, ...],
    timeout: float | None,
    limit_texts: tuple[str, ...],
    *,
    offline: bool,
) -> int:
    """Record servers again, regenerate their packages, and show the changes.

    NAME is a server in [tool.mcp-bindgen.servers] of pyproject.toml; without NAME, all
    of them. A server that fails keeps its package; the others go on.
    """
    limits = limits_from(limit_texts, DEFAULT)
    servers = reach.servers(names)
    # All mistakes in the settings come first; with a mistake, no server is recorded.
    planned_jobs = for_servers(servers, Settings(limits=limits), check_targets=True)
    refuse_runtime(planned_jobs)
    saved = [_record(server, timeout, limits, offline=offline) for server in servers]
    pairs = zip(planned_jobs, saved, strict=True)
    jobs = [job for job, result in pairs if result.code != _CANNOT]
    cache = user_cache()
    options = Options(cache=cache, styled=cache, sync=True)
    generated = run(jobs, options) if jobs else 0
    shared = shared_runtimes(jobs, check=False, show=True, styled=cache)
    # A new recording is a change, even where it changes only tools that are excluded:
    # the project's files differ, and somebody has to commit them.
    recorded = (_CANNOT if s.code == _CANNOT else int(s.changed) for s in saved)
    return max([generated, *recorded, *shared])


def _record(
    server: Server, timeout: float | None, limits: Limits, *, offline: bool
) -> Saved:
    """Record a server into its file, unless its recording comes from elsewhere."""
    from mcp_bindgen.recording.recorder import Options as RecordOptions

    if offline or not (server.url or server.command):
        return Saved(0, changed=False)
    return try_record(server, timeout, RecordOptions(limits=limits))
