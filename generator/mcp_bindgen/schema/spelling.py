"""One spelling for schemas that mean the same, to compare them as texts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import ANNOTATIONS
from mcp_bindgen.schema.node import is_array, is_object, mapped, with_inner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.document import Forms

__all__ = ["spelled", "stripped", "value_text"]

# Keywords that concern null, too.
_OF_ANY_TYPE = frozenset(
    {"enum", "const", "not", "if", "then", "else", "anyOf", "oneOf", "allOf", "$ref"}
    | {"$dynamicRef", "$recursiveRef"}
)
# Values of no effect, by keyword.
_SAYS_NOTHING: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(("minLength", "minItems", "minProperties"), (0,)),
    **dict.fromkeys(("items", "additionalProperties"), (True, {})),
    **dict.fromkeys(("required", "allOf", "prefixItems"), ([],)),
    "uniqueItems": (False,),
    "properties": ({},),
    "patternProperties": ({},),
}


def spelled(value: Any, forms: Forms | None = None) -> Any:
    """Return a schema in one form for one meaning; its annotations stay.

    Example: `spelled({"const": 1}) == spelled({"enum": [1]})`.

    Args:
        value: The schema.
        forms: Forms that are known, of schemas that do not change; it gets this one.
    """
    forms = {} if forms is None else forms
    return _form(value, forms, whole=True) if is_object(value) else value


def stripped(value: Any, forms: Forms | None = None) -> Any:
    """Return a schema without its annotations, in one form for one meaning.

    Args:
        value: The schema.
        forms: As for `spelled`.
    """
    forms = {} if forms is None else forms
    if not is_object(value):
        return [stripped(item, forms) for item in value] if is_array(value) else value
    return _form(value, forms, whole=False)


def _form(value: dict[str, Any], forms: Forms, *, whole: bool) -> Any:
    """Return the form of a schema, with its annotations or without them."""
    key = id(value), whole
    if key not in forms:
        change = partial(spelled if whole else stripped, forms=forms)
        own = {k: v for k, v in value.items() if whole or k not in ANNOTATIONS}
        # With the schema itself, so that no other one gets its identity.
        forms[key] = value, _plain(with_inner(own, change))
    return forms[key][1]


def value_text(value: object) -> str:
    """Return one text for JSON values that JSON Schema calls equal.

    Example: `value_text(1.0) == value_text(1)`.

    Args:
        value: The value.
    """
    return canonical(_whole(value))


def _plain(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in the form that all its spellings share."""
    own = {
        key: value
        for key, value in node.items()
        if key not in _SAYS_NOTHING or value not in _SAYS_NOTHING[key]
    }
    if "const" in own and "enum" not in own:
        own["enum"] = [own.pop("const")]
    for keyword in ("enum", "required", "type", "anyOf", "oneOf", "allOf"):
        if is_array(own.get(keyword)):
            own[keyword] = sorted(own[keyword], key=_order)
    for keyword in ("dependentRequired", "dependencies"):
        if is_object(needed := own.get(keyword)):
            own[keyword] = {
                name: sorted(names, key=_order) if is_array(names) else names
                for name, names in needed.items()
            }
    if is_array(own.get("type")) and len(own["type"]) == 1:
        own["type"] = own["type"][0]
    # In this order: a null may stand in the one member of an allOf.
    own = _with_null(_without_all_of(own))
    is_whole = own.get("type") in ("integer", ["integer", "null"])
    return _whole_bounds(own) if is_whole else own


def _order(value: object) -> tuple[str, str]:
    # 1 and 1.0 are equal, and still need an order.
    return value_text(value), canonical(value)


def _without_all_of(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with the only schema of its `allOf` in place of that."""
    listed = node.get("allOf")
    if not is_array(listed) or len(listed) != 1 or not is_object(listed[0]):
        return node
    rest = {key: value for key, value in node.items() if key != "allOf"}
    return node if rest.keys() & listed[0].keys() else {**rest, **listed[0]}


def _with_null(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose `anyOf` with null is a list of types, where it is one."""
    listed, null = node.get("anyOf"), {"type": "null"}
    others = [each for each in listed if each != null] if is_array(listed) else []
    if not is_array(listed) or len(others) != 1 or len(others) == len(listed):
        return node
    other = mapped(others[0])
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    is_typed = isinstance(other.get("type"), str) and not other.keys() & _OF_ANY_TYPE
    if not is_typed or other.keys() & rest.keys():
        return node
    return {**rest, **other, "type": sorted([other["type"], "null"])}


def _whole_bounds(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of integers with inclusive bounds."""
    own = dict(node)
    ways = (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1))
    for strict, keyword, step in ways:
        value = own.get(strict)
        if isinstance(value, int) and keyword not in own:
            own[keyword] = own.pop(strict) + step
    return own


def _whole(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if is_array(value):
        return [_whole(item) for item in value]
    if is_object(value):
        return {key: _whole(item) for key, item in value.items()}
    return value
