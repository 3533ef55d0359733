# Copied by mcp-bindgen. Do not edit.
"""HTTP header fields: those of MCP, and the rules for those of the caller."""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import SERVER_FAULT, ConfigError, TransportError, printable
from ..json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .request import Negotiated

_log = logging.getLogger(__name__.partition("._runtime")[0])

FIXED = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "content-type": "application/json",
}
"""The fields that are the same in every request."""

# The name of a header field (RFC 9110, 5.1), and its value.
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\x20-\x7e\t]*")
_OURS = {*FIXED, "content-length", "transfer-encoding", "host", "connection"}
_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    **{f"tasks/{what}": "taskId" for what in ("get", "update", "cancel")},
}
_SESSION_ID = re.compile(r"[\x21-\x7e]{1,1024}")
# Keywords that hold subschemas; all other members of a schema are data.
_SUBSCHEMAS = {
    *("items", "contains", "unevaluatedItems", "additionalProperties", "not", "if"),
    *("then", "else", "propertyNames", "unevaluatedProperties", "contentSchema"),
    *("allOf", "anyOf", "oneOf", "prefixItems"),
}
_MAPS = {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's header fields, checked, with lowercase names.

    Raises:
        ConfigError: One does not fit into a request, or is not the caller's to set.
    """
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise ConfigError(
                f"the header {printable(name, limits.NAME_TEXT)}: its name or value has"
                " a character that HTTP does not allow",
                hint="check the value; it may end with a line break",
            )
        if name.lower() in _OURS or name.lower().startswith("mcp-"):
            raise ConfigError(
                f"the header {name.lower()} is set by the client itself",
                hint="leave it out",
            )
    return {name.lower(): value for name, value in headers.items()}


def bearer(token: object) -> str:
    """Return the value of `Authorization` for a token.

    Raises:
        ConfigError: If the token is no text that a header may hold.
    """
    if not isinstance(token, str) or not _VALUE.fullmatch(token) or not token:
        raise ConfigError(
            "expected a token of the characters that an HTTP header allows",
            hint="check the token; it may be empty, or end with a line break",
        )
    return f"Bearer {token}"


def header_text(value: object) -> str | None:
    """Return a scalar as an HTTP field value, wrapped in base64 where it must be.

    MCP 2026-07-28, transports, "Custom headers". None if there is no value to send.
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
    negotiated: Negotiated[Any],
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
    paths: dict[str, tuple[str, ...]] = {}
    for path, node in _positions(schema):
        if "x-mcp-header" not in node:
            continue
        token, kind = node["x-mcp-header"], node.get("type")
        if not path:
            raise ValueError("x-mcp-header outside a chain of properties")
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise ValueError("x-mcp-header is not a header token")
        if kind not in ("string", "integer", "boolean"):
            raise ValueError("x-mcp-header on other than a string, integer or boolean")
        if token.lower() in (other.lower() for other in paths):
            raise ValueError("the same x-mcp-header twice")
        paths[token] = path
    return paths


def usable_tools(
    tools: Sequence[dict[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, Mapping[str, tuple[str, ...]]]]:
    """Return the tools that may be called over HTTP, and the header fields of each.

    MCP 2026-07-28, transports, "Custom headers": the others are left out of the list.
    """
    usable: list[dict[str, Any]] = []
    declared: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for tool in tools:
        name = str(tool.get("name"))
        try:
            declared[name] = header_params(tool.get("inputSchema"))
            usable.append(tool)
        except ValueError as error:
            _log.warning("tool %s left out: %s", printable(name, 200), error)
    return usable, declared


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
    """Return a session id that fits into a header.

    Raises:
        TransportError: If the server gave one that may not.
    """
    if not _SESSION_ID.fullmatch(value):
        raise TransportError(
            "the server gave a session id that is no header value", hint=SERVER_FAULT
        )
    return value
