"""Lays out expressions as black does, so that our files need no formatter."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, cast

from mcp_bindgen.python.docstring_safety import constant_parts, value_parts
from mcp_bindgen.python.literals import Code, PyName, WireStr, lit

__all__ = [
    "Bracket",
    "Expr",
    "Item",
    "Name",
    "Union",
    "annotated",
    "call",
    "constant",
    "display",
    "flat",
    "identifier",
    "literal",
    "name",
    "names",
    "statement",
    "sub",
    "union",
    "wire_name",
]

WIDTH = 88


class Name(NamedTuple):
    """An identifier or a literal."""

    code: Code


class Item(NamedTuple):
    """One element of a bracket, and the text before it: `key=` or `"key": `."""

    expr: Expr
    prefix: str = ""


class Bracket(NamedTuple):
    """`head[...]`, `head(...)`, or a list or dict display, which has no head."""

    head: str
    brackets: str
    items: tuple[Item, ...]


class Union(NamedTuple):
    """`a | b`, at least two members."""

    members: tuple[Expr, ...]


Expr: TypeAlias = "Name | Bracket | Union"


def name(code: str) -> Name:
    """Return an identifier of our own as an expression."""
    return Name(Code(code))


def sub(head: str, *items: Expr) -> Bracket:
    """Return `head[items]`."""
    return Bracket(head, "[]", tuple(map(Item, items)))


def call(head: str, *items: Expr, **keywords: Expr) -> Bracket:
    """Return `head(items, keyword=...)`."""
    named = (Item(value, Code(f"{key}=")) for key, value in keywords.items())
    return Bracket(head, "()", (*map(Item, items), *named))


def union(members: list[Expr]) -> Expr:
    """Return the union of types, flat and without repetition, in their order."""
    if len(members) == 1:
        return members[0]
    parts: dict[Expr, None] = {}
    for member in members:
        if isinstance(member, Union):
            parts.update(dict.fromkeys(member.members))
        else:
            parts[member] = None
    return Union(tuple(parts)) if len(parts) > 1 else next(iter(parts))


def annotated(expr: Expr, *extras: Expr) -> Expr:
    """Return the type with metadata, or the type itself if there is none."""
    if extras and isinstance(expr, Bracket) and expr.head == "Annotated":
        return Bracket(expr.head, expr.brackets, (*expr.items, *map(Item, extras)))
    return sub("Annotated", expr, *extras) if extras else expr


def literal(value: object) -> Expr:
    """Return a JSON value as an expression that can be laid out."""
    if isinstance(value, list):
        return display(cast("list[object]", value))
    if isinstance(value, dict):
        return display(cast("dict[str, object]", value))
    return Name(lit(value))


def wire_name(wire: WireStr) -> Expr:
    """Return the name of a member as an expression, in parts that are inert."""
    return Name(Code(" + ".join(lit(part) for part in value_parts(wire.text))))


def constant(wire: WireStr) -> Expr:
    """Return the value of a constant as an expression, in parts that are inert."""
    return Name(Code(" + ".join(lit(part) for part in constant_parts(wire.text))))


def display(value: list[object] | dict[str, object]) -> Bracket:
    """Return a list or a dict of JSON values as an expression."""
    if isinstance(value, list):
        return Bracket("", "[]", tuple(Item(literal(item)) for item in value))
    pairs = ((Code(f"{lit(key)}: "), literal(item)) for key, item in value.items())
    return Bracket("", "{}", tuple(Item(item, key) for key, item in pairs))


def names(expr: Expr) -> list[str]:
    """Return every identifier that an expression may use."""
    if isinstance(expr, Name):
        return [expr.code]
    if isinstance(expr, Union):
        return [name for member in expr.members for name in names(member)]
    used: list[str] = [expr.head]
    for item in expr.items:
        used += names(item.expr)
    return used


def flat(expr: Expr) -> Code:
    """Return an expression on one line."""
    if isinstance(expr, Name):
        return expr.code
    if isinstance(expr, Union):
        return Code(" | ".join([flat(member) for member in expr.members]))
    inner = ", ".join([f"{item.prefix}{flat(item.expr)}" for item in expr.items])
    if expr.brackets == "()" and not expr.head and len(expr.items) == 1:
        inner += ","  # or it would be no tuple
    return Code(f"{expr.head}{expr.brackets[0]}{inner}{expr.brackets[1]}")


def statement(head: str, expr: Expr, tail: str, indent: int) -> Code:
    """Return `head expr tail` as black lays out an annotation or an assignment.

    Args:
        head: The text before it, with its space.
        expr: The expression.
        tail: The text after it, as ` = MISSING` or a comma.
        indent: Columns before the statement; not printed on the first line.
    """
    line = f"{head}{flat(expr)}"
    if _fits(line + tail, indent) or _stays(head, expr, tail, indent):
        return Code(line + tail)
    margin = " " * indent
    if tail == " = MISSING" and _fits(f"{line} = (", indent):
        # Where the annotation fits, black breaks the value instead.
        lines = [f"{line} = (", f"{margin}    MISSING", f"{margin})"]
    elif isinstance(expr, Bracket):
        lines = _bracket(head, expr, tail, indent)
    else:
        inner = _element("", expr, "", indent + 4)
        lines = [f"{head}(", *inner, f"{margin}){tail}"]
    return Code("\n".join(lines))


def _stays(head: str, expr: Expr, tail: str, indent: int) -> bool:
    """Return whether black leaves a line that is too long as it is."""
    if not isinstance(expr, Name):
        return False
    # The value of an annotated name goes into parentheses even where it fits nowhere.
    is_value = ": " in head and head.endswith(" = ")
    return tail == "," or not (is_value or _fits(expr.code, indent + 4))


def _fits(text: str, indent: int) -> bool:
    return indent + len(text) <= WIDTH


def _bracket(head: str, expr: Bracket, tail: str, indent: int) -> list[str]:
    """Explode a bracket; the first line comes without its indentation."""
    opening = f"{head}{expr.head}{expr.brackets[0]}"
    closing = f"{' ' * indent}{expr.brackets[1]}{tail}"
    return [opening, *_body(expr, indent + 4), closing]


def _body(expr: Bracket, indent: int) -> list[str]:
    if not expr.items:
        return []
    joined = ", ".join([f"{item.prefix}{flat(item.expr)}" for item in expr.items])
    if expr.head and _fits(joined, indent):
        return [" " * indent + joined]
    comma = "," if len(expr.items) > 1 or not expr.head else ""
    lines: list[str] = []
    for item in expr.items:
        lines += _element(item.prefix, item.expr, comma, indent)
    return lines


def _element(prefix: str, expr: Expr, tail: str, indent: int) -> list[str]:
    margin = " " * indent
    whole = f"{prefix}{flat(expr)}{tail}"
    if isinstance(expr, Name) or _fits(whole, indent):
        return [margin + whole]
    if isinstance(expr, Bracket) and not expr.items:
        return [margin + whole]
    if isinstance(expr, Bracket):
        first, *rest = _bracket(prefix, expr, tail, indent)
        return [margin + first, *rest]
    lines: list[str] = []
    last = len(expr.members) - 1
    for number, member in enumerate(expr.members):
        bar = "| " if number else prefix
        lines += _element(bar, member, tail if number == last else "", indent)
    return lines


def identifier(name_: PyName) -> Name:
    """Return an allocated name as an expression."""
    return Name(Code(name_))
