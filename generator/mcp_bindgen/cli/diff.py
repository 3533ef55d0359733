"""`mcp-bindgen diff`: the changes between two recordings, and who breaks by them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.collector import without_collector
from mcp_bindgen.cli.graded import FORMATS, all_option, fail_on_option, show
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from typing import Unpack

    from mcp_bindgen.contract.model import Grade
    from mcp_bindgen.contract.summary import Axis, Compared

__all__ = ["diff"]

_CANNOT = 2
_CHECKER = "mcp_bindgen.checker"
_HELP = """Compare two recordings, and grade each change.

OLD and NEW are files, - for standard input, or git:REV:PATH. Without both, each
recording of [tool.mcp-bindgen] in pyproject.toml is compared with the one of the
last commit.

The axis wire: does a package that was generated from OLD work with the new server?
The axis source: do its typed callers work with a package generated from NEW?

--callers checks your program against both packages, by mypy or by the CHECKER after
--, as in: mcp-bindgen diff --callers src -- pyright src

Exit codes: 0 below --fail-on, 1 at or above it, 2 if not all could be compared.
"""


class _Options(TypedDict):
    """The options of the command, by the names of its parameters."""

    form: str
    everything: bool
    fail_on: Grade
    axis: Axis
    unsure: Grade
    changelog: bool
    callers: Path | None
    accept: str | None
    reason: str | None
    explain: str | None
    limit_texts: tuple[str, ...]


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
    help=_HELP,
    epilog="Example: mcp-bindgen diff git:HEAD:recordings/time.json time.json",
)
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="The format of the report.",
)
@all_option
@fail_on_option("breaking")
@click.option(
    "--axis",
    type=click.Choice(["both", "wire", "wire_strict", "source"]),
    default="both",
    show_default=True,
    help="The axis whose findings set the exit code.",
)
@click.option(
    "--unsure",
    type=click.Choice(["breaking", "compatible"]),
    default="breaking",
    show_default=True,
    help="The grade of a change whose effect cannot be decided.",
)
@click.option(
    "--changelog",
    is_flag=True,
    help="Print a section for a changelog, and which part of the version to raise.",
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
def diff(old: str | None, new: str | None, **options: Unpack[_Options]) -> int:
    """Compare two recordings, and grade each change."""
    if options["explain"]:
        return _explain(options["explain"])
    accept, reason = options["accept"], (options["reason"] or "").strip()
    if bool(accept) != bool(reason):
        raise click.UsageError("--accept FINGERPRINT and --reason TEXT go together")
    if accept:
        from mcp_bindgen.cli.accept import accept_finding

        return accept_finding(_compared(old, new, options), accept, reason)
    if options["callers"]:
        from mcp_bindgen.cli.callers import show_callers

        checker = click.get_current_context().meta.get(_CHECKER) or ["mypy"]
        compared = _compared(old, new, options)
        return show_callers(compared, options["callers"], checker)
    with without_collector():
        return _report(old, new, options)


def _report(old: str | None, new: str | None, options: _Options) -> int:
    """Print the report, or a section of a changelog; return the exit code."""
    from mcp_bindgen.cli.accept import without_accepted
    from mcp_bindgen.cli.comparisons import in_files
    from mcp_bindgen.contract.changelog import as_changelog
    from mcp_bindgen.contract.model import is_at_least
    from mcp_bindgen.contract.summary import total

    form = "changelog" if options["changelog"] else options["form"]
    if form == "json":
        screen.expect_json()
    try:
        compared = without_accepted(_compared(old, new, options))
    except BindgenError as error:
        # Every report has the parts that could not be read; one of JSON has nothing
        # else.
        if form in {"text", "json", "changelog"}:
            raise (in_files(error, old, new) if old and new else error) from None
        compared = [_unread(new or "", error)]
    for each in compared:
        screen.problems(each.report.problems, each.label)
    together = total(compared)
    if form == "changelog":
        screen.block(as_changelog(compared, together))
    else:
        show(compared, together, form, everything=options["everything"])
    if together.problems:
        return _CANNOT
    return int(is_at_least(together.on(options["axis"]), options["fail_on"]))


def _compared(old: str | None, new: str | None, options: _Options) -> list[Compared]:
    """Return the comparison of two recordings, or one for each server.

    Raises:
        BindgenError: There are no settings, or a recording cannot be read.
        UsageError: Only one recording is named.
    """
    from mcp_bindgen.cli.comparisons import of_commit, of_files
    from mcp_bindgen.limits import DEFAULT

    limits, unsure = limits_from(options["limit_texts"], DEFAULT), options["unsure"]
    if old and not new:
        raise click.UsageError("expected two recordings, or none for the settings")
    with without_collector():
        if old and new:
            return [of_files(old, new, limits, unsure)]
        return of_commit(limits, unsure)


def _unread(label: str, error: BindgenError) -> Compared:
    """Return the comparison of recordings that cannot be read: its problems alone."""
    from mcp_bindgen.contract.model import Report
    from mcp_bindgen.contract.summary import Compared

    return Compared("", label, b"", b"", Report((), error.problems))


def _explain(name: str) -> int:
    """Print the explanation of a rule.

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
    screen.block(explain(rule))
    return 0
