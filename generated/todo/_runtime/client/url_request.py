# Copied by mcp-bindgen. Do not edit.
"""A URL that a server wants a person to open: checked, shown, never read.

MCP 2025-11-25 and 2026-07-28, elicitation, "URL Mode" and "Safe URL Handling".
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .. import limits
from ..errors import SERVER_FAULT, ConfigError, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["UrlRequest", "ask_url_on_terminal"]

_LOCAL = ("localhost", "127.0.0.1", "::1")
# Printable ASCII; a backslash means "/" to some readers.
_URL = re.compile(r"[\x21-\x5b\x5d-\x7e]+")


@dataclass(frozen=True, slots=True)
class UrlRequest:
    """A URL that a server wants a person to open.

    Attributes:
        server: The server that asks: scheme and host, or the name of its program.
        message: The reason, in the server's words; not yet safe for a terminal.
        url: The whole URL; it may hold a secret.
        host: Its host: it gets everything that is typed there.
    """

    server: str
    message: str = field(repr=False)
    url: str = field(repr=False)
    host: str

    @classmethod
    def of(cls, server: str, params: Mapping[str, Any]) -> UrlRequest:
        """Check the params of an elicitation.

        Args:
            server: The server that asks.
            params: The params of `elicitation/create` with the mode "url".

        Raises:
            ConfigError: The URL is none that a person may be led to: only https://, and
                http:// on this machine, without a user name.
        """
        url = params.get("url")
        fits = isinstance(url, str) and len(url) <= limits.URL_LENGTH
        if not isinstance(url, str) or not fits or not _URL.fullmatch(url):
            raise ConfigError(
                "the server sends a text that is no URL", hint=SERVER_FAULT
            )
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            host, parts = "", urlsplit("")
        web = parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL)
        if not host or not web or "@" in parts.netloc:
            raise ConfigError(
                "the server names a URL that must not be opened", hint=SERVER_FAULT
            )
        return cls(server, str(params.get("message", "")), url, host)

    @property
    def text(self) -> str:
        """The request for a person: safe for a terminal, with the whole URL."""
        lines = [
            f"{self.server} asks you to open a page: {printable(self.message)}",
            f"  {printable(self.url, limits.URL_LENGTH)}",
            f"Its host is {printable(self.host, 300)}.",
        ]
        if "xn--" in self.host:
            lines.append("This name has letters that may look like others.")
        return "\n".join(lines)


def ask_url_on_terminal(request: UrlRequest) -> bool:
    """Show a URL at the terminal, and open the browser where the person says yes.

    Example: `Client.http(url, on_url=ask_url_on_terminal)`.

    Returns:
        Whether the person agreed; False without a terminal.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        return False
    sys.stderr.write(f"{request.text}\nOpen it? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return False
    import webbrowser  # needed only after a yes

    if not webbrowser.open(request.url):
        sys.stderr.write("No browser starts here: open the URL above yourself.\n")
    return True
