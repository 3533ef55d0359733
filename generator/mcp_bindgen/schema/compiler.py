"""One schema to one type, and a note of each rule that pydantic cannot express."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from mcp_bindgen.python.expressions import Expr, Name, Union, name, names, union
from mcp_bindgen.schema.all_of import merge_all
from mcp_bindgen.schema.classes import substitute
from mcp_bindgen.schema.containers import compile_array, compile_object, draft_object
from mcp_bindgen.schema.context import (
    ANY,
    PLAIN,
    ClassDraft,
    CompileContext,
    Location,
    Word,
)
from mcp_bindgen.schema.keywords import EFFECTIVE, NARROWING, SHAPING
from mcp_bindgen.schema.node import Node, SchemaError, is_resource, types_of
from mcp_bindgen.schema.scalars import compile_enum, compile_number, compile_string
from mcp_bindgen.schema.size import size
from mcp_bindgen.schema.unions import compile_alternatives

__all__ = ["compile_root", "compile_type"]

# All types, containers first.
TYPES = ("object", "array", "string", "number", "boolean", "null")
# Names in a type; one that has more, and that several references lead to, is named.
_INLINE = 40


def compile_root(context: CompileContext, location: Location) -> Expr:
    """Return the class of a tool's arguments.

    Arguments are always an object (MCP, `CallToolRequest`), also if the schema is not.

    Raises:
        SchemaError: The schema allows no object.
    """
    node = context.document.root
    context.references[""] = root = name(context.new_placeholder())
    context.note_residual(node, location)
    if "$ref" in node:
        node = _resolved_root(context, node, location)
    if "allOf" in node:
        node = merge_all(context, node, location)
    for keyword in ("anyOf", "oneOf", "enum", "const", "$ref"):
        if keyword in node:
            context.check(location, keyword)
    types = types_of(node)
    if types and "object" not in types:
        message = f"expected arguments of type object, got {' or '.join(types)}"
        raise SchemaError("/type", message)
    expr = draft_object(context, node, location, compile_type)
    context.settled[root.code] = expr
    return expr


def _resolved_root(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Mapping[str, Any]:
    """Return the schema of a root with a `$ref`, as far as types can express it."""
    target = context.resolve(node)
    is_alone = target is not node or context.document.is_draft7
    if not is_alone and context.document.target(node["$ref"]) is not None:
        # Beside other keywords, it is one more member of an `allOf`.
        rest = {key: value for key, value in node.items() if key != "$ref"}
        parts = [{"$ref": node["$ref"]}, *rest.get("allOf", ())]
        return {**rest, "allOf": parts}
    if target is node or isinstance(target, bool) or is_resource(target):
        context.check(location, "$ref")
        # Until draft 7, keywords beside a reference have no effect.
        return dict[str, Any]() if context.document.is_draft7 else node
    context.note_residual(target, location)
    return target


def compile_type(context: CompileContext, node: Node, location: Location) -> Expr:
    """Return the type of a schema; it allows all that the schema allows.

    Where it allows more, the context's `residual` has the keyword.

    Raises:
        SchemaError: The schema refers to nothing, to itself alone, or is too large.
    """
    context.enter(location)
    if isinstance(node, bool):
        if not node:
            context.check(location, "false")
        expr: Expr = ANY
    else:
        context.note_residual(node, location)
        expr = _compile_by_keyword(context, node, location)
    context.leave()
    return expr


def _compile_by_keyword(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Expr:
    """Return the type that the strongest keyword of a schema gives it."""
    if location.pointer and is_resource(node):
        context.check(location, "$id")
        return ANY
    if "$ref" in node:
        return _compile_reference(context, node, location)
    if "enum" in node or "const" in node:
        return compile_enum(context, node, location)
    if "allOf" in node:
        only = _only_reference(node)
        if only is not None:
            return compile_type(context, only, location.at("allOf", 0))
        return compile_type(context, merge_all(context, node, location), location)
    if "anyOf" in node or "oneOf" in node:
        return compile_alternatives(context, node, location, compile_type)
    return _compile_types(context, node, location)


def _only_reference(node: Mapping[str, Any]) -> Node | None:
    """Return the reference that an `allOf` only wraps, so that it keeps its class."""
    parts = cast("list[Node]", node["allOf"])
    if len(parts) > 1 or node.keys() & EFFECTIVE != {"allOf"}:
        return None
    only = parts[0] if parts else True
    return only if isinstance(only, Mapping) and "$ref" in only else None


def _compile_types(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Expr:
    """Return the union of the types that a schema names."""
    types = types_of(node)
    if not types and SHAPING & node.keys():
        # Only its objects or arrays have this shape; values of other types pass.
        types = TYPES
    elif not types and NARROWING & node.keys():
        context.check(location, "type")
    # A number may be an integer too.
    types = tuple(t for t in types if t != "integer" or "number" not in types)
    if len(types) == 1:
        return _compile_one_type(context, node, location, types[0])
    exprs = {t: _compile_one_type(context, node, location, t) for t in sorted(types)}
    return union([exprs[type_] for type_ in types]) if types else ANY


def _compile_one_type(
    context: CompileContext, node: Mapping[str, Any], location: Location, type_: str
) -> Expr:
    if type_ in {"integer", "number"}:
        return compile_number(context, node, location, type_)
    if type_ == "string":
        return compile_string(context, node, location)
    if type_ == "array":
        return compile_array(context, node, location, compile_type)
    if type_ == "object":
        return compile_object(context, node, location, compile_type)
    return PLAIN[type_]


def _compile_reference(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Expr:
    """Return the type that a `$ref` leads to, compiled once for all references."""
    if node.keys() & EFFECTIVE != {"$ref"} and not context.document.is_draft7:
        context.check(location, "$ref")
    target = context.document.target(node["$ref"])
    if target is None:
        context.check(location, "$ref")
        return ANY
    pointer, schema = target
    if pointer not in context.references:
        placeholder = name(context.new_placeholder())
        # Noted before the schema is compiled: it may refer to itself.
        context.references[pointer] = placeholder
        own_name = context.definitions.get(pointer)
        path = location.path if own_name is None else (Word(own_name, own_name),)
        start = Location(pointer, path)
        expr = compile_type(context, schema, start)
        expr = _without_itself(substitute(expr, context.settled), placeholder, location)
        context.references[pointer] = _settle(context, placeholder, expr, start)
    return context.references[pointer]


def _settle(
    context: CompileContext, placeholder: Name, expr: Expr, location: Location
) -> Expr:
    """Return the type of a placeholder, or the placeholder where it needs a name."""
    code = placeholder.code
    is_draft = isinstance(expr, Name) and expr.code in context.drafts
    # A recursive type needs a name, unless its only class has one; so does a large one.
    classes = sum(used in context.drafts for used in names(expr))
    recursive = not is_draft and _uses(context, code, expr, in_classes=classes > 1)
    if recursive or (not is_draft and size(expr, {}) > _INLINE):
        draft = ClassDraft(code, location, {}, expr, recursive=recursive)
        context.drafts[code] = draft
        return placeholder
    # Types that were made meanwhile may hold the placeholder.
    context.settled[code] = expr
    return expr


def _without_itself(expr: Expr, placeholder: Name, location: Location) -> Expr:
    """Return a type without itself as a member, which allows nothing more.

    Raises:
        SchemaError: There is no other member.
    """
    if expr == placeholder:
        raise SchemaError(location.pointer, "this $ref leads only to itself")
    if isinstance(expr, Union) and placeholder in expr.members:
        return union([member for member in expr.members if member != placeholder])
    return expr


def _uses(
    context: CompileContext, placeholder: str, expr: Expr, *, in_classes: bool
) -> bool:
    """Return whether a placeholder is in a type, or in one that it names.

    Args:
        context: The compiled schema.
        placeholder: The placeholder.
        expr: The type.
        in_classes: Whether to look at the fields of classes.
    """
    pending, visited = [expr], set[str]()
    while pending:
        for used in names(pending.pop()):
            if used == placeholder:
                return True
            draft = context.drafts.get(used)
            if draft is not None and used not in visited:
                visited.add(used)
                pending += [field.type for field in draft.fields if in_classes]
                pending += [draft.type] if draft.type is not None else []
    return False
