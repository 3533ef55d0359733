"""The types of one property: as a model's field, and as a parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    annotated,
    name,
    union,
    wire_name,
)
from mcp_bindgen.python.literals import Code
from mcp_bindgen.render.class_paths import reached
from mcp_bindgen.schema.classes import plain, substitute
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from mcp_bindgen.schema.ir import Alias, Field, Tool

__all__ = ["LIKES", "MISSING", "accepted_type", "field_type", "is_wrapped"]
__all__ += ["with_likes"]

MISSING = name("MISSING")

# Format of a text to the type of a parameter that takes it.
LIKES = {
    "date": "DateLike",
    "date-time": "DateTimeLike",
    "time": "TimeLike",
    "uuid": "UuidLike",
    "path": "PathTextLike",
    "file-path": "PathTextLike",
    "directory-path": "PathTextLike",
    "decimal": "DecimalLike",
}


def field_type(field: Field) -> Expr:
    """Return the annotation of a model's field."""
    if field.regular:
        return field.type if field.required else union([field.type, MISSING])
    type_, bounds = _without_bounds(field.type)
    type_ = type_ if field.required else union([type_, MISSING])
    items = (Item(wire_name(field.wire), Code("alias=")), *bounds)
    return annotated(type_, Bracket("Field", "()", items))


def is_wrapped(field: Field) -> bool:
    """Return whether a model's field puts its type into an `Annotated` of its own."""
    return not field.regular and not _without_bounds(field.type)[1]


def _without_bounds(type_: Expr) -> tuple[Expr, tuple[Item, ...]]:
    """Return a type without its `Field`, and the arguments of that.

    Pydantic applies bounds beside an alias to the type, and not to `MISSING`.
    """
    match type_:
        case Bracket("Annotated", _, (inner, Item(Bracket("Field", _, bounds)))):
            is_union = any(bound.prefix == "discriminator=" for bound in bounds)
            return (type_, ()) if is_union else (inner.expr, bounds)
        case _:
            return type_, ()


def accepted_type(field: Field) -> Expr:
    """Return the type of a parameter; one with a format also takes dates, UUIDs etc."""
    return _with_like(plain(field.type), field.format)


def with_likes(tool: Tool) -> list[Object | Alias]:
    """Return a tool's types; those of arguments alone take dates, UUIDs and the like.

    A result is read, and there a text is a `str`.

    Args:
        tool: The tool.
    """
    if not any(_has_format(type_) for type_ in tool.types):
        return [*tool.types]
    returned = {*reached(tool, str(tool.result or ""))}
    return [
        (
            replace(type_, fields=tuple(map(_taking_more, type_.fields)))
            if isinstance(type_, Object) and type_.name not in returned
            else type_
        )
        for type_ in tool.types
    ]


def _has_format(type_: Object | Alias) -> bool:
    return isinstance(type_, Object) and any(field.format for field in type_.fields)


def _taking_more(field: Field) -> Field:
    return replace(field, type=_with_like(field.type, field.format))


def _with_like(type_: Expr, format_: str) -> Expr:
    """Return a type of texts with the type that takes more in place of `str`."""
    if not format_:
        return type_
    texts = {text: name(LIKES[format_]) for text in ("str", "String")}
    return substitute(type_, texts)
