"""`mcp-bindgen login`: gets credentials for a server that wants OAuth."""

from __future__ import annotations

import os
import select
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import reached, servers, source_of
from mcp_bindgen.errors import BindgenError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.cli.config import Server

__all__ = ["log_in", "login"]

_POLL = 0.2  # seconds between two looks at the end of the command
_LINE = 16_384


@click.command(
    epilog="Example: mcp-bindgen login tracker. Exit codes: 0 logged in, 2 failure."
)
@click.argument("name")
@click.option("--no-browser", is_flag=True, help="Only show the URL.")
@click.option(
    "--issuer",
    default="",
    metavar="URL",
    help="Allow this authorization server although another one is named.",
)
@format_option
@screen.options
def login(name: str, issuer: str, form: str, *, no_browser: bool) -> int:
    """Log in to server NAME of the settings, whose auth is "oauth".

    The browser of this machine opens. Where it cannot, open the URL on another machine,
    and paste the URL that the browser ends at, whether it shows a page or not.
    """
    (server,) = servers([name])
    granting = log_in(server, issuer=issuer, browser=not no_browser)
    if form == "json":
        show_json({"name": name, "issuer": granting})
    return 0


def log_in(
    server: Server,
    environment: Mapping[str, str] = os.environ,
    *,
    issuer: str = "",
    browser: bool = True,
) -> str:
    """Log in to a server, show who gave the tokens, and return the issuer.

    Args:
        server: The server.
        environment: The variables for `${NAME}`.
        issuer: An authorization server that is allowed although another is named.
        browser: Whether to open the browser.

    Raises:
        BindgenError: There is no login.
    """
    from mcp_bindgen.recording import oauth

    live = reached(source_of(server), environment)
    context = click.get_current_context()

    def show(url: str) -> str | None:
        with context.scope(cleanup=False):  # this is another thread
            return _show(url, browser=browser)

    try:
        granting = oauth.log_in(live.url, live.oauth, show, issuer)
    except BindgenError as error:
        raise _about(server, error) from error
    allowed = ", which --issuer allows" if granting == issuer else ""
    screen.summary(f"{server.key}: logged in at {granting}{allowed}")
    return granting


def _about(server: Server, error: BindgenError) -> BindgenError:
    """Return an error whose problems name their server."""
    return BindgenError(
        *(replace(p, message=f"{server.key}: {p.message}") for p in error.problems)
    )


def _show(url: str, *, browser: bool) -> str | None:
    """Show a person the URL; return the URL that they paste, None for none."""
    screen.question("open this URL to log in:")
    screen.question(url)
    if browser and sys.stderr.isatty():
        import webbrowser

        webbrowser.open(url)
    if not sys.stdin.isatty() or sys.platform == "win32":
        return None
    screen.question("or paste the URL at which the browser ends:")
    return _pasted()


def _pasted() -> str | None:
    """Return a line of the terminal; the end of the command does not wait for it."""
    handle, data = sys.stdin.fileno(), b""
    while not data.strip() or (not data.endswith(b"\n") and len(data) < _LINE):
        if select.select([handle], [], [], _POLL)[0]:
            piece = os.read(handle, _LINE)
            if not piece:
                return None
            data += piece
    return data.decode("utf-8", "replace").strip()
