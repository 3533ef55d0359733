# Copied by mcp-bindgen. Do not edit.
"""Reads responses with an error status: challenges, times to wait, texts."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .. import limits
from ..errors import TransportError, printable
from .delivery import is_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .steps import Head

__all__ = ["challenge", "detail", "refusal", "retry_after"]

_FIELD = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')
_BUSY = (429, 502, 503, 504)
_UNDECIDED = (408, 429)
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^<>]*>", re.DOTALL | re.IGNORECASE)
# Words that look like keys: long, and with a digit.
_KEY = re.compile(r"(?=[A-Za-z_\-+=~]*\d)[A-Za-z0-9_\-+=~]{24,}")
_CREDENTIAL = re.compile(
    r"\b(bearer|basic|token|key|secret|password)\b\W+\S+", re.IGNORECASE
)


def refusal(head: Head, text: str) -> TransportError:
    """Return the error for a response that is no JSON-RPC message."""
    status = head.status
    return TransportError(
        f"HTTP {status}{text}",
        outcome="refused" if is_refusal(status) else "unknown",
        hint=_hint(status),
        status=status,
        retry_after=retry_after(head),
        transient=status in _BUSY,
        is_legacy_server=status < 500 and status not in _UNDECIDED,
    )


def _hint(status: int) -> str:
    if status in (404, 405):
        return "is this the URL of an MCP endpoint?"
    if status == 429:
        return "the server takes no more requests now: try again later"
    if status >= 500:
        return "the fault is the server's: read its log, or try again later"
    return "the server refuses such a request: read its log" if status >= 400 else ""


def challenge(head: Head) -> dict[str, str]:
    """Return the fields of WWW-Authenticate (RFC 9110, 11.6.1)."""
    text = head.headers.get("www-authenticate", "")[:8_000]
    return {
        name.lower(): bare or re.sub(r"\\(.)", r"\1", quoted)
        for name, quoted, bare in _FIELD.findall(text)
    }


def retry_after(head: Head) -> float | None:
    """Return the seconds that Retry-After asks to wait (RFC 9110, 10.2.3)."""
    text = head.headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text[:9])
    try:
        return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except (OverflowError, ValueError) as _:
        return None


def detail(url: str, body: bytes | bytearray, secrets: Iterable[str]) -> str:
    """Return the path and a piece of the body, without anything like a key.

    Args:
        url: The endpoint.
        body: The body of the response.
        secrets: Header values that we sent, which a server may repeat.
    """
    path = _KEY.sub("...", urlsplit(url).path)
    text = _TAG.sub(" ", bytes(body[: limits.ERROR_TEXT]).decode("utf-8", "replace"))
    for secret in secrets:
        for word in {secret, secret.partition(" ")[2]} - {""}:
            text = text.replace(word, "...") if len(word) > 5 else text
    text = _KEY.sub("...", _CREDENTIAL.sub(r"\1 ...", text))
    piece = printable(" ".join(text.split()), limits.ERROR_PIECE)
    where = f" for {printable(path, 200)}" if path else ""
    return f"{where}: {piece}" if piece else where
