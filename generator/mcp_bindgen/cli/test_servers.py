"""`mcp-bindgen test`: checks whether the servers of the settings work."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import (
    feature_cells,
    feature_columns,
    format_option,
    show_json,
    show_table,
)
from mcp_bindgen.cli.reach import reached, servers, source_of
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.calling import Failure
    from mcp_bindgen.recording.checking import Check, Working

__all__ = ["test_servers"]

_SECONDS = 30.0
_HEADER = ("server", "state", "tools", "latency", "protocol", "drift")


@click.command(
    "test",
    epilog="Example: mcp-bindgen test catalog --format json. Exit codes: 0 all work,"
    " 1 a server fails, 2 the settings are wrong.",
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="The time for each server  [default: that of the settings, or 30]",
)
@format_option
@screen.options
def test_servers(names: tuple[str, ...], timeout: float | None, form: str) -> int:
    """Connect to servers, all at once: latency, tools, and drift from the recordings.

    NAME is a server of the settings; without NAME, all of them. A server that fails
    stops no other. No tool is called.
    """
    listed = [server for server in servers(names) if server.url or server.command]
    results = dict(_results(listed, timeout))
    facts = [_facts(server.key, results[server.key]) for server in listed]
    if form == "json":
        show_json(facts)
    else:
        columns = feature_columns(facts)
        header = [*_HEADER[:3], *columns, *_HEADER[3:]]
        show_table(header, [_row(fact, columns) for fact in facts])
    for fact in facts:
        if error := fact["error"]:
            message = f"{fact['name']}: {error['message']} [{error['kind']}]"
            screen.problems([Problem("", message, error["hint"])])
        for line in fact["differences"] or ():
            screen.detail(f"{fact['name']}: {line}")
    working = sum(fact["ok"] for fact in facts)
    verb = "works" if working == 1 else "work"
    screen.summary(f"{working:,} of {screen.count(len(facts), 'server')} {verb}")
    return int(working < len(facts))


def _results(
    listed: list[Server], timeout: float | None
) -> list[tuple[str, Working | Failure]]:
    """Check all servers at once; a mistake in the settings of one is its failure."""
    from mcp_bindgen.recording.calling import Failure
    from mcp_bindgen.recording.checking import check_all

    checks: dict[str, Check] = {}
    failures: list[tuple[str, Working | Failure]] = []
    messages: list[str] = []
    for server in listed:
        try:
            checks[server.key] = _check(server, timeout, messages)
        except BindgenError as error:
            failures.append((server.key, Failure("auth", error.problems[0])))
    results = check_all([*checks.values()])
    for message in messages:  # Lines of servers that were checked at once.
        screen.detail(message)
    return [*failures, *zip(checks, results, strict=True)]


def _check(server: Server, timeout: float | None, messages: list[str]) -> Check:
    from mcp_bindgen.recording.checking import Check
    from mcp_bindgen.recording.document import load

    recorded = None
    with suppress(OSError, BindgenError):
        recorded = load(server.recording.read_bytes())[0]
    seconds = timeout or server.timeout or _SECONDS
    show = partial(_keep, messages, server.key) if screen.is_verbose() else None
    live = reached(source_of(server))
    return Check(live, seconds, server.era, recorded, show)


def _keep(messages: list[str], server: str, line: str) -> None:
    messages.append(f"{server}: {line}")


def _facts(name: str, result: Working | Failure) -> dict[str, Any]:
    """Return the result of one server as JSON."""
    from mcp_bindgen.recording.calling import Failure

    keys = ("server", "protocol", "tools", "milliseconds", "drift", "differences")
    if isinstance(result, Failure):
        problem = result.problem
        texts = {"message": problem.message, "hint": problem.hint}
        error = {"kind": result.kind, **texts}
        return {"name": name, "ok": False, **dict.fromkeys(keys), "error": error}
    values: dict[str, Any] = {key: getattr(result, key) for key in keys}
    values |= result.feature_counts
    return {"name": name, "ok": True, **values, "error": None}


def _row(fact: dict[str, Any], columns: Sequence[str]) -> list[str]:
    if not fact["ok"]:
        absent = ["-"] * (len(columns) + 4)
        return [fact["name"], fact["error"]["kind"], *absent]
    latency = f"{fact['milliseconds']:.0f} ms"
    tools, drift = f"{fact['tools']:,}", fact["drift"] or "not recorded"
    numbers = [tools, *feature_cells(fact, columns)]
    return [fact["name"], "works", *numbers, latency, fact["protocol"], drift]
