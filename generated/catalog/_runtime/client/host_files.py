# Copied by mcp-bindgen. Do not edit.
"""Reads the files of MCP hosts: JSON with comments, and `.env` files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..json_values import elements, members
from ..strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "OAUTH_OPTIONS",
    "env_values",
    "oauth_options",
    "read_json",
    "without_comments",
]

# A string, or a comment; then a string, or a comma before a closing bracket.
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"|,(?=\s*[}\]])', re.DOTALL)
_VALUE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*"""
    r"""(?:'(?P<raw>[^']*)'|"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^\r\n]*))""",
    re.ASCII | re.DOTALL | re.MULTILINE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
# The options of OAuth as hosts write them, without "-", "_" and capitals.
_OAUTH = {
    "clientid": "client-id",
    "clientsecret": "client-secret",
    "clientmetadataurl": "client-metadata-url",
    "issuer": "issuer",
    "port": "port",
    "callbackport": "port",
    "redirecturi": "redirect-uri",
    "scopes": "scopes",
    "scope": "scopes",
    "store": "store",
}

OAUTH_OPTIONS = tuple(dict.fromkeys(_OAUTH.values()))
"""Our names of these options, each with a text."""


def without_comments(text: str) -> str:
    """Return JSON with comments and trailing commas as plain JSON.

    Example: `without_comments('{"a": /* one */ 1,}')` is `'{"a":  1}'`.

    Args:
        text: The text, which may begin with a byte order mark.
    """
    plain = _COMMENT.sub(_string_only, text.removeprefix("\ufeff"))
    return _COMMA.sub(_string_only, plain)


def _string_only(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else ""


def read_json(data: bytes) -> Any:
    """Return the value of JSON that may have comments, as VS Code writes it.

    Raises:
        StrictJsonError: It is no JSON.
    """
    try:
        return loads(data)
    except StrictJsonError:
        return loads(without_comments(data.decode("utf-8", "replace")).encode())


def env_values(text: str) -> dict[str, str]:
    """Return the variables of a `.env` file, in its order.

    Example: `env_values("export KEY='a b' # why")` is `{"KEY": "a b"}`.

    Args:
        text: Lines `NAME=value`; values may have quotes, also over several lines.
    """
    return {match["name"]: _value(match) for match in _VALUE.finditer(text)}


def _value(match: re.Match[str]) -> str:
    if match["raw"] is not None:
        return match["raw"]
    if match["quoted"] is not None:
        return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), match["quoted"])
    return re.split(r"(?:^|\s)#", match["plain"], maxsplit=1)[0].strip()


def oauth_options(table: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the options of OAuth of a server, None without OAuth.

    Example: `oauth_options({"auth": {"CLIENT_ID": "a"}})` is `{"client-id": "a"}`.

    Args:
        table: The server in a file. Cursor has an object `auth`; VS Code, Claude and
            Gemini have an object `oauth`; we have both.

    Returns:
        The options under our names; one that is unknown keeps its name.
    """
    auth, oauth = table.get("auth"), table.get("oauth")
    options = {**members(oauth), **members(auth)}
    signed = "authorization" in map(str.lower, members(table.get("headers")))
    is_alone = auth is None and isinstance(oauth, dict) and not signed
    if options.pop("enabled", True) is False:
        is_alone = False
    if auth != "oauth" and not isinstance(auth, dict) and not is_alone:
        return None
    return {_oauth_name(key): _plain(value) for key, value in options.items()}


def _oauth_name(key: str) -> str:
    return _OAUTH.get(re.sub("[-_]", "", key).lower(), key)


def _plain(value: object) -> object:
    """Return a list of texts, or a number, as one text; other values as they are."""
    words = elements(value)
    if words and all(isinstance(word, str) for word in words):
        return " ".join(words)
    return str(value) if type(value) is int else value
