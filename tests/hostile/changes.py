"""Changes of a function's tree, each of which turns a defence in it off.

A name stands for itself and for the end of a longer one: "limits.bytes" is in
`self.limits.bytes` too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[ast.AST], int]

__all__ = ["always", "argument", "constant", "gives", "never", "returns", "text"]


def returns(expression: str) -> Change:
    """Let the function do nothing but return this."""
    body = ast.parse(f"def f():\n    return {expression}").body

    def change(function: ast.AST) -> int:
        assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        assert isinstance(body[0], ast.FunctionDef)
        function.body = body[0].body
        return 1

    return change


def never(name: str) -> Change:
    """Make false each condition, or part of an `and` or `or`, that has this name."""
    return _conditions(name, value=False)


def always(name: str) -> Change:
    """Make true each condition, or part of an `and` or `or`, that has this name."""
    return _conditions(name, value=True)


def gives(called: str, expression: str) -> Change:
    """Put an expression where this is called; "None" leaves a statement out."""
    return _replace(
        lambda node: isinstance(node, ast.Call) and _is(node.func, called),
        lambda _: _expression(expression),
    )


def argument(called: str, keyword: str, expression: str) -> Change:
    """Pass another argument to what is called with this keyword."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Call)
        for one in node.keywords:
            if one.arg == keyword:
                one.value = _expression(expression)
        return node

    return _replace(
        lambda node: isinstance(node, ast.Call)
        and _is(node.func, called)
        and keyword in [one.arg for one in node.keywords],
        change,
    )


def constant(name: str, expression: str) -> Change:
    """Assign something else to this name."""

    def change(tree: ast.AST) -> int:
        count = 0
        for node in ast.walk(tree):
            targets: list[ast.expr] = getattr(node, "targets", [])
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            if any(_is(target, name) for target in targets):
                assert isinstance(node, (ast.Assign, ast.AnnAssign))
                node.value = _expression(expression)
                count += 1
        return count

    return change


def text(old: str, new: str) -> Change:
    """Replace a text in all constants that have it."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Constant)
        return ast.Constant(str(node.value).replace(old, new))

    return _replace(
        lambda node: isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and old in node.value,
        change,
    )


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is(node: ast.AST, name: str) -> bool:
    return f".{ast.unparse(node)}".endswith(f".{name}")


def _has(node: ast.AST, name: str) -> bool:
    named = (ast.Name, ast.Attribute)
    return any(isinstance(n, named) and _is(n, name) for n in ast.walk(node))


def _replace(
    wanted: Callable[[ast.AST], bool], change: Callable[[ast.AST], ast.AST]
) -> Change:
    """Return the change of all nodes that are wanted, but of none within them."""

    class Changer(ast.NodeTransformer):
        count = 0

        def visit(self, node: ast.AST) -> ast.AST:
            if not wanted(node):
                return self.generic_visit(node)
            self.count += 1
            return change(node)

    def changed(tree: ast.AST) -> int:
        changer = Changer()
        changer.generic_visit(tree)
        return changer.count

    return changed


def _conditions(name: str, *, value: bool) -> Change:
    def decided(test: ast.expr) -> ast.expr:
        if isinstance(test, ast.BoolOp):
            values = [decided(v) if _has(v, name) else v for v in test.values]
            return ast.BoolOp(test.op, values)
        return ast.Constant(value)

    def change(tree: ast.AST) -> int:
        count = 0
        for node in ast.walk(tree):
            if isinstance(node, (ast.If, ast.IfExp, ast.While)):
                if _has(node.test, name):
                    node.test = decided(node.test)
                    count += 1
            elif isinstance(node, ast.comprehension):
                count += sum(_has(test, name) for test in node.ifs)
                node.ifs = [decided(t) if _has(t, name) else t for t in node.ifs]
        return count

    return change
