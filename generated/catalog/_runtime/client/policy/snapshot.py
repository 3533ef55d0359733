# Copied by mcp-bindgen. Do not edit.
"""A private copy of a request, as the server will read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...errors import Fault, InvalidArgumentsError
from ...json_values import members
from ...protocol.messages import encode
from ...strict_json import StrictJsonError, loads
from .entry import FAMILIES
from .spelling import has_twin

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CALL", "NOTHING", "arguments_of", "private_copy"]

CALL = "tools/call"
_OURS = frozenset(("name", "arguments", "uri", "ref", "argument", "notifications"))
NOTHING: dict[str, Any] = {}
"""Stands for arguments that are absent."""


def private_copy(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a private copy of params, as the server will read them.

    Raises:
        InvalidArgumentsError: Something in them has no JSON form.
    """
    text = encode({"method": method, "params": dict(params)})
    try:
        copy: dict[str, Any] = loads(text)
    except StrictJsonError as error:  # a mapping has one key twice
        fault = Fault("", "json", str(error))
    else:
        return members(copy["params"])
    raise InvalidArgumentsError(str(params.get("name", method)), [fault])


def arguments_of(method: str, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments for the rules.

    Returns:
        None if they are no object, or if some servers would read other ones: those in a
        param `Arguments`.
    """
    # Only an entry of its own says which params another method has.
    if method in FAMILIES and has_twin(params, _OURS):
        return None
    if method != CALL:
        return {key: value for key, value in params.items() if key != "_meta"}
    if not isinstance(params.get("name"), str):
        return None
    # Absent arguments are an empty object; null is none.
    arguments = params.get("arguments", NOTHING)
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None
