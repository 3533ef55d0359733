"""`mcp-bindgen audit`: shows the calls in an audit log, and checks its chain."""

from __future__ import annotations

import re
from pathlib import Path

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json, show_table
from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["audit"]

_HEADER = ("TIME", "TOOL", "DECISION", "RULE", "OUTCOME", "MS", "PRINCIPAL")


@click.command(epilog="Example: mcp-bindgen audit calls.jsonl --verify")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--verify",
    is_flag=True,
    help="Check the hashes of the lines; exit code 1 if one is wrong.",
)
@format_option
@screen.options
def audit(file: Path, form: str, *, verify: bool) -> int:
    """Show the calls in an audit log, and how often each tool was allowed and denied.

    Older files of the log (FILE.1, FILE.2 ...) are read, too. Each line has the hash
    of the line before it, so that --verify reports a line that somebody changed or
    removed. It cannot report that the last lines are missing.
    """
    from mcp_bindgen.contract.audit_log import (
        calls_of,
        faults_of_chain,
        records_of,
        totals_of,
    )

    lines = [line for part in _files(file) for line in _lines(part)]
    if verify:
        faults = faults_of_chain(lines)
        for fault in faults:
            screen.result(f"{file}: {fault}")
        if form == "json":
            show_json({"records": len(lines), "faults": [*faults]})
        state = screen.count(len(faults), "fault") if faults else "the chain is whole"
        screen.summary(f"{screen.count(len(lines), 'record')}, {state}")
        return int(bool(faults))
    calls = calls_of(records_of(lines))
    totals = totals_of(calls)
    if form == "json":
        keys = ("tool", "decision", "calls")
        listed = [dict(zip(keys, total, strict=True)) for total in totals]
        show_json({"calls": [call._asdict() for call in calls], "totals": listed})
    else:
        show_table(_HEADER, [_plain(*call) for call in calls])
        screen.result("")
        rows = [_plain(tool, decision, str(count)) for tool, decision, count in totals]
        show_table(("TOOL", "DECISION", "CALLS"), rows)
    screen.summary(f"{screen.count(len(calls), 'call')} in {file}")
    return 0


def _plain(*cells: str) -> tuple[str, ...]:
    """Return cells in ASCII: letters of two alphabets can look alike."""
    return tuple(ascii(cell)[1:-1] for cell in cells)


def _files(file: Path) -> list[Path]:
    """Return the files of a log, the oldest first."""
    number = re.compile(rf"{re.escape(file.name)}\.(\d+)", re.ASCII)
    older = {
        int(match[1]): path
        for path in file.absolute().parent.glob("*")
        if (match := number.fullmatch(path.name))
    }
    return [*(older[each] for each in sorted(older, reverse=True)), file]


def _lines(file: Path) -> list[bytes]:
    try:
        return file.read_bytes().splitlines()
    except OSError as error:
        hint = "name the file that AuditLog(...) of your program writes"
        raise BindgenError(Problem("", f"{file}: {error.strerror}", hint)) from error
