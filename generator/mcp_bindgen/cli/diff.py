"""`mcp-bindgen diff`: what changed between two recordings, and who breaks by it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Grade
    from mcp_bindgen.contract.summary import Axis, Compared
    from mcp_bindgen.limits import Limits

__all__ = ["diff"]

_FORMATS = ("text", "json", "markdown", "github", "gitlab", "junit")
_CANNOT = 2
_CHECKER = "mcp_bindgen.checker"


class _Diff(click.Command):
    """Takes the words after -- for the command of a type checker."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words before --; those after it are the type checker's."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[_CHECKER] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words of the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- CHECKER...]"]


@click.command(
    cls=_Diff,
    epilog="Example: mcp-bindgen diff git:HEAD:recordings/time.json time.json",
)
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="The format of the report.",
)
@click.option("--all", "everything", is_flag=True, help="Show changed words, too.")
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "compatible", "text"]),
    default="breaking",
    show_default=True,
    help="The grade from which the exit code is 1.",
)
@click.option(
    "--axis",
    type=click.Choice(["both", "wire", "wire_strict", "source"]),
    default="both",
    show_default=True,
    help="The axis that the exit code is about.",
)
@click.option(
    "--unsure",
    type=click.Choice(["breaking", "compatible"]),
    default="breaking",
    show_default=True,
    help="The grade of a change that nobody can decide.",
)
@click.option(
    "--changelog",
    is_flag=True,
    help="Print a section of a changelog, with the part of the version that grows.",
)
@click.option(
    "--callers",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Type-check the program in this folder; print the errors that are new.",
)
@click.option(
    "--accept",
    metavar="FINGERPRINT",
    help="Accept a finding: write it into [tool.mcp-bindgen.diff] of pyproject.toml.",
)
@click.option("--reason", metavar="TEXT", help="Why the finding is fine.")
@click.option("--explain", metavar="RULE", help="Explain a rule and exit.")
@limit_option
@screen.options
def diff(
    old: str | None,
    new: str | None,
    form: str,
    everything: bool,  # noqa: FBT001, click passes it by name
    fail_on: Grade,
    axis: Axis,
    unsure: Grade,
    changelog: bool,  # noqa: FBT001
    callers: Path | None,
    accept: str | None,
    reason: str | None,
    explain: str | None,
    limit_texts: tuple[str, ...],
) -> int:
    """Compare two recordings, and grade each change.

    OLD and NEW are files, - for standard input, or git:REV:PATH. Without both, each
    recording of [tool.mcp-bindgen] in pyproject.toml is compared with the one of the
    last commit.

    The axis wire: does a package that was generated from OLD work with the new server?
    The axis source: do its typed callers work with a package generated from NEW?

    --callers checks your program against both packages, by mypy or by the CHECKER after
    --, as in: mcp-bindgen diff --callers src -- pyright src

    Exit codes: 0 below --fail-on, 1 at or above it, 2 if not all could be compared.
    """
    from mcp_bindgen.cli.accept import accept_finding, without_accepted
    from mcp_bindgen.cli.callers import show_callers
    from mcp_bindgen.contract.changelog import as_changelog
    from mcp_bindgen.contract.model import is_at_least
    from mcp_bindgen.contract.summary import total
    from mcp_bindgen.limits import DEFAULT

    if explain:
        return _explain(explain)
    if bool(accept) != bool(reason and reason.strip()):
        raise click.UsageError("--accept FINGERPRINT and --reason TEXT go together")
    limits = limits_from(limit_texts, DEFAULT)
    if old and new:
        compared = [_files(old, new, limits, unsure)]
    elif old:
        raise click.UsageError("expected two recordings, or none for the settings")
    else:
        compared = _servers(limits, unsure)
    if accept:
        return accept_finding(compared, accept, str(reason))
    if callers:
        checker = click.get_current_context().meta.get(_CHECKER) or ["mypy"]
        return show_callers(compared, callers, checker)
    compared = without_accepted(compared)
    for each in compared:
        screen.problems(each.report.problems, each.label)
    together = total(compared)
    if changelog:
        screen.result(as_changelog(compared, together))
    else:
        _show(compared, form, everything=everything)
    if together.problems:
        return _CANNOT
    return int(is_at_least(together.on(axis), fail_on))


def _show(compared: list[Compared], form: str, *, everything: bool) -> None:
    """Print the report on standard output, and for GitHub also its summary."""
    from mcp_bindgen.contract import as_annotations
    from mcp_bindgen.contract.as_json import as_json
    from mcp_bindgen.contract.as_markdown import as_markdown
    from mcp_bindgen.contract.as_text import as_text
    from mcp_bindgen.contract.summary import total

    together = total(compared)
    if form == "text":
        for line in as_text(compared, together, everything=everything):
            screen.spans(line)
        return
    if form == "json":
        screen.result(as_json(compared, together))
        return
    make = {
        "markdown": as_markdown,
        "github": as_annotations.as_github,
        "gitlab": as_annotations.as_gitlab,
        "junit": as_annotations.as_junit,
    }[form]
    screen.result(make(compared, together, everything=everything))
    if form == "github" and (file := os.environ.get("GITHUB_STEP_SUMMARY")):
        text = as_markdown(compared, together, everything=everything)
        try:
            with Path(file).open("a", encoding="utf-8") as stream:
                stream.write(f"{text}\n")
        except OSError as error:
            message = f"cannot write the summary: {error.strerror}"
            screen.problems([Problem("", message, "see GITHUB_STEP_SUMMARY")])


def _explain(name: str) -> int:
    """Print what a rule means.

    Raises:
        BindgenError: There is no such rule.
    """
    from difflib import get_close_matches

    from mcp_bindgen.contract.rules import explain, rules

    rule = rules().get(name.upper())
    if rule is None:
        near = get_close_matches(name.upper(), rules(), 1, 0)
        hint = f"did you mean {near[0]}?"
        raise BindgenError(Problem("", f"--explain {name[:80]!a}: unknown rule", hint))
    screen.result(explain(rule))
    return 0


def _files(old: str, new: str, limits: Limits, unsure: Grade) -> Compared:
    """Return the comparison of two recordings.

    Raises:
        BindgenError: One of them cannot be read.
    """
    from mcp_bindgen.contract.inputs import read_input
    from mcp_bindgen.contract.summary import Choice
    from mcp_bindgen.contract.summary import compared as _compared

    if old == new == "-":
        raise click.UsageError("standard input can be only one of the two recordings")
    before, after = read_input(old, limits), read_input(new, limits)
    return _compared("", new, before, after, Choice(limits, unsure))


def _servers(limits: Limits, unsure: Grade) -> list[Compared]:
    """Return the comparison of each server of the settings with the last commit.

    Raises:
        BindgenError: There are no settings, or a recording cannot be read.
    """
    from mcp_bindgen.cli import config
    from mcp_bindgen.contract.inputs import at_head, read_input
    from mcp_bindgen.contract.summary import Choice
    from mcp_bindgen.contract.summary import compared as _compared

    file = config.find(Path.cwd())
    servers = config.load(file) if file else ()
    if not servers:
        hint = "name two recordings: mcp-bindgen diff OLD NEW"
        raise BindgenError(Problem("", "the settings name no server", hint))
    return [
        _compared(
            server.key,
            _label(server.recording),
            at_head(server.recording, limits),
            read_input(str(server.recording), limits),
            Choice(limits, unsure, server.include, server.exclude),
        )
        for server in servers
    ]


def _label(file: Path) -> str:
    """Return how reports name a file: from this folder, with "/"."""
    try:
        return file.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(file)
