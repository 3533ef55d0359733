"""Takes `anyOf`, `oneOf`, `allOf` and references of a schema apart."""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.contract.shape import Part
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import ANNOTATIONS
from mcp_bindgen.schema.node import is_array, is_object, mapped, members, with_inner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = [
    "Alternative",
    "common",
    "expand",
    "listed_values",
    "product_of",
    "schemas_of",
    "stripped",
    "target_of",
]

_MOST = 200  # branches of one schema; a larger product is not taken apart
# Keywords that speak of null, too.
_OF_ANY_TYPE = frozenset(
    {"enum", "const", "not", "if", "then", "else", "anyOf", "oneOf", "allOf", "$ref"}
    | {"$dynamicRef", "$recursiveRef"}
)
_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf")

Alternative: TypeAlias = "tuple[tuple[str, Mapping[str, Any]], ...]"
"""Schemas without references and combiners that a value must fit all, by pointer."""


def product_of(factors: Sequence[list[Alternative]]) -> list[Alternative]:
    """Return each way to take one alternative of every factor."""
    number = 1
    for factor in factors:
        number *= len(factor)
    if number > _MOST:  # compared as text
        text = canonical([[[node for _, node in a] for a in f] for f in factors])
        return [(("", {"overlap": text}),)]
    return [sum(each, ()) for each in product(*factors)]


def expand(document: Document, part: Part, seen: tuple[int, ...]) -> list[Alternative]:
    """Return the alternatives of a schema, each without references and combiners."""
    pointer, node = part
    if isinstance(node, bool):
        return [()] if node else []
    if id(node) in seen:  # a reference to itself says nothing
        return [()]
    seen = (*seen, id(node))
    target = target_of(document, part)
    if target and document.is_draft7:
        return expand(document, Part(*target), seen)
    combiners = _COMBINERS if target else _COMBINERS[1:]
    own = {key: value for key, value in node.items() if key not in combiners}
    factors: list[list[Alternative]] = [[((pointer, own),)]]
    all_of = [Part(*target)] if target else []
    all_of += schemas_of(node, "allOf", pointer)
    factors += [expand(document, member, seen) for member in all_of]
    if "oneOf" in node and not _are_disjoint(document, node["oneOf"]):
        own["overlap"] = [stripped(member) for member in node["oneOf"]]
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            members_ = schemas_of(node, keyword, pointer)
            factors.append([a for m in members_ for a in expand(document, m, seen)])
    return product_of(factors)


def target_of(document: Document, part: Part) -> tuple[str, Node] | None:
    """Return where the reference of a schema leads, None for no such place."""
    pointer, node = part
    ref = mapped(node).get("$ref")
    return document.target(ref, pointer) if isinstance(ref, str) else None


def _are_disjoint(document: Document, schemas: Sequence[Node]) -> bool:
    """Tell whether no value fits two of the schemas, as far as is seen at once.

    They differ in their type, or in the value of a member that all must have.
    """
    tags = [_tags(document, schema) for schema in schemas]
    return all(
        any(one[key].isdisjoint(other[key]) for key in one.keys() & other.keys())
        for number, one in enumerate(tags)
        for other in tags[:number]
    )


def _tags(document: Document, schema: Node) -> dict[str, frozenset[str]]:
    """Return what tells a schema from others: its types, and its required constants."""
    node = mapped(schema)
    target = document.target(node["$ref"], "") if "$ref" in node else None
    node = mapped(target[1]) if target else node
    tags: dict[str, frozenset[str]] = {}
    if "type" in node:
        names = [node["type"]] if isinstance(node["type"], str) else node["type"]
        tags[""] = frozenset("number" if n == "integer" else n for n in names)
    for name in node.get("required", ()):
        values = listed_values(mapped(members(node, "properties").get(name)))
        if values is not None and node.get("type") == "object":
            tags[f"/{name}"] = values
    return tags


def stripped(value: Any) -> Any:
    """Return a schema without its annotations, in one form for one meaning."""
    if not is_object(value):
        return [stripped(item) for item in value] if is_array(value) else value
    own = {key: item for key, item in value.items() if key not in ANNOTATIONS}
    return _plain(with_inner(own, stripped))


def _plain(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in the form that does not tell its spelling."""
    own = dict(node)
    if "const" in own and "enum" not in own:
        own["enum"] = [own.pop("const")]
    for keyword in ("enum", "required", "type", "anyOf", "oneOf", "allOf"):
        if is_array(own.get(keyword)):
            own[keyword] = sorted(own[keyword], key=_value_text)
    if is_array(own.get("type")) and len(own["type"]) == 1:
        own["type"] = own["type"][0]
    for keyword in ("additionalProperties", "items"):
        own.update({keyword: True} if own.get(keyword) == {} else {})
    own = _with_null(own)
    is_whole = own.get("type") in ("integer", ["integer", "null"])
    return _whole_bounds(own) if is_whole else own


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
    """Return a schema of integers with bounds that may be reached."""
    own = dict(node)
    ways = (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1))
    for strict, keyword, step in ways:
        value = own.get(strict)
        if isinstance(value, int) and keyword not in own:
            own[keyword] = own.pop(strict) + step
    return own


def schemas_of(node: Mapping[str, Any], keyword: str, pointer: str) -> list[Part]:
    """Return the schemas of a list, with where each stands."""
    return [
        Part(child(pointer, keyword, number), member)
        for number, member in enumerate(node.get(keyword, ()))
    ]


def listed_values(node: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the values that a schema lists, None where it lists none."""
    lists = [[node["const"]]] if "const" in node else []
    if "enum" in node:
        lists.append(node["enum"])
    sets = [frozenset(map(_value_text, values)) for values in lists]
    return common(sets)


def common(sets: Sequence[frozenset[str]]) -> frozenset[str] | None:
    """Return the texts that are in all sets, None where there is no set."""
    return reduce(frozenset[str].intersection, sets) if sets else None


def _value_text(value: object) -> str:
    """Return one text for JSON values that JSON Schema calls equal."""
    return canonical(_whole(value))


def _whole(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if is_array(value):
        return [_whole(item) for item in value]
    if is_object(value):
        return {key: _whole(item) for key, item in value.items()}
    return value
