"""Names the types that would be `Annotated` inside `Annotated`.

A bounded list of bounded texts is `Annotated[list[_Tag], Field(max_length=3)]`, after
`_Tag: TypeAlias = Annotated[String, Field(min_length=1)]`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    Name,
    Union,
    identifier,
    name,
    names,
    union,
)
from mcp_bindgen.python.literals import PyName
from mcp_bindgen.python.names import pascal
from mcp_bindgen.python.plurals import singular
from mcp_bindgen.render.field_types import is_wrapped
from mcp_bindgen.schema.classes import substitute
from mcp_bindgen.schema.ir import Alias, Object

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["with_part_names"]

_Parts: TypeAlias = "dict[Expr, tuple[Name, set[str]]]"
"""Each part to its placeholder, and to the words for it; inner parts come first."""


def with_part_names(types: Iterable[Object | Alias]) -> list[Object | Alias]:
    """Return the types of a module, and each part before the first that names it.

    The names are private: type checkers read a part as its type,
    and the parameters of functions say that type.

    Args:
        types: The types in the order of the module.
    """
    types = [*types]
    parts: _Parts = {}
    split = [_split_types(type_, parts) for type_ in types]
    if not parts:
        return types
    part_names = _part_names(parts)
    named: dict[str, Expr] = {p: identifier(n) for p, n in part_names.items()}
    aliases = [
        Alias(part_names[placeholder.code], substitute(part, named), recursive=False)
        for part, (placeholder, _) in parts.items()
    ]
    pairs = zip(types, split, strict=True)
    renamed = [
        _with_types(t, [substitute(e, named) for e in inner]) for t, inner in pairs
    ]
    return _ordered(renamed, aliases)


def _ordered(types: list[Object | Alias], aliases: list[Alias]) -> list[Object | Alias]:
    """Put each alias after its type: before all types, if that is no class."""
    positions = {str(type_.name): 2 * number for number, type_ in enumerate(types, 1)}
    for alias in aliases:
        named = (positions.get(used, 0) for used in names(alias.type))
        positions[alias.name] = max(named) | 1
    return sorted([*aliases, *types], key=lambda type_: positions[type_.name])


def _part_names(parts: _Parts) -> dict[str, PyName]:
    """Return a name for each placeholder, after the location of its part.

    A part with several locations is called after its kind.
    """
    part_names: dict[str, PyName] = {}
    for part, (placeholder, words) in parts.items():
        word = next(iter(words)) if len(words) == 1 else f"Bounded{_kind(part)}"
        choices = (PyName(f"_{word}{'' if n == 1 else n}") for n in count(1))
        taken = {*part_names.values()}
        part_names[placeholder.code] = next(c for c in choices if c not in taken)
    return part_names


def _kind(part: Expr) -> str:
    """Return the word for the kind of a part: `String`, `List`, `Union`."""
    if isinstance(part, Bracket):
        whole = part.items[0].expr if part.head == "Annotated" else None
        return _kind(whole) if whole else pascal(part.head)
    return "Union" if isinstance(part, Union) else pascal(part.code)


def _with_types(type_: Object | Alias, inner: list[Expr]) -> Object | Alias:
    """Return a type with other types of its fields, or for its own."""
    if isinstance(type_, Alias):
        return replace(type_, type=inner[0])
    pairs = zip(type_.fields, inner, strict=True)
    return replace(type_, fields=tuple(replace(f, type=expr) for f, expr in pairs))


def _split_types(type_: Object | Alias, parts: _Parts) -> list[Expr]:
    """Return the types of a class's fields, or an alias's, with placeholders."""
    if isinstance(type_, Alias):
        inside = type_.residual is not None and not _is_annotated(type_.type)
        return [_split(type_.type, type_.name, parts, inside=inside)]
    return [
        _split(field.type, pascal(field.name), parts, inside=is_wrapped(field))
        for field in type_.fields
    ]


def _split(expr: Expr, word: str, parts: _Parts, *, inside: bool) -> Expr:
    """Return a type with placeholders for its parts.

    Args:
        expr: The type.
        word: The name of a part at this location.
        parts: Gets the parts.
        inside: Whether the type is inside an `Annotated`.
    """
    if isinstance(expr, Name) or (isinstance(expr, Bracket) and expr.head == "Literal"):
        return expr
    if isinstance(expr, Union):
        return union([_split(m, word, parts, inside=inside) for m in expr.members])
    if not _is_annotated(expr):
        items = (
            item._replace(expr=_split(item.expr, inner, parts, inside=inside))
            for item, inner in zip(expr.items, _inner_words(expr, word), strict=True)
        )
        return expr._replace(items=tuple(items))
    whole, *extras = expr.items
    inner = Item(_split(whole.expr, word, parts, inside=True))
    split = expr._replace(items=(inner, *extras))
    if not inside:
        return split
    placeholder, words = parts.setdefault(split, (name(f"part__{len(parts)}"), set()))
    words.add(word)
    return placeholder


def _is_annotated(expr: Expr) -> bool:
    return isinstance(expr, Bracket) and expr.head == "Annotated"


def _inner_words(expr: Bracket, word: str) -> list[str]:
    """Return the word for each type inside a generic type."""
    if expr.head == "dict":
        return [f"{word}Key", f"{word}Value"]
    return [singular(word) or f"{word}Item"] * len(expr.items)
