"""Types that datamodel-code-generator writes as calls, as type checkers read them."""

from __future__ import annotations

import ast

__all__ = ["without_calls"]

# A function of Pydantic to its type, and to the class that holds the same bounds.
_OF: dict[str, tuple[str, str]] = {
    "confloat": ("float", "Field"),
    "conint": ("int", "Field"),
    "conlist": ("list", "Field"),
    "constr": ("str", "StringConstraints"),
}


class _Types(ast.NodeTransformer):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in _OF:
            return node
        name, bounds = _OF[node.func.id]
        type_: ast.expr = ast.Name(name)
        if node.args:
            type_ = ast.Subscript(type_, node.args[0])
        self.names |= {"Annotated", bounds}
        return _annotated(type_, ast.Call(ast.Name(bounds), [], node.keywords))


def _annotated(type_: ast.expr, bounds: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, bounds]))


def without_calls(tree: ast.Module) -> None:
    """Write types with bounds as `Annotated`, where they are calls: `constr(...)`.

    Args:
        tree: The module.
    """
    types = _Types()
    types.visit(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "pydantic":
            node.names = [alias for alias in node.names if alias.name not in _OF]
            listed = sorted(types.names - {"Annotated"})
            node.names += [ast.alias(name) for name in listed]
    if types.names:
        tree.body.insert(0, ast.ImportFrom("typing", [ast.alias("Annotated")], 0))
