"""Walks expressions: those that run at import by a small grammar, others by kind.

Strings in place of types are walked as types: pydantic evaluates them.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard, cast

from mcp_bindgen.python import allowlist as allowed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Scope", "kind"]

_CONTEXTS = frozenset({ast.Load, ast.Store})


def kind(node: ast.AST) -> str:
    """Return the name of a node's kind for a finding."""
    return type(node).__name__


@dataclass(slots=True)
class Scope:
    """The names and the findings of one file so far.

    Attributes:
        calls: Function to the arguments that a call of it at import may have.
        names: Names that may be loaded.
        shadowed: Names that the class around binds, which are not called.
        faults: Line and message of each finding.
    """

    calls: Mapping[str, allowed.Call]
    names: set[str] = field(default_factory=lambda: set(allowed.BUILTINS))
    shadowed: frozenset[str] = frozenset()
    faults: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def fault(self, node: ast.AST, message: str) -> None:
        """Note a finding."""
        self.faults.append((getattr(node, "lineno", 0), message))

    def value(self, node: ast.expr) -> None:
        """Walk an expression that is evaluated at import."""
        # Plain tests, the most frequent kind first: patterns take twice the time.
        if isinstance(node, ast.Constant):
            self._constant(node, node.value)
        elif isinstance(node, ast.Name):
            self._load(node, node.id)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, (ast.List, ast.Tuple)):
            self._values(node.elts)
        elif isinstance(node, ast.Dict) and None not in node.keys:
            self._values([key for key in node.keys if key])
            self._values(node.values)
        elif _is_text_added(node):
            self.value(node.left)
        else:
            self._rare_value(node)

    def _rare_value(self, node: ast.expr) -> None:
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                self._constant(node, -number)
            case ast.Subscript() | ast.BinOp():
                self.type(node)
            case ast.Attribute(value=ast.Name(name)):
                self._load(node, name)
                self._attribute(node)
            case _:
                self.fault(node, f"the expression {kind(node)} at import")

    def type(self, node: ast.expr) -> None:
        """Walk an annotation, or an argument that is a type."""
        if isinstance(node, ast.Name):
            self._load(node, node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            self._load(node, node.value.id)
            self._index(node.value.id, node.slice)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            self.type(node.left)
            self.type(node.right)
        elif isinstance(node, ast.Constant) and node.value is None:
            pass
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self._forward(node, node.value)
        else:
            self.fault(node, f"the expression {kind(node)} as a type")

    def body(self, statements: Sequence[ast.stmt], local: set[str]) -> None:
        """Walk the code that runs when a function is called.

        Args:
            statements: Its body.
            local: Its parameters.
        """
        loads: list[ast.Name] = []
        for node in _nodes(statements):
            if type(node) not in allowed.BODY:
                self.fault(node, f"{kind(node)} in a function")
            elif isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    loads.append(node)
                else:
                    local.add(node.id)
            elif isinstance(node, ast.Attribute):
                self._attribute(node)
        for name in loads:
            if name.id not in local:
                self._load(name, name.id)

    def _values(self, nodes: Sequence[ast.expr]) -> None:
        for node in nodes:
            self.value(node)

    def _constant(self, node: ast.expr, value: object) -> None:
        if isinstance(value, float) and not math.isfinite(value):
            self.fault(node, "a number without end")
        elif not isinstance(value, (str, int, float)) and value is not None:
            self.fault(node, f"a constant of kind {type(value).__name__}")

    def _index(self, head: str, index: ast.expr) -> None:
        items = index.elts if isinstance(index, ast.Tuple) else [index]
        for number, item in enumerate(items):
            if head == "Literal" or (head == "Annotated" and number):
                self.value(item)
            else:
                self.type(item)

    def _forward(self, node: ast.expr, text: str) -> None:
        try:
            inner = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            self.fault(node, "a string where a type must be")
        else:
            self.type(ast.copy_location(inner, node))

    def _call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else "an expression"
        listed = self.calls.get(name)
        if listed is None or name in self.shadowed:
            self.fault(node, f"a call of {name} at import")
            return
        self._load(node, name)
        kinds = listed.positional
        for number, argument in enumerate(node.args):
            wanted = kinds[min(number, len(kinds) - 1)] if kinds else ""
            if not wanted:
                self.fault(argument, f"a positional argument of {name}")
            elif wanted == "type":
                self.type(argument)
            elif wanted == "types":
                self._types(argument)
            else:
                self.value(argument)
        for keyword in node.keywords:
            if keyword.arg not in listed.keywords:
                self.fault(node, f"the argument {keyword.arg} of {name}")
            self.value(keyword.value)

    def _types(self, node: ast.expr) -> None:
        """Walk a dict of names and types."""
        match node:
            case ast.Dict(keys=keys, values=values) if None not in keys:
                self._values([key for key in keys if key])
                for value in values:
                    self.type(value)
            case _:
                self.fault(node, f"the expression {kind(node)} as a dict of types")

    def _load(self, node: ast.AST, name: str) -> None:
        if name not in self.names:
            self.fault(node, f"the name {name}, which is bound nowhere")

    def _attribute(self, node: ast.Attribute) -> None:
        if node.attr.startswith("_"):
            self.fault(node, f"the attribute {node.attr}")


def _is_text_added(node: ast.expr) -> TypeGuard[ast.BinOp]:
    match node:
        case ast.BinOp(op=ast.Add(), right=ast.Constant(str())):
            return True
        case _:
            return False


def _nodes(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes but `Load` and `Store`, in a third of the time of `ast.walk`."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.Constant):
            continue
        for name in node._fields:
            child = getattr(node, name)
            if isinstance(child, list):
                inner = cast("list[object]", child)
                stack += [item for item in inner if isinstance(item, ast.AST)]
            elif isinstance(child, ast.AST) and type(child) not in _CONTEXTS:
                stack.append(child)
