"""Finds JSON values that are no longer valid: the proof that a change breaks."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice, takewhile, zip_longest
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.instances import values_of
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.normal import shape_of
from mcp_bindgen.contract.planting import mixed, plant, replaced, undeclared, without
from mcp_bindgen.contract.shape import root_parts
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.node import listed, mapped, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.contract.effort import Share
    from mcp_bindgen.contract.model import Path, SchemaChange
    from mcp_bindgen.contract.shape import Branch, Parts, ShapedDocument
    from mcp_bindgen.contract.trial import Trial

__all__ = ["find_witness", "is_combined", "refute"]

_NUMBERS = (
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength"
    " minItems maxItems minProperties maxProperties uniqueItems"
)
_REST = frozenset({"additionalProperties", "unevaluatedProperties"})
# The keywords that refuse values, by a part of the rule's name; None for any.
_KEYWORDS = {
    "NULL": None,
    "BOUND": frozenset(_NUMBERS.split()),
    "PATTERN": frozenset({"pattern"}),
    "ENUM": frozenset({"enum", "const"}),
    "REQUIRED": frozenset({"required"}),
    "OPTIONAL": frozenset({"required"}),
    "REMOVED": frozenset({"required", *_REST, "type"}),
    "CLOSED": _REST,
    "OPENED": _REST,
}
_COMBINING = frozenset(
    {"$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties"}
    | {"contains", "dependentRequired", "dependentSchemas", "unevaluatedProperties"}
)
_BEST = 6  # points of a value that is refused for one reason, and the right one
_MOST = 96  # values that are tried for one change
_FEW = 2  # values that are tried in many objects
_MEMBERS = 4  # members of unions that a path leads through
_MORE = 16  # values that are tried when a good one is known
_ALL = 300  # values that are tried for a whole schema


def find_witness(tried: Trial, change: SchemaChange, share: Share) -> Any:
    """Return a value that is valid and is refused because of a change, or `ABSENT`.

    Args:
        tried: The two schemas.
        change: The change; the fault should be at its path or above, by a keyword that
            belongs to its rule.
        share: The work that may be done for it.
    """
    rule, whole = change.rule, root_parts(tried.source)
    candidates = chain(
        _candidates(tried, change),
        islice(values_of(tried.source, whole), _MOST // 4),
        _in_valid_values(tried, change),
        islice(_in_other_objects(tried, change), _MOST),
    )
    keywords = next((k for kind, k in _KEYWORDS.items() if kind in rule), None)
    best, worth, left = ABSENT, 0, 3 * _MOST
    for value in takewhile(tried.may_go_on, share.within(candidates)):
        faults = tried.faults(tried.target, value)
        if faults and not tried.faults(tried.valid, value):
            near = [fault for fault in faults if _is_near(fault.path, change.path)]
            named = [f for f in near if keywords is None or f.rule in keywords]
            # Best is a value of which nothing but this change is wrong.
            points = 1 + 2 * bool(near) + 2 * bool(named) + (len(near) == len(faults))
            if points > worth:
                best, worth = value, points
                left = min(left, _MORE) if points == _BEST - 1 else left
        left -= 1
        if worth == _BEST or left <= 0:
            break
    return best


def is_combined(document: ShapedDocument) -> bool:
    """Return whether schemas are combined in a way that a comparison may not read."""
    nodes = (node for _, node in document.nodes)
    return any(not _COMBINING.isdisjoint(n) and not _is_of_types(n) for n in nodes)


def _is_of_types(node: Mapping[str, Any]) -> bool:
    """Return whether a schema only combines others of different types, as null."""
    types = [mapped(each).get("type") for each in listed(node.get("anyOf"))]
    kinds = {"number" if t == "integer" else t for t in types if isinstance(t, str)}
    is_apart = len(kinds) == len(types) > 0
    return is_apart and (_COMBINING - {"anyOf"}).isdisjoint(node)


def refute(tried: Trial) -> Any:
    """Return a value that only the source accepts, or `ABSENT`."""
    values = values_of(tried.source, root_parts(tried.source))
    for value in takewhile(tried.may_go_on, islice(values, _ALL)):
        if tried.faults(tried.target, value) and not tried.faults(tried.valid, value):
            return value
    return ABSENT


def _candidates(tried: Trial, change: SchemaChange) -> Iterator[Any]:
    """Yield values that differ at the end of a path, then those one step above."""
    document, whole, path = tried.source, root_parts(tried.source), change.path
    ends = [path, path[:-1]] if path else [()]
    # A missing member is a fault of the object around it.
    if "REQUIRED" in change.rule or change.rule == "FIELD_NOW_OPTIONAL":
        ends.reverse()
    for end in ends:
        values = _inner_values(tried, end, change)
        most = _MOST if "CONSTRAINT" in change.rule else _MOST // 2
        yield from islice(plant(document, whole, end, values), most)


def _in_valid_values(tried: Trial, change: SchemaChange) -> Iterator[Any]:
    """Yield valid values with others at the end of a path: what is around them fits."""
    document, whole, path = tried.source, root_parts(tried.source), change.path
    every = takewhile(tried.may_go_on, islice(values_of(document, whole), _ALL))
    fitting = (value for value in every if not tried.faults(tried.valid, value))
    value = next(fitting, ABSENT)
    others = [*islice(_inner_values(tried, path, change), _MOST // 2)]
    yield from replaced(value, path, lambda _: others)
    if path and path[-1].kind == "name":
        name = path[-1].name
        yield from replaced(value, path[:-1], partial(without, name=name))


def _in_other_objects(tried: Trial, change: SchemaChange) -> Iterator[Any]:
    """Yield a few values at the end of a path, in many objects around it.

    Another member of a union may take the change, but not all that is around it.
    """
    document, whole, path = tried.source, root_parts(tried.source), change.path
    named = [number for number, step in enumerate(path) if step.kind == "name"]
    if not named:
        return
    start, rest = path[: named[-1]], path[named[-1] :]
    few = [*islice(_inner_values(tried, path, change), _FEW)]
    objects = (
        changed
        for around in islice(_parts_at(document, whole, start), _FEW)
        for value in islice(values_of(document, around), _MOST // _FEW)
        for changed in replaced(value, rest, lambda _: few)
    )
    yield from plant(document, whole, start, objects)


def _inner_values(tried: Trial, path: Path, change: SchemaChange) -> Iterator[Any]:
    """Yield the values at the end of a path that may be refused because of a change."""
    document, other = tried.source, tried.other
    every = [*islice(_parts_at(document, root_parts(document), path), _MEMBERS)]
    for parts in every:
        yield from _special(document, parts, change)
    values = _in_turn([values_of(document, parts) for parts in every])
    yield from islice(values, _MOST // 4)
    if "CONSTRAINT" in change.rule:
        for parts in every:
            yield from islice(mixed(document, parts), _MOST // 2)
        for parts in islice(_parts_at(other, root_parts(other), path), _MEMBERS):
            yield from islice(values_of(other, parts), _MOST // 8)
    # What one side lists, the other may refuse: `not` says so, too.
    yield from islice(_listed_values(other), _MOST // 8)
    yield from islice(values, _MOST // 4)


def _in_turn(every: Sequence[Iterator[Any]]) -> Iterator[Any]:
    """Yield one value of each iterator in turn."""
    for values in zip_longest(*every, fillvalue=ABSENT):
        yield from (value for value in values if value is not ABSENT)


def _special(
    document: ShapedDocument, parts: Parts, change: SchemaChange
) -> Iterator[Any]:
    """Yield the values that the rule of a change speaks of."""
    if "NULL_" in change.rule:
        yield None
    elif "ENUM_VALUE" in change.rule:
        yield from listed(change.old if "REMOVED" in change.rule else change.new)
    elif "CLOSED" in change.rule or "OPENED" in change.rule:
        yield from undeclared(document, parts)


def _listed_values(document: ShapedDocument) -> Iterator[Any]:
    """Yield the values that the schemas of a document name."""
    for _, node in walk(document.root, ""):
        yield from listed(node.get("enum"))
        if "const" in node:
            yield node["const"]


def _parts_at(document: ShapedDocument, parts: Parts, path: Path) -> Iterator[Parts]:
    """Yield the schemas at the end of a path, one for each member of unions."""
    if not path:
        yield parts
        return
    step, rest = path[0], path[1:]
    for branch in shape_of(document, parts).branches:
        inner: Parts | None = None
        if step.kind == "name" and step.name in branch.properties:
            inner = branch.properties[step.name]
        elif step.kind in {"name", "extra"} and branch.kind == "object":
            inner = _undeclared(branch)
        elif step.kind == "items" and branch.kind == "array":
            inner = branch.items
        elif step.kind == "item" and int(step.name) < len(branch.prefix):
            inner = branch.prefix[int(step.name)]
        if inner is not None:
            yield from _parts_at(document, inner, rest)


def _undeclared(branch: Branch) -> Parts:
    """Return the schemas of members without a declared name."""
    patterned = next((parts for _, parts in branch.by_pattern), None)
    return patterned or branch.extra or ()


def _is_near(fault: str, path: Path) -> bool:
    """Return whether a fault is at the end of a path, or one step above it."""
    pointers = [""]
    for step in path:
        names = {"name": step.name, "item": step.name}
        pointers.append(child(pointers[-1], names.get(step.kind, "*")))
    at_end = _starts(fault, pointers[-1])
    if at_end or not path:
        return at_end
    return fault.count("/") == len(path) - 1 and _starts(fault, pointers[-2])


def _starts(fault: str, pointer: str) -> bool:
    """Return whether a pointer leads to another or into it; "*" there is any step."""
    one, other = fault.split("/"), pointer.split("/")
    same = (b in {"*", a} for a, b in zip(one, other, strict=False))
    return len(one) >= len(other) and all(same)
