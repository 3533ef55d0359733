"""The schemas of arguments as models get them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.python.literals import WireStr, clean
from mcp_bindgen.render.model_definitions import are_usual, with_definitions
from mcp_bindgen.render.model_forms import accepted
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.keywords import KNOWN, LISTS, MAPS, SINGLE
from mcp_bindgen.schema.node import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["model_schema"]

_TEXTS = frozenset({"title", "description"})
_UNWANTED = frozenset({"$schema", "$id", "$comment"})
# Keywords with texts for models, on which no value depends; others stay exact.
_FOR_MODELS = frozenset(
    "examples example format contentEncoding contentMediaType".split()
)
_NAMED_SCHEMAS = frozenset({*MAPS, "dependencies"})
_COMBINED = ("allOf", "anyOf", "oneOf")
_ROOT_DROPPED = (*_COMBINED, "not", "enum", "const", "if", "then", "else")


def model_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an input schema for models.

    Texts are cleaned, keywords that mean nothing are dropped, and the others have forms
    that every API accepts. The root is a plain object, as they demand: alternatives at
    the root become optional parameters, and calls are still checked against the whole
    schema.
    """
    references: list[object] = []
    root = _object(_cleaned(_followed(schema, schema), references))
    if not are_usual(references):
        schema = with_definitions(schema)
        root = _object(_cleaned(_followed(schema, schema), references))
    properties = _object(root.get("properties"))
    for keyword in _COMBINED:
        for branch in root.get(keyword, ()):
            inner = _followed(_object(branch), root)
            for key, value in _object(inner.get("properties")).items():
                properties.setdefault(key, value)
    plain = {k: v for k, v in root.items() if k not in _ROOT_DROPPED and k != "$ref"}
    return {**plain, "type": "object", "properties": properties}


def _followed(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with the members of its $ref's target, its own ones first."""
    document = Document(root, {})
    followed: set[str] = set()
    while isinstance(ref := schema.get("$ref"), str) and ref not in followed:
        followed.add(ref)
        target: tuple[str, object] | None = None
        with suppress(SchemaError):  # It leads to a part that models do not see.
            target = document.target(ref)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**_object(target and target[1]), **rest}
    return schema


def _object(value: object) -> dict[str, Any]:
    """Return a copy of a JSON object, {} for any other value."""
    return dict(cast("dict[str, Any]", value)) if isinstance(value, dict) else {}


def _cleaned(value: Any, references: list[object]) -> Any:
    """Return a schema with the keywords that models read, their texts cleaned.

    Args:
        value: The schema.
        references: Gets the value of each `$ref`.
    """
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        references.append(cast("dict[str, object]", value)["$ref"])
    return {
        keyword: _keyword(keyword, item, references)
        for keyword, item in accepted(cast("dict[str, Any]", value)).items()
        if keyword in KNOWN - _UNWANTED
        and (keyword not in _TEXTS or isinstance(item, str))
    }


def _keyword(keyword: str, item: Any, references: list[object]) -> Any:
    """Return the value of one keyword, cleaned."""
    if keyword in _TEXTS:
        return clean(WireStr(item))
    if keyword in _FOR_MODELS:
        return _without_hidden(item)
    if isinstance(item, list) and keyword in LISTS:
        return [_cleaned(part, references) for part in cast("list[object]", item)]
    if isinstance(item, dict) and keyword in _NAMED_SCHEMAS:
        parts = cast("dict[str, Any]", item).items()
        return {name: _cleaned(part, references) for name, part in parts}
    if keyword in SINGLE:
        return _cleaned(item, references)
    return cast("object", item)


def _without_hidden(value: Any) -> Any:
    """Return a value without the hidden characters in its texts."""
    if isinstance(value, str):
        return clean(WireStr(value)) if first_hidden(value) else value
    if isinstance(value, list):
        return [_without_hidden(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        return {key: _without_hidden(item) for key, item in members}
    return value
