"""`mcp-bindgen add`: one more server in the settings, with its package."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import config, screen, settings_file
from mcp_bindgen.cli.command_words import WithCommand, command_words
from mcp_bindgen.cli.config_faults import ERAS, OAUTH
from mcp_bindgen.cli.example_program import example_program
from mcp_bindgen.cli.finish import Done, Options
from mcp_bindgen.cli.finish import as_json as package_json
from mcp_bindgen.cli.jobs import for_servers
from mcp_bindgen.cli.login import log_in
from mcp_bindgen.cli.output import format_option, problems_json, show_json
from mcp_bindgen.cli.record_server import Saved, as_json, try_record
from mcp_bindgen.cli.run import run_each
from mcp_bindgen.cli.shared_runtimes import refuse_runtime, shared_runtimes
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import user_cache
from mcp_bindgen.pipeline.mcp_json import package_for
from mcp_bindgen.pipeline.secret_values import Variables
from mcp_bindgen.pipeline.settings import DEFAULTS

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["add"]

_CANNOT = 2


@click.command(
    cls=WithCommand,
    epilog="Example: mcp-bindgen add time -- uvx mcp-server-time. Exit codes: 0 added,"
    " 1 added, but a part of the server was left out, 2 failure.",
)
@click.argument("name", metavar="NAME [-- COMMAND ARG...]")
@click.option("--url", help="The endpoint of the server; ${NAME} is replaced.")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar='"NAME: VALUE"',
    help="Send this header; a secret becomes ${NAME} in the settings.",
)
@click.option(
    "--auth",
    metavar="TOKEN|oauth",
    help="Send this bearer token, which becomes ${NAME} in the settings; or log in.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="Give COMMAND this variable; a secret becomes ${NAME} in the settings.",
)
@click.option("--era", type=click.Choice(ERAS), help="Speak this era of the protocol.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="The time to record the server  [default: 60]",
)
@format_option
@screen.options
def add(
    name: str,
    url: str | None,
    headers: tuple[str, ...],
    auth: str | None,
    variables: tuple[str, ...],
    era: str | None,
    timeout: float | None,
    form: str,
) -> int:
    """Add a server to the settings, record it, generate its package, show a program.

    The server is a URL, or a COMMAND that talks on stdin and stdout. If it cannot be
    recorded, nothing is written.
    """
    own, table = _table(name, url, headers, auth, variables)
    table |= {"era": era} if era else {}
    table |= {"timeout": timeout} if timeout else {}
    file = settings_file.target_file()
    text = settings_file.read(file)
    _refuse_taken(name, table, text)
    text = settings_file.with_server(text, name, table)
    parsed = config.parse(text, file)
    server = next(each for each in parsed if each.key == name)
    *_, job = for_servers(parsed, DEFAULTS)[: parsed.index(server) + 1]
    refuse_runtime([job])
    environment = {**os.environ, **own.values}
    if server.oauth is not None:
        log_in(server, environment)
    saved = _record(server, environment)
    if saved.code == _CANNOT:
        if form == "json":
            show_json({"problems": problems_json(saved.problems)})
        screen.summary(f"{name}: nothing was added")
        return saved.code
    settings_file.write(file, text)
    screen.progress(f"{name}: added to {file}")
    done = _generate(job)
    code = max(saved.code, done.code)
    for variable in own.names():
        if not os.environ.get(variable):
            screen.progress(f"run `export {variable}=...` before the next command")
    if form == "json":
        recorded = as_json(name, str(job.file), saved)
        program = example_program(server, job) if code != _CANNOT else None
        show_json(
            {**recorded, "package": package_json(done, job.file), "program": program}
        )
    elif code != _CANNOT:
        _show_program(server, job)
    return code


def _table(
    name: str,
    url: str | None,
    headers: tuple[str, ...],
    auth: str | None,
    variables: tuple[str, ...],
) -> tuple[Variables, dict[str, Any]]:
    """Return the server's table for the settings, and the variables of its secrets.

    Raises:
        UsageError: Options contradict each other.
    """
    command = command_words()
    if bool(url) is bool(command):
        raise click.UsageError("expected either --url URL or -- COMMAND ARG...")
    package = package_for(name, ())
    own = Variables().of_server(package)
    table: dict[str, Any] = {}
    if url:
        if variables:
            raise click.UsageError("expected a COMMAND with --env, got a URL")
        table["url"] = own.url(url)
        pairs = (header.partition(":") for header in headers)
        fields = {key.strip(): text.strip() for key, _, text in pairs}
        table |= {"headers": {k: own.header(k, v) for k, v in fields.items()}}
        table |= {"auth": auth if auth in {None, OAUTH} else own.token(auth or "")}
    else:
        if headers or auth:
            raise click.UsageError("expected --url with --header and --auth")
        table["command"] = own.words(command)
        given = (variable.partition("=") for variable in variables)
        values = {k: own.env(k, v) if e else own.named(k) for k, e, v in given}
        table |= {"env": values}
    if package != name:
        table |= {"package": package, "recording": f"recordings/{package}.json"}
    return own, {key: value for key, value in table.items() if value}


def _refuse_taken(name: str, table: dict[str, Any], text: str) -> None:
    """Refuse a name that another server of the settings has.

    Raises:
        BindgenError: There is one.
    """
    known = settings_file.servers_in(text)
    if name in known and known[name] != table:
        hint = f"choose another name, or run mcp-bindgen remove {name} first"
        message = f"the settings have another server {name[:80]}"
        raise BindgenError(Problem("", message, hint))


def _record(server: Server, environment: dict[str, str]) -> Saved:
    from mcp_bindgen.recording.recorder import Options as RecordOptions

    show = screen.detail if screen.is_verbose() else None
    options = RecordOptions(show=show)
    return try_record(server, None, options, environment)


def _generate(job: Job) -> Done:
    cache = user_cache()
    (done,) = run_each([job], Options(cache=cache, styled=cache))
    shared = shared_runtimes([job], check=False, show=False, styled=cache)
    return done._replace(code=max([done.code, *shared]))


def _show_program(server: Server, job: Job) -> None:
    """Print a program that runs: standard output has nothing else."""
    screen.result(example_program(server, job))
    folder = job.folder.parent
    screen.summary(
        f"save the program as example.py, and run: PYTHONPATH={folder} python"
        f" example.py; more: mcp-bindgen show {server.key}"
    )
