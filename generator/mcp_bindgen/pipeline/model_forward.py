"""Types in models that are named before they exist: there, their names are texts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from mcp_bindgen.pipeline.model_source import bound, fields

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["end_recursion", "forward", "in_calls", "settle", "with_arguments"]

_ARGUMENTS = {
    "list": "Any",
    "Sequence": "Any",
    "dict": "(str, Any)",
    "Mapping": "(str, Any)",
}


def forward(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the types that are texts in others, before they exist."""
    for node in tree.body:
        match node:
            case ast.AnnAssign(annotation=ast.Name("TypeAlias"), value=value) if value:
                yield from _forward(value)
            case ast.ClassDef(bases=bases):
                for type_ in (*bases, *(type_ for _, type_ in fields(node))):
                    yield from _forward(type_)
            case _:
                pass


def in_calls(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield such texts in TypedDicts that are written as calls, which may be late."""
    for node in tree.body:
        match node:
            case ast.Assign(
                value=ast.Call(ast.Name("TypedDict"), [_, ast.Dict(values=types)])
            ):
                for type_ in types:
                    yield from _forward(type_)
            case _:
                pass


def _forward(node: ast.expr) -> Iterator[ast.Constant]:
    match node:
        case ast.Constant(str()):
            yield node
        case ast.Subscript(ast.Name("Literal")) | ast.Call():
            pass
        case _:
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.expr):
                    yield from _forward(inner)


def end_recursion(tree: ast.Module) -> None:
    """Write Any for a type within itself, which no library reads at run time."""
    named = {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    recursive = [each for each in forward(tree) if each.value in named]
    for constant in recursive:
        constant.value = "Any"
    for node in tree.body:
        # A text alone is no type in a union, which Python makes at import.
        if isinstance(node, ast.AnnAssign) and node.value in recursive:
            node.value = ast.Name("Any")
    if recursive:
        tree.body.insert(0, ast.ImportFrom("typing", [ast.alias("Any")], 0))


class _WithArguments(ast.NodeTransformer):
    """Writes `list[Any]` for `list` in a type."""

    def __init__(self, own: set[str]) -> None:
        self.changed = False
        self._own = own  # a definition may be called Sequence

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return node  # a bound, and no type

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id != "Literal":
            node.slice = self.visit(node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        index = _ARGUMENTS.get(node.id)
        if index is None or node.id in self._own:
            return node
        self.changed = True
        return ast.Subscript(node, ast.parse(index, mode="eval").body)


def with_arguments(tree: ast.Module) -> None:
    """Write Any for the elements that datamodel-code-generator leaves out.

    It does so for an array within itself; type checkers want the elements of a list.
    """
    visitor = _WithArguments({*bound(tree)})
    for node in tree.body:
        match node:
            case ast.AnnAssign(annotation=ast.Name("TypeAlias"), value=value) if value:
                node.value = visitor.visit(value)
            case ast.Assign(value=ast.Call(args=[_, ast.Dict() as table])):
                table.values = [visitor.visit(each) for each in table.values]
            case ast.Assign(value=ast.Call(ast.Name("TypeAliasType"), [_, _] as parts)):
                parts[1] = visitor.visit(parts[1])
            case ast.ClassDef():
                node.bases = [visitor.visit(base) for base in node.bases]
                for statement in node.body:
                    if isinstance(statement, ast.AnnAssign):
                        statement.annotation = visitor.visit(statement.annotation)
            case _:
                pass
    if visitor.changed:
        tree.body.insert(0, ast.ImportFrom("typing", [ast.alias("Any")], 0))


def settle(tree: ast.Module) -> bool:
    """Move second names of types behind these types; before them, they are texts.

    A text is no member of a union, as in `"List" | None`.

    Returns:
        Whether no union has a text as a member.
    """
    for node in [*tree.body]:
        for name, first in _second_name(node):
            begin = tree.body.index(node)
            rest = [*tree.body[:begin], *tree.body[begin + 1 :]]
            end = 1 + next(n for n, each in enumerate(rest) if _binds(each, first))
            if not any(_runs(each, name) for each in rest[begin:end]):
                cast("ast.AnnAssign", node).value = ast.Name(first)
                tree.body = [*rest[:end], node, *rest[end:]]
    texts = {name for each in tree.body for name, _ in _second_name(each)}
    unions = (node for node in ast.walk(tree) if isinstance(node, ast.BinOp))
    sides = (side for union in unions for side in (union.left, union.right))
    return not any(isinstance(side, ast.Name) and side.id in texts for side in sides)


def _second_name(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the name that a statement gives to a type by its text, and that text."""
    match node:
        case ast.AnnAssign(
            ast.Name(name), ast.Name("TypeAlias"), ast.Constant(str(first))
        ):
            yield name, first
        case _:
            pass


def _binds(node: ast.stmt, name: str) -> bool:
    return name in bound(ast.Module([node], []))


def _runs(node: ast.stmt, name: str) -> bool:
    """Return whether a statement reads a name as it runs; annotations wait."""
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.ClassDef):
        values = [
            s.value for s in node.body if isinstance(s, ast.AnnAssign) and s.value
        ]
        parts = [*node.bases, *node.keywords, *values]
    names = (each for part in parts for each in ast.walk(part))
    return any(isinstance(each, ast.Name) and each.id == name for each in names)
