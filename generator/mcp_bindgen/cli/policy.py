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
    from collections.abc import Iterable, Mapping

    from mcp_bindgen.contract.policy_status import Status
    from mcp_bindgen.recording.document import Recording

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
    help="Write nothing; exit code 1 if a tool is not reviewed or has changed since.",
)
@format_option
@screen.options
def write(recording: str, output: Path | None, form: str, *, check: bool) -> int:
    """Write a policy file, or add to one the tools that are new."""
    from mcp_bindgen.contract.policy_status import document_of, status
    from mcp_bindgen.contract.policy_subjects import NOUNS
    from mcp_bindgen.contract.policy_text import file_text

    source = source_of(recording)
    recorded = recording_of(source.file)
    file = output or source.policy
    before = read_text(file)
    new = file_text(recorded.server, source.facts(file))
    text = new if before is None else before
    raw = parsed(text, str(file))
    document = document_of(text.encode(), str(file), None)
    reports = {kind: status(raw, recorded, document, kind) for kind in NOUNS}
    if form == "json":
        listed = {kind: asdict(report) for kind, report in reports.items()}
        show_json({"file": str(file), **listed.pop("tools"), **listed})
    for kind, report in reports.items():
        text = with_marks(text, kind, report.removed, () if check else report.back)
    if check:
        document_of(text.encode(), str(file), recorded)
        return _check(file, reports, exists=before is not None)
    for kind, report in reports.items():
        # What an older file denied stays denied: its owner did not know these entries.
        deny = before is not None and kind not in raw
        texts = _texts(recorded, kind, report.new, deny=deny)
        text = with_entries(text, texts, str(file))
    document_of(text.encode(), str(file), recorded)
    changed = save(file, text.encode())
    screen.summary(_summary(file, recorded, reports, changed=changed))
    return 0


def _texts(
    recording: Recording, kind: str, names: Iterable[str], *, deny: bool
) -> list[str]:
    """Return the texts of new entries."""
    from mcp_bindgen.contract.policy_subjects import subjects
    from mcp_bindgen.contract.policy_text import entry_text, feature_text

    entries = subjects(recording, kind)
    if kind == "tools":
        return [entry_text(entries[name]) for name in names]
    return [feature_text(kind, name, entries[name], deny=deny) for name in names]


def _check(file: Path, reports: Mapping[str, Status], *, exists: bool) -> int:
    """Show the tools that a person must review; return 1 if there are any."""
    from mcp_bindgen.contract.policy_subjects import NOUNS

    if not exists:
        screen.result(f"{file}: there is no policy file")
    findings = set[tuple[str, str]]()
    for kind, report in reports.items():
        noun = NOUNS[kind]
        prefix = "" if kind == "tools" else f"the {noun} "
        for names, words in (
            (report.new, "has no entry"),
            (report.removed, f"is no {noun} of the server any more"),
            (report.back, f"is a {noun} of the server again"),
            ([n for n in report.unreviewed if n not in report.new], "is not reviewed"),
            (report.changed, "changed since its review"),
        ):
            findings |= {(kind, name) for name in names}
            for name in names:
                screen.result(f"{file}: {prefix}{name} {words}")
    hint = "; see mcp-bindgen policy review" if findings else ""
    number = screen.count(len(findings), "finding")
    screen.summary(f"{file}: {number}{hint}")
    return int(bool(findings) or not exists)


def _summary(
    file: Path, recording: Recording, reports: Mapping[str, Status], *, changed: bool
) -> str:
    from mcp_bindgen.contract.policy_subjects import NOUNS, subjects

    def total(name: str) -> int:
        return sum(len(getattr(report, name)) for report in reports.values())

    sizes = {kind: len(subjects(recording, kind)) for kind in NOUNS}
    words = {"new": "new", "removed": "removed", "unreviewed": "not reviewed"}
    words["changed"] = "changed since"
    parts = [
        *(
            screen.count(sizes[kind], noun)
            for kind, noun in NOUNS.items()
            if sizes[kind] or kind == "tools"
        ),
        *(f"{total(name)} {text}" for name, text in words.items() if total(name)),
    ]
    state = "written" if changed else "unchanged"
    return f"{', '.join(parts)}, {file} {state}"
