"""One schema to one type: what pydantic can say, and a note of what it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, cast

from .combine import merge
from .containers import compile_array, compile_object, draft_object
from .layout import Expr, Name, Union, annotated, call, literal, name, names, union
from .leaves import compile_enum, compile_number, compile_string
from .naming import class_words, field_names
from .runtime.scalars import json_key
from .schema import ANNOTATIONS, Node, SchemaError, members, types_of
from .state import ANY, CHECKED, PLAIN, Draft, Place, State

__all__ = ["compile_root", "compile_type"]

INLINE = 40
_NARROWING = frozenset("""
    minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum
    multipleOf items additionalItems prefixItems minItems maxItems uniqueItems
    properties additionalProperties patternProperties propertyNames required
    minProperties maxProperties
    """.split())


def compile_root(state: State, place: Place) -> Expr:
    """Return the class of a tool's arguments, which are an object whatever is said."""
    node = state.document.root
    state.refs[""] = root = name(state.mark())
    _note_checked(state, node, place)
    if "$ref" in node:
        resolved = state.resolve(node)
        if resolved is node or isinstance(resolved, bool):
            state.check(place, "$ref")
        else:
            node = resolved
    if "allOf" in node:
        node = merged(state, node, place)
    for keyword in ("anyOf", "oneOf", "enum", "const", "$ref"):
        if keyword in node:
            state.check(place, keyword)
    if types_of(node) and "object" not in types_of(node):
        raise SchemaError("/type", "arguments are always an object, this allows none")
    expr = draft_object(state, node, place, compile_type)
    state.same[root.code] = expr
    return expr


def compile_type(state: State, node: Node, place: Place) -> Expr:
    """Return the type of a schema; it allows all that the schema allows.

    Where it allows more, the state's `checked` says so.

    Raises:
        SchemaError: The schema refers to nothing, to itself alone, or is too large.
    """
    state.step(place)
    if isinstance(node, bool):
        if not node:
            state.check(place, "false")
        return ANY
    _note_checked(state, node, place)
    if place.pointer and "$id" in node and not str(node["$id"]).startswith("#"):
        state.check(place, "$id")
        return ANY
    if "$ref" in node:
        return _ref(state, node, place)
    if "enum" in node or "const" in node:
        return compile_enum(state, node, place)
    if "allOf" in node:
        return compile_type(state, merged(state, node, place), place)
    if "anyOf" in node or "oneOf" in node:
        return _alternatives(state, node, place)
    types = types_of(node)
    if not types and _NARROWING & node.keys():
        state.check(place, "type")
    kept = [t for t in types if not (t == "integer" and "number" in types)]
    return union([_typed(state, node, place, one) for one in kept]) if kept else ANY


def _note_checked(state: State, node: Mapping[str, Any], place: Place) -> None:
    for keyword in CHECKED:
        if keyword in node and not (keyword in ("then", "else") and "if" not in node):
            state.check(place, keyword)


def _typed(state: State, node: Mapping[str, Any], place: Place, one: str) -> Expr:
    if one in ("integer", "number"):
        return compile_number(state, node, place, one)
    if one == "string":
        return compile_string(state, node, place)
    if one == "array":
        return compile_array(state, node, place, compile_type)
    if one == "object":
        return compile_object(state, node, place, compile_type)
    return PLAIN[one]


def _ref(state: State, node: Mapping[str, Any], place: Place) -> Expr:
    if node.keys() - ANNOTATIONS - {"$ref"} and not state.document.is_draft7:
        state.check(place, "$ref")
    found = state.document.target(node["$ref"])
    if found is None:
        state.check(place, "$ref")
        return ANY
    pointer, target = found
    if pointer in state.refs:
        return state.refs[pointer]
    mark = state.mark()
    state.refs[pointer] = stand_in = name(mark)
    last = class_words(pointer.rpartition("/")[2])
    start = Place(pointer, (last,) if last else place.path)
    expr = _without(compile_type(state, target, start), stand_in, place)
    if isinstance(expr, Name) and expr.code in state.drafts:
        state.same[mark] = expr
    elif (recursive := _uses(state, mark, expr)) or _size(expr) > INLINE:
        # A type that holds itself needs a name; a large one deserves one.
        state.drafts[mark] = Draft(mark, start, "", {}, expr, recursive=recursive)
        return stand_in
    state.refs[pointer] = expr
    return expr


def _without(expr: Expr, stand_in: Name, place: Place) -> Expr:
    if expr == stand_in:
        raise SchemaError(place.pointer, "a $ref leads only to itself")
    if isinstance(expr, Union) and stand_in in expr.members:
        return union([member for member in expr.members if member != stand_in])
    return expr


def _uses(state: State, mark: str, expr: Expr) -> bool:
    pending, seen = [expr], set[str]()
    while pending:
        for found in names(pending.pop()):
            if found == mark:
                return True
            draft = state.drafts.get(found)
            if draft is not None and found not in seen:
                seen.add(found)
                pending += [field[1] for field in draft.fields]
                pending += [draft.expr] if draft.expr is not None else []
    return False


def _size(expr: Expr) -> int:
    if isinstance(expr, Name):
        return 1
    if isinstance(expr, Union):
        return sum(map(_size, expr.members))
    return 1 + sum(_size(item.expr) for item in expr.items)


def merged(state: State, node: Mapping[str, Any], place: Place) -> Mapping[str, Any]:
    """Return one schema instead of an `allOf`, noting what it does not say."""
    result: Mapping[str, Any] = {k: v for k, v in node.items() if k != "allOf"}
    for number, listed in enumerate(cast("list[Node]", node["allOf"])):
        spot = place.at("allOf", number)
        state.step(spot)
        member = state.resolve(listed)
        if isinstance(member, bool):
            if not member:
                state.check(spot, "false")
            continue
        _note_checked(state, member, spot)
        if "allOf" in member:
            member = merged(state, member, spot)
        result, exact = merge(result, member)
        if not exact:
            state.check(place, "allOf")
    state.keep.append(result)
    return result


def _alternatives(state: State, node: Mapping[str, Any], place: Place) -> Expr:
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    rest = {key: value for key, value in node.items() if key != keyword}
    branches = cast("list[Node]", node[keyword])
    types = types_of(node)
    siblings = rest.keys() - ANNOTATIONS - set(CHECKED) - {"type"}
    if siblings or not branches or (types and not all(map(_is_plain, branches))):
        state.check(place, keyword)
        return compile_type(state, rest, place)
    if types:
        pushed = [merge({"type": list(types)}, _plain(branch)) for branch in branches]
        branches = [branch for branch, _ in pushed]
        state.keep += branches
        if not all(exact for _, exact in pushed):
            state.check(place, keyword)
    resolved = [state.resolve(branch) for branch in branches]
    if keyword == "oneOf" and not _disjoint(resolved):
        state.check(place, keyword)
    exprs = [
        compile_type(state, branch, place.at(keyword, number))
        for number, branch in enumerate(branches)
    ]
    tag = _tag(resolved)
    if (
        tag
        and len({*exprs}) == len(exprs) > 1
        and all(_is_class(state, e) for e in exprs)
    ):
        return annotated(union(exprs), call("Field", discriminator=literal(tag)))
    return ANY if ANY in exprs else union(exprs)


def _is_plain(branch: Node) -> bool:
    composed = {"$ref", "allOf", "anyOf", "oneOf", "$id"}
    return isinstance(branch, Mapping) and not composed & branch.keys()


def _plain(branch: Node) -> Mapping[str, Any]:
    return branch if isinstance(branch, Mapping) else {}


def _is_class(state: State, expr: Expr) -> bool:
    if not isinstance(expr, Name):
        return False
    found = state.same.get(expr.code, expr)
    draft = state.drafts.get(found.code) if isinstance(found, Name) else None
    return draft is not None and draft.expr is None


def _disjoint(branches: list[Node]) -> bool:
    return all(_apart(one, two) for one, two in combinations(branches, 2))


def _apart(one: Node, two: Node) -> bool:
    """Tell whether no value can meet both schemas, as far as a quick look shows."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is False or two is False
    first, second = _values_of(one), _values_of(two)
    if first is not None and second is not None:
        return not first & second
    kinds, others = _kinds_of(one), _kinds_of(two)
    if kinds and others and not kinds & others:
        return True
    if kinds == others == {"object"}:
        return any(
            name_ in two.get("required", ())
            and _apart_at(members(one, "properties"), members(two, "properties"), name_)
            for name_ in one.get("required", ())
        )
    return False


def _apart_at(one: Mapping[str, Any], two: Mapping[str, Any], name_: str) -> bool:
    first, second = _values_of(one.get(name_, True)), _values_of(two.get(name_, True))
    return first is not None and second is not None and not first & second


def _kinds_of(node: Mapping[str, Any]) -> set[str]:
    kinds = set(types_of(node))
    return kinds | {"integer"} if "number" in kinds else kinds


def _values_of(node: Node) -> set[object] | None:
    if isinstance(node, bool) or not {"enum", "const"} & node.keys():
        return None
    listed = node["enum"] if "enum" in node else [node["const"]]
    return {json_key(value) for value in cast("list[object]", listed)}


def _tag(branches: list[Node]) -> str | None:
    """Return the field whose strings tell the objects of a union apart."""
    objects = [
        b for b in branches if isinstance(b, Mapping) and _kinds_of(b) == {"object"}
    ]
    if len(objects) < len(branches) or len(objects) == 1 or not _disjoint(branches):
        return None
    for wire in cast("list[str]", objects[0].get("required", [])):
        if all(_is_tag(node, wire) for node in objects):
            found = {field_names(members(n, "properties"))[wire] for n in objects}
            return found.pop() if len(found) == 1 else None
    return None


def _is_tag(node: Mapping[str, Any], wire: str) -> bool:
    values = _values_of(members(node, "properties").get(wire, True))
    strings = values is not None and all(
        isinstance(value, tuple) and value[0] is str for value in values
    )
    return strings and wire in node.get("required", ())
