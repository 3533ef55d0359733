"""`mcp-bindgen record`: writes the tools of a live server into a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.config import ERAS
from mcp_bindgen.cli.jobs import shortest
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.secrets import address, header, refuse_leak, variable
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.recorder import Call, Options, Recorded

__all__ = ["record", "record_server"]

_WHICH = "expected either --url URL or -- COMMAND ARG..."


@click.command(
    epilog="Example: mcp-bindgen record -o recordings/time.json -- uvx mcp-server-time",
)
@click.option("--url", help="The URL of the server; ${NAME} is replaced.")
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
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for the whole recording of one server.",
)
@limit_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@screen.options
def record(
    url: str | None,
    headers: tuple[str, ...],
    variables: tuple[str, ...],
    cwd: Path | None,
    era: str | None,
    calls: tuple[tuple[str, str], ...],
    output: Path | None,
    servers: tuple[str, ...],
    timeout: float,
    limit_texts: tuple[str, ...],
    command: tuple[str, ...],
) -> int:
    """Record the tools, resources and prompts of a server.

    The server is a URL, or a COMMAND after -- that talks on stdin and stdout. Without
    both, the command records the servers of [tool.mcp-bindgen] in pyproject.toml.

    A COMMAND gets only a few variables, such as HOME and PATH; --env gives it others.
    --verbose shows all messages to and from the server.
    """
    from mcp_bindgen.recording.recorder import Options

    options = Options(
        limits=limits_from(limit_texts, DEFAULT),
        era=era,
        calls=[_call(tool, text) for tool, text in calls],
        show=screen.detail if screen.is_verbose() else None,
    )
    if not url and not command:
        if output or headers or variables or cwd or calls:
            raise click.UsageError(_WHICH)
        with stopped_after(options.limits.seconds):
            servers_ = _configured(servers)
            return max(record_server(each, timeout, options) for each in servers_)
    if servers or (url and command):
        raise click.UsageError(_WHICH)
    if command and headers:
        raise click.UsageError("--header needs --url")
    if url and (variables or cwd):
        raise click.UsageError("--env and --cwd need -- COMMAND ARG...")
    if output is None:
        raise click.UsageError("expected a file for the recording: -o FILE")
    with stopped_after(options.limits.seconds):
        if url:
            return _save(*_over_http(url, headers, timeout, options), output)
        recorded = _over_stdio(command, variables, cwd, timeout, options)
        return _save(*recorded, output)


def _configured(names: tuple[str, ...]) -> list[Server]:
    """Return the servers of the project's settings, or those with these names.

    Raises:
        BindgenError: A name is unknown, or no server has a URL or a command.
    """
    from mcp_bindgen.cli import config

    file = config.find(Path.cwd())
    known = {server.key: server for server in config.load(file)} if file else {}
    for name in names:
        if name not in known:
            hint = f"known: {', '.join(known) or 'none'}"
            raise BindgenError(
                Problem("", f"no server {name[:80]!a} in settings", hint)
            )
    chosen = [known[name] for name in names or known]
    live = [server for server in chosen if server.url or server.command]
    if not live:
        hint = "add --url URL or -- COMMAND ARG..., or name servers in pyproject.toml"
        raise BindgenError(Problem("", "no server to record", hint))
    return live


def record_server(server: Server, timeout: float, options: Options) -> int:
    """Record a server of the settings into its file; return the exit code.

    Args:
        server: The server.
        timeout: The time for everything together, in seconds.
        options: What to record.

    Raises:
        BindgenError: The server fails, or the file cannot be written.
    """
    server.recording.parent.mkdir(parents=True, exist_ok=True)
    options = replace(options, era=options.era or server.era or None)
    if server.url:
        recorded = _over_http(server.url, server.headers, timeout, options)
    else:
        recorded = _over_stdio(server.command, server.env, server.cwd, timeout, options)
    return _save(*recorded, shortest(server.recording))


def _save(recorded: Recorded, secrets: tuple[str, ...], output: Path) -> int:
    """Write a recording, and show its problems and its contents."""
    refuse_leak(recorded.text, secrets)
    name = "standard output" if os.fspath(output) == "-" else str(output)
    screen.problems(recorded.problems, name)
    changed = save(output, recorded.text.encode())
    screen.summary(f"{_contents(recorded)}, {name} {_STATES[changed]}")
    return 1 if recorded.problems else 0


_STATES = {True: "written", False: "unchanged"}


def _call(tool: str, text: str) -> Call:
    """Return a call from the command line.

    Raises:
        BindgenError: The arguments are not a JSON object.
    """
    from mcp_bindgen.json_reader import parse
    from mcp_bindgen.recording.mismatch import describe_kind
    from mcp_bindgen.recording.recorder import Call

    arguments = parse(text.encode())
    if not isinstance(arguments, dict):
        kind = describe_kind(arguments)
        message = f"--call {tool[:80]!a}: expected a JSON object, got {kind}"
        hint = """write the arguments as '{"name": "value"}', or {} for none"""
        raise BindgenError(Problem("", message, hint))
    return Call(tool, arguments)


def _over_http(
    url: str, headers: tuple[str, ...], timeout: float, options: Options
) -> tuple[Recorded, tuple[str, ...]]:
    """Return the recording of a server at a URL, and the secrets that were used."""
    from mcp_bindgen.recording.recorder import over_http

    endpoint = address(url, os.environ)
    fields = [header(line, os.environ) for line in headers]
    secrets = (*endpoint.secrets, *(s for _, value in fields for s in value.secrets))
    screen.hide(secrets)
    screen.detail("connecting over HTTP")
    sent = {name: value.text for name, value in fields}
    return over_http(endpoint.text, sent, timeout, options), secrets


def _over_stdio(
    command: tuple[str, ...],
    variables: tuple[str, ...],
    cwd: Path | None,
    timeout: float,
    options: Options,
) -> tuple[Recorded, tuple[str, ...]]:
    """Return the recording of a program, and the secrets that were used."""
    from mcp_bindgen.recording.recorder import Program, over_stdio

    pairs = [variable(line, os.environ) for line in variables]
    secrets = tuple(secret for _, value in pairs for secret in value.secrets)
    screen.hide(secrets)
    screen.detail("starting the program")
    env = {name: value.text for name, value in pairs}
    return over_stdio(Program(command, env, cwd), timeout, options), secrets


def _contents(recorded: Recorded) -> str:
    """Return the server's name and the numbers of its tools and other entries."""
    recording = recorded.recording
    counts = {
        "tool": len(recording.tools),
        "resource": len(recording.resources),
        "resource template": len(recording.resource_templates),
        "prompt": len(recording.prompts),
    }
    listed = ", ".join(screen.count(n, kind) for kind, n in counts.items() if n)
    left_out = len(recorded.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    name = str(recording.server.get("name", "server"))[:80]
    return f"{name}: {listed or 'no tools'}{more}"
