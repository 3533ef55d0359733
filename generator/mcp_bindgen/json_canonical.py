"""One text for one JSON value: keys in an order that no server decides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON

__all__ = ["canonical", "members", "text"]

# These keys come first, in this order, since people read recordings; then the others
# from A to Z.
_LEADING = (
    *("format", "server", "instructions"),
    *("tools", "resources", "resourceTemplates", "prompts"),
    *("$schema", "name", "uri", "uriTemplate", "title", "version", "description"),
    *("type", "properties", "required", "inputSchema", "outputSchema"),
)
_RANK = {key: rank for rank, key in enumerate(_LEADING)}


def canonical(value: JSON) -> JSON:
    """Return the value with the keys of its objects in canonical order.

    The order inside `properties` stays the server's: it is the order of parameters.
    """
    if isinstance(value, list):
        return [canonical(item) for item in value]
    return members(value) if isinstance(value, dict) else value


def members(value: dict[str, JSON], *, keep: bool = False) -> dict[str, JSON]:
    """Return an object with its keys in canonical order.

    Args:
        value: The object.
        keep: Whether its own keys stay as they are, as those of `properties` do.
    """
    return {
        key: _member(key, value[key], named=keep)
        for key in (value if keep else sorted(value, key=_place))
    }


def _member(key: str, value: JSON, *, named: bool) -> JSON:
    # A schema that somebody named "properties" is no map of properties.
    if key == "properties" and not named and isinstance(value, dict):
        return members(value, keep=True)
    return canonical(value)


def text(value: JSON) -> str:
    """Return the canonical ASCII text of a value, on one line."""
    return json.dumps(canonical(value), ensure_ascii=True, allow_nan=False)


def _place(key: str) -> tuple[int, str]:
    return _RANK.get(key, len(_RANK)), key
