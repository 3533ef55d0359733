"""A defence turned off: a function of ours, and how it is changed."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Mutant", "mutated"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One defence, and how to turn it off.

    Attributes:
        file: The module, as a path in the package.
        name: The function in it, as in `Class.method`; "" for the module's own level.
        change: Changes the function's tree; returns in how many places. See `changes`.
        tests: The tests that must notice, as arguments of pytest.
    """

    file: str
    name: str
    change: Callable[[ast.AST], int]
    tests: str


def mutated(source: str, mutant: Mutant, *, harmless: bool = False) -> str:
    """Return a module's source with a mutant in it; all else stays as it is.

    Args:
        source: The module's source.
        mutant: What to change.
        harmless: Write the same statements anew, as the mutant is, but change nothing.

    Raises:
        LookupError: The module has no such function, or it nothing to change.
    """
    before, after = ast.parse(source), ast.parse(source)
    if not mutant.change(_function(after, mutant)):
        name = mutant.name or "the module"
        raise LookupError(f"{mutant.file}: {name} has nothing to change")
    lines = source.splitlines(keepends=True)
    # From the end, so that the numbers of the lines above stay right.
    for old, new in reversed([*zip(before.body, after.body, strict=True)]):
        if ast.dump(old) != ast.dump(new):
            text = ast.unparse(ast.fix_missing_locations(old if harmless else new))
            lines[_first_line(old) - 1 : old.end_lineno] = [text, "\n"]
    return "".join(lines)


def _function(tree: ast.AST, mutant: Mutant) -> ast.AST:
    for name in filter(None, mutant.name.split(".")):
        named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        inside = (node for node in ast.walk(tree) if isinstance(node, named))
        definition = next((node for node in inside if node.name == name), None)
        if definition is None:
            raise LookupError(f"{mutant.file}: there is no {mutant.name}")
        tree = definition
    return tree


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])
