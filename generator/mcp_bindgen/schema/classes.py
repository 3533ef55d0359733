"""Names the drafts of one tool and turns them into the classes to be written."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    Name,
    Union,
    call,
    literal,
    name,
    names,
    sub,
    union,
)
from mcp_bindgen.python.literals import Code, PyName, WireStr
from mcp_bindgen.python.names import LIMIT, digests, field_names
from mcp_bindgen.python.reserved import CLASSES
from mcp_bindgen.schema.describe import default_of, describe
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.ir import Alias, Field, Object
from mcp_bindgen.schema.prune import prune

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mcp_bindgen.schema.context import Draft, State

__all__ = ["name_drafts", "plain", "substitute", "write_drafts"]

# Words of a path that say nothing without the word before.
_GENERIC = re.compile(r"(?:Item|Variant)[0-9]*|Value|Key")
_PLAIN = {"String": "str", "Integer": "int", "Number": "float", "Boolean": "bool"}


def name_drafts(
    state: State, taken: frozenset[str], roots: Mapping[str, PyName], suffix: str
) -> dict[str, PyName]:
    """Give every draft a class name that depends on this tool alone.

    A class is called by its title or by where it stands; where two would be called
    the same, both are called by the longer way to them.

    Args:
        state: The compiled schema.
        taken: Names that other classes of the tool have.
        roots: Names that are settled: the mark of the root to its name.
        suffix: What tells these classes from others of the tool, "" for none.
    """
    named = dict(roots)
    used = CLASSES | taken | frozenset(roots.values())
    waiting = {
        m: _choices(d, suffix) for m, d in state.drafts.items() if m not in named
    }
    open_ = {mark: next(choices) for mark, choices in waiting.items()}
    while open_:
        wanted: dict[str, list[str]] = defaultdict(list)
        for mark, choice in open_.items():
            wanted[choice].append(mark)
        following: dict[str, str] = {}
        for choice, marks in wanted.items():
            if len(marks) == 1 and choice and choice not in used:
                named[marks[0]] = PyName(choice)
            else:
                following |= {mark: next(waiting[mark]) for mark in marks}
        used |= frozenset(named.values())
        open_ = following
    return named


def _choices(draft: Draft, suffix: str) -> Iterator[str]:
    path = draft.place.path
    if draft.title:
        yield draft.title[:LIMIT]
        yield f"{draft.title}{suffix or 'Model'}"[:LIMIT]
    for start in range(len(path) - 1, -1, -1):
        if not _GENERIC.fullmatch(path[start]) or start == 0:
            yield "".join(path[start:])[:LIMIT]
            if suffix:
                yield ("".join(path[start:]) + suffix)[:LIMIT]
    if not draft.title:
        yield f"{''.join(path)}Model"[:LIMIT]
    stem = ("".join(path) or draft.title or "Model")[: LIMIT - 12]
    yield from (stem + digits for digits in digests(draft.mark + draft.place.pointer))


def substitute(
    expr: Expr, names_: Mapping[str, Expr], known: dict[str, Expr] | None = None
) -> Expr:
    """Return the expression with names, or whole types, in the place of stand-ins.

    Args:
        expr: The expression.
        names_: Stand-in to what it stands for, in which others may stand that were
            settled later.
        known: Keeps what was found, for the next expression.
    """
    known = {} if known is None else known
    if isinstance(expr, Name):
        if expr.code not in names_:
            return expr
        if expr.code not in known:
            known[expr.code] = substitute(names_[expr.code], names_, known)
        return known[expr.code]
    if isinstance(expr, Union):
        return union([substitute(member, names_, known) for member in expr.members])
    items = (Item(substitute(i.expr, names_, known), i.prefix) for i in expr.items)
    return Bracket(expr.head, expr.brackets, tuple(items))


def plain(expr: Expr) -> Expr:
    """Return what a type checker shows of a type, without what pydantic reads."""
    if isinstance(expr, Name):
        return name(_PLAIN.get(expr.code, expr.code))
    if isinstance(expr, Union):
        return Union(tuple(dict.fromkeys(plain(member) for member in expr.members)))
    if expr.head == "Annotated":
        return plain(expr.items[0].expr)
    if expr.head == "Literal":
        return expr
    items = tuple(Item(plain(item.expr), item.prefix) for item in expr.items)
    return Bracket(expr.head, expr.brackets, items)


def write_drafts(state: State, named: Mapping[str, PyName]) -> list[Object | Alias]:
    """Return the classes of a schema, the inner before the outer."""
    places = {**state.same, **{m: Name(Code(n)) for m, n in named.items()}}
    written = [
        (
            _object(draft, named[mark], places)
            if draft.expr is None
            else Alias(named[mark], substitute(draft.expr, places), draft.recursive)
        )
        for mark, draft in state.drafts.items()
    ]
    aliases = {c.name: c for c in written if isinstance(c, Alias)}
    return _ordered(
        replace(c, type=_uncircled(c, aliases)) if isinstance(c, Alias) else c
        for c in written
    )


def _uncircled(alias: Alias, aliases: Mapping[PyName, Alias]) -> Expr:
    """Return an alias's type without unions that lead round to the alias itself.

    Type checkers know no such types, and pydantic's memory has no end on them.
    """
    pending, seen = [alias.type], {alias.name}
    members: list[Expr] = []
    circled = False
    while pending:
        expr = pending.pop()
        for member in expr.members if isinstance(expr, Union) else (expr,):
            inner = PyName(member.code) if isinstance(member, Name) else PyName("")
            circled = circled or inner == alias.name
            if inner not in aliases:
                members.append(member)
            elif inner not in seen:
                seen.add(inner)
                pending.append(aliases[inner].type)
    return union(members) if circled and members else alias.type


def _object(draft: Draft, name_: PyName, places: Mapping[str, Expr]) -> Object:
    pythons = field_names(field[0] for field in draft.fields)
    fields = tuple(
        Field(
            name=pythons[wire],
            wire=WireStr(wire),
            type=substitute(type_, places),
            required=required,
            doc=WireStr(describe(details)),
            default=default_of(details, type_),
        )
        for wire, type_, required, details in draft.fields
    )
    described = draft.node.get("description")
    doc = WireStr(described if isinstance(described, str) else "")
    return Object(name_, doc, fields, draft.closed)


def _ordered(written: Iterable[Object | Alias]) -> list[Object | Alias]:
    """Put aliases after what they name, and classes in the order they were met."""
    written = list(written)
    objects: list[Object | Alias] = [c for c in written if isinstance(c, Object)]
    # They name what follows in a string; pyright wants them before their first use.
    recursive = [c for c in written if isinstance(c, Alias) and c.recursive]
    aliases = {c.name: c for c in written if isinstance(c, Alias) and not c.recursive}
    ordered: list[Object | Alias] = []

    def add(alias: Alias) -> None:
        for used in names(alias.type):
            inner = aliases.pop(PyName(used), None)
            if inner is not None:
                add(inner)
        ordered.append(alias)

    while aliases:
        add(aliases.pop(next(iter(aliases))))
    return [*recursive, *reversed(objects), *ordered]


def residual(state: State) -> WireStr | None:
    """Return the schema that residual validation checks, if types do not say all."""
    if not state.checked:
        return None
    return WireStr(canonical(prune(state.document.root)))


def checked_type(expr: Expr, schema: WireStr | None) -> Expr:
    """Return a type with its residual validation."""
    if schema is None:
        return expr
    return sub("Annotated", expr, call("Checked", literal(schema.text)))
