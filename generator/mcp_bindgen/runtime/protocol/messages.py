"""The messages of MCP: envelopes, eras, headers; values in, values out."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ..errors import (
    Fault,
    InvalidArgumentsError,
    ProtocolError,
    ToolNotFoundError,
    TransportError,
    shown,
)
from ..strict_json import StrictJsonError, dumps, elements, loads, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MODERN = ("2026-07-28",)
"""Versions with the facts of each request in its own `_meta`, newest first."""
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions that open with a handshake, newest first."""

META = "io.modelcontextprotocol/"
UNSUPPORTED_VERSION = -32022
HEADER_MISMATCH = -32020
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601

TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""The name of a header field."""

# JSON-RPC 2.0, 5.1, and MCP 2026-07-28: errors found before a request is carried out.
_REFUSALS = {
    *(-32700, -32600, METHOD_NOT_FOUND, INVALID_PARAMS),
    *(HEADER_MISMATCH, -32021, UNSUPPORTED_VERSION),
}
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SESSION_ID = re.compile(r"[\x21-\x7e]{1,1024}")
_NO_TOOL = re.compile(r"(unknown tool|tool\b.*\bnot found)", re.IGNORECASE)
# Keywords that hold subschemas; whatever else a schema holds is data.
_SUBSCHEMAS = {
    *("items", "contains", "unevaluatedItems", "additionalProperties", "not", "if"),
    *("then", "else", "propertyNames", "unevaluatedProperties", "contentSchema"),
    *("allOf", "anyOf", "oneOf", "prefixItems"),
}
_MAPS = {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}


@dataclass(eq=False, slots=True)
class Negotiated:
    """What both sides agreed on; one of it is one session.

    Attributes:
        facts: Result of server/discover or initialize.
        answered: Whether the server has answered a request in this session.
    """

    version: str
    facts: Mapping[str, Any]
    session_id: str | None = field(default=None, repr=False)
    answered: bool = False

    @property
    def modern(self) -> bool:
        """Whether each request carries its own facts."""
        return self.version in MODERN

    @property
    def server_info(self) -> Mapping[str, Any]:
        """The server's name and version."""
        if self.modern:
            return members(members(self.facts.get("_meta")).get(META + "serverInfo"))
        return members(self.facts.get("serverInfo"))


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one request: a result, or an error.

    Attributes:
        status: HTTP status.
        addressed: Whether it names our request, and not just came on its connection.
    """

    result: dict[str, Any] | None
    error: ProtocolError | None = None
    session_id: str | None = field(default=None, repr=False)
    status: int = 200
    addressed: bool = True

    @property
    def refused(self) -> bool:
        """Whether the error says that the request was turned down before it ran.

        An internal error (-32603), or one of the server's own, may come from halfway.
        """
        return self.error is not None and (
            400 <= self.status < 500 or self.error.code in _REFUSALS
        )

    def unwrap(self) -> dict[str, Any]:
        """Return the result or raise the error."""
        if self.result is None:
            raise self.error or TransportError("an answer without a result")
        return self.result


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as the bytes to send.

    Raises:
        InvalidArgumentsError: If something in it has no JSON form.
    """
    try:
        return dumps(message)
    except StrictJsonError as error:
        fault = Fault("", "json", str(error))
    name = members(message.get("params")).get("name", message.get("method"))
    raise InvalidArgumentsError(str(name), [fault])


def as_sent(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as a server would read them: plain JSON, or an error.

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
        message = loads(data)
    except StrictJsonError as error:
        reason = str(error)
    else:
        if members(message).get("jsonrpc") == "2.0":
            return members(message)
        reason = "no JSON-RPC 2.0 object"
    raise TransportError(f"the server's answer is malformed: {reason}")


def parse_reply(
    message: Mapping[str, Any], request_id: int, status: int = 200
) -> Reply:
    """Return what a response says.

    An error may come without the id: then the connection tells whose it is.

    Raises:
        TransportError: If it is no response to this request.
    """
    error, result, identity = (message.get(k) for k in ("error", "result", "id"))
    known = type(identity) is int and identity == request_id
    if isinstance(error, dict) and "result" not in message:
        fields = members(cast("object", error))
        code, text = fields.get("code"), fields.get("message")
        if (
            (known or identity is None or status >= 400)
            and type(code) is int
            and isinstance(text, str)
        ):
            lost = code == INVALID_PARAMS and _NO_TOOL.search(text)
            kind = ToolNotFoundError if lost else ProtocolError
            fault = kind(code, text, fields.get("data"))
            return Reply(None, fault, status=status, addressed=known)
    elif known and isinstance(result, dict) and "error" not in message:
        return Reply(members(cast("object", result)), status=status)
    raise TransportError("the server's answer is malformed: not our response")


def is_response(message: Mapping[str, Any]) -> bool:
    """Tell a response from a request or a notification."""
    return "method" not in message


def refusal(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a server's request that nobody here serves."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "ping":
        return {**answer, "result": {}}
    error = {"code": METHOD_NOT_FOUND, "message": "Method not found"}
    return {**answer, "error": error}


def header_text(value: object) -> str | None:
    """Return a scalar as an HTTP field value, wrapped in base64 where it must be.

    MCP 2026-07-28, transports, "Custom headers". None where there is nothing to send.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (str, int, float)):
        return None
    text = str(value)
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    return f"=?base64?{b64encode(text.encode()).decode()}?="


def request_headers(
    negotiated: Negotiated,
    message: Mapping[str, Any],
    header_params: Mapping[str, tuple[str, ...]],
) -> dict[str, str]:
    """Return the MCP header fields of one message sent over HTTP."""
    headers = {"mcp-protocol-version": negotiated.version}
    if negotiated.session_id is not None:
        headers["mcp-session-id"] = negotiated.session_id
    if not negotiated.modern:
        return headers
    method, params = str(message["method"]), message["params"]
    headers["mcp-method"] = method
    if (named := _NAMED.get(method)) and (name := header_text(params.get(named))):
        headers["mcp-name"] = name
    for token, path in header_params.items():
        value: object = params.get("arguments")
        for step in path:
            value = members(value).get(step)
        if (text := header_text(value)) is not None:
            headers[f"mcp-param-{token}"] = text
    return headers


def header_params(schema: object) -> dict[str, tuple[str, ...]]:
    """Return header token to argument path for each `x-mcp-header` of a schema.

    Raises:
        ValueError: If an annotation breaks the rules of MCP 2026-07-28; such a tool
            must not be called over HTTP.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path, node in _positions(schema):
        if "x-mcp-header" not in node:
            continue
        token, kind = node["x-mcp-header"], node.get("type")
        if not path:
            raise ValueError("x-mcp-header away from a chain of properties")
        if not isinstance(token, str) or not TOKEN.fullmatch(token):
            raise ValueError("x-mcp-header is not a header token")
        if kind not in ("string", "integer", "boolean"):
            raise ValueError("x-mcp-header on other than a string, integer or boolean")
        if token.lower() in (known.lower() for known in found):
            raise ValueError("the same x-mcp-header twice")
        found[token] = path
    return found


def _positions(
    node: object, path: tuple[str, ...] | None = ()
) -> Iterator[tuple[tuple[str, ...] | None, dict[str, Any]]]:
    """Yield each subschema with its chain of properties, None where there is none."""
    for inner in elements(node):
        yield from _positions(inner, None)
    schema = members(node)
    if schema:
        yield path, schema
    for key, value in schema.items():
        if key in _MAPS:
            chained = path is not None and key == "properties"
            for name, inner in members(value).items():
                yield from _positions(inner, (*(path or ()), name) if chained else None)
        elif key in _SUBSCHEMAS:
            yield from _positions(value, None)


def check_session_id(value: str) -> str:
    """Return a session id that may stand in a header.

    Raises:
        TransportError: If the server gave one that may not.
    """
    if not _SESSION_ID.fullmatch(value):
        raise TransportError("the server gave a session id that is no header value")
    return value


def page_items(
    result: Mapping[str, Any], key: str
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the items of one page and the cursor of the next.

    An empty cursor is a cursor; only none ends the list (MCP, pagination).

    Raises:
        TransportError: If the page has not this shape.
    """
    items, cursor = elements(result.get(key)), result.get("nextCursor")
    good = isinstance(result.get(key), list) and isinstance(cursor, (str, type(None)))
    if not good or not all(isinstance(item, dict) for item in items):
        raise TransportError(f"a malformed page of {shown(key, 50)}", outcome="ran")
    return items, cursor
