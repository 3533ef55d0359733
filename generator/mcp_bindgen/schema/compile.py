"""One root schema to the named types that are written for it."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.deadline import Tick, never
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.python.expressions import Expr, Name
from mcp_bindgen.python.literals import Code, PyName, WireStr
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.validation.schema import Schema
from mcp_bindgen.schema.classes import (
    name_drafts,
    residual,
    substitute,
    write_drafts,
)
from mcp_bindgen.schema.compiler import compile_root, compile_type
from mcp_bindgen.schema.context import Place, State, Union_
from mcp_bindgen.schema.document import Document, SchemaError
from mcp_bindgen.schema.ir import Alias, Field, Note, Object
from mcp_bindgen.schema.size import weigh_schema, weigh_types
from mcp_bindgen.schema.union_cost import costly_unions
from mcp_bindgen.schema.unread_patterns import unread_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

__all__ = [
    "UNBOUND",
    "Bounds",
    "Rooted",
    "compile_arguments",
    "compile_result",
    "within",
]


class Bounds(NamedTuple):
    """How much may be done for one schema, and what to call while it is done."""

    limits: Limits
    tick: Tick


UNBOUND = Bounds(DEFAULT, never)


@dataclass(frozen=True, slots=True)
class Rooted:
    """The types of one root schema.

    Attributes:
        root: The type of the whole; one of `types`.
        types: All of them, in the order they are written.
        notes: What is not as a reader would expect.
    """

    root: Object | Alias
    types: tuple[Object | Alias, ...]
    notes: tuple[Note, ...]


def compile_arguments(
    schema: Mapping[str, Any], stem: str, bounds: Bounds = UNBOUND
) -> Rooted:
    """Return the types of an input schema; the root is always a class.

    Args:
        schema: The tool's `inputSchema`.
        stem: What the tool's classes begin with.
        bounds: How much may be done.

    Raises:
        SchemaError: Nothing can be made of it; the pointer leads into the tool.
    """
    class_ = PyName(f"{stem}Arguments")
    with within("/inputSchema"):
        place = Place("", (stem,))
        state, final = _compiled(
            schema, "a", bounds, lambda state: compile_root(state, place)
        )
    taken = frozenset({f"{stem}Result"})
    named = name_drafts(state, taken, {_mark(final): class_}, "")
    return _rooted(state, final, named, class_, "/inputSchema")


def compile_result(
    schema: Mapping[str, Any],
    stem: str,
    taken: frozenset[str],
    bounds: Bounds = UNBOUND,
    base: str = "/outputSchema",
) -> Rooted:
    """Return the types of an output schema, whatever its root is.

    Args:
        schema: The tool's `outputSchema`, or one that was inferred.
        stem: What the tool's classes begin with.
        taken: Names of the tool's other classes.
        bounds: How much may be done.
        base: Where in the tool the schema stands.

    Raises:
        SchemaError: Nothing can be made of it; the pointer leads into the tool.
    """
    class_ = PyName(f"{stem}Result")
    with within(base):
        place, whole = Place("", (stem,)), {"$ref": "#"}
        state, final = _compiled(
            schema, "r", bounds, lambda state: compile_type(state, whole, place)
        )
    is_class = _mark(final) in state.drafts
    roots = {_mark(final): class_} if is_class else {}
    suffix = "" if is_class else "Result"
    named = name_drafts(state, taken | {class_}, roots, suffix)
    return _rooted(state, final, named, class_, base)


def _compiled(
    schema: Mapping[str, Any],
    role: str,
    bounds: Bounds,
    compile_: Callable[[State], Expr],
) -> tuple[State, Expr]:
    """Compile a schema, again without the unions that let pydantic try too much.

    Raises:
        SchemaError: Nothing can be made of it.
    """
    weigh_schema(schema, bounds.limits)
    document = Document.read(schema)
    costly: Counter[Union_] = Counter()
    while True:
        state = State(document, role, bounds.limits, bounds.tick, costly)
        final = substitute(compile_(state), state.same)
        found = costly_unions(state, final)
        if not found:
            _try_schema(state)
            return state, final
        costly.update(found)


def _rooted(
    state: State, final: Expr, named: Mapping[str, PyName], class_: PyName, base: str
) -> Rooted:
    types = write_drafts(state, named)
    step = residual(state)
    if _mark(final) in named:
        types = [_with_step(type_, class_, step) for type_ in types]
    else:
        places: dict[str, Expr] = {m: Name(Code(n)) for m, n in named.items()}
        types.append(
            Alias(class_, substitute(final, places), recursive=False, residual=step)
        )
    root = next(type_ for type_ in types if type_.name == class_)
    with within(base):
        weigh_types(types, state.nodes, state.limits)
    return Rooted(root, tuple(types), tuple(_notes(state, base, types, named)))


def _mark(expr: Expr) -> str:
    return expr.code if isinstance(expr, Name) else ""


def _with_step(
    type_: Object | Alias, root: PyName, schema: WireStr | None
) -> Object | Alias:
    return replace(type_, residual=schema) if type_.name == root else type_


def _try_schema(state: State) -> None:
    """Compile residual validation once, so that a package never meets a bad schema.

    Raises:
        SchemaError: It refers to something outside.
    """
    if state.checked:
        try:
            Schema(state.document.root)
        except ValueError as error:
            raise SchemaError("", str(error)) from error


@contextmanager
def within(pointer: str) -> Generator[None, None, None]:
    """Put the pointer of a schema before those of its errors."""
    try:
        yield
    except SchemaError as error:
        error.pointer = pointer + error.pointer
        raise


def _notes(
    state: State,
    base: str,
    types: list[Object | Alias],
    named: Mapping[str, PyName],
) -> list[Note]:
    notes = [
        Note("residual", base + pointer, keyword)
        for pointer, keyword in state.checked.items()
    ]
    notes += [
        Note("not-enforced", base + pointer, reason)
        for pointer, reason in unread_patterns(state.document.root).items()
    ]
    places = {named[mark]: draft.place.pointer for mark, draft in state.drafts.items()}
    return notes + [
        Note("renamed", base + _property(state, places[type_.name], field), field.name)
        for type_ in types
        if isinstance(type_, Object)
        for field in type_.fields
        if field.name != field.wire.text
    ]


def _property(state: State, pointer: str, field: Field) -> str:
    """Return where a property stands; where it was merged from, what merges it."""
    found = child(pointer, "properties", field.wire.text)
    try:
        state.document.at(found)
    except SchemaError:
        return pointer
    return found
