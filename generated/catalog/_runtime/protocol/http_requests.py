# Copied by mcp-bindgen. Do not edit.
"""HTTP requests to one server: header fields, tokens, redirects, refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from .. import limits
from ..errors import (
    SERVER_FAULT,
    AuthError,
    LimitError,
    TransportError,
    printable,
)
from .headers import FIXED, bearer, check_headers
from .http_errors import challenge, detail, refusal
from .steps import Ask, Head, HttpStep, Lock, Open, Post, Read, Unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any
    from urllib.parse import SplitResult

    from .steps import Flow

__all__ = ["HttpRequests", "read_body", "same_origin"]

_PORTS = {"http": 80, "https": 443}


class HttpRequests:
    """Sends requests with the caller's header fields and a valid token.

    Args:
        url: The MCP endpoint.
        headers: The caller's own header fields.
        token: Bearer token, or a function that gives a fresh one.

    Attributes:
        url: The endpoint; where it redirected to, once it did.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        token: str | Callable[[], Any] | None,
    ) -> None:
        self.url = url
        self._headers = {"user-agent": "mcp-bindgen", **check_headers(headers), **FIXED}
        self._source = None if isinstance(token, str) else token
        self._token = bearer(token) if isinstance(token, str) else None

    def whole(self, headers: Mapping[str, str]) -> Flow[HttpStep, dict[str, str]]:
        """Return all header fields of a request that has some of its own."""
        if self._token is None and self._source is not None:
            yield from self._renew()
        token = {"authorization": self._token} if self._token else {}
        return {**self._headers, **token, **headers}

    def post(
        self, url: str, headers: Mapping[str, str], body: bytes, verb: str = "POST"
    ) -> Flow[HttpStep, None]:
        """Send a message that gets no answer, beside the open request."""
        whole = yield from self.whole(headers)
        yield from Post(verb, url, whole, body)

    def open(self, request: Open) -> Flow[HttpStep, Head]:
        """Send a request; again with a fresh token, or to the URL of a redirect.

        Args:
            request: The request, with the header fields of its own.

        Raises:
            AuthError: The server refuses the credentials.
            TransportError: There is no answer, or a redirect that is not followed.
        """
        url, delivery, renewed = request.url, request.delivery, False
        while True:
            whole = yield from self.whole(request.headers)
            head = yield from Open(
                request.verb, url, whole, request.body, delivery, request.lasting
            )
            if delivery is not None:
                delivery.answered(head.status)
            if head.status == 401 and self._source is not None and not renewed:
                renewed = True
                self._forget_token(whole)
            elif url == request.url and (target := _moved(url, head)):
                url = target
            else:
                break
            if delivery is not None:
                delivery.again()
        if head.status < 300:
            return self._accepted(head, request, url)
        if head.status < 400 or head.status in (401, 403):
            raise (yield from _turned_away(head, url, whole))
        return head

    def _accepted(self, head: Head, request: Open, url: str) -> Head:
        """Return the head of an answer; go on with the URL that gave it."""
        if request.url == self.url:
            self.url = url
        if head.headers.get("content-encoding", "identity").lower() != "identity":
            raise TransportError(
                "the server compressed its answer, which the client did not ask for",
                hint=SERVER_FAULT,
            )
        return head

    def refusal(self, request: Open, head: Head, body: bytearray) -> TransportError:
        """Return the error for a refused request."""
        secrets = {**self._headers, **request.headers}
        values = [*secrets.values(), self._token or ""]
        return refusal(head, detail(request.url, body, values))

    def _forget_token(self, headers: Mapping[str, str]) -> None:
        """Have the next request get a token, unless another call has got one."""
        if self._token == headers.get("authorization"):
            self._token = None

    def _renew(self) -> Flow[HttpStep, None]:
        """Get a token, once for all calls that wait for one."""
        yield from Lock("token")
        if self._token is None and self._source is not None:
            self._token = bearer((yield from Ask(self._source)))
        yield from Unlock("token")


def read_body(head: Head, limit: int) -> Flow[HttpStep, bytearray]:
    """Return the body of the open response.

    Raises:
        LimitError: It has more bytes than the limit.
    """
    data = bytearray()
    length = head.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > limit):
        raise LimitError(f"an answer of more than {limit} bytes")
    while chunk := (yield from Read()):
        data += chunk
        if len(data) > limit:
            raise LimitError(f"an answer of more than {limit} bytes")
    return data


def same_origin(url: str, location: str) -> str:
    """Return a location as a URL; "" if it leads to another origin, or is none.

    Args:
        url: The URL that sent the location.
        location: A URL, or a reference relative to that one.
    """
    if len(location) > limits.ENDPOINT or not location.isprintable():
        return ""
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, location))
        same = _origin(here) == _origin(there) and there.username is None
    except ValueError:
        return ""
    return there._replace(fragment="").geturl() if same else ""


def _origin(url: SplitResult) -> tuple[str, str | None, int | None]:
    return url.scheme, url.hostname, url.port or _PORTS.get(url.scheme)


def _turned_away(
    head: Head, url: str, headers: Mapping[str, str]
) -> Flow[HttpStep, AuthError | TransportError]:
    """Return the error for a redirect, or for credentials that are refused."""
    if head.status < 400:
        return _redirect(url, head)
    data = yield from read_body(head, limits.ERROR_BODY)
    text = detail(url, data, headers.values())
    return AuthError(head.status, challenge(head), text)


def _redirect(url: str, head: Head) -> TransportError:
    """Return the error for a redirect that is not followed."""
    try:
        target = urlsplit(urljoin(url, head.headers.get("location", "")))
        where = printable(f"{target.scheme}://{target.netloc}{target.path}", 200)
    except ValueError:
        where = "no URL"
    return TransportError(
        f"the server redirects to {where} (HTTP {head.status}); the client sends no"
        " request there",
        outcome="refused",
        hint="give the URL of the MCP endpoint itself",
        status=head.status,
    )


def _moved(url: str, head: Head) -> str:
    """Return the URL of a redirect within the same origin, "" for any other."""
    if head.status not in (307, 308):
        return ""
    location = head.headers.get("location", "")
    target = same_origin(url, location) if location else ""
    return "" if target == url else target
