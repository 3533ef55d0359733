"""Walks the statements of a generated file, and reports each that is not allowed.

Outside functions everything runs at import, so there the grammar is small and each
call is listed. Bodies of functions run later, when they are called: there the kinds of
nodes are listed, and every name must be bound in the file or be a listed builtin.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.python import allowlist as allowed
from mcp_bindgen.python.docstring_safety import first_active
from mcp_bindgen.python.selfcheck_expressions import Scope, kind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mcp_bindgen.python.allowlist import Allowlist

__all__ = ["walk"]


def walk(
    tree: ast.Module, path: str, files: Collection[str], rules: Allowlist
) -> tuple[list[tuple[int, str]], dict[tuple[int, int], tuple[int, int]]]:
    """Return the findings in a file, and the positions of its docstrings.

    Args:
        tree: The parsed file.
        path: Path of the file, for its relative imports.
        files: Paths of all files of the package.
        rules: The allowlist of the file.

    Returns:
        Line and message of each finding, and line and column in bytes.
    """
    file = _File(path, files, rules)
    file.block(tree.body, _bound(tree.body))
    return file.scope.faults, file.docstrings


class _File:
    """One file on its way through the grammar."""

    def __init__(self, path: str, files: Collection[str], rules: Allowlist) -> None:
        self.path = path
        self.files = files
        self.rules = rules
        self.imported_only = rules.reserved()
        self.scope = Scope(rules.calls)
        self.docstrings: dict[tuple[int, int], tuple[int, int]] = {}

    def block(
        self, body: Sequence[ast.stmt], bound: Sequence[str], *, in_class: bool = False
    ) -> None:
        """Walk the statements of a module, a class or `if TYPE_CHECKING`.

        Args:
            body: The statements.
            bound: The names that they bind.
            in_class: Whether it is a class.
        """
        self.scope.names.update(bound)
        if len(set(bound)) < len(bound):
            (twice, _), *_ = Counter(bound).most_common(1)
            self.scope.fault(body[0], f"{twice} is bound twice")
        for statement in body:
            self.statement(statement, in_class=in_class)

    def statement(self, node: ast.stmt, *, in_class: bool) -> None:
        # Plain tests, the most frequent kind first: patterns take twice the time.
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self.binding(node, node.target.id, in_class=in_class)
            self.annotated(node.annotation, node.value)
        elif isinstance(node, ast.Expr) and (text := _text(node.value)) is not None:
            self.docstring(node, text)
        elif isinstance(node, ast.Assign):
            self.targets(node.targets, in_class=in_class)
            self.scope.value(node.value)
        elif isinstance(node, ast.ImportFrom) and not in_class:
            self.imports(node)
        elif isinstance(node, ast.ClassDef) and not in_class:
            self.class_(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
            not in_class or _is_declared(node)
        ):
            self.function(node)
        else:
            self.rare_statement(node, in_class=in_class)

    def rare_statement(self, node: ast.stmt, *, in_class: bool) -> None:
        match node:
            case ast.If(
                ast.Name("TYPE_CHECKING")
                | ast.UnaryOp(ast.Not(), ast.Name("TYPE_CHECKING")),
                inner,
                [],
            ):
                self.block(inner, _bound(inner), in_class=in_class)
            case ast.If(
                ast.Name("TYPE_CHECKING"),
                [ast.AnnAssign(ast.Name(name))] as inner,
                [ast.Assign([ast.Name(other)], ast.Call(ast.Name("TypeAliasType")))],
            ) if (
                name == other
            ):
                # A type that names itself: checkers and pydantic want two spellings.
                self.block(inner, _bound(inner), in_class=in_class)
                self.statement(node.orelse[0], in_class=in_class)
            case _:
                where = "in a class" if in_class else "at import"
                self.scope.fault(node, f"{kind(node)} {where}")

    def annotated(self, annotation: ast.expr, value: ast.expr | None) -> None:
        """Walk the type of an annotated name, and its value."""
        self.scope.type(annotation)
        if value is None:
            return
        named = isinstance(annotation, ast.Name) and annotation.id == "TypeAlias"
        if named and isinstance(value, ast.Constant):
            self.scope.type(value)  # a type that pydantic reads in a string
        else:
            self.scope.value(value)

    def docstring(self, node: ast.Expr, text: str) -> None:
        begin = (node.lineno, node.col_offset)
        end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.docstrings[begin] = end
        hidden = first_hidden(text)
        if hidden:
            self.scope.fault(node, f"the hidden character {hidden[0]!a}")
        if active := first_active(text):
            self.scope.fault(node, f"a docstring that tools act on: {active[:40]!a}")

    def imports(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        absolute = self.absolute(node.level, module) if node.level else []
        for alias in node.names:
            if absolute:
                listed = self.is_ours(absolute, alias.name)
            else:
                listed = not node.level and alias.name in self.rules.imports.get(
                    module, ()
                )
            if alias.asname or not listed:
                source = "." * node.level + module
                self.scope.fault(node, f"the import of {alias.name} from {source}")

    def absolute(self, level: int, module: str) -> list[str]:
        """Return the path of a relative import in the package, [] for one outside."""
        folders = self.path.split("/")[:-1]
        if level > len(folders) + 1:
            return []
        return [*folders[: len(folders) - level + 1], *module.split(".")]

    def is_ours(self, absolute: Sequence[str], name: str) -> bool:
        """Return whether an import from a path of the package finds a file."""
        if absolute[0] == "_runtime":
            return name in self.rules.imports.get(f".{'.'.join(absolute)}", ())
        if name == "*":
            return (self.path, absolute) == ("__init__.py", ["_public"])
        return f"{'/'.join(absolute)}.py" in self.files

    def targets(self, targets: Sequence[ast.expr], *, in_class: bool) -> None:
        for target in targets:
            match target:
                case ast.Name(name):
                    self.binding(target, name, in_class=in_class)
                case ast.Tuple(elements):
                    self.targets(elements, in_class=in_class)
                case _:
                    self.scope.fault(target, f"an assignment to {kind(target)}")

    def binding(
        self,
        node: ast.AST,
        name: str,
        *,
        in_class: bool = False,
        is_declared: bool = False,
    ) -> None:
        """Refuse to rebind a name that is called at import, or by Python itself."""
        dunder = name.startswith("__") and name not in allowed.DUNDERS
        if dunder and is_declared and name == "__call__":  # of a protocol
            dunder = False
        if dunder or (not in_class and name in self.imported_only):
            self.scope.fault(node, f"a new meaning for {name}")

    def class_(self, node: ast.ClassDef) -> None:
        self.binding(node, node.name)
        heads = [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]
        for base, head in zip(node.bases, heads, strict=True):
            if not isinstance(head, ast.Name) or head.id not in self.rules.bases:
                self.scope.fault(base, "a base class that is not listed")
            self.scope.type(base)
        # Keywords of a class, and its decorators, are those of a call that is listed.
        for keyword in node.keywords:
            calls = [self.rules.calls.get(ast.unparse(head)) for head in heads]
            if not any(call and keyword.arg in call.keywords for call in calls):
                self.scope.fault(node, f"the keyword {keyword.arg} of a class")
            self.scope.value(keyword.value)
        for decorator in node.decorator_list:
            made = ast.Call(decorator, [], [])
            call = decorator if isinstance(decorator, ast.Call) else made
            self.scope.value(ast.copy_location(call, decorator))
        outer = self.scope.names, self.scope.shadowed
        bound = _bound(node.body)
        self.scope.names = set(self.scope.names)
        self.scope.shadowed = frozenset(bound)
        self.block(node.body, bound, in_class=True)
        self.scope.names, self.scope.shadowed = outer

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        declared = _is_declared(node)
        self.binding(node, node.name, is_declared=declared)
        if node.decorator_list and not declared:
            self.scope.fault(node, "a function with decorators")
        arguments = _arguments(node.args)
        names = {argument.arg for argument in arguments}
        if len(names) < len(arguments):
            self.scope.fault(node, "two parameters of one name")
        for argument in arguments:
            if argument.annotation:
                self.scope.type(argument.annotation)
        if node.returns:
            self.scope.type(node.returns)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self.scope.value(default)
        first, *others = node.body
        if isinstance(first, ast.Expr) and (text := _text(first.value)) is not None:
            self.docstring(first, text)
        else:
            others = node.body
        if not declared:
            self.scope.body(others, names)


def _text(node: ast.expr) -> str | None:
    """Return the value of a string, None for any other expression."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _is_declared(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function has types and no body: a protocol's, or overloaded."""
    match node.decorator_list, node.body:
        case [] | [ast.Name("overload")], [ast.Expr(ast.Constant(value))]:
            return value is ...
        case _:
            return False


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    more = [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *more]


def _bound(body: Sequence[ast.stmt]) -> list[str]:
    """Return the names that statements of a module or a class bind."""
    bound: list[str] = []
    for statement in body:
        match statement:
            case ast.AnnAssign(ast.Name(name)):
                bound.append(name)
            case ast.ImportFrom():
                bound += [alias.name for alias in statement.names]
            case ast.Assign():
                bound += _assigned(statement.targets)
            case ast.FunctionDef(decorator_list=[_]) | ast.AsyncFunctionDef(
                decorator_list=[_]
            ):
                pass  # one of several overloads
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                bound.append(statement.name)
            case ast.If():
                bound += _bound(statement.body)
            case _:
                pass
    return bound


def _assigned(targets: Sequence[ast.expr]) -> list[str]:
    """Return the names in the targets of an assignment."""
    if all(isinstance(target, ast.Name) for target in targets):
        nodes: Sequence[ast.AST] = targets
    else:
        nodes = [node for target in targets for node in ast.walk(target)]
    return [node.id for node in nodes if isinstance(node, ast.Name)]
