"""`mcp-bindgen audit`: shows the calls in an audit log, and checks its chain."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json, show_table
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["audit"]

_NAME_THE_LOG = "name the file that AuditLog(...) of your program writes"
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
    removed; its seal shows that nobody without FILE.key wrote it. It cannot report
    that the last lines are missing.
    """
    from mcp_bindgen.contract.audit_log import calls_of, records_of, totals_of

    parts = {part: _lines(part) for part in _files(file)}
    if verify:
        return _verified(file, parts, form)
    lines = [line for part in parts.values() for line in part]
    records = records_of(lines)
    if lines and not records:
        number = screen.count(len(lines), "line")
        wrong = f"{file}: expected an audit log, got no record in {number}"
        raise BindgenError(Problem("", wrong, _NAME_THE_LOG))
    calls = calls_of(records)
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
    damaged = len(lines) - len(records)
    rest = f"; {screen.count(damaged, 'line')} without a record, see --verify"
    number = screen.count(len(calls), "call")
    screen.summary(f"{number} in {file}{rest if damaged else ''}")
    return 0


def _verified(file: Path, parts: Mapping[Path, Sequence[bytes]], form: str) -> int:
    """Show the faults in the chain of a log; return the exit code."""
    from mcp_bindgen.contract.audit_log import faults_of_chain

    lines = [line for part in parts.values() for line in part]
    places, key = _places(file, parts), _key(file)
    faults = [f"{places[at - 1]}: {why}" for at, why in faults_of_chain(lines, key)]
    for fault in faults:
        screen.result(fault)
    if form == "json":
        show_json({"records": len(lines), "faults": [*faults]})
    state = screen.count(len(faults), "fault") if faults else "the chain is whole"
    if key is None:
        state += f"; without {file}.key, no seal is checked"
    screen.summary(f"{screen.count(len(lines), 'record')}, {state}")
    return int(bool(faults))


def _places(file: Path, parts: Mapping[Path, Sequence[bytes]]) -> list[str]:
    """Return file and number of each line of a log."""
    return [
        f"{file.with_name(part.name)}: line {number}"
        for part, lines in parts.items()
        for number in range(1, len(lines) + 1)
    ]


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
    # A program that ended in the middle of a rotation has older files alone.
    last = [file] if file.exists() or not older else []
    return [*(older[each] for each in sorted(older, reverse=True)), *last]


def _key(file: Path) -> bytes | None:
    """Return the key of a log; None where it is not beside the log.

    Raises:
        BindgenError: It is not whole, so that anybody could make its seals.
    """
    from mcp_bindgen.contract.audit_log import fault_of_key

    path = file.with_name(f"{file.name}.key")
    try:
        key = path.read_bytes()
    except OSError:
        return None
    if fault := fault_of_key(key):
        hint = "restore the key of the log"
        raise BindgenError(Problem("", f"{path}: {fault}", hint))
    return key


def _lines(file: Path) -> list[bytes]:
    try:
        # Each byte counts: a line that ends with CR, too, was changed.
        data = file.read_bytes()
        return data.removesuffix(b"\n").split(b"\n") if data else []
    except OSError as error:
        problem = Problem("", f"{file}: {error.strerror}", _NAME_THE_LOG)
        raise BindgenError(problem) from error
