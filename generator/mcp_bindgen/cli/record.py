"""`mcp-bindgen record`: writes the tools of a live server into a file."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.config import ERAS
from mcp_bindgen.cli.jobs import servers_of, shortest
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.recorder import Call, Options, Recorded
    from mcp_bindgen.recording.source import Source

__all__ = ["Saved", "record", "try_record"]

_WHICH = "expected either URL, or COMMAND ARG..., or --server NAME"
_SECONDS = 60.0
_MOST_LINES = 20  # of what changed since the recording that is replaced


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
    metavar="SECONDS",
    help="The time for the whole recording of one server  [default: 60]",
)
@limit_option
@click.argument(
    "command", nargs=-1, type=click.UNPROCESSED, metavar="[URL | COMMAND ARG...]"
)
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
    timeout: float | None,
    limit_texts: tuple[str, ...],
    command: tuple[str, ...],
) -> int:
    """Record the tools, resources and prompts of a server.

    The server is a URL, or a COMMAND that talks on stdin and stdout. Without both, the
    command records the servers of [tool.mcp-bindgen] in pyproject.toml. A COMMAND gets
    only a few variables, such as HOME and PATH; --env gives it others.
    """
    from mcp_bindgen.recording.recorder import Options
    from mcp_bindgen.recording.source import Source

    options = Options(
        limits=limits_from(limit_texts, DEFAULT),
        era=era,
        calls=[_call(tool, text) for tool, text in calls],
        show=screen.detail if screen.is_verbose() else None,
    )
    url, command = _target(url, command)
    source = Source(url or "", headers, command, variables, cwd)
    from_settings = not url and not command
    if servers if not from_settings else output or calls or source != Source():
        raise click.UsageError(_WHICH)
    if from_settings:
        return max(try_record(s, timeout, options).code for s in _live(servers))
    _refuse_mixture(source)
    if output is None:
        raise click.UsageError("expected -o FILE, the file for the recording")
    with stopped_after(options.limits.seconds):
        return _record(source, timeout or _SECONDS, options, output).code


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
        return url, command
    if len(command) > 1:
        raise click.UsageError(f"expected nothing after the URL, got {command[1]!a}")
    return first, ()


def _refuse_mixture(source: Source) -> None:
    """Refuse options that have no effect on a URL or a command.

    Raises:
        UsageError: There is one.
    """
    if source.url and source.command:
        raise click.UsageError(_WHICH)
    if source.command and source.headers:
        raise click.UsageError("expected a URL with --header, got a COMMAND")
    if source.url and (source.env or source.cwd):
        raise click.UsageError("expected a COMMAND with --env and --cwd, got a URL")


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


class Saved(NamedTuple):
    """The result of recording one server.

    Attributes:
        code: The exit code: 0, 1 (the server made mistakes) or 2 (it failed).
        changed: Whether the file is another now.
    """

    code: int
    changed: bool


def try_record(server: Server, timeout: float | None, options: Options) -> Saved:
    """Record a server of the settings into its file; show a failure, and go on.

    Args:
        server: The server.
        timeout: The time for everything together, in seconds; None for that of the
            settings, or 60.
        options: The settings of the recording.
    """
    from mcp_bindgen.recording.source import Source

    source = Source(server.url, server.headers, server.command, server.env, server.cwd)
    options = replace(options, era=options.era or server.era or None)
    seconds = timeout or server.timeout or _SECONDS
    try:
        with stopped_after(options.limits.seconds):
            return _record(source, seconds, options, shortest(server.recording))
    except BindgenError as error:
        screen.problems(
            Problem("", f"{server.key}: {problem.message}", problem.hint)
            for problem in error.problems
        )
        return Saved(2, changed=False)


def _record(source: Source, timeout: float, options: Options, output: Path) -> Saved:
    """Record a server, write the recording, and show its problems and its contents.

    Raises:
        BindgenError: The server fails, or the file cannot be written.
    """
    live = source.expand(os.environ)
    screen.hide(live.secrets)
    screen.detail("connecting over HTTP" if live.url else "starting the program")
    recorded = live.record(timeout, options)
    name = "standard output" if os.fspath(output) == "-" else str(output)
    screen.problems(recorded.problems, name)
    before = _before(output, options)
    changed = save(output, recorded.text.encode())
    state = "written" if changed else "unchanged"
    screen.summary(f"{_contents(recorded)}, {name} {state}")
    if changed and before:
        _show_changes(before, recorded, name, options)
    return Saved(int(bool(recorded.problems)), changed)


def _before(output: Path, options: Options) -> bytes:
    """Return the recording that is replaced, b"" where there is none to read."""
    if os.fspath(output) == "-" or not output.is_file():
        return b""
    with suppress(OSError), output.open("rb") as stream:
        return stream.read(options.limits.bytes + 1)
    return b""


def _show_changes(
    before: bytes, recorded: Recorded, name: str, options: Options
) -> None:
    """Show what changed since the recording that was replaced: its worst, its counts.

    A file that is no recording is replaced without a word: there is nothing to compare.
    """
    from mcp_bindgen.contract.as_text import as_text
    from mcp_bindgen.contract.summary import Choice, compared, total

    with suppress(BindgenError):
        choice = Choice(options.limits)
        after = recorded.text.encode()
        servers = [compared("", name, before, after, choice)]
        lines = [*as_text(servers, total(servers), everything=False)]
        shown = lines[:_MOST_LINES] if len(lines) > _MOST_LINES + 1 else lines[:-1]
        for line in shown:
            screen.progress("".join(span.text for span in line))
        if len(lines) > _MOST_LINES + 1:
            screen.progress("... see mcp-bindgen diff")
        screen.summary("".join(span.text for span in lines[-1]))


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
