# Copied by mcp-bindgen. Do not edit.
"""Keeps the secrets of an exchange out of the HTTP client's own logs."""

from __future__ import annotations

import logging
import re
from contextvars import ContextVar

__all__ = ["hush", "in_request"]

in_request: ContextVar[bool] = ContextVar("in_request", default=False)
"""Whether the HTTP client now logs about a request of ours."""

_FIELDS = re.compile(r"\[\(b['\"].*\)\]", re.DOTALL)
_PATH = re.compile(r"(://[^\s/?#]*)[^\s'\"]*")


def hush(client: str) -> None:
    """Remove secrets from the logs of httpx, or httpx2, about our requests.

    Status and host stay; header fields, path and query go, and all messages of HTTP/2's
    compression of header fields. Logs about requests of others stay as they are.

    Args:
        client: The HTTP client's name.
    """
    core = client.replace("httpx", "httpcore")
    parts = ("connection", "http11", "http2", "proxy", "socks")
    for name in (client, *(f"{core}.{part}" for part in parts)):
        logging.getLogger(name).addFilter(_redact)
    for name in ("hpack.hpack", "hpack.table"):  # of HTTP/2: fields, one by one
        logging.getLogger(name).addFilter(_drop)


def _redact(record: logging.LogRecord) -> bool:
    if in_request.get():
        text = _FIELDS.sub("[...]", record.getMessage())
        record.msg, record.args = _PATH.sub(r"\1/...", text), ()
    return True


def _drop(_record: logging.LogRecord) -> bool:
    return not in_request.get()
