"""Takes the limits that OpenAI's strict mode has, and writes the others in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.prose import with_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CARRIED", "LIMIT_WORDS", "carried", "described"]

CARRIED = frozenset("""
    description pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum
    minItems maxItems
    """.split())
"""Keywords of strict mode that stay as they are."""

LIMIT_WORDS = {
    "minLength": "Minimum length: {}.",
    "maxLength": "Maximum length: {}.",
    "uniqueItems": "No two equal elements.",
    "minProperties": "Minimum number of members that are not null: {}.",
    "maxProperties": "Maximum number of members that are not null: {}.",
    "propertyNames": "Schema of the names of members that are not null: {}.",
}
"""Keyword to words; `{}` stands for its value."""

_NO_LIMIT = {"uniqueItems": False, "propertyNames": True}


def carried(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a schema that strict mode has.

    Example: `carried({"type": "string", "pattern": "^a"}) == {"pattern": "^a"}`.
    """
    return {key: value for key, value in schema.items() if key in CARRIED}


def described(schema: Mapping[str, Any]) -> str:
    """Return the description of a schema, with its limits in words.

    Example:
        `described({"description": "A name.", "maxLength": 8})` returns `"A name.
        Maximum length: 8."`.
    """
    texts: list[str] = []
    for keyword, words in LIMIT_WORDS.items():
        if keyword in schema and schema[keyword] is not _NO_LIMIT.get(keyword):
            limit = schema[keyword]
            texts.append(
                words.format(limit if type(limit) is int else json.dumps(limit))
            )
    return with_sentence(str(schema.get("description", "")), " ".join(texts), "")
