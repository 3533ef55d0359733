# Copied by mcp-bindgen. Do not edit.
"""The HTTP requests of OAuth: bounded, never redirected, apart from the calls."""

from __future__ import annotations

import ssl
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from ... import limits
from ...errors import SERVER_FAULT, LimitError, TransportError
from ...json_values import members
from ...protocol.http_errors import challenge
from ...protocol.steps import Head
from ...strict_json import StrictJsonError, loads
from ..connections import httpx
from ..http_faults import FAULTS, translated
from ..log_redaction import hush, in_request
from .urls import url_text

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = ["Answer", "challenge_at", "get_json", "post_form", "post_json"]

_ASKS = {"accept": "application/json", "accept-encoding": "identity"}
_BUSY = (408, 425, 429)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request.

    Attributes:
        status: The HTTP status.
        value: The JSON object of the body, {} for any other body.
    """

    status: int
    value: dict[str, Any]


def get_json(url: str) -> Answer:
    """Return the answer at a URL; only a status of 200 comes with a value.

    Raises:
        TransportError: There is no answer, or one that may pass.
    """
    answer = _send("GET", url, {}, b"")
    return answer if answer.status == 200 else Answer(answer.status, {})


def post_json(url: str, value: Mapping[str, object]) -> Answer:
    """Post a JSON object.

    Raises:
        TransportError: There is no answer, or one that may pass.
    """
    from ...strict_json import dumps

    return _send("POST", url, {"content-type": "application/json"}, dumps(value))


def post_form(url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> Answer:
    """Post a form.

    Raises:
        TransportError: There is no answer, or one that may pass.
    """
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return _send("POST", url, {**headers, **kind}, urlencode(form).encode())


def challenge_at(url: str, headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """Return the fields by which a server refuses a request, {} for other answers.

    Raises:
        TransportError: There is no answer.
    """
    with _opened("POST", url, headers, body) as response:
        if response.status_code != 401:
            return {}
        return challenge(Head(401, response.headers))


def _send(verb: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send a request on a connection of its own, and read the answer.

    Redirects are not followed: the answer must come from this server.
    """
    name = url_text(url)
    with _opened(verb, url, headers, body) as response:
        status = response.status_code
        data = _body(response, name)
    if status >= 500 or status in _BUSY:
        raise TransportError(
            f"{name}: HTTP {status}",
            hint="try again later",
            status=status,
            transient=True,
        )
    try:
        return Answer(status, members(loads(data)))
    except StrictJsonError:
        return Answer(status, {})


@contextmanager
def _opened(
    verb: str, url: str, headers: Mapping[str, str], body: bytes
) -> Generator[httpx.Response]:
    """Send a request, and have its response while its body is read.

    Raises:
        TransportError: There is no response, or it breaks off.
    """
    hush(httpx.__name__)
    token = in_request.set(True)
    try:
        with (
            httpx.Client(
                timeout=limits.OAUTH_SECONDS,
                follow_redirects=False,
                verify=_certificates(plain=url.startswith("http://")),
            ) as http,
            http.stream(
                verb, url, headers={**_ASKS, **headers}, content=body or None
            ) as response,
        ):
            yield response
    except FAULTS as error:
        fault = translated(error)
        raise TransportError(
            f"{url_text(url)}: {fault.message}", hint=fault.hint, transient=True
        ) from None
    finally:
        in_request.reset(token)


@cache
def _certificates(*, plain: bool) -> ssl.SSLContext:
    """Return the context that checks certificates; loading it is the slowest step."""
    if plain:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.create_ssl_context()


def _body(response: httpx.Response, name: str) -> bytes:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        wrong = f"{name}: a compressed answer, which nobody asked for"
        raise TransportError(wrong, hint=SERVER_FAULT)
    end, data = time.monotonic() + limits.OAUTH_SECONDS, bytearray()
    for chunk in response.iter_raw():
        data += chunk
        if len(data) > limits.OAUTH_BODY:
            large = f"{name}: more than {limits.OAUTH_BODY} bytes"
            raise LimitError(large, hint=SERVER_FAULT)
        if time.monotonic() > end:
            late = f"{name}: no whole answer in time"
            raise TransportError(late, hint="try again later", transient=True)
    return bytes(data)
