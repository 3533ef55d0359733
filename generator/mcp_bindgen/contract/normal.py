"""A schema to its normal form: one branch for each type, whatever the spelling.

`anyOf` with null and a list of types, `const` and an enum of one value, `minimum: 1`
and `exclusiveMinimum: 0` of an integer, a `$ref` and its target: one form for both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from mcp_bindgen.contract.bounds import Bound, fits_bounds, merge_bounds
from mcp_bindgen.contract.bounds import read as read_bounds
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import ANNOTATIONS
from mcp_bindgen.schema.node import is_array, is_object, mapped, members, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = ["Branch", "Part", "Parts", "Shape", "root_parts", "shape_of", "text_of"]

_KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
_ALL = frozenset(_KINDS) - {"integer"}
_MOST = 200  # branches of one schema; a larger product is not taken apart

# Constraints that are only compared as texts, by the type that they speak of.
_AS_TEXT: Mapping[str, tuple[str, ...]] = {
    "array": ("contains", "minContains", "maxContains", "unevaluatedItems"),
    "object": (
        *("propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
        "unevaluatedProperties",
    ),
}
# An `if` says nothing without its `then` and `else`, so these are one constraint.
_AS_TEXT_FOR_ALL = (
    *(("not",), ("if", "then", "else"), ("overlap",)),
    *(("$ref",), ("$dynamicRef",), ("$recursiveRef",)),
)
_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf")


class Part(NamedTuple):
    """A schema, and where it stands in its document."""

    pointer: str
    node: Node


Parts: TypeAlias = tuple[Part, ...]
"""Schemas that a value must fit all; () is any value."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Values of one type that a schema accepts.

    Attributes:
        kind: The type.
        pointer: Where it stands in the document.
        title: The title of the schema that it stands for.
        values: The only values, as JSON; None for no such list.
        bounds: Bounds by their names.
        patterns: Patterns that a string must all match.
        formats: Formats, which only annotate.
        properties: What the declared members must fit.
        required: Names of members that must be there.
        extra: What undeclared members must fit; None where no schema says it.
        by_pattern: Patterns of names, each with what these members must fit.
        prefix: What the first elements must fit.
        items: What all further elements must fit.
        other: Constraints that are only compared, as texts.
    """

    kind: str
    pointer: str = ""
    title: str = ""
    values: frozenset[str] | None = None
    bounds: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    patterns: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    properties: Mapping[str, Parts] = field(default_factory=dict[str, Parts])
    required: frozenset[str] = frozenset()
    extra: Parts | None = None
    by_pattern: tuple[tuple[str, Parts], ...] = ()
    prefix: tuple[Parts, ...] = ()
    items: Parts = ()
    other: frozenset[str] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether every value of the type fits."""
        own = self.values is not None or self.bounds or self.patterns or self.other
        named = self.properties or self.required or self.by_pattern or self.prefix
        return not (own or named or _says(self.items) or _says(self.extra or ()))

    @property
    def is_closed(self) -> bool:
        """Whether undeclared members are forbidden."""
        return any(part.node is False for part in self.extra or ())

    @property
    def is_map(self) -> bool:
        """Whether its members are data: none is declared."""
        return not (self.properties or self.required or self.is_closed)


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema in normal form.

    Attributes:
        pointer: Where it stands in the document.
        branches: One or more for each type that it accepts.
        words: Its annotations, such as the title and the default.
    """

    pointer: str
    branches: tuple[Branch, ...]
    words: Mapping[str, Any]

    @property
    def kinds(self) -> frozenset[str]:
        """The types that it accepts."""
        return frozenset(branch.kind for branch in self.branches)

    @property
    def is_any(self) -> bool:
        """Whether every JSON value fits."""
        return {branch.kind for branch in self.branches if branch.is_free} >= _ALL


_Alternative: TypeAlias = "tuple[tuple[str, Mapping[str, Any]], ...]"


def root_parts(document: Document) -> Parts:
    """Return the whole schema of a document."""
    return (Part("", document.root),)


def shape_of(document: Document, parts: Parts) -> Shape:
    """Return the normal form of schemas that a value must fit all.

    Args:
        document: Where their references lead.
        parts: The schemas.
    """
    alternatives = _product([_expand(document, part, ()) for part in parts])
    branches = [b for each in alternatives for b in _branches(document, each)]
    pointer = parts[0].pointer if parts else ""
    return Shape(pointer, _simplified(branches), _words(document, parts))


def text_of(parts: Parts) -> str:
    """Return a text that is the same for schemas that only differ in annotations."""
    return canonical([_stripped(part.node) for part in parts])


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


def _says(parts: Parts) -> bool:
    return any(part.node is not True and part.node != {} for part in parts)


def _product(factors: Sequence[list[_Alternative]]) -> list[_Alternative]:
    """Return each way to take one alternative of every factor."""
    number = 1
    for factor in factors:
        number *= len(factor)
    if number > _MOST:  # compared as text
        text = canonical([[[node for _, node in a] for a in f] for f in factors])
        return [(("", {"overlap": text}),)]
    return [sum(each, ()) for each in product(*factors)]


def _expand(
    document: Document, part: Part, seen: tuple[int, ...]
) -> list[_Alternative]:
    """Return the alternatives of a schema, each without references and combiners."""
    pointer, node = part
    if isinstance(node, bool):
        return [()] if node else []
    if id(node) in seen:  # a reference to itself says nothing
        return [()]
    seen = (*seen, id(node))
    ref = node.get("$ref")
    target = document.target(ref, pointer) if isinstance(ref, str) else None
    if target and document.is_draft7:
        return _expand(document, Part(*target), seen)
    left_as_text = () if target else ("$ref",)
    own = {
        key: value
        for key, value in node.items()
        if key not in _COMBINERS or key in left_as_text
    }
    factors: list[list[_Alternative]] = [[((pointer, own),)]]
    if target:
        factors.append(_expand(document, Part(*target), seen))
    factors += [
        _expand(document, member, seen) for member in _list(node, "allOf", pointer)
    ]
    if "oneOf" in node and not _are_disjoint(document, node["oneOf"]):
        own["overlap"] = [_stripped(member) for member in node["oneOf"]]
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            members_ = _list(node, keyword, pointer)
            factors.append([a for m in members_ for a in _expand(document, m, seen)])
    return _product(factors)


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
        values = _listed_values(mapped(members(node, "properties").get(name)))
        if values is not None and node.get("type") == "object":
            tags[f"/{name}"] = values
    return tags


def _stripped(value: Any) -> Any:
    """Return a schema without its annotations, and all else as it is."""
    if not is_object(value):
        return [_stripped(item) for item in value] if is_array(value) else value
    own = {key: item for key, item in value.items() if key not in ANNOTATIONS}
    return with_inner(own, _stripped)


def _list(node: Mapping[str, Any], keyword: str, pointer: str) -> list[Part]:
    return [
        Part(child(pointer, keyword, number), member)
        for number, member in enumerate(node.get(keyword, ()))
    ]


def _branches(document: Document, alternative: _Alternative) -> list[Branch]:
    """Return a branch for each type that an alternative accepts."""
    nodes = [node for _, node in alternative]
    listed = [_listed_values(node) for node in nodes]
    values = [texts for texts in listed if texts is not None]
    allowed = _common(values)
    kinds = _kinds(nodes)
    return [
        branch
        for kind in _KINDS
        if kind in kinds
        and (branch := _branch(document, kind, alternative, allowed)) is not None
    ]


def _kinds(nodes: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the types that all schemas accept."""
    kinds = _ALL
    for node in nodes:
        declared = node.get("type")
        if declared is None:
            continue
        names = {declared} if isinstance(declared, str) else {*declared}
        common = kinds & names
        for one, other in ((kinds, names), (names, kinds)):
            if "integer" in one and "number" in other and "number" not in common:
                common |= {"integer"}
        kinds = frozenset(common)
    return kinds


def _listed_values(node: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the values that a schema lists, None where it lists none."""
    lists = [[node["const"]]] if "const" in node else []
    if "enum" in node:
        lists.append(node["enum"])
    sets = [frozenset(map(_value_text, values)) for values in lists]
    return _common(sets)


def _common(sets: Sequence[frozenset[str]]) -> frozenset[str] | None:
    """Return the texts that are in all sets, None where there is no set."""
    return reduce(frozenset[str].intersection, sets) if sets else None


def _kind_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int):
        return "integer"
    for kind, name in ((float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def _branch(
    document: Document,
    kind: str,
    alternative: _Alternative,
    allowed: frozenset[str] | None,
) -> Branch | None:
    """Return what an alternative accepts of one type, None for no value."""
    nodes = [node for _, node in alternative]
    if allowed is not None:
        kinds = {kind, "integer"} if kind == "number" else {kind}
        allowed = frozenset(v for v in allowed if _kind_of(json.loads(v)) in kinds)
        if not allowed:
            return None
        if kind == "null" or (kind == "boolean" and len(allowed) > 1):
            allowed = None
    bounds = merge_bounds(read_bounds(kind, node) for node in nodes)
    if allowed is not None and bounds:
        allowed = frozenset(v for v in allowed if fits_bounds(json.loads(v), bounds))
        bounds = {}
    pointers = [pointer for pointer, node in alternative if len(node)]
    branch = Branch(
        kind,
        pointers[0] if pointers else "",
        title=next((str(node["title"]) for node in nodes if "title" in node), ""),
        values=allowed,
        bounds=bounds,
        other=_other(document, kind, nodes),
    )
    if kind == "string":
        patterns = frozenset(str(n["pattern"]) for n in nodes if "pattern" in n)
        formats = frozenset(str(n["format"]) for n in nodes if "format" in n)
        return replace(branch, patterns=patterns, formats=formats)
    if kind == "array":
        return _array(branch, alternative)
    return _object(branch, alternative) if kind == "object" else branch


def _other(
    document: Document, kind: str, nodes: Iterable[Mapping[str, Any]]
) -> frozenset[str]:
    """Return the constraints that are compared as texts only."""
    texts = set[str]()
    for node in nodes:
        groups = [*_AS_TEXT_FOR_ALL, *((word,) for word in _AS_TEXT.get(kind, ()))]
        for group in groups:
            said = {word: _stripped(node[word]) for word in group if word in node}
            if said and (len(group) == 1 or "if" in said):
                text = canonical(said)
                # References inside may lead to other definitions now.
                texts.add(text + (canonical(document.root) if "$ref" in text else ""))
    return frozenset(texts)


def _array(branch: Branch, alternative: _Alternative) -> Branch:
    """Return a branch with what the elements of an array must fit."""
    prefixes: list[list[Part]] = []
    rests: list[Part | None] = []
    for pointer, node in alternative:
        items, rest = node.get("items"), node.get("items")
        keyword, prefix = "prefixItems", node.get("prefixItems")
        if is_array(items):  # until draft 2019-09
            keyword, prefix, rest = "items", items, node.get("additionalItems")
        prefixes.append(
            [
                Part(child(pointer, keyword, number), cast("Node", each))
                for number, each in enumerate(prefix or ())
            ]
        )
        at = child(pointer, "additionalItems" if keyword == "items" else "items")
        rests.append(None if rest is None else Part(at, cast("Node", rest)))
    length = max(map(len, prefixes), default=0)
    positions = [
        tuple(
            part
            for prefix, rest in zip(prefixes, rests, strict=True)
            for part in (prefix[number : number + 1] or ([rest] if rest else []))
        )
        for number in range(length)
    ]
    every = tuple(part for part in rests if part is not None)
    return replace(branch, prefix=tuple(positions), items=every)


def _object(branch: Branch, alternative: _Alternative) -> Branch:
    """Return a branch with what the members of an object must fit."""
    names = dict.fromkeys(
        name for _, node in alternative for name in members(node, "properties")
    )
    properties = {
        name: tuple(
            part
            for pointer, node in alternative
            for part in members_of(pointer, node, name)
        )
        for name in names
    }
    extras = [
        Part(child(pointer, "additionalProperties"), node["additionalProperties"])
        for pointer, node in alternative
        if "additionalProperties" in node
    ]
    by_pattern = tuple(
        (pattern, (Part(child(pointer, "patternProperties", pattern), inner),))
        for pointer, node in alternative
        for pattern, inner in mapped(node.get("patternProperties")).items()
    )
    required = frozenset(
        str(name) for _, node in alternative for name in node.get("required", ())
    )
    extra = tuple(extras) if extras else None
    return replace(
        branch,
        properties=properties,
        required=required,
        extra=extra,
        by_pattern=by_pattern,
    )


def members_of(pointer: str, node: Mapping[str, Any], name: str) -> list[Part]:
    """Return what one schema says of the member with a name."""
    declared = members(node, "properties")
    if name in declared:
        return [Part(child(pointer, "properties", name), declared[name])]
    if "additionalProperties" in node and not node.get("patternProperties"):
        extra = node["additionalProperties"]
        return [Part(child(pointer, "additionalProperties"), extra)]
    return []


def _simplified(branches: list[Branch]) -> tuple[Branch, ...]:
    """Join enums of one type, and drop what a free branch of its type covers."""
    free = {branch.kind for branch in branches if branch.is_free}
    joined: dict[object, Branch] = {}
    for number, branch in enumerate(branches):
        kind, values = branch.kind, branch.values
        covered = kind in free and not branch.is_free
        if covered or (kind == "integer" and "number" in free):
            continue
        scalar = values is not None and kind not in {"array", "object"}
        plain = scalar and not (branch.bounds or branch.patterns or branch.other)
        key: object = (kind, "free") if branch.is_free else number
        key = (kind, "enum") if plain else key
        before = joined.setdefault(key, branch)
        if plain and values is not None and before.values is not None:
            joined[key] = replace(before, values=before.values | values)
    return tuple(joined.values())


def _words(document: Document, parts: Parts) -> dict[str, Any]:
    """Return the annotations of schemas; the outer ones win."""
    words: dict[str, Any] = {}
    pending, seen = [*parts], set[int]()
    while pending:
        pointer, node = pending.pop(0)
        if isinstance(node, bool) or id(node) in seen:
            continue
        seen.add(id(node))
        for keyword in ("title", "description", "default", "examples", "deprecated"):
            if keyword in node:
                words.setdefault(keyword, node[keyword])
        ref = node.get("$ref")
        target = document.target(ref, pointer) if isinstance(ref, str) else None
        pending += [Part(*target)] if target else []
        pending += _list(node, "allOf", pointer)
    return words
