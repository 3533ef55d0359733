# Copied by mcp-bindgen. Do not edit.
"""Params of requests that are texts: URIs, names, arguments of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import Fault, InvalidArgumentsError
from ..json_values import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["not_texts", "texts_only", "uri_text"]


def uri_text(method: str, uri: object) -> str:
    """Return the URI of a request; a member of `Resource` is one, too.

    Raises:
        InvalidArgumentsError: It is no string.
    """
    texts_only(method, {"uri": uri})
    return str(uri)


def texts_only(
    request: str, texts: Mapping[str, object], kind: str = "request"
) -> None:
    """Refuse values that are no strings.

    Raises:
        InvalidArgumentsError: A value is no string.
    """
    if faults := not_texts(texts):
        raise InvalidArgumentsError(request, faults, kind)


def not_texts(texts: Mapping[str, object], pointer: str = "") -> list[Fault]:
    """Return a fault for each value that is no string."""
    return [
        Fault(f"{pointer}/{key}", "type", "expected a string", kind_of(value))
        for key, value in texts.items()
        if not isinstance(value, str)
    ]
