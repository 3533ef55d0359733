# Copied by mcp-bindgen. Do not edit.
"""Builds the HTTP requests of one client, with the cookies that servers set."""

from __future__ import annotations

from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import TransportError
from .connections import Connection, httpx

if TYPE_CHECKING:
    from ..protocol.steps import Open, Post

__all__ = ["RequestBuilder", "no_cookies"]


class RequestBuilder:
    """Builds the HTTP requests of one client, with the cookies that servers set."""

    def __init__(self, url: str) -> None:
        self._urls = {url: httpx.URL(url)}
        self._cookies = httpx.Cookies()

    def build(
        self,
        connection: Connection,
        step: Open | Post,
        times: tuple[float | None, float | None],
        *,
        traced: bool = False,
    ) -> httpx.Request:
        """Return a request that goes through a connection.

        Args:
            connection: Where it goes.
            step: The request to send.
            times: Seconds to connect, and for anything else.
            traced: Whether the connection wants to know its socket.

        Raises:
            TransportError: A server has set the caller's own HTTP client an odd cookie.
        """
        connect, rest = times
        timeout = {
            "connect": limits.CONNECT if connect is None else connect,
            **dict.fromkeys(("read", "write", "pool"), rest),
        }
        extensions: dict[str, Any] = {"timeout": timeout}
        if traced:
            extensions |= {"trace": connection.note, "seconds": rest}
        url = self._urls.get(step.url) or httpx.URL(step.url)
        content = step.body if step.verb == "POST" else None
        try:
            request = connection.build(
                step.verb,
                url,
                headers=step.headers,
                content=content,
                extensions=extensions,
            )
        except UnicodeEncodeError:
            raise TransportError(
                "the HTTP client has a cookie that no request can carry",
                outcome="not sent",
                hint="clear the cookies of http=",
            ) from None
        if self._cookies:
            self._cookies.set_cookie_header(request)
        return request

    def keep_cookies(self, request: httpx.Request, response: httpx.Response) -> None:
        """Keep the cookies by which a load balancer finds the same server again.

        One that no header field can carry would end every later request.
        """
        if "set-cookie" in response.headers:
            response.request = request
            self._cookies.extract_cookies(response)
            for cookie in list(self._cookies.jar):
                text = f"{cookie.name}={cookie.value}"
                plain = text.isascii() and text.isprintable()
                if not plain or len(text) > limits.COOKIE:
                    jar = self._cookies.jar
                    jar.clear(cookie.domain, cookie.path, cookie.name)
            if len(self._cookies) > limits.COOKIES:
                self._cookies.clear()


def no_cookies() -> CookieJar:
    """Return a jar that takes none, for an HTTP client whose requests have ours."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))
