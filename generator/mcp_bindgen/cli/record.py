"""`mcp-bindgen record`: writes the tools of a live server into a file."""

from __future__ import annotations

from dataclasses import replace
from os import fsencode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.config_faults import ERAS
from mcp_bindgen.cli.declared import declare_option, root_option
from mcp_bindgen.cli.jobs import servers_of, shortest
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import SECONDS, refuse_name
from mcp_bindgen.cli.record_policy import refuse_denied
from mcp_bindgen.cli.record_server import as_json, record_server, try_record
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.recorder import Call, Options
    from mcp_bindgen.recording.source import Source

__all__ = ["record"]

_WHICH = "expected either URL, or COMMAND ARG..., or --server NAME"


@click.command(
    epilog="Example: mcp-bindgen record uvx mcp-server-time -o recordings/time.json."
    " Write -- before a COMMAND with options that are also ours.",
    context_settings={"ignore_unknown_options": True},
)
@click.option("--url", help="The same as URL; ${NAME} in both is replaced.")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar='"NAME: VALUE"',
    help="Send this header; ${NAME} is replaced, and its value stays secret.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="Give COMMAND this variable; without VALUE, the one of your environment.",
)
@click.option(
    "--cwd",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Run COMMAND in this folder.",
)
@click.option(
    "--era",
    type=click.Choice(ERAS),
    help="Speak this era of the protocol  [default: the one that the server prefers]",
)
@declare_option
@root_option
@click.option(
    "--call",
    "calls",
    nargs=2,
    multiple=True,
    metavar="TOOL JSON",
    help="Call this tool, and record its answer for the type of its result.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="The file for the recording; - is standard output.",
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="NAME",
    help="Record only this server of [tool.mcp-bindgen] in pyproject.toml.",
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="The time for the whole recording of one server  [default: 60]",
)
@click.option(
    "--allow-empty",
    is_flag=True,
    help="Let a server without tools replace a recording that has some.",
)
@limit_option
@format_option
@click.argument(
    "command", nargs=-1, type=click.UNPROCESSED, metavar="[URL | COMMAND ARG...]"
)
@screen.options
def record(
    *,
    url: str | None,
    headers: tuple[str, ...],
    variables: tuple[str, ...],
    cwd: Path | None,
    era: str | None,
    declared: tuple[str, ...],
    roots: tuple[str, ...],
    calls: tuple[tuple[str, str], ...],
    output: Path | None,
    servers: tuple[str, ...],
    timeout: float | None,
    allow_empty: bool,
    limit_texts: tuple[str, ...],
    form: str,
    command: tuple[str, ...],
) -> int:
    """Record the tools, resources and prompts of a server.

    The server is a URL, or a COMMAND that talks on stdin and stdout. Without both, the
    command records the servers of [tool.mcp-bindgen] in pyproject.toml. A COMMAND gets
    only a few variables, such as HOME and PATH; --env gives it others.
    """
    from mcp_bindgen.recording.source import Source

    options = replace(
        _options(limit_texts, era, calls, declared, roots), allow_empty=allow_empty
    )
    url, command = _target(url, command)
    refuse_name(command)
    source = Source(url or "", headers, command, variables, cwd)
    if url or command:
        if servers:
            raise click.UsageError(_WHICH)
        file = _output(source, output, form)
        refuse_denied(source, options.calls)
        rows, code = _record_source(source, file, timeout, options)
    else:
        if output or calls or source != Source():
            raise click.UsageError(_WHICH)
        rows, code = _record_servers(servers, timeout, options)
    if form == "json":
        show_json(rows)
    return code


def _options(
    limit_texts: tuple[str, ...],
    era: str | None,
    calls: tuple[tuple[str, str], ...],
    declared: tuple[str, ...],
    roots: tuple[str, ...],
) -> Options:
    """Return the options of the recorder.

    Raises:
        BindgenError: A limit or the arguments of a call are wrong.
    """
    from mcp_bindgen.recording.recorder import Options

    return Options(
        limits=limits_from(limit_texts, DEFAULT),
        era=era,
        calls=[_call(tool, text) for tool, text in calls],
        show=screen.detail if screen.is_verbose() else None,
        declare=declared,
        roots=roots,
    )


def _record_source(
    source: Source, file: Path, timeout: float | None, options: Options
) -> tuple[list[dict[str, Any]], int]:
    """Record a URL or a command; return its row for JSON, and the exit code."""
    with stopped_after(options.limits.seconds):
        saved = record_server(source, timeout or SECONDS, options, file)
    return [as_json("", str(file), saved)], saved.code


def _record_servers(
    names: tuple[str, ...], timeout: float | None, options: Options
) -> tuple[list[dict[str, Any]], int]:
    """Record servers of the settings; return their rows for JSON, and the exit code."""
    results = [(s, try_record(s, timeout, options)) for s in _live(names)]
    rows = [as_json(s.key, str(shortest(s.recording)), saved) for s, saved in results]
    return rows, max(saved.code for _, saved in results)


def _target(
    url: str | None, command: tuple[str, ...]
) -> tuple[str | None, tuple[str, ...]]:
    """Return the URL and the command; a single word that looks like a URL is one.

    Raises:
        UsageError: An option is unknown, or words follow a URL.
    """
    first = command[0] if command else ""
    if first.startswith("-"):
        raise click.NoSuchOption(first[:80])
    if url or not first.startswith(("http://", "https://")):
        scheme, is_url, _ = first.partition("://")
        if is_url and len(command) == 1:
            wrong = f"{scheme[:20]!a}://"
            raise click.UsageError(f"expected http:// or https://, got {wrong}")
        return url, command
    if len(command) > 1:
        raise click.UsageError(f"expected nothing after the URL, got {command[1]!a}")
    return first, ()


def _output(source: Source, output: Path | None, form: str) -> Path:
    """Return the file for the recording of a URL or a command.

    Raises:
        UsageError: There is no file, or an option has no effect on this source.
    """
    if source.url and source.command:
        raise click.UsageError(_WHICH)
    if source.command and source.headers:
        raise click.UsageError("expected a URL with --header, got a COMMAND")
    if source.url and (source.env or source.cwd):
        raise click.UsageError("expected a COMMAND with --env and --cwd, got a URL")
    if output is None or (str(output) == "-" and form == "json"):
        raise click.UsageError("expected -o FILE, the file for the recording")
    return output


def _live(names: tuple[str, ...]) -> list[Server]:
    """Return the servers of the settings that can be recorded, or those of the names.

    Raises:
        BindgenError: A name is unknown, or no server has a URL or a command.
    """
    servers = servers_of(Path.cwd(), names).values()
    live = [server for server in servers if server.url or server.command]
    if not live:
        hint = "add a URL or a COMMAND ARG..., or name servers in pyproject.toml"
        raise BindgenError(Problem("", "no server to record", hint))
    return live


def _call(tool: str, text: str) -> Call:
    """Return a call from the command line.

    Raises:
        BindgenError: The arguments are not a JSON object.
    """
    from mcp_bindgen.json_reader import parse
    from mcp_bindgen.recording.mismatch import describe_kind
    from mcp_bindgen.recording.recorder import Call

    option = f"--call {tool[:80]!a}"
    hint = """write the arguments as '{"name": "value"}', or {} for none"""
    try:
        arguments = parse(fsencode(text))  # a word may be no UTF-8
    except BindgenError as error:
        wrong = (f"{option}: {problem.message}" for problem in error.problems)
        raise BindgenError(*(Problem("", each, hint) for each in wrong)) from None
    if not isinstance(arguments, dict):
        kind = describe_kind(arguments)
        message = f"{option}: expected a JSON object, got {kind}"
        raise BindgenError(Problem("", message, hint))
    return Call(tool, arguments)
