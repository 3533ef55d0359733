"""The forms of JSON Schema that the interfaces of models accept.

They refuse a whole request for one schema that they do not accept: for forms of older
drafts, arrays without `items`, and patterns that Python's `re` does not read. Calls are
checked against the schema of the server, whatever models get.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.prose import with_sentence
from mcp_bindgen.runtime.validation.patterns import translate
from mcp_bindgen.schema.dialect import with_number_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["accepted"]

# A form that Python's `re` does not have, in the group; or any other escape.
_FOREIGN = re.compile(r"(\\(?:[cpP]|u\{)|\(\?<\w|\[\^?\])|\\.", re.DOTALL)


def accepted(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its own keywords in the forms that are accepted.

    Example: `accepted({"type": "array"}) == {"type": "array", "items": {}}`.

    Args:
        node: The schema; its inner ones stay as they are.
    """
    if "exclusiveMinimum" in node or "exclusiveMaximum" in node:
        node = with_number_bounds(node)
    if "items" not in node:
        kind = node.get("type")
        if kind == "array" or (isinstance(kind, list) and "array" in kind):
            node = {**node, "items": {}}
    elif isinstance(node["items"], list):
        node = {**node, "prefixItems": node["items"]}
        node["items"] = node.pop("additionalItems", {})
    if "$id" in node:
        node = _with_anchor(node)
    if "pattern" in node and not _are_plain([node["pattern"]]):
        node = _in_words(node)
    if "patternProperties" in node and not _are_plain(_names(node)):
        # Without them, a model would believe that there are no other names.
        lost = ("patternProperties", "additionalProperties")
        node = {key: value for key, value in node.items() if key not in lost}
    return node


def _with_anchor(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with the anchor that drafts before 2019-09 write as `$id`."""
    address = node["$id"]
    is_anchor = isinstance(address, str) and address.startswith("#")
    return {**node, "$anchor": address[1:]} if is_anchor else node


def _in_words(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its pattern in its description."""
    words = f"Pattern: {json.dumps(node['pattern'])}."
    text = node.get("description")
    description = with_sentence(text if isinstance(text, str) else "", words, "")
    rest = {key: value for key, value in node.items() if key != "pattern"}
    return {**rest, "description": description}


def _names(node: dict[str, Any]) -> Iterable[object]:
    names: object = node["patternProperties"]
    return cast("dict[str, object]", names) if isinstance(names, dict) else ()


def _are_plain(patterns: Iterable[object]) -> bool:
    return all(map(_is_plain, patterns))


def _is_plain(pattern: object) -> bool:
    """Return whether a pattern is one of ECMA-262 and of Python, without a look-around.

    Python's `re` is not asked: it warns of some patterns.
    """
    if not isinstance(pattern, str):
        return True
    if any(_FOREIGN.findall(pattern)):
        return False
    try:
        translate(pattern)
    except ValueError:
        return False
    return True
