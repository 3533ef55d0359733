"""Names the class drafts of one schema and turns them into types to be written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    Name,
    Union,
    annotated,
    call,
    identifier,
    literal,
    name,
    names,
    union,
)
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.python.names import LIMIT, digests, field_names
from mcp_bindgen.python.reserved import CLASSES
from mcp_bindgen.runtime.validation.wire_names import camel, kebab, pascal
from mcp_bindgen.schema.describe import default_of, describe, text_format
from mcp_bindgen.schema.ir import Alias, Field, Object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mcp_bindgen.schema.context import ClassDraft, CompileContext
    from mcp_bindgen.schema.node import Node

__all__ = ["checked_type", "name_drafts", "plain", "substitute"]
__all__ += ["write_drafts"]

# Bases of the runtime to the rule by which they turn a field's name into its wire name.
_RULES: Mapping[str, Callable[[str], str]] = {
    "Model": str,
    "CamelModel": camel,
    "PascalModel": pascal,
    "KebabModel": kebab,
}
_LONG = 45  # characters of a name that a reader takes in at a glance
_PLAIN = {"String": "str", "Integer": "int", "Number": "float", "Boolean": "bool"}


def name_drafts(
    context: CompileContext,
    taken: frozenset[str],
    roots: Mapping[str, PyName],
    suffix: str,
) -> dict[str, PyName]:
    """Give every draft a class name that depends on this tool alone.

    A class is called after its place; where two would be called the same, both are
    called after the longer way to them.

    Args:
        context: The compiled schema.
        taken: Names that other classes of the tool have.
        roots: Names that are settled: that of the root, by its placeholder.
        suffix: The end of all names, to tell them from other classes of the tool; may
            be "".
    """
    settled = dict(roots)
    used = CLASSES | taken | frozenset(roots.values())
    choices = {
        placeholder: _choices(draft, suffix)
        for placeholder, draft in context.drafts.items()
        if placeholder not in settled
    }
    claimed = {placeholder: next(names_) for placeholder, names_ in choices.items()}
    while claimed:
        claims = Counter(claimed.values())
        refused: list[str] = []
        for placeholder, choice in claimed.items():
            if claims[choice] == 1 and choice and choice not in used:
                settled[placeholder] = PyName(choice)
            else:
                refused.append(placeholder)
        used |= frozenset(settled.values())
        claimed = {placeholder: next(choices[placeholder]) for placeholder in refused}
    return settled


def _choices(draft: ClassDraft, suffix: str) -> Iterator[str]:
    """Yield names for a class: the shortest first, then without end."""
    whole = "".join(word.exact for word in draft.location.path)
    for words in draft.location.names():
        short = _joined([word.short for word in words])
        exact = _joined([word.exact for word in words])
        for name_ in dict.fromkeys((short, exact)):
            yield name_[:LIMIT]
            if suffix:
                yield f"{name_}{suffix}"[:LIMIT]
    yield f"{whole}Model"[:LIMIT]
    stem = (whole or "Model")[: LIMIT - 12]
    # No pointer: it follows the order of a union's branches.
    yield from (f"{stem}X{digits}" for digits in digests(draft.placeholder))


def _joined(words: list[str]) -> str:
    """Return a name; a long one counts a word that repeats, as `FolderItem7`."""
    name_ = "".join(words)
    if len(name_) <= _LONG:
        return name_
    runs = [(word, len([*run])) for word, run in groupby(words)]
    return "".join(word if times == 1 else f"{word}{times}" for word, times in runs)


def substitute(
    expr: Expr, types: Mapping[str, Expr], resolved: dict[str, Expr] | None = None
) -> Expr:
    """Return a type with names, or whole types, instead of placeholders.

    Args:
        expr: The type.
        types: Placeholder to its type, which may hold placeholders that were settled
            later.
        resolved: Collects the type of each placeholder, for the next call.
    """
    resolved = {} if resolved is None else resolved
    if isinstance(expr, Name):
        if expr.code not in types:
            return expr
        if expr.code not in resolved:
            resolved[expr.code] = substitute(types[expr.code], types, resolved)
        return resolved[expr.code]
    if isinstance(expr, Union):
        return union([substitute(member, types, resolved) for member in expr.members])
    items = (Item(substitute(i.expr, types, resolved), i.prefix) for i in expr.items)
    return Bracket(expr.head, expr.brackets, tuple(items))


def plain(expr: Expr) -> Expr:
    """Return a type as type checkers show it, without pydantic's annotations."""
    if isinstance(expr, Name):
        return name(_PLAIN.get(expr.code, expr.code))
    if isinstance(expr, Union):
        members = dict.fromkeys(plain(member) for member in expr.members)
        if name("float") in members:  # To type checkers, an int is a float too.
            members.pop(name("int"), None)
        return union([*members])
    if expr.head == "Annotated":
        return plain(expr.items[0].expr)
    if expr.head == "Literal":
        return expr
    items = tuple(Item(plain(item.expr), item.prefix) for item in expr.items)
    return Bracket(expr.head, expr.brackets, items)


def write_drafts(
    context: CompileContext, class_names: Mapping[str, PyName]
) -> list[Object | Alias]:
    """Return the types of a schema in the order that a module needs.

    Args:
        context: The compiled schema.
        class_names: Placeholder to name, for every draft.
    """
    identifiers = {p: identifier(name_) for p, name_ in class_names.items()}
    types = {**context.settled, **identifiers}
    write = _bare_object if context.budget.bare else _object
    written = [
        (
            write(context, draft, class_names[placeholder], types)
            if draft.type is None
            else Alias(
                class_names[placeholder],
                substitute(draft.type, types),
                draft.recursive,
            )
        )
        for placeholder, draft in context.drafts.items()
    ]
    aliases = {t.name: t for t in written if isinstance(t, Alias)}
    return _ordered(
        replace(t, type=_without_circle(t, aliases)) if isinstance(t, Alias) else t
        for t in written
    )


def _without_circle(alias: Alias, aliases: Mapping[PyName, Alias]) -> Expr:
    """Return an alias's type without members that lead back to the alias itself.

    Type checkers know no such types, and pydantic's memory has no end on them.
    """
    pending, visited = [alias.type], {alias.name}
    leaves: list[Expr] = []
    has_circle = False
    while pending:
        expr = pending.pop()
        for member in expr.members if isinstance(expr, Union) else (expr,):
            inner = PyName(member.code) if isinstance(member, Name) else PyName("")
            has_circle = has_circle or inner == alias.name
            if inner not in aliases:
                leaves.append(member)
            elif inner not in visited:
                visited.add(inner)
                pending.append(aliases[inner].type)
    return union(leaves) if has_circle and leaves else alias.type


def _bare_object(
    _: CompileContext, draft: ClassDraft, class_: PyName, types: Mapping[str, Expr]
) -> Object:
    """Return a class without its texts."""
    none, python_names = WireStr(""), field_names(field.wire for field in draft.fields)
    fields = (
        (python_names[f.wire], WireStr(f.wire), substitute(f.type, types), f.required)
        for f in draft.fields
    )
    return Object(class_, none, tuple(Field(*f, none) for f in fields), draft.closed)


def _object(
    context: CompileContext,
    draft: ClassDraft,
    class_name: PyName,
    types: Mapping[str, Expr],
) -> Object:
    python_names = field_names(field.wire for field in draft.fields)
    base = _base(python_names)
    rule = _RULES[base]
    fields = tuple(
        Field(
            name=python_names[field.wire],
            wire=WireStr(field.wire),
            type=(type_ := substitute(field.type, types)),
            required=field.required,
            doc=WireStr(describe(field.node)),
            default=default_of(field.node, field.type),
            format=_format(context, field.node, type_),
            regular=rule(python_names[field.wire]) == field.wire,
        )
        for field in draft.fields
    )
    description = draft.node.get("description")
    doc = WireStr(description if isinstance(description, str) else "")
    return Object(class_name, doc, fields, draft.closed, base=base)


def _format(context: CompileContext, node: Node, type_: Expr) -> str:
    """Return the format of a property of texts, "" of any other."""
    format_ = text_format(context, node)
    used = {*names(plain(type_))} if format_ else set[str]()
    return format_ if "str" in used and used <= {"str", "None"} else ""


def _base(python_names: Mapping[str, PyName]) -> str:
    """Return the base of a class, by the rule that most of its fields' names follow."""
    if all(wire == name_ for wire, name_ in python_names.items()):
        return "Model"
    # A name that only had to make room for a keyword follows no rule by that.
    words = {wire: name_.rstrip("_") for wire, name_ in python_names.items()}
    followed = {
        base: sum(rule(name_) == wire for wire, name_ in words.items())
        for base, rule in _RULES.items()
    }
    return max(followed, key=lambda base: followed[base])


def _ordered(written: Iterable[Object | Alias]) -> list[Object | Alias]:
    """Put aliases after the types that they name, and inner classes first."""
    written = list(written)
    objects: list[Object | Alias] = [t for t in written if isinstance(t, Object)]
    aliases = [t for t in written if isinstance(t, Alias)]
    # They name what follows in a string; pyright wants them before their first use.
    recursive = [alias for alias in aliases if alias.recursive]
    others = {alias.name: alias for alias in aliases if not alias.recursive}
    return [*recursive, *reversed(objects), *_inner_first(others)]


def _inner_first(aliases: dict[PyName, Alias]) -> list[Object | Alias]:
    """Return aliases, each after those that its type names."""
    ordered: list[Object | Alias] = []
    while aliases:
        ordered += _after_inner(aliases.pop(next(iter(aliases))), aliases)
    return ordered


def _after_inner(alias: Alias, others: dict[PyName, Alias]) -> Iterator[Alias]:
    """Take the aliases that a type names out of others; yield them, then its own."""
    # An inner function that calls itself would keep all types: the collector is off.
    for used in names(alias.type):
        if inner := others.pop(PyName(used), None):
            yield from _after_inner(inner, others)
    yield alias


def checked_type(expr: Expr, schema: WireStr | None) -> Expr:
    """Return a type with its residual validation."""
    if schema is None:
        return expr
    return annotated(expr, call("Checked", literal(schema.text)))
