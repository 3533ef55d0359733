"""`mcp-bindgen logout`: forgets the credentials for a server."""

from __future__ import annotations

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import reached, servers, source_of

__all__ = ["logout"]


@click.command(
    epilog="Example: mcp-bindgen logout tracker. Exit codes: 0 forgotten, 1 there were"
    " none, 2 failure."
)
@click.argument("name")
@format_option
@screen.options
def logout(name: str, form: str) -> int:
    """Forget the tokens and the client for server NAME of the settings.

    The server does not learn of it: its tokens are valid until they expire, or until
    you revoke them there.
    """
    from mcp_bindgen.recording.oauth import log_out

    (server,) = servers([name])
    live = reached(source_of(server))
    there = log_out(live.url, live.oauth)
    screen.summary(f"{name}: {'logged out' if there else 'nobody was logged in'}")
    if form == "json":
        show_json({"name": name, "was_logged_in": there})
    return int(not there)
