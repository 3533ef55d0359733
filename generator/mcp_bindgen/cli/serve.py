"""`mcp-bindgen serve`: a server of a recording, for work without the real one."""

from __future__ import annotations

import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.limits import limit_option, limits_from, read
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.seconds import Seconds
from mcp_bindgen.cli.serve_options import answer_of, in_file, rate_of, real_server
from mcp_bindgen.cli.signals import unheeded
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from mcp_bindgen.contract.replay.answers import Answers, Options
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.recording.source import LiveServer

__all__ = ["serve"]


@click.command(
    epilog="Example: mcp-bindgen serve recordings/catalog.json --http 8000. A caller"
    ' chooses an answer with _meta: {"mcp-bindgen": {"answer": "error", "delay": 2,'
    ' "progress": 5}}; answers are error, empty and generated.',
)
@click.argument("recording", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve over HTTP on this port of 127.0.0.1, 0 for any free one; without it,"
    " on standard input and output.",
)
@click.option(
    "--strict", is_flag=True, help="Refuse calls that are not in the recording."
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="NUMBER",
    help="Another number gives other generated answers  [default: 0]",
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="TOOL=FILE",
    help="Answer this tool with the JSON of this file: a structured value, or a result"
    " with content.",
)
@click.option(
    "--latency",
    type=Seconds(0, 600),
    default=0.0,
    metavar="SECONDS",
    help="Wait this long before each answer of a tool.",
)
@click.option(
    "--fail",
    "failing",
    multiple=True,
    metavar="TOOL=RATE",
    help="Let this part of the calls of a tool fail, from 0 to 1.",
)
@click.option(
    "--record-through",
    "through",
    metavar="URL|COMMAND",
    help="Pass calls on to this server, and add them to RECORDING; secrets become ***."
    " A command is one word for your shell: 'npx -y @acme/files-server'.",
)
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar='"NAME: VALUE"',
    help="Send this header to the URL; ${NAME} is replaced.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="Give the command this variable; ${NAME} is replaced.",
)
@limit_option
@format_option
@screen.options
def serve(
    recording: Path,
    port: int | None,
    seed: int,
    answers: tuple[str, ...],
    latency: float,
    failing: tuple[str, ...],
    through: str | None,
    headers: tuple[str, ...],
    variables: tuple[str, ...],
    limit_texts: tuple[str, ...],
    form: str,
    *,
    strict: bool,
) -> int:
    """Serve RECORDING: its tools, resources and prompts, without the real server.

    A recorded call gets its recorded answer; another call, a generated one that fits
    the output schema. Arguments are checked. Both eras of the protocol are served.
    """
    _need_sdk()
    if form == "json" and port is None:
        raise click.UsageError("expected --http PORT with --format json")
    from mcp_bindgen.contract.replay.answers import Answers, Options

    live = real_server(through or "", headers, variables)
    limits = limits_from(limit_texts, DEFAULT)
    served = _recording(live, recording, limits)
    fixed, rates = dict(map(answer_of, answers)), dict(map(rate_of, failing))
    options = Options(
        str(recording), seed, strict=strict, fixed=fixed, failing=rates, latency=latency
    )
    _refuse_unknown(served, options)
    made = Answers(served, options)
    if live is None:
        screen.problems(made.problems(), str(recording))
    _end_at_once()
    with suppress(KeyboardInterrupt):
        _run(made, port, live, recording)
    return 0


def _end_at_once() -> None:
    """Let signals end the process: the thread that reads would wait for its client."""
    if threading.current_thread() is threading.main_thread():
        unheeded()


def _need_sdk() -> None:
    """Check that the extra is there.

    Raises:
        BindgenError: It is not.
    """
    try:
        for name in ("mcp.server.lowlevel", "uvicorn"):
            import_module(name)
    except ImportError as error:
        hint = "install it with: pip install 'mcp-bindgen[serve]'"
        reason = f"serve needs the official SDK of MCP and uvicorn ({error.name})"
        raise BindgenError(Problem("", reason, hint)) from error


def _recording(live: LiveServer | None, file: Path, limits: Limits) -> Recording:
    """Return the recording in a file, made now if missing; print the parts left out.

    Raises:
        BindgenError: It cannot be read, or is no recording.
    """
    from mcp_bindgen.recording.document import load

    if live is not None and not file.exists():
        _first_recording(live, file)
    try:
        recording, problems = load(read(file, limits), limits)
    except BindgenError as error:
        raise BindgenError(*(in_file(p, str(file)) for p in error.problems)) from error
    screen.problems(problems, str(file))
    return recording


def _first_recording(live: LiveServer, file: Path) -> None:
    """Record the lists of the real server."""
    from mcp_bindgen.cli.reach import SECONDS
    from mcp_bindgen.recording.recorder import Options as RecordOptions
    from mcp_bindgen.write.save import save

    recorded = live.record(SECONDS, RecordOptions())
    save(file, recorded.text.encode())
    screen.progress(f"{file} written")


def _refuse_unknown(recording: Recording, options: Options) -> None:
    """Check the tools of --answer and --fail, and the answers against the schemas.

    Raises:
        BindgenError: There is no such tool.
    """
    from mcp_bindgen.contract.replay.answers import fits
    from mcp_bindgen.recording.call_arguments import find_tool

    for name in (*options.fixed, *options.failing):
        tool = find_tool(recording.tools, name, options.file)
        if isinstance(tool, Problem):
            raise BindgenError(tool)
        for fault in fits(tool, options.fixed[name]) if name in options.fixed else ():
            hint = "it is sent as it is"
            problem = Problem("", f"--answer {name}: {fault}", hint)
            screen.problems([problem])


def _run(
    answers: Answers, port: int | None, live: LiveServer | None, file: Path
) -> None:
    """Serve until the input ends, or a signal comes.

    Raises:
        BindgenError: The port is not free.
    """
    from mcp_bindgen.contract.replay import server

    client = live.client(300.0, "") if live else None
    calls = server.calls_of(answers)
    if live is not None and client is not None:
        from mcp_bindgen.contract.replay.through import Through
        from mcp_bindgen.write.save import save

        through = Through(
            client,
            answers.recording,
            live.secrets,
            lambda text: save(file, text.encode()),
        )
        calls = server.calls_through(through)
    try:
        if port is None:
            screen.progress(f"{file}: serving on standard input and output")
            server.over_stdio(answers, calls)
        else:
            with _bound(port) as sock:
                if screen.is_json():
                    show_json({"url": server.url_of(sock)})
                else:
                    screen.result(server.url_of(sock))
                server.over_http(answers, calls, sock)
    finally:
        if client is not None:
            client.close()


def _bound(port: int) -> Any:
    from mcp_bindgen.contract.replay import server

    try:
        return server.bound(port)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "choose another port, or 0 for any free one"
        raise BindgenError(Problem("", f"port {port}: {reason}", hint)) from error
