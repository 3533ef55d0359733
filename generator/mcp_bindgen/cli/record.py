"""`mcp-bindgen record`: what a live server offers, into a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import shortest
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.secrets import address, header
from mcp_bindgen.write.save import save

if TYPE_CHECKING:

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.recorder import Call, Options, Recorded

__all__ = ["record"]

# A shorter value may stand in a server's texts by chance.
_TELLING = 8


@click.command(
    epilog="Example: mcp-bindgen record -o recordings/time.json -- uvx mcp-server-time",
)
@click.option("--url", help="The server's endpoint; ${NAME} is expanded.")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar='"NAME: VALUE"',
    help="A header to send, as often as needed; ${NAME} is expanded and kept secret.",
)
@click.option(
    "--call",
    "calls",
    nargs=2,
    multiple=True,
    metavar="TOOL JSON",
    help="Call a tool and keep its answer: generate infers the result from it.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that gets the recording.",
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="NAME",
    help="Record this server of [tool.mcp-bindgen] in pyproject.toml.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for everything together.",
)
@limit_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@screen.options
def record(
    url: str | None,
    headers: tuple[str, ...],
    calls: tuple[tuple[str, str], ...],
    output: Path | None,
    servers: tuple[str, ...],
    timeout: float,
    limit_texts: tuple[str, ...],
    command: tuple[str, ...],
) -> int:
    """Record what a server offers: its tools, resources and prompts.

    The server is a URL, or a COMMAND after -- that speaks on stdin and stdout. Without
    either, those in [tool.mcp-bindgen] of pyproject.toml.
    """
    from mcp_bindgen.recording.recorder import Options

    wanted = [_call(tool, text) for tool, text in calls]
    options = Options(limits=limits_from(limit_texts, DEFAULT), calls=wanted)
    if not url and not command:
        if output or headers or calls:
            raise click.UsageError("give either --url URL or -- COMMAND ARG...")
        with stopped_after(options.limits.seconds):
            return max(_server(each, timeout, options) for each in _configured(servers))
    if servers or (url and command):
        raise click.UsageError("give either --url URL or -- COMMAND ARG...")
    if command and headers:
        raise click.UsageError("--header goes with --url")
    if output is None:
        raise click.UsageError("say where to: -o FILE")
    with stopped_after(options.limits.seconds):
        if url:
            return _keep(*_over_http(url, headers, timeout, options), output)
        return _keep(*_over_stdio(command, timeout, options), output)


def _configured(names: tuple[str, ...]) -> list[Server]:
    """Return the servers of the project's settings, or those of these names.

    Raises:
        BindgenError: There is none, or none of one of these names.
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
    found = [known[name] for name in names or known]
    live = [server for server in found if server.url or server.command]
    if not live:
        hint = "give --url URL or -- COMMAND ARG..., or name servers in pyproject.toml"
        raise BindgenError(Problem("", "no server to record", hint))
    return live


def _server(server: Server, timeout: float, options: Options) -> int:
    server.recording.parent.mkdir(parents=True, exist_ok=True)
    if server.url:
        recorded = _over_http(server.url, server.headers, timeout, options)
    else:
        recorded = _over_stdio(server.command, timeout, options)
    return _keep(*recorded, shortest(server.recording))


def _keep(recorded: Recorded, secrets: tuple[str, ...], output: Path) -> int:
    _refuse_leak(recorded.text, secrets)
    screen.problems(recorded.problems, str(output))
    changed = save(output, recorded.text.encode())
    screen.summary(_told(recorded, output, changed=changed))
    return 1 if recorded.problems else 0


def _call(tool: str, text: str) -> Call:
    """Return a call from the command line.

    Raises:
        BindgenError: The arguments are no JSON object.
    """
    from mcp_bindgen.json_reader import parse
    from mcp_bindgen.recording.recorder import Call

    arguments = parse(text.encode())
    if not isinstance(arguments, dict):
        message = f"--call {tool[:80]!a}: the arguments are no JSON object"
        hint = """write them as '{"name": "value"}', or {} for none"""
        raise BindgenError(Problem("", message, hint))
    return Call(tool, arguments)


def _over_http(
    url: str, headers: tuple[str, ...], timeout: float, options: Options
) -> tuple[Recorded, tuple[str, ...]]:
    from mcp_bindgen.recording.recorder import over_http

    place = address(url, os.environ)
    fields = [header(line, os.environ) for line in headers]
    secrets = (*place.secrets, *(s for _, value in fields for s in value.secrets))
    screen.hide(secrets)
    screen.detail("asking the server over HTTP")
    sent = {name: value.text for name, value in fields}
    return over_http(place.text, sent, timeout, options), secrets


def _over_stdio(
    command: tuple[str, ...], timeout: float, options: Options
) -> tuple[Recorded, tuple[str, ...]]:
    from mcp_bindgen.recording.recorder import over_stdio

    screen.detail("starting the server and asking it over stdin and stdout")
    return over_stdio(command, os.environ, timeout, options), ()


def _refuse_leak(text: str, secrets: tuple[str, ...]) -> None:
    """Refuse to write what the server repeated of a header or a variable."""
    for secret in secrets:
        if len(secret) >= _TELLING and json.dumps(secret)[1:-1] in text:
            message = "the server's own texts hold the value of a header or variable"
            hint = "nothing was written; a value that is no secret needs no ${NAME}"
            raise BindgenError(Problem("", message, hint))


def _told(recorded: Recorded, output: Path, *, changed: bool) -> str:
    told = recorded.recording
    counts = {
        "tool": len(told.tools),
        "resource": len(told.resources),
        "resource template": len(told.resource_templates),
        "prompt": len(told.prompts),
    }
    listed = ", ".join(screen.count(n, kind) for kind, n in counts.items() if n)
    left_out = len(recorded.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    name = str(told.server.get("name", "server"))[:80]
    state = "written" if changed else "unchanged"
    return f"{name}: {listed or 'no tools'}{more}, {output} {state}"
