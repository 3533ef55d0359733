"""`mcp-bindgen policy`: writes a policy file, and adds new tools of the server."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.policy_file import parsed, with_entries, with_marks
from mcp_bindgen.cli.policy_review import explain, review, schema, test
from mcp_bindgen.cli.policy_source import read_text, recording_of, source_of
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from mcp_bindgen.contract.policy_status import Status

__all__ = ["policy"]

_WRITE = "write"


class _Policy(click.Group):
    """Takes a recording where the name of a command would be, too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command in front, where there is none."""
        shows_help = {"-h", "--help"} & {*args[:1]}
        if args and not shows_help and args[0] not in self.commands:
            args = [_WRITE, *args]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words behind the name of the command in the help."""
        del ctx
        return ["RECORDING|NAME [-o FILE] [--check]  or  COMMAND ..."]


@click.group(
    cls=_Policy,
    epilog="Example: mcp-bindgen policy recordings/catalog.json -o"
    " policies/catalog.toml. A file with the name of a command needs its folder:"
    " ./review.",
)
@format_option
@screen.options
def policy(form: str) -> None:
    """Write a policy file: which tools may run, when, and who must approve.

    RECORDING is a file, NAME a server of the settings. An existing policy
    file gets the new tools; all that a person wrote in it stays.
    """
    del form  # each command reads its own


for command in (review, explain, test, schema):
    policy.add_command(command)


@policy.command(name=_WRITE, hidden=True)
@click.argument("recording", metavar="RECORDING|NAME")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The policy file  [default: policies/NAME.toml]",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; exit code 1 if a tool is not reviewed, or changed since.",
)
@format_option
@screen.options
def write(recording: str, output: Path | None, form: str, *, check: bool) -> int:
    """Write a policy file, or add to one the tools that are new."""
    from mcp_bindgen.contract.policy_status import document_of, status
    from mcp_bindgen.contract.policy_text import entry_text, file_text

    source = source_of(recording)
    recorded = recording_of(source.file)
    file = output or source.policy
    before = read_text(file)
    title = str(recorded.server.get("title") or recorded.server.get("name") or "")
    text = file_text(title, source.facts(file)) if before is None else before
    raw = parsed(text, str(file))
    document = document_of(text.encode(), str(file), None)
    report = status(raw, recorded, document)
    if form == "json":
        show_json({"file": str(file), **asdict(report)})
    if check:
        document_of(with_marks(text, report.removed, ()).encode(), str(file), recorded)
        return _check(file, report, exists=before is not None)
    tools = {str(tool["name"]): tool for tool in recorded.tools}
    text = with_marks(text, report.removed, report.back)
    text = with_entries(
        text, (entry_text(tools[name]) for name in report.new), str(file)
    )
    document_of(text.encode(), str(file), recorded)
    changed = save(file, text.encode())
    screen.summary(_summary(file, report, len(tools), changed=changed))
    return 0


def _check(file: Path, report: Status, *, exists: bool) -> int:
    """Show the tools that a person must review; return 1 if there are any."""
    if not exists:
        screen.result(f"{file}: there is no policy file")
    for names, words in (
        (report.new, "has no entry"),
        (report.removed, "is no tool of the server any more"),
        (report.back, "is a tool of the server again"),
        ([n for n in report.unreviewed if n not in report.new], "is not reviewed"),
        (report.changed, "changed since its review"),
    ):
        for name in names:
            screen.result(f"{file}: {name} {words}")
    findings = {*report.new, *report.removed, *report.back}
    findings |= {*report.unreviewed, *report.changed}
    hint = "; see mcp-bindgen policy review" if findings else ""
    number = screen.count(len(findings), "finding")
    screen.summary(f"{file}: {number}{hint}")
    return int(bool(findings) or not exists)


def _summary(file: Path, report: Status, tools: int, *, changed: bool) -> str:
    parts = [
        screen.count(tools, "tool"),
        *([f"{len(report.new)} new"] if report.new else []),
        *([f"{len(report.removed)} removed"] if report.removed else []),
        *([f"{len(report.unreviewed)} not reviewed"] if report.unreviewed else []),
        *([f"{len(report.changed)} changed since"] if report.changed else []),
    ]
    state = "written" if changed else "unchanged"
    return f"{', '.join(parts)}, {file} {state}"
