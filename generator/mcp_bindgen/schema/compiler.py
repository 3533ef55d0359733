"""One schema to one type: what pydantic can say, and a note of what it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from mcp_bindgen.python.expressions import Expr, Name, Union, name, names, union
from mcp_bindgen.python.names import class_words
from mcp_bindgen.runtime.json_pointer import child, steps
from mcp_bindgen.schema.all_of import compared, merge
from mcp_bindgen.schema.classes import substitute
from mcp_bindgen.schema.containers import compile_array, compile_object, draft_object
from mcp_bindgen.schema.context import ANY, CHECKED, PLAIN, Draft, Place, State
from mcp_bindgen.schema.document import EFFECTIVE, Node, SchemaError, types_of
from mcp_bindgen.schema.scalars import compile_enum, compile_number, compile_string
from mcp_bindgen.schema.size import size
from mcp_bindgen.schema.unions import compile_alternatives

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
        if resolved is node or isinstance(resolved, bool) or _is_apart(resolved):
            state.check(place, "$ref")
            node = dict[str, Any]() if state.document.is_draft7 else node
        else:
            node = resolved
            _note_checked(state, node, place)
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
    state.enter(place)
    expr = _compile(state, node, place)
    state.leave()
    return expr


def _compile(state: State, node: Node, place: Place) -> Expr:
    if isinstance(node, bool):
        if not node:
            state.check(place, "false")
        return ANY
    _note_checked(state, node, place)
    if place.pointer and _is_apart(node):
        state.check(place, "$id")
        return ANY
    if "$ref" in node:
        return _ref(state, node, place)
    if "enum" in node or "const" in node:
        return compile_enum(state, node, place)
    if "allOf" in node:
        alone = _alone(node)
        if alone is not None:
            return compile_type(state, alone, place.at("allOf", 0))
        return compile_type(state, merged(state, node, place), place)
    if "anyOf" in node or "oneOf" in node:
        return compile_alternatives(state, node, place, compile_type)
    types = types_of(node)
    if not types and _NARROWING & node.keys():
        state.check(place, "type")
    kept = [t for t in types if not (t == "integer" and "number" in types)]
    return union([_typed(state, node, place, one) for one in kept]) if kept else ANY


def _is_apart(node: Mapping[str, Any]) -> bool:
    """Tell whether references in a schema mean what is in that schema alone."""
    return "$id" in node and not str(node["$id"]).startswith("#")


def _note_checked(state: State, node: Mapping[str, Any], place: Place) -> None:
    for keyword in CHECKED:
        if keyword in node and not (keyword in ("then", "else") and "if" not in node):
            state.check(place, keyword)


def _alone(node: Mapping[str, Any]) -> Node | None:
    """Return the reference that an `allOf` only wraps, so that it keeps its class."""
    listed = cast("list[Node]", node["allOf"])
    if len(listed) > 1 or node.keys() & EFFECTIVE != {"allOf"}:
        return None
    only = listed[0] if listed else True
    return only if isinstance(only, Mapping) and "$ref" in only else None


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
    if node.keys() & EFFECTIVE != {"$ref"} and not state.document.is_draft7:
        state.check(place, "$ref")
    try:
        found = state.document.target(node["$ref"])
    except SchemaError as error:
        error.pointer = child(place.pointer, "$ref")
        raise
    if found is None:
        state.check(place, "$ref")
        return ANY
    pointer, target = found
    if pointer in state.refs:
        return state.refs[pointer]
    mark = state.mark()
    state.refs[pointer] = stand_in = name(mark)
    last = class_words("".join(steps(pointer)[-1:]))
    start = Place(pointer, (last,) if last else place.path)
    # By now, what stood for types inside may stand for this one.
    expr = substitute(compile_type(state, target, start), state.same)
    expr = _without(expr, stand_in, place)
    if isinstance(expr, Name) and expr.code in state.drafts:
        state.same[mark] = expr
    elif (recursive := _uses(state, mark, expr)) or size(expr, {}) > INLINE:
        # A type that holds itself needs a name; a large one deserves one.
        state.drafts[mark] = Draft(mark, start, "", {}, expr, recursive=recursive)
        return stand_in
    else:
        # Types that were made meanwhile may hold the stand-in.
        state.same[mark] = expr
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


def merged(state: State, node: Mapping[str, Any], place: Place) -> Mapping[str, Any]:
    """Return one schema instead of an `allOf`, noting what it does not say."""
    result: Mapping[str, Any] = {k: v for k, v in node.items() if k != "allOf"}
    members = cast("list[Node]", node["allOf"])
    if len(members) > state.limits.branches:
        state.check(place, "allOf")
        return result
    state.enter(place)
    seen: set[int] = set()
    for number, listed in enumerate(members):
        spot = place.at("allOf", number)
        member = state.resolve(listed)
        if isinstance(member, bool):
            if not member:
                state.check(spot, "false")
            continue
        if _is_apart(member):
            state.check(spot, "$id")
            continue
        if id(member) in seen:
            continue
        seen.add(id(member))
        _note_checked(state, member, spot)
        if "allOf" in member:
            member = merged(state, member, spot if member is listed else place)
        state.spend(spot, compared(result, member))
        result, exact = merge(result, member)
        if not exact:
            state.check(place, "allOf")
    state.leave()
    state.keep.append(result)
    return result
