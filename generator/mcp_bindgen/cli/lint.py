"""`mcp-bindgen lint`: finds suspicious texts in a recording before a model reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import in_file, recordings
from mcp_bindgen.cli.limits import limit_option, limits_from, read
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.lint import Finding

__all__ = ["lint"]

_NO_PROOF = "no finding is no proof of safety"


def _show_rules(ctx: click.Context, _param: click.Parameter, value: object) -> None:
    if value:
        from mcp_bindgen.recording.lint import RULES

        width = max(map(len, RULES))
        for rule, text in RULES.items():
            screen.result(f"{rule.ljust(width)}  {text}")
        ctx.exit()


@click.command(
    epilog="Example: mcp-bindgen lint recordings/catalog.json --ignore annotation"
)
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(path_type=Path),
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Do not apply this rule.")
@format_option
@click.option(
    "--rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_rules,
    help="List the rules and exit.",
)
@limit_option
@screen.options
def lint(
    files: tuple[Path, ...],
    ignore: tuple[str, ...],
    form: str,
    limit_texts: tuple[str, ...],
) -> int:
    """Find suspicious texts in recordings.

    The rules look for hidden characters, orders to models, annotations that contradict
    a tool's name, and more. No finding is no proof of safety. FILE is a recording, or
    a folder of recordings; without FILE, the command reads those of pyproject.toml.
    """
    from mcp_bindgen.limits import DEFAULT

    _check_rules(ignore)
    limits = limits_from(limit_texts, DEFAULT)
    unread = 0
    findings_by_file: dict[Path, list[Finding]] = {}
    problems: list[Problem] = []
    for file in dict.fromkeys(recordings(files)):
        try:
            findings = _findings(file, limits)
        except BindgenError as error:
            unread += 1
            problems += in_file(file, error).problems
        else:
            chosen = [finding for finding in findings if finding.rule not in ignore]
            findings_by_file[file] = chosen
    screen.problems(problems)
    if form == "json":
        show_json(_as_json(findings_by_file))
    else:
        for line in _as_text(findings_by_file):
            screen.result(line)
    number = sum(map(len, findings_by_file.values()))
    summary = screen.count(number, "finding")
    if unread:
        summary += f" in {screen.count(len(findings_by_file), 'file')}"
        summary += f", {screen.count(unread, 'file')} not read"
    screen.summary(f"{summary}; {_NO_PROOF}")
    return max(2 * bool(problems), int(bool(number)))


def _findings(file: Path, limits: Limits) -> list[Finding]:
    from mcp_bindgen.recording.lint import lint as find

    return find(read(file, limits), limits)


def _check_rules(rules: Sequence[str]) -> None:
    from mcp_bindgen.recording.lint import RULES

    hint = f"rules are {', '.join(RULES)}"
    unknown = [rule[:80] for rule in rules if rule not in RULES]
    if unknown:
        problems = (f"--ignore {rule!a}: unknown rule" for rule in unknown)
        raise BindgenError(*(Problem("", problem, hint) for problem in problems))


def _as_text(findings_by_file: dict[Path, list[Finding]]) -> Iterator[str]:
    for file, findings in findings_by_file.items():
        for finding in findings:
            yield f"{file}#{finding.pointer}: {finding.rule}: {finding.message}"


def _as_json(findings_by_file: dict[Path, list[Finding]]) -> list[dict[str, object]]:
    return [
        {"file": str(file), **finding._asdict()}
        for file, findings in findings_by_file.items()
        for finding in findings
    ]
