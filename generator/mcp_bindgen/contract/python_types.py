"""The types of generated code as sets of atoms, to compare them.

Types compare as a type checker compares them for callers. Lists and dicts are
covariant, since callers write them in the call itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mcp_bindgen.python.expressions import Expr, Name, Union, flat
from mcp_bindgen.schema.ir import Alias, Object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.ir import Tool

__all__ = ["Atom", "Classes", "PyType", "atoms", "classes_of", "in_order"]
__all__ += ["show_type"]

_SCALARS = {
    "String": "str",
    "Boolean": "bool",
    "Integer": "int",
    "Number": "float",
}


class Atom(NamedTuple):
    """One member of a union.

    Attributes:
        kind: `str`, `int`, ..., `Any`, `None`, `literal`, `list`, `dict`, `tuple` or
            `class`; of an element of a tuple, its number.
        name: The class, the literal as Python source, or the length of a tuple.
        inner: The type of elements or values.
    """

    kind: str
    name: str = ""
    inner: PyType = frozenset()


PyType: TypeAlias = "frozenset[Atom]"
Classes: TypeAlias = "Mapping[str, Object | Alias]"


def classes_of(tool: Tool) -> dict[str, Object | Alias]:
    """Return the classes and the aliases of a tool by their names."""
    return {str(type_.name): type_ for type_ in tool.types}


def atoms(
    expr: Expr, classes: Classes, visited: frozenset[str] = frozenset()
) -> PyType:
    """Return the members of a type, with the values of its aliases.

    Args:
        expr: The type as source has it.
        classes: The classes and aliases that its names refer to.
        visited: Aliases that are being read; a recursive one is an atom.
    """
    if isinstance(expr, Union):
        members = (atoms(member, classes, visited) for member in expr.members)
        return frozenset[Atom]().union(*members)
    if isinstance(expr, Name):
        code = str(expr.code)
        named = classes.get(code)
        if isinstance(named, Alias) and code not in visited:
            return atoms(named.type, classes, visited | {code})
        if named is not None:
            return frozenset({Atom("class", code)})
        return frozenset({Atom(_SCALARS.get(code, code))})
    if expr.head == "Literal":
        return frozenset(Atom("literal", flat(item.expr)) for item in expr.items)
    if expr.head == "Annotated":
        return atoms(expr.items[0].expr, classes, visited)
    if expr.head == "tuple":
        inner = frozenset(
            Atom(str(number), inner=atoms(item.expr, classes, visited))
            for number, item in enumerate(expr.items)
        )
        return frozenset({Atom("tuple", str(len(inner)), inner)})
    if expr.head in {"list", "dict"}:
        # Keys of dicts are texts, all of them: the last argument tells the types apart.
        inner = atoms(expr.items[-1].expr, classes, visited)
        return frozenset({Atom(expr.head, inner=inner)})
    return frozenset({Atom(flat(expr))})


def in_order(atom: Atom) -> tuple[str, str, str]:
    """Return the key to sort atoms by; the order of a set, and its `repr`, is chance.

    Args:
        atom: The atom.
    """
    return atom.kind, atom.name, show_type(atom.inner) if atom.inner else ""


def show_type(type_: PyType) -> str:
    """Return a type as people read it."""
    return " | ".join(sorted(map(_show, type_))) or "Never"


def _show(atom: Atom) -> str:
    if atom.kind == "literal":
        return f"Literal[{atom.name}]"
    if atom.kind == "list":
        return f"list[{show_type(atom.inner)}]"
    if atom.kind == "dict":
        return f"dict[str, {show_type(atom.inner)}]"
    if atom.kind == "tuple":
        inner = sorted(atom.inner, key=lambda each: int(each.kind))
        return f"tuple[{', '.join(show_type(each.inner) for each in inner)}]"
    return atom.name or atom.kind
