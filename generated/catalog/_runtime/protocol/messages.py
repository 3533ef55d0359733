# Copied by mcp-bindgen. Do not edit.
"""The messages of MCP: envelopes and versions; values in, values out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from .. import limits
from ..errors import (
    SERVER_FAULT,
    Fault,
    InvalidArgumentsError,
    ProtocolError,
    ToolNotFoundError,
    TransportError,
    printable,
)
from ..json_values import elements, members
from ..plain_json import decoded, encoded
from ..strict_json import StrictJsonError

if TYPE_CHECKING:
    from collections.abc import Mapping

MODERN = ("2026-07-28",)
"""Versions with the facts of each request in its own `_meta`, newest first."""
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions that open with a handshake, newest first."""

META = "io.modelcontextprotocol/"
UNSUPPORTED_VERSION = -32022
URL_REQUIRED = -32042
HEADER_MISMATCH = -32020
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601

# JSON-RPC 2.0, 5.1, and MCP 2026-07-28: errors found before a request is carried out.
_REFUSALS = {
    *(-32700, -32600, METHOD_NOT_FOUND, INVALID_PARAMS),
    *(HEADER_MISMATCH, -32021, UNSUPPORTED_VERSION, URL_REQUIRED),
}
_NO_TOOL = re.compile(r"(unknown tool|tool\b.*\bnot found)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one request: a result, or an error.

    Attributes:
        status: HTTP status.
        addressed: Whether it has our request's id, and not only came on its connection.
    """

    result: dict[str, Any] | None
    error: ProtocolError | None = None
    session_id: str | None = field(default=None, repr=False)
    status: int = 200
    addressed: bool = True

    @property
    def refused(self) -> bool:
        """Whether the error's code says that the request was turned down before it ran.

        After an internal error (-32603), or one of the server's own, a part may have
        run.
        """
        return self.error is not None and self.error.code in _REFUSALS

    def unwrap(self) -> dict[str, Any]:
        """Return the result or raise the error."""
        if self.result is None:
            raise self.error or TransportError(
                "an answer without a result", hint=SERVER_FAULT
            )
        return self.result


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as the bytes to send.

    Raises:
        InvalidArgumentsError: If something in it has no JSON form.
    """
    try:
        return encoded(message)
    except StrictJsonError as error:
        fault = Fault("", "json", str(error))
    name = members(message.get("params")).get("name", message.get("method"))
    raise InvalidArgumentsError(str(name), [fault])


def as_sent(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the server will read them: plain JSON, or an error.

    Args:
        tool: Wire name of the tool.
        arguments: Wire name to value.

    Raises:
        InvalidArgumentsError: If something in them has no JSON form.
    """
    text = encode({"params": {"name": tool, "arguments": arguments}})
    sent: dict[str, Any] = json.loads(text)["params"]["arguments"]
    return sent


def parse_message(data: bytes | bytearray) -> dict[str, Any]:
    """Return one JSON-RPC message.

    Raises:
        TransportError: If it is not strict JSON, or no JSON-RPC 2.0 object.
    """
    try:
        message = decoded(data)
    except StrictJsonError as error:
        reason = str(error)
    else:
        if members(message).get("jsonrpc") == "2.0":
            return members(message)
        reason = "no JSON-RPC 2.0 object"
    raise TransportError(
        f"the server's answer is malformed: {reason}", hint=SERVER_FAULT
    )


def parse_reply(
    message: Mapping[str, Any], request_id: int, status: int = 200
) -> Reply:
    """Return the result or the error that a response holds.

    An error may come without the id: then the connection tells whose it is.

    Raises:
        TransportError: If it is no response to this request.
    """
    error, result, identity = (message.get(k) for k in ("error", "result", "id"))
    matches = type(identity) is int and identity == request_id
    if isinstance(error, dict) and "result" not in message:
        fields = members(cast("object", error))
        code, text = fields.get("code"), fields.get("message")
        # A server that could not read the request does not know its id.
        if (
            (matches or identity is None or status >= 400)
            and type(code) is int
            and isinstance(text, str)
        ):
            lost = code == INVALID_PARAMS and _NO_TOOL.search(text)
            kind = ToolNotFoundError if lost else ProtocolError
            fault = kind(code, text, fields.get("data"))
            return Reply(None, fault, status=status, addressed=matches)
    elif matches and isinstance(result, dict) and "error" not in message:
        return Reply(members(cast("object", result)), status=status)
    raise TransportError(
        "the server's answer is malformed: not our response", hint=SERVER_FAULT
    )


def is_response(message: Mapping[str, Any]) -> bool:
    """Return whether a message is a response, and no request or notification."""
    return "method" not in message


def answered(text: bytes) -> set[int] | None:
    """Return the requests that a malformed message answers, None where it is unknown.

    Logs and notifications are no answers, even if they look like one.
    """
    try:
        # A part of a longer text is no JSON.
        value = json.loads(text[: limits.LOOKED_AT])
    except (RecursionError, ValueError) as _:
        ids, is_answer = set[int](), text.lstrip()[:1] in (b"{", b"[")
    else:
        messages = map(members, elements(value) or [value])
        answers = [message for message in messages if is_response(message)]
        ids = {a["id"] for a in answers if type(a.get("id")) is int}
        is_answer = bool(answers)
    return None if is_answer and not ids and b'"jsonrpc"' in text else ids


def refusal(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a server's request that has no handler."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "ping":
        return {**answer, "result": {}}
    error = {"code": METHOD_NOT_FOUND, "message": "Method not found"}
    return {**answer, "error": error}


def page_items(
    result: Mapping[str, Any], key: str
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the items of one page and the cursor of the next.

    An empty cursor counts as a cursor; a page without one is the last (MCP,
    pagination).

    Raises:
        TransportError: If the page has not this shape.
    """
    items, cursor = elements(result.get(key)), result.get("nextCursor")
    good = isinstance(result.get(key), list) and isinstance(cursor, (str, type(None)))
    if not good or not all(isinstance(item, dict) for item in items):
        raise TransportError(
            f"a malformed page of {printable(key, 50)}",
            outcome="ran",
            hint=SERVER_FAULT,
        )
    return items, cursor
