"""Pydantic classes: their types as type checkers read them, and their members."""

from __future__ import annotations

import ast

__all__ = ["open_classes", "without_calls"]

# A function of Pydantic to its type, and to the class that holds the same bounds.
_OF: dict[str, tuple[str, str]] = {
    "confloat": ("float", "Field"),
    "conint": ("int", "Field"),
    "conlist": ("list", "Field"),
    "constr": ("str", "StringConstraints"),
}


_OF_NUMBERS = frozenset({"ge", "gt", "le", "lt", "multiple_of"})


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

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(
                ast.Name("Annotated"),
                ast.Tuple([type_, ast.Call(ast.Name("Field")) as field, *_]),
            ):
                heads = {head for head in _heads(type_) if head != "None"}
                field.keywords = [w for w in field.keywords if _fits(w, heads)]
            case _:
                pass
        return node


def _heads(type_: ast.expr) -> list[str]:
    """Return the members of a union without their arguments; a type is its only one."""
    match type_:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_heads(left), *_heads(right)]
        case ast.Subscript(ast.Name("Union"), ast.Tuple(members)):
            return [head for member in members for head in _heads(member)]
        case ast.Subscript(ast.Name("Optional"), member):
            return _heads(member)
        case _:
            return [ast.unparse(type_)]


def _fits(word: ast.keyword, heads: set[str]) -> bool:
    """Return whether Pydantic has a bound, or a mode, for the members of a union."""
    if word.arg == "union_mode":
        return len(heads) > 1
    if word.arg not in _OF_NUMBERS or not all(h.lower().endswith("int") for h in heads):
        return True
    return type(ast.literal_eval(word.value)) is int


def _annotated(type_: ast.expr, bounds: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, bounds]))


def without_calls(tree: ast.Module) -> None:
    """Write types with bounds as `Annotated`, where they are calls: `constr(...)`.

    Bounds that Pydantic refuses at import, as that of 0.5 for an integer, go.

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


def open_classes(tree: ast.Module) -> None:
    """Let classes have other members, which Pydantic would lose, unless they say so.

    Args:
        tree: The module.
    """
    opened = False
    for node in tree.body:
        match node:
            case ast.ClassDef(bases=[ast.Name("BaseModel")]):
                opened |= _open(node)
            case _:
                pass
    if opened:
        tree.body.insert(0, ast.ImportFrom("pydantic", [ast.alias("ConfigDict")], 0))


def _open(node: ast.ClassDef) -> bool:
    """Let a class have other members; return whether it did not say this itself."""
    extra = ast.keyword("extra", ast.Constant("allow"))
    for statement in node.body:
        match statement:
            case ast.Assign([ast.Name("model_config")], ast.Call(keywords=words)):
                is_new = all(word.arg != "extra" for word in words)
                words += [extra] if is_new else []
                return is_new
            case _:
                pass
    config = ast.Call(ast.Name("ConfigDict"), [], [extra])
    body = [each for each in node.body if not isinstance(each, ast.Pass)]
    at = int(ast.get_docstring(node) is not None)
    body.insert(at, ast.Assign([ast.Name("model_config")], config, lineno=0))
    node.body = body
    return True
