"""Arrays and objects to types; an object with properties becomes a draft of a class."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, NamedTuple, cast

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    annotated,
    call,
    name,
    sub,
)
from mcp_bindgen.python.names import class_words
from mcp_bindgen.schema.context import (
    ANY,
    PLAIN,
    ClassDraft,
    Compile,
    CompileContext,
    DraftField,
    Location,
    Word,
)
from mcp_bindgen.schema.definitions import named_by_title
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import Node, mapped, members
from mcp_bindgen.schema.scalars import sizes
from mcp_bindgen.schema.spelling import spelled

__all__ = ["compile_array", "compile_object", "draft_object"]


class _Elements(NamedTuple):
    """The rules of an array's schema for its elements, of either draft.

    Attributes:
        first: Schemas of the first elements, one for each.
        first_keyword: The keyword that lists them.
        rest: Schema of all other elements.
        rest_keyword: The keyword of that one.
    """

    first: list[Node]
    first_keyword: str
    rest: Any
    rest_keyword: str


def compile_array(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr:
    """Return the type of an array: a list, or a tuple where its size is fixed."""
    expr = _compile_elements(context, node, location, inner)
    is_tuple = isinstance(expr, Bracket) and expr.head == "tuple"
    bounds = {} if is_tuple else sizes(context, node, location, "Items")
    extras: list[Expr] = [call("Field", **bounds)] if bounds else []
    if node.get("uniqueItems") is True:
        extras.append(name("UNIQUE"))
    return annotated(expr, *extras)


def _elements_of(node: Mapping[str, Any]) -> _Elements:
    items: Any = node.get("items", True)
    if isinstance(items, list):  # draft 7
        rest: Any = node.get("additionalItems", True)
        return _Elements(cast("list[Node]", items), "items", rest, "additionalItems")
    return _Elements(node.get("prefixItems") or [], "prefixItems", items, "items")


def _compile_elements(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr:
    elements = _elements_of(node)
    first, keyword, rest = elements.first, elements.first_keyword, elements.rest
    rest_location = location.element(elements.rest_keyword)
    if not first:
        return sub("list", ANY if rest is True else inner(context, rest, rest_location))
    if context.cost(location, keyword):
        context.check(location, keyword)
        return PLAIN["array"]
    parts = [
        inner(context, part, location.at(keyword, number, word=f"Item{number}"))
        for number, part in enumerate(first)
    ]
    # A tuple says all only where no element may be missing and none may follow.
    size = len(first)
    none_follow = rest is False or node.get("maxItems") == size
    if none_follow and node.get("minItems") == size <= context.limits.branches:
        return sub("tuple", *parts)
    context.check(location, keyword)
    if rest is not False:
        parts.append(ANY if rest is True else inner(context, rest, rest_location))
    return sub("list", context.either(location, keyword, parts))


def compile_object(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr:
    """Return the type of an object: a dict, or a class where properties are named."""
    if not members(node, "properties") and not node.get("required"):
        expr = _compile_dict(context, node, location, inner)
        if expr is not None:
            return expr
    return draft_object(context, node, location, inner)


def _compile_dict(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr | None:
    """Return the type of an object with names of any kind; None for an empty one."""
    key: Expr = name("str")
    values: Any = node.get("additionalProperties", True)
    patterns = members(node, "patternProperties")
    value_location = location.at("additionalProperties", word="Value")
    if values is False and len(patterns) == 1 and "propertyNames" not in node:
        # Only names that match the pattern are allowed, so it is the key's type.
        ((pattern, values),) = patterns.items()
        value_location = location.at("patternProperties", pattern, word="Value")
        key = inner(context, {"type": "string", "pattern": pattern}, value_location)
    elif patterns:
        context.check(location, "patternProperties")
        values = True
    elif values is False:
        return None
    if "propertyNames" in node:
        names: Any = node["propertyNames"]
        if isinstance(names, Mapping):
            names = {"type": "string", **cast("Mapping[str, Any]", names)}
        key = inner(context, names, location.at("propertyNames", word="Key"))
        key = name("str") if key == ANY else key
    value = ANY if values is True else inner(context, values, value_location)
    bounds = sizes(context, node, location, "Properties")
    extras = [call("Field", **bounds)] if bounds else []
    return annotated(sub("dict", key, value), *extras)


def draft_object(
    context: CompileContext, node: Mapping[str, Any], location: Location, inner: Compile
) -> Expr:
    """Return the placeholder of an object's class, and draft that class."""
    key = location.pointer, id(node)
    if key in context.objects:
        return name(context.objects[key])
    named = named_by_title(node, location)
    words = next(named.names())
    if equal := _equal(context, words, node):
        return name(equal)
    draft = ClassDraft(context.new_placeholder(), named, node)
    # Noted before the properties are compiled: the class may stand inside itself.
    context.drafts[draft.placeholder] = draft
    context.objects[key] = draft.placeholder
    context.equals.setdefault(words, {})[None] = draft.placeholder
    context.alive.append(node)
    draft.closed = _is_closed(context, node, location)
    properties = _properties(context, node, location, closed=draft.closed)
    for keyword in ("minProperties", "maxProperties", "propertyNames"):
        if keyword in node:
            context.check(location, keyword)
    required = frozenset(cast("list[str]", node.get("required") or []))
    # What is compiled first counts for names, so it never is the order of the schema.
    for wire, schema in sorted(properties.items(), key=itemgetter(0)):
        inner_location = named.at("properties", wire, word=class_words(wire))
        type_ = inner(context, schema, inner_location)
        draft.fields.append(DraftField(wire, type_, wire in required, mapped(schema)))
    numbers = {wire: number for number, wire in enumerate(properties)}
    draft.fields.sort(key=lambda field: numbers[field.wire])
    return name(draft.placeholder)


def _equal(
    context: CompileContext, words: tuple[Word, ...], node: Mapping[str, Any]
) -> str | None:
    """Return the placeholder of a class with these words and an equal schema."""
    equals, forms = context.equals.get(words), context.document.forms
    if not equals:
        return None
    if None in equals:  # The text of the last class: none was needed until now.
        placeholder = equals.pop(None)
        last = spelled(context.drafts[placeholder].node, forms)
        equals[canonical(last)] = placeholder
    return equals.get(canonical(spelled(node, forms)))


def _properties(
    context: CompileContext,
    node: Mapping[str, Any],
    location: Location,
    *,
    closed: bool,
) -> dict[str, Any]:
    """Return the declared properties, and those that are only required."""
    properties = dict(members(node, "properties"))
    required = cast("list[str]", node.get("required") or [])
    unnamed = [wire for wire in required if wire not in properties]
    if unnamed and node.get("additionalProperties", True) is not True:
        context.check(location, "required")
    if not closed:
        properties.update((wire, True) for wire in unnamed)
    return properties


def _is_closed(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> bool:
    """Return whether no other properties are allowed; note rules that a class lacks."""
    additional = node.get("additionalProperties", True)
    if members(node, "patternProperties"):
        context.check(location, "patternProperties")
        return False
    if additional is not True and additional is not False and additional != {}:
        context.check(location, "additionalProperties")
    return additional is False
