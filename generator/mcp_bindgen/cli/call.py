"""`mcp-bindgen call`: one call of a tool, with arguments from the command line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.call_target import target_of
from mcp_bindgen.cli.command_words import WithCommand, command_words
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import reached
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.cli.call_target import Target
    from mcp_bindgen.recording.calling import Answer, Attempt, Failure
    from mcp_bindgen.recording.live import LiveClient
__all__ = ["call"]

_CANNOT = 2


@click.command(
    cls=WithCommand,
    epilog="Example: mcp-bindgen call catalog search_metadata query=sales size=2."
    " Exit codes: 0 success, 1 the tool reports a failure, 2 it was not called or gave"
    " no result.",
)
@click.argument(
    "words", nargs=-1, required=True, metavar="SERVER TOOL [KEY=VALUE]... [-- COMMAND]"
)
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar='"NAME: VALUE"',
    help="Send this header to a URL; ${NAME} is replaced.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="Give COMMAND this variable.",
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="The time for the call  [default: that of the settings, or 60]",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write images, sounds and resources of the result into this folder.",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The policy that the call obeys  [default: that of the settings]",
)
@click.option("--mode", help="The mode of the policy  [default: its first]")
@click.option("--yes", "-y", is_flag=True, help="Call a destructive tool, too.")
@format_option
@screen.options
def call(
    words: tuple[str, ...],
    headers: tuple[str, ...],
    variables: tuple[str, ...],
    timeout: float | None,
    save: Path | None,
    form: str,
    policy: Path | None,
    mode: str | None,
    *,
    yes: bool,
) -> int:
    """Call a tool, and print its result.

    SERVER is a server of the settings, or a URL; SERVER.TOOL may be one word. With
    -- COMMAND ARG..., that program is the server, and TOOL is the first argument. The
    schema of the tool says which values are strings. KEY:=JSON is JSON, KEY=@FILE the
    text of a file, and - a JSON object on standard input.
    """
    from mcp_bindgen.recording import calling

    target = target_of(words, command_words())
    if headers and target.source.command:
        raise click.UsageError("expected a URL with --header, got a COMMAND")
    if variables and target.source.url:
        raise click.UsageError("expected a COMMAND with --env, got a URL")
    source = target.source._replace(
        headers=(*target.source.headers, *headers),
        env=(*target.source.env, *variables),
    )
    if policy and target.policy and policy.resolve() != target.policy.resolve():
        instead = f"{target.policy} of the settings: --policy takes its place"
        screen.question(f"note: this call does not obey {instead}")
    target = target._replace(source=source, policy=policy or target.policy)
    if mode is not None and not target.policy:
        raise click.UsageError("expected --policy FILE with --mode")
    answer = calling.call(_attempt(target, timeout or target.seconds, mode, yes=yes))
    if isinstance(answer, calling.Failure):
        return _failed(answer, form)
    return _show(answer, target.tool, save, form)


def _attempt(target: Target, seconds: float, mode: str | None, *, yes: bool) -> Attempt:
    """Return the call to make.

    Raises:
        BindgenError: The recorded tools say that it cannot be made.
    """
    from mcp_bindgen.recording import calling

    ready, file = None, target.policy
    recorded = _recorded(target)
    policy = calling.load_policy(file, mode, recorded) if file else None
    if target.recorded is not None:  # Faults of arguments come before a connection.
        ready = _prepared(target, target.recorded, yes=yes)

    def prepare(
        client: LiveClient,
    ) -> tuple[dict[str, Any], object]:
        if ready is not None:
            return ready
        live = calling.tools(client)
        if file and recorded is None:
            # For its mistakes alone: the schema of a server does not decide.
            calling.load_policy(file, mode, live)
        return _prepared(target, live, yes=yes)

    return calling.Attempt(
        server=reached(target.source),
        tool=target.tool,
        seconds=seconds,
        era=target.era,
        prepare=prepare,
        show=screen.detail if screen.is_verbose() else None,
        progress=screen.progress,
        policy=policy,
    )


def _recorded(target: Target) -> Sequence[Mapping[str, Any]] | None:
    """Return the tools that the policy is for, None where no recording has them."""
    from mcp_bindgen.cli.policy_source import tools_beside

    if target.recorded is not None or target.policy is None:
        return target.recorded
    return tools_beside(target.policy)


def _prepared(
    target: Target, tools: Sequence[Mapping[str, Any]], *, yes: bool
) -> tuple[dict[str, Any], object]:
    """Return the arguments of the call, and the output schema of the tool or None.

    Raises:
        BindgenError: There is no such tool, the arguments do not fit it, or nobody
            allows a destructive call.
    """
    from mcp_bindgen.recording.call_arguments import (
        arguments_from,
        example,
        find_tool,
    )

    tool = find_tool(tools, target.tool, target.server)
    if isinstance(tool, Problem):
        raise BindgenError(tool)
    schema: Mapping[str, Any] = tool.get("inputSchema", {})
    arguments, faults = arguments_from(target.words, schema, _read)
    if faults:
        hint = example(target.prefix, target.tool, schema) + target.suffix
        problems = [Problem("", f"{target.tool}: {fault}") for fault in faults]
        raise BindgenError(*problems[:-1], replace(problems[-1], hint=hint))
    hints: Mapping[str, Any] = tool.get("annotations") or {}
    if hints.get("destructiveHint") is True and hints.get("readOnlyHint") is not True:
        _allow(target.tool, yes=yes)
    return arguments, tool.get("outputSchema")


def _allow(tool: str, *, yes: bool) -> None:
    question = f"{screen.line(tool)} may destroy something; call it?"
    if yes or (sys.stdin.isatty() and click.confirm(question, err=True)):
        return
    hint = "add --yes to call it"
    raise BindgenError(Problem("", f"{tool}: the server calls it destructive", hint))


def _read(file: str) -> str:
    """Return the text of a file, of standard input for "-".

    Raises:
        BindgenError: It cannot be read.
    """
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        hint = "name a readable file after @; a text with @ is key:='\"@TEXT\"'"
        raise BindgenError(Problem("", f"{file}: {reason}", hint)) from error


def _failed(failure: Failure, form: str) -> int:
    problem = failure.problem
    if form == "json":
        texts = {"message": problem.message, "hint": problem.hint}
        show_json({"error": {"kind": failure.kind, **texts}})
    screen.problems([problem])
    return _CANNOT


def _show(answer: Answer, tool: str, save: Path | None, form: str) -> int:
    """Print a result, and save its files; return the exit code."""
    if form == "json":
        show_json(answer.raw)
    elif answer.is_error:
        screen.problems([Problem("", f"{tool}: {answer.text or 'the tool failed'}")])
    elif answer.text:
        screen.text(answer.text)
    screen.problems(
        Problem("", f"{tool}: the result does not fit its output schema: {fault}")
        for fault in answer.faults
    )
    _save(answer.files, save)
    return int(answer.is_error)


def _save(files: Mapping[str, bytes], folder: Path | None) -> None:
    from mcp_bindgen.write.save import save

    for name, data in files.items():
        size = f"{len(data):,} bytes"
        if folder is None:
            screen.progress(f"{name} ({size}) is not shown; --save DIR writes it")
            continue
        save(folder / name, data)
        screen.progress(f"{folder / name} ({size}) written")
