"""`mcp-bindgen sync`: records the servers of the settings again, and regenerates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import reach, screen
from mcp_bindgen.cli.changed import allow_empty_option, diff_option
from mcp_bindgen.cli.generate import of_dask
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.output import format_option, show_json, show_table
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.cli.sync_pass import CANNOT, How, Synced, as_json, sync_all
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["sync"]

_HEADER = ("server", "state", "grade", "files", "package")


@click.command(
    epilog="Example: mcp-bindgen sync catalog --timeout 20. Exit codes: 0 nothing"
    " changed, 1 something changed, 2 a server or a package failed."
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--offline", is_flag=True, help="Use the recordings as they are, without a network."
)
@click.option("--check", is_flag=True, help="Write nothing; say what would change.")
@diff_option
@allow_empty_option
@click.option(
    "--changelog",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add what changed to this file  [default: changelog of the settings]",
)
@click.option(
    "--watch", is_flag=True, help="Keep running, and sync when a file changes."
)
@click.option(
    "--every",
    type=Seconds(min=1),
    metavar="SECONDS",
    help="With --watch, record the servers again after this time.",
)
@click.option(
    "--jobs",
    "-j",
    "at_once",
    type=click.IntRange(min=1, max=256),
    default=8,
    show_default=True,
    metavar="N",
    help="How many servers are recorded at the same time.",
)
@click.option(
    "--executor",
    metavar="dask:ADDRESS",
    callback=of_dask,
    help="Make the packages on a Dask cluster, for example dask:tcp://host:8786.",
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="The time to record one server  [default: that of the settings, or 60]",
)
@limit_option
@format_option
@screen.options
def sync(
    names: tuple[str, ...],
    every: float | None,
    at_once: int,
    executor: str | None,
    timeout: float | None,
    limit_texts: tuple[str, ...],
    form: str,
    changelog: Path | None,
    *,
    offline: bool,
    check: bool,
    diff: bool,
    allow_empty: bool,
    watch: bool,
) -> int:
    """Record servers again, regenerate their packages, and grade the changes.

    NAME is a server in [tool.mcp-bindgen.servers] of pyproject.toml; without NAME, all
    of them. A server that fails keeps its package, and the others continue. The version
    of a package grows with the changes for its users: 2.0.0 after a breaking change.
    """
    if every and not watch:
        raise click.UsageError("expected --watch with --every")
    how = How(
        limits=limits_from(limit_texts, DEFAULT),
        timeout=timeout,
        at_once=at_once,
        executor=executor or "",
        offline=offline,
        check=check,
        diff=diff,
        allow_empty=allow_empty,
        changelog=changelog,
    )
    if watch:
        return _watch(names, how, every, form)
    return _show(sync_all(reach.servers(names), how), form)


def _watch(names: tuple[str, ...], how: How, every: float | None, form: str) -> int:
    """Sync and print again and again, until the reader of the output is gone."""
    from mcp_bindgen.cli.watch import watched

    for results in watched(names, how, every):
        _show(results, form)
        if screen.is_left():
            break
    return CANNOT


def _show(results: Sequence[Synced], form: str) -> int:
    """Print the changes and the failures, and return the exit code."""
    if form == "json":
        show_json(as_json(results))
    elif rows := [_row(each) for each in results if each.state != "current"]:
        show_table(_HEADER, rows)
    states = [each.state for each in results]
    counted = (f"{states.count(s):,} {s}" for s in _ORDER if s in states)
    screen.summary(f"{screen.count(len(results), 'server')}: {', '.join(counted)}")
    return max(each.code for each in results)


_ORDER = ("new", "changed", "current", "failed")


def _row(each: Synced) -> list[str]:
    grade = f"{each.grade} ({each.bump})" if each.grade else "-"
    return [each.name, each.state, grade, f"{each.changed:,}", each.folder]
