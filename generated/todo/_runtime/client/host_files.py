# Copied by mcp-bindgen. Do not edit.
"""Reads the files of MCP hosts: JSON with comments, and `.env` files."""

from __future__ import annotations

import re
from typing import Any

from ..strict_json import StrictJsonError, loads

__all__ = ["env_values", "read_json", "without_comments"]

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
