# Copied by mcp-bindgen. Do not edit.
"""Turns errors of the HTTP client into ours."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from ..errors import ClosedError, TransportError, printable
from .connections import DELIVERY, httpx

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FAULTS", "closed", "translated"]

FAULTS = (
    *(httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, httpx.CookieConflict),
)
"""The exceptions of the HTTP client."""

_NOT_SENT = "check the URL and the headers, or allow more connections"
_UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
_UNSENT = (httpx.PoolTimeout, httpx.LocalProtocolError, httpx.UnsupportedProtocol)


def translated(
    error: Exception, request: httpx.Request | None = None
) -> TransportError:
    """Return our error for one of the HTTP client, without parts of the request.

    Its outcome is "not sent" only where the error is about this very request: requests
    that an `auth=` of the user sends meanwhile say nothing about it. The call that the
    request carries notes that.

    Args:
        error: An exception of the HTTP client.
        request: The request; None where the answer was read.
    """
    name = type(error).__name__
    # A bare transport names no request; an HTTP client names the one that failed.
    about = getattr(error, "_request", None) or request
    this_one = request is not None and about is request
    if not this_one or not isinstance(error, (*_UNREACHED, *_UNSENT)):
        return TransportError(
            f"the connection to the server broke ({name})",
            transient=True,
            hint="the server or a proxy ended it; read its log",
        )
    if request is not None and (delivery := request.extensions.get(DELIVERY)):
        delivery.unsent()
    if isinstance(error, _UNSENT):
        return TransportError(
            f"the request was not sent ({name})", outcome="not sent", hint=_NOT_SENT
        )
    message, hint = _unreached(error)
    return TransportError(
        f"cannot connect to the server: {message} ({name})",
        outcome="not sent",
        hint=hint,
        transient=True,
    )


def closed(client: object) -> ClosedError | None:
    """Return the error for a caller's own HTTP client that is closed."""
    if getattr(client, "is_closed", False):
        return ClosedError("the HTTP client is closed", outcome="not sent")
    return None


def _unreached(error: Exception) -> tuple[str, str]:
    """Return the reason why there is no connection, and a hint."""
    causes = [*_causes(error)]
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            hint = "trust its authority with SSL_CERT_FILE, or pass http= with verify="
            return (
                f"its certificate is refused: {printable(cause.verify_message)}",
                hint,
            )
    if _any(causes, ssl.SSLError):
        return "it does not speak TLS", "is the URL http://, or the port another?"
    if _any(causes, socket.gaierror):
        return "its name is not known", "check the host name in the URL"
    if _any(causes, ConnectionRefusedError):
        return "nothing listens there", "is the server running, and the port right?"
    if isinstance(error, httpx.ConnectTimeout):
        return "it does not answer", "is the host right, and no firewall between?"
    if isinstance(error, httpx.ProxyError):
        return "the proxy refuses", "check the proxy that the environment names"
    return "there is no way to it", "is the server running, and the URL right?"


def _any(causes: list[BaseException], kind: type[BaseException]) -> bool:
    return any(isinstance(cause, kind) for cause in causes)


def _causes(error: BaseException | None, depth: int = 0) -> Iterator[BaseException]:
    """Yield an error and its causes, also inside groups."""
    if error is None or depth > 10:
        return
    yield error
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    for one in inner:
        yield from _causes(one, depth + 1)
    yield from _causes(error.__cause__ or error.__context__, depth + 1)
