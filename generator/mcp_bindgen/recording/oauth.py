"""Logs in to a live server, and forgets the credentials for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.errors import McpError
from mcp_bindgen.runtime.transport.oauth.configured import configured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_bindgen.runtime.transport.oauth.auth import OAuth

__all__ = ["log_in", "log_out", "oauth_of"]


def oauth_of(
    options: Mapping[str, str],
    hint: str,
    on_login: Callable[[str], str | None] | None = None,
) -> OAuth:
    """Return the OAuth of a server's settings.

    Args:
        options: The settings, with the values of their variables.
        hint: The advice if a login is needed and no person is there.
        on_login: Shows a person the URL; None where there is no person.

    Raises:
        BindgenError: The settings do not go together.
    """
    try:
        return configured(options, on_login=on_login, hint=hint)
    except McpError as error:
        raise _problem(error) from error


def log_in(
    url: str,
    options: Mapping[str, str] | None,
    on_login: Callable[[str], str | None],
    issuer: str = "",
) -> str:
    """Get credentials for a server, and return the issuer that gave them.

    Args:
        url: The MCP endpoint.
        options: The settings of its OAuth, None without OAuth.
        on_login: Shows a person the URL at which to log in; it may return the URL that
            the browser came back to.
        issuer: An authorization server that is allowed although another is named.

    Raises:
        BindgenError: The server has no OAuth, or there is no login.
    """
    settings = {**_there(options), **({"issuer": issuer} if issuer else {})}
    auth = oauth_of(settings, "", on_login)
    try:
        return auth.login(url, probe=True)
    except McpError as error:
        raise _problem(error) from error


def log_out(url: str, options: Mapping[str, str] | None) -> bool:
    """Forget the credentials for a server; return whether there were any.

    Raises:
        BindgenError: The server has no OAuth, or the credentials cannot be removed.
    """
    try:
        return oauth_of(_there(options), "").logout(url)
    except McpError as error:
        raise _problem(error) from error


def _there(options: Mapping[str, str] | None) -> Mapping[str, str]:
    if options is None:
        hint = 'write auth = "oauth" in the settings of the server'
        raise BindgenError(Problem("", "the settings have no OAuth for it", hint))
    return options


def _problem(error: McpError) -> BindgenError:
    return BindgenError(Problem("", error.message, error.hint))
