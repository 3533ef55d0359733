"""`mcp-bindgen add`: one more server in the settings, with its package."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from shlex import quote
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
from mcp_bindgen.cli.seconds import Seconds
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
    type=Seconds(min=0, min_open=True),
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
    table, secrets = _table(name, url, headers, auth, variables)
    options = {"era": era, "timeout": timeout}
    table |= {key: value for key, value in options.items() if value}
    file = settings_file.target_file()
    added = partial(_added, name, table)
    server, job = _parsed(name, added(settings_file.read(file)), file)
    environment = {**os.environ, **secrets.values}
    if server.oauth is not None:
        log_in(server, environment)
    is_new = not job.file.exists()
    saved = _record(server, environment)
    if saved.code == _CANNOT:
        return _show_failure(name, saved, form)
    try:
        settings_file.update(file, added)
    except BindgenError:
        if is_new and not _is_taken(name, file):
            job.file.unlink(missing_ok=True)
        raise
    screen.progress(f"{name}: added to {file}")
    done = _generate(job)
    for variable in secrets.names():
        if not os.environ.get(variable):
            screen.progress(f"run `export {variable}=...` before the next command")
    code = max(saved.code, done.code)
    _show(server, job, saved, done, form)
    return code


def _parsed(name: str, text: str, file: Path) -> tuple[Server, Job]:
    """Return the new server of the settings, and the job of its package.

    Raises:
        BindgenError: The settings are malformed, or two packages have one name.
    """
    servers = config.parse(text, file)
    server = next(each for each in servers if each.key == name)
    *_, job = for_servers(servers, DEFAULTS)[: servers.index(server) + 1]
    refuse_runtime([job])
    return server, job


def _table(
    name: str,
    url: str | None,
    headers: tuple[str, ...],
    auth: str | None,
    variables: tuple[str, ...],
) -> tuple[dict[str, Any], Variables]:
    """Return the server's table for the settings, and the variables of its secrets.

    Raises:
        UsageError: Options contradict each other.
    """
    command = command_words()
    if bool(url) is bool(command):
        raise click.UsageError("expected either --url URL or -- COMMAND ARG...")
    if url and variables:
        raise click.UsageError("expected a COMMAND with --env, got a URL")
    if command and (headers or auth):
        raise click.UsageError("expected --url with --header and --auth")
    package = package_for(name, ())
    secrets = Variables().of_server(package)
    if url:
        table = _of_url(url, headers, auth, secrets)
    else:
        table = _of_command(command, variables, secrets)
    if package != name:
        table |= {"package": package, "recording": f"recordings/{package}.json"}
    return {key: value for key, value in table.items() if value}, secrets


def _of_url(
    url: str, headers: tuple[str, ...], auth: str | None, secrets: Variables
) -> dict[str, Any]:
    """Return the table of a URL, with variables in place of secrets.

    Raises:
        UsageError: A header has no value.
    """
    if not all(":" in header for header in headers):  # it may be a secret alone
        raise click.UsageError("--header: expected NAME: VALUE")
    pairs = (header.partition(":") for header in headers)
    fields = {key.strip(): text.strip() for key, _, text in pairs}
    return {
        "url": secrets.url(url),
        "headers": {key: secrets.header(key, text) for key, text in fields.items()},
        "auth": auth if auth in {None, OAUTH} else secrets.token(auth or ""),
    }


def _of_command(
    command: tuple[str, ...], variables: tuple[str, ...], secrets: Variables
) -> dict[str, Any]:
    """Return the table of a command, with variables in place of secrets."""
    pairs = (variable.partition("=") for variable in variables)
    env = {
        key: secrets.env(key, value) if equals else secrets.named(key)
        for key, equals, value in pairs
    }
    return {"command": secrets.words(command), "env": env}


def _added(name: str, table: dict[str, Any], text: str) -> str:
    """Return settings with one more server.

    Raises:
        BindgenError: They have another server of this name, or no known form.
    """
    known = settings_file.servers_in(text)
    if name in known and known[name] != table:
        hint = f"choose another name, or run mcp-bindgen remove {quote(name)} first"
        message = f"the settings have another server {name[:80]}"
        raise BindgenError(Problem("", message, hint))
    return settings_file.with_server(text, name, table)


def _is_taken(name: str, file: Path) -> bool:
    """Return whether another command has added a server of this name meanwhile."""
    try:
        return name in settings_file.servers_in(settings_file.read(file))
    except BindgenError:
        return False


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


def _show_failure(name: str, saved: Saved, form: str) -> int:
    if form == "json":
        show_json({"problems": problems_json(saved.problems)})
    screen.summary(f"{name}: nothing was added")
    return saved.code


def _show(server: Server, job: Job, saved: Saved, done: Done, form: str) -> None:
    """Show the results as JSON, or the program alone."""
    has_package = done.code != _CANNOT
    if form == "json":
        program = example_program(server, job) if has_package else None
        package = {"package": package_json(done, job.file), "program": program}
        show_json({**as_json(server.key, str(job.file), saved), **package})
    elif has_package:
        _show_program(server, job)


def _show_program(server: Server, job: Job) -> None:
    """Print a program that runs: standard output has nothing else."""
    screen.block(example_program(server, job))
    folder = quote(str(job.folder.parent))
    screen.summary(
        f"save the program as example.py, and run: PYTHONPATH={folder} python"
        f" example.py; more: mcp-bindgen show {quote(server.key)}"
    )
    name = job.folder.name
    for other in (Path(f"{name}.py"), Path(name)):
        # Python looks for a module beside the program first.
        if other.exists() and not other.resolve().samefile(job.folder):
            screen.progress(
                f"{other} hides the package from programs in this folder: rename it, or"
                f' give the package another name with package = "..." in the settings'
            )
