"""A client of a live server, without a package; its errors as problems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.errors import Problem
from mcp_bindgen.recording.trace import TracingDriver
from mcp_bindgen.runtime.client.approval import DeniedError
from mcp_bindgen.runtime.client.channel import Channel
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    DeadlineError,
    OAuthError,
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_bindgen.runtime.errors import McpError

__all__ = ["LiveClient", "explain", "kind_of_failure"]


class LiveClient(BaseClient):
    """A client whose messages can be shown."""

    def declare(self, capabilities: Sequence[str]) -> None:
        """Declare capabilities; requests of the server that use them are refused.

        Some servers list tools only to a client that declares them.

        Args:
            capabilities: "elicitation", "sampling", "roots".
        """
        self._channel.session.declare(tuple(capabilities))

    def trace(
        self, show: Callable[[str], None], hidden: Callable[[str], str] = str
    ) -> None:
        """Show all messages from now on.

        Args:
            show: Gets one line for each message.
            hidden: Returns a message without secrets.
        """
        channel = self._transport
        if isinstance(channel, Channel):
            driver = TracingDriver(channel.driver, show, hidden)
            self._transport = replace(channel, driver=driver)


def kind_of_failure(error: McpError) -> str:
    """Return the kind of an error: offline, auth, http, protocol, timeout, denied."""
    if isinstance(error, DeniedError):
        return "denied"
    if isinstance(error, AuthError):
        return "auth"
    if isinstance(error, DeadlineError):
        return "timeout"
    if isinstance(error, TransportError) and error.status is not None:
        return "http"
    if isinstance(error, ConfigError):  # There is no such program.
        return "offline"
    # A server that was reached and broke off, or answered, does not speak the protocol.
    answered = "://" in (error.server or "") and not getattr(error, "transient", False)
    is_unsent = isinstance(error, TransportError) and error.outcome == "not sent"
    return "offline" if is_unsent and not answered else "protocol"


def explain(error: McpError, seconds: float, task: str = "the recording") -> Problem:
    """Return one line about an error, and a hint.

    Args:
        error: The error.
        seconds: The time that was allowed.
        task: The subject of the sentence about a time that is over.
    """
    server = f" ({error.server})" if error.server else ""
    if error.tool and error.outcome == "unknown":
        server += "; the call may have run"
    # The first line has the reason; the last one is often a program's last output.
    first, *rest = error.message.splitlines() or [""]
    message = " ".join([first, *(line.strip() for line in rest[-1:])]) + server
    if isinstance(error, DeadlineError):
        message = f"{task} was not complete after {seconds:g} seconds{server}"
        return Problem("", message, "raise the time with --timeout SECONDS")
    if isinstance(error, DeniedError):
        return Problem("", error.message, error.hint or "nothing was sent")
    if isinstance(error, OAuthError):
        return Problem("", message, error.hint)
    if isinstance(error, AuthError):
        hint = (
            "give a valid token: --header 'Authorization: Bearer ${TOKEN}', or headers"
            " or auth in the settings"
        )
        return Problem("", message, error.hint if "scope" in error.challenge else hint)
    hint = "see what the server sends with --verbose; is it an MCP server?"
    if isinstance(error, ConfigError):
        hint = "see mcp-bindgen record --help"
    return Problem("", message, error.hint or hint)
