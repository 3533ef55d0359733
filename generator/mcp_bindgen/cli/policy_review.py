"""`mcp-bindgen policy review`, `explain`, `test` and `schema`: work with a policy."""

from __future__ import annotations

from os import fsencode
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import in_file
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.policy_file import parsed, with_reviews
from mcp_bindgen.cli.policy_source import policy_path, read_text, recorded_for
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from mcp_bindgen.contract.policy_status import Decision, Document
    from mcp_bindgen.recording.document import Recording

__all__ = ["explain", "review", "schema", "test"]

_ALL_REVIEWED = (
    "; all entries are reviewed: remove `unreviewed`, so that new ones are denied"
    " until you review them"
)
_LOG_ALONE = """; with enforce = "log", the call is made, and the log has this"""
_EFFECTS = {"allow": "allowed", "approve": "needs an approval", "deny": "denied"}


def _policy_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "-o",
        "-p",
        "--policy",
        "file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The policy file  [default: the only one in the folder policies]",
    )(command)


@click.command(epilog="Example: mcp-bindgen policy review delete_task")
@click.argument("names", nargs=-1, metavar="TOOL|URI|PROMPT...")
@click.option("--all", "every", is_flag=True, help="Review all that the policy lists.")
@_policy_option
@format_option
@screen.options
def review(names: tuple[str, ...], file: Path | None, form: str, *, every: bool) -> int:
    """Show tools, and note in the policy that you have reviewed them.

    The note is a hash of all texts of the tool for models and people. Once it differs
    from the live server, clients deny the tool. URIs, templates and prompts of the
    policy have reviews, too; `policy --check` compares them with the recording.
    """
    from mcp_bindgen.contract.policy_review import due_reviews, reviews_in
    from mcp_bindgen.contract.policy_status import document_of

    file = policy_path(file)
    text = _text(file)
    recording = recorded_for(file, text)
    if recording is None:
        hint = f'write recording = "..." below [server] of {file}'
        raise BindgenError(Problem("", f"{file} names no recording", hint))
    document = document_of(text.encode(), str(file), recording)
    if every == bool(names):
        raise click.UsageError("expected TOOL..., or --all")
    known = {name for entries in reviews_in(document).values() for name in entries}
    _refuse_unknown(names, known, file)
    due = due_reviews(recording, document, known if every else names)
    _note(file, recording, document, due)
    for kind, pins in due.items():
        text = with_reviews(text, kind, pins)
    save(file, text.encode())
    if form == "json":
        reviewed = [name for pins in due.values() for name in pins]
        show_json({"file": str(file), "reviewed": reviewed})
    screen.summary(_summary(file, document, due))
    return 0


def _summary(
    file: Path, document: Document, due: Mapping[str, Mapping[str, str]]
) -> str:
    from mcp_bindgen.contract.policy_review import reviews_in
    from mcp_bindgen.contract.policy_subjects import NOUNS

    counts = [screen.count(len(due[k]), noun) for k, noun in NOUNS.items() if due[k]]
    words = ", ".join(counts) or screen.count(0, NOUNS["tools"])
    complete = all(
        pin or name in due[kind]
        for kind, entries in reviews_in(document).items()
        for name, pin in entries.items()
    )
    more = _ALL_REVIEWED if complete and document.unreviewed else ""
    return f"{words} reviewed, {file}{more}"


def _note(
    file: Path,
    recording: Recording,
    document: Document,
    due: Mapping[str, Mapping[str, str]],
) -> None:
    """Show entries with their changes, and note them for the next review."""
    from mcp_bindgen.contract.policy_review import (
        label,
        reviewed_text,
        reviewed_tools,
        reviews_in,
        views,
    )

    beside = file.with_suffix(".reviewed.json")
    before = reviewed_tools(read_text(beside))
    chosen = {
        label(kind, name): view
        for kind, reviews in due.items()
        for name, view in views(recording, document, kind).items()
        if name in reviews
    }
    _show(chosen, before)
    if chosen:
        names = {
            label(kind, name)
            for kind, entries in reviews_in(document).items()
            for name in entries
        }
        save(beside, reviewed_text({**before, **chosen}, names).encode())


def _show(tools: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Print tools, each with its changes since the last review."""
    from mcp_bindgen.contract.policy_review import review_lines, server_lines

    for line in server_lines(tools, before):
        screen.result(line)
    for name, tool in tools.items():
        for line in review_lines(name, tool, before.get(name)):
            screen.result(line)


def _refuse_unknown(names: Iterable[str], known: Collection[str], file: Path) -> None:
    """Raise where the policy has no entry of a name."""
    unknown = [name for name in names if name not in known]
    hint = f"run `mcp-bindgen policy` with the recording, then it is in {file}"
    problems = (f"no tool {name[:80]!a} in the policy" for name in unknown)
    if unknown:
        raise BindgenError(*(Problem("", problem, hint) for problem in problems))


@click.command(
    epilog="""Example: mcp-bindgen policy explain delete_task --args '{"id": 1}'"""
    " --mode ALERT"
)
@click.argument("tool")
@click.option("--args", "arguments", default="{}", metavar="JSON", help="Arguments.")
@click.option("--mode", metavar="M", help="The mode  [default: the first of the file]")
@_policy_option
@format_option
@screen.options
def explain(
    tool: str, arguments: str, mode: str | None, file: Path | None, form: str
) -> int:
    """Show the decision of the policy about a call, and its rule.

    TOOL is the name of a tool, or a method as resources/read; JSON its params then.

    Exit codes: 0 allowed, or allowed after an approval; 1 denied.
    """
    from mcp_bindgen.contract.policy_status import decision, document_of, is_enforced

    file = policy_path(file)
    text = _text(file)
    document = document_of(text.encode(), str(file), recorded_for(file, text))
    chosen = document.modes[0] if mode is None else mode
    wire = _object(arguments)
    decided = decision(document, tool, wire, chosen)
    counts = decided.effect == "allow" or is_enforced(document, tool, wire)
    if form == "json":
        show_json(
            {
                "decision": decided.effect,
                "rule": decided.rule,
                "reason": decided.reason,
                "allowed": decided.allowed,
                "enforced": counts,
            }
        )
    else:
        more = "" if counts else _LOG_ALONE
        screen.result(f"{tool}: {_words(decided)}{more}")
    return int(decided.effect == "deny")


def _words(decided: Decision) -> str:
    reason = f": {decided.reason}" if decided.reason else ""
    allowed = f"; allowed: {decided.allowed}" if decided.allowed else ""
    return f"{_EFFECTS[decided.effect]}{reason}{allowed} (rule {decided.rule})"


def _object(text: str) -> dict[str, Any]:
    from mcp_bindgen.json_reader import parse

    hint = """write them as '{"name": "value"}'"""
    try:
        value = parse(fsencode(text))  # a word may be no UTF-8
    except BindgenError as error:
        message = f"--args: {error.problems[0].message}"
        raise BindgenError(Problem("", message, hint)) from error
    if not isinstance(value, dict):
        raise BindgenError(Problem("", "--args: expected a JSON object", hint))
    return cast("dict[str, Any]", value)


@click.command(epilog="Example: mcp-bindgen policy test policies/catalog.toml")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@format_option
@screen.options
def test(file: Path, form: str) -> int:
    """Run the cases that a person wrote into a policy file.

    A case is [[cases]] with tool, arguments, mode and expect: "allow", "approve" or
    "deny". Exit code 1 if one ends in another way.
    """
    from mcp_bindgen.contract.policy_cases import run_cases
    from mcp_bindgen.contract.policy_status import document_of

    text = _text(file)
    recording = recorded_for(file, text)
    document = document_of(text.encode(), str(file), recording)
    try:
        count, failures = run_cases(parsed(text, str(file)), document, recording)
    except BindgenError as error:
        raise in_file(file, error) from error
    for failure in failures:
        screen.result(f"{file}: {failure}")
    if form == "json":
        show_json({"file": str(file), "cases": count, "failures": [*failures]})
    screen.summary(f"{screen.count(count, 'case')}, {len(failures)} failed")
    return int(bool(failures))


@click.command(epilog="Example: mcp-bindgen policy schema > policy.schema.json")
@format_option
@screen.options
def schema(form: str) -> int:
    """Print the JSON Schema of policy files, for editors."""
    del form  # it is JSON in both
    from mcp_bindgen.contract.policy_schema import SCHEMA

    show_json(SCHEMA)
    return 0


def _text(file: Path) -> str:
    text = read_text(file)
    if text is None:
        hint = "write it with mcp-bindgen policy RECORDING -o FILE"
        raise BindgenError(Problem("", f"{file}: there is no such file", hint))
    return text
