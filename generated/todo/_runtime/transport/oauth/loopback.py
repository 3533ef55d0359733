# Copied by mcp-bindgen. Do not edit.
"""Waits on this machine for the browser to come back from a login (RFC 8252, 7.3)."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from socketserver import TCPServer
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qsl, urlsplit

from ... import limits
from ...errors import FAILURE, ConfigError, LoginRequiredError, OAuthError
from .urls import is_loopback

if TYPE_CHECKING:
    from .settings import OnLogin

__all__ = ["Loopback"]

_PATH = "/callback"
_PURPOSES = (
    "Sec-Purpose",
    "Purpose",
    "X-Purpose",
    "X-Moz",
)  # of browsers, old ones too
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>mcp-bindgen</title>"
    "<p>{}</p><p>You can close this window.</p>"
)
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Connection": "close",
}


class Loopback:
    """A port of this machine that waits for one answer to one question.

    Args:
        redirect_uri: The URL to wait at, "" for a free port.
        last: The URL of the last login, which is tried first; or "".

    Attributes:
        redirect_uri: The URL at which it waits.
        state: The secret that the answer must hold.

    Raises:
        ConfigError: The URL is not of this machine, or its port is in use.
    """

    def __init__(self, redirect_uri: str = "", last: str = "") -> None:
        self.state = secrets.token_urlsafe(32)
        self._answers: SimpleQueue[dict[str, str] | Exception] = SimpleQueue()
        address = urlsplit(redirect_uri or last or f"http://127.0.0.1:0{_PATH}")
        if address.scheme != "http" or not is_loopback(address.geturl()):
            raise ConfigError(
                "redirect_uri is no http:// URL of this machine",
                hint="such as http://127.0.0.1:8765/callback",
            )
        host, path = address.hostname or "127.0.0.1", address.path or "/"
        try:
            self._server = self._listen(host, address.port or 0)
        except OSError as error:
            if redirect_uri:
                raise ConfigError(
                    f"port {address.port} is in use", hint="end its program first"
                ) from error
            host, path, self._server = "127.0.0.1", _PATH, self._listen("127.0.0.1", 0)
        self._path = path
        written_host = f"[{host}]" if ":" in host else host
        self._authority = f"{written_host}:{self._server.server_address[1]}"
        # RFC 8252, 7.3: an authorization server takes any port of this machine.
        exact = redirect_uri if address.port else ""
        self.redirect_uri = exact or f"http://{self._authority}{path}"
        serve = partial(self._server.serve_forever, poll_interval=0.05)
        threading.Thread(target=serve, daemon=True).start()

    def _listen(self, host: str, port: int) -> ThreadingHTTPServer:
        name = "127.0.0.1" if host == "localhost" else host
        kind = type("Handler", (_Handler,), {"loopback": self})
        return (
            _Server6((name, port), kind) if ":" in name else _Server((name, port), kind)
        )

    def wait(self, on_login: OnLogin, url: str, seconds: float) -> dict[str, str]:
        """Show a person the URL, and return the parameters of the answer.

        Args:
            on_login: Shows the URL; it may return the URL of the answer.
            url: The URL.
            seconds: How long to wait.

        Raises:
            LoginRequiredError: There is no answer in time.
            OAuthError: The URL that `on_login` returns is not of this login.
        """
        thread = threading.Thread(target=self._show, args=(on_login, url), daemon=True)
        thread.start()
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            raise LoginRequiredError(
                f"nobody logged in within {seconds:g} seconds",
                hint="if the page did not know the client: mcp-bindgen logout NAME",
            ) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _show(self, on_login: OnLogin, url: str) -> None:
        try:
            pasted = on_login(url)
            if pasted is not None:
                self._answers.put(self._pasted(pasted))
        except FAILURE as error:  # raised where the login was begun
            self._answers.put(error)

    def _pasted(self, text: str) -> dict[str, str] | Exception:
        path, query = _split(text.strip())
        answer = self.accepted(query)
        if answer is None or path != self._path:
            return OAuthError(
                "the pasted URL is not the one that this login leads to",
                hint="log in again, and paste the whole URL",
            )
        return answer

    def accepted(self, query: str) -> dict[str, str] | None:
        """Return the parameters of an answer, None if it is not ours."""
        try:
            most = limits.OAUTH_FIELDS
            pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=most)
        except ValueError:
            return None
        answer = dict(pairs)
        if len(answer) != len(pairs):
            return None
        state = answer.get("state", "").encode("utf-8", "replace")
        return answer if secrets.compare_digest(state, self.state.encode()) else None

    def arrived(self, target: str, host: str) -> bool:
        """Take a request of a browser; return whether it is the answer."""
        path, query = _split(target)
        if host != self._authority or path != self._path:
            return False
        answer = self.accepted(query)
        if answer is not None:
            self._answers.put(answer)
        return answer is not None

    def close(self) -> None:
        """End the waiting, and free the port."""
        self._server.shutdown()
        self._server.server_close()


def _split(url: str) -> tuple[str, str]:
    """Return the path and the query of a URL; of a malformed one, nothing."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.path, parts.query


class _Server(ThreadingHTTPServer):
    """Listens on this machine alone."""

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there, another could listen, too

    def server_bind(self) -> None:
        """Bind the port without a look-up of names."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing about a browser that goes away."""
        del request, client_address


class _Server6(_Server):
    address_family = socket.AF_INET6


class _Handler(BaseHTTPRequestHandler):
    """Answers the browser, and any other program that finds the port."""

    loopback: ClassVar[Loopback]
    timeout = 10.0
    server_version, sys_version = "mcp-bindgen", ""

    def do_GET(self) -> None:
        """Take the answer of a person; a page that is only fetched ahead is none."""
        purposes = (self.headers.get(name, "") for name in _PURPOSES)
        if any("prefetch" in text or "preview" in text for text in purposes):
            self._reply(503, "Not yet.")
        elif self.loopback.arrived(self.path, self.headers.get("Host", "")):
            self._reply(200, "The login is complete, or was declined.")
        else:
            self._reply(400, "This is not the answer to the login that was begun.")

    def _reply(self, status: int, text: str) -> None:
        page = _PAGE.format(text).encode()
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the line holds the code."""
        del format, args
