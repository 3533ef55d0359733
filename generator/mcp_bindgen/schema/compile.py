"""One root schema to the named types that are written for it."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.limits import Budget
from mcp_bindgen.python.expressions import Expr, Name, identifier
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.classes import name_drafts, substitute, write_drafts
from mcp_bindgen.schema.compiler import compile_root, compile_type
from mcp_bindgen.schema.context import CompileContext, Location, UnionKey, Word
from mcp_bindgen.schema.definitions import named_definitions
from mcp_bindgen.schema.document import Document, canonical
from mcp_bindgen.schema.ir import Alias, Field, Note, Object
from mcp_bindgen.schema.node import SchemaError
from mcp_bindgen.schema.order import as_declared
from mcp_bindgen.schema.prune import prune
from mcp_bindgen.schema.residual import check_residual
from mcp_bindgen.schema.size import weigh_schema, weigh_types
from mcp_bindgen.schema.union_cost import costly_unions
from mcp_bindgen.schema.unread_patterns import unread_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

__all__ = [
    "CompiledSchema",
    "compile_arguments",
    "compile_result",
    "within",
]


@dataclass(frozen=True, slots=True)
class CompiledSchema:
    """The types of one root schema.

    Attributes:
        root: The type of the whole schema; one of `types`.
        types: All of them, in the order that they are written.
        notes: Facts that surprise a reader.
    """

    root: Object | Alias
    types: tuple[Object | Alias, ...]
    notes: tuple[Note, ...]


def compile_arguments(
    schema: Mapping[str, Any], stem: str, budget: Budget | None = None
) -> CompiledSchema:
    """Return the types of an input schema; the root is always a class.

    Args:
        schema: The tool's `inputSchema`.
        stem: The beginning of the names of the tool's classes.
        budget: Counts the steps; by default, up to the default limits.

    Raises:
        SchemaError: It cannot become types; the pointer leads into the tool.
    """
    class_ = PyName(f"{stem}Arguments")
    with within("/inputSchema"):
        location = Location("", (Word(stem, stem),))
        context, root = _compile(
            schema,
            "a",
            budget or Budget(),
            lambda context: compile_root(context, location),
        )
    taken = frozenset({f"{stem}Result"})
    class_names = name_drafts(context, taken, {_placeholder(root): class_}, "")
    named = _Named(context, root, class_names, class_, "/inputSchema")
    return _bare(named) if context.budget.bare else _finish(named)


def compile_result(
    schema: Mapping[str, Any],
    stem: str,
    taken: frozenset[str],
    budget: Budget | None = None,
    base: str = "/outputSchema",
) -> CompiledSchema:
    """Return the types of an output schema; the root may be any type.

    Args:
        schema: The tool's `outputSchema`, or one that was inferred.
        stem: The beginning of the names of the tool's classes.
        taken: Names of the tool's other classes.
        budget: Counts the steps; by default, up to the default limits.
        base: The pointer of the schema in the tool.

    Raises:
        SchemaError: It cannot become types; the pointer leads into the tool.
    """
    class_ = PyName(f"{stem}Result")
    with within(base):
        location, whole = Location("", (Word(stem, stem),)), {"$ref": "#"}
        context, root = _compile(
            schema,
            "r",
            budget or Budget(),
            lambda context: compile_type(context, whole, location),
        )
    is_draft = _placeholder(root) in context.drafts
    roots = {_placeholder(root): class_} if is_draft else {}
    suffix = "" if is_draft else "Result"
    class_names = name_drafts(context, taken | {class_}, roots, suffix)
    named = _Named(context, root, class_names, class_, base)
    return _bare(named) if context.budget.bare else _finish(named)


def _compile(
    schema: Mapping[str, Any],
    role: str,
    budget: Budget,
    compile_: Callable[[CompileContext], Expr],
) -> tuple[CompileContext, Expr]:
    """Compile a schema; once more without unions that cost pydantic too much.

    Raises:
        SchemaError: It cannot become types.
    """
    document = Document.read(schema, weigh_schema(schema, budget))
    definitions = named_definitions(document)
    costly: Counter[UnionKey] = Counter()
    while True:
        context = CompileContext(document, role, budget, definitions, costly)
        root = substitute(compile_(context), context.settled)
        more = costly_unions(context, root)
        if not more:
            context.drafts = as_declared(context, root)
            return context, root
        costly.update(more)


class _Named(NamedTuple):
    """A compiled schema, and the names of its classes."""

    context: CompileContext
    root: Expr
    class_names: Mapping[str, PyName]
    class_: PyName
    base: str


def _finish(named: _Named) -> CompiledSchema:
    """Write the drafts under their names; the root carries residual validation."""
    context, root, class_names, class_, base = named
    types = write_drafts(context, class_names)
    with within(base):
        schema = _residual(context)
    if _placeholder(root) in class_names:
        types = [
            replace(type_, residual=schema) if type_.name == class_ else type_
            for type_ in types
        ]
    else:
        types.append(replace(_alias(named), residual=schema))
    whole = next(type_ for type_ in types if type_.name == class_)
    with within(base):
        weigh_types(types, context.size, context.limits)
    notes = tuple(_notes(context, base, types, class_names))
    return CompiledSchema(whole, tuple(types), notes)


def _bare(named: _Named) -> CompiledSchema:
    """Write the drafts without docs, formats and residual validation."""
    context, root, class_names, class_, base = named
    types = write_drafts(context, class_names)
    if _placeholder(root) not in class_names:
        types.append(_alias(named))
    whole = next(type_ for type_ in types if type_.name == class_)
    with within(base):
        if context.residual:
            check_residual(context.document, prune(context.document))
        weigh_types(types, context.size, context.limits)
    return CompiledSchema(whole, tuple(types), ())


def _alias(named: _Named) -> Alias:
    """Return the type of a root that has no class itself."""
    identifiers = {p: identifier(name) for p, name in named.class_names.items()}
    return Alias(named.class_, substitute(named.root, identifiers), recursive=False)


def _placeholder(expr: Expr) -> str:
    return expr.code if isinstance(expr, Name) else ""


def _residual(context: CompileContext) -> WireStr | None:
    """Return the schema of residual validation, if types do not say all.

    Raises:
        SchemaError: It refers to a schema outside, or to nothing.
    """
    if not context.residual:
        return None
    text = canonical(prune(context.document))
    check_residual(context.document, json.loads(text))
    return WireStr(text)


@contextmanager
def within(pointer: str) -> Generator[None, None, None]:
    """Put the pointer of a schema before those of its errors."""
    try:
        yield
    except SchemaError as error:
        error.pointer = pointer + error.pointer
        raise


def _notes(
    context: CompileContext,
    base: str,
    types: list[Object | Alias],
    class_names: Mapping[str, PyName],
) -> list[Note]:
    notes = [
        Note("residual", base + pointer, keyword)
        for pointer, keyword in context.residual.items()
    ]
    notes += [
        Note("not-enforced", base + pointer, reason)
        for pointer, reason in unread_patterns(context.document).items()
    ]
    pointers = {
        class_names[placeholder]: draft.location.pointer
        for placeholder, draft in context.drafts.items()
    }
    return notes + [
        Note("renamed", base + _pointer(context, pointers[type_.name], f), f.name)
        for type_ in types
        if isinstance(type_, Object)
        for f in type_.fields
        if f.name != f.wire.text
    ]


def _pointer(context: CompileContext, pointer: str, field: Field) -> str:
    """Return the pointer of a property; of a merged one, that of the `allOf`."""
    property_ = child(pointer, "properties", field.wire.text)
    try:
        context.document.at(property_)
    except SchemaError:
        return pointer
    return property_
