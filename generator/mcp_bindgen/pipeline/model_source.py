"""Source of models as a syntax tree: joined, and written anew in ASCII."""

from __future__ import annotations

import ast
import re
import sys
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from mcp_bindgen.python.literals import WireStr, clean, docstring, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "bound",
    "fields",
    "flatten",
    "imports",
    "natural",
    "quoted",
    "source",
    "typed_dict",
    "types",
]

_DOC = "_mcp_bindgen_doc_"


def bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the types that a module defines."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                yield name
            case _:
                pass


def fields(node: ast.ClassDef) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Yield name and type of each field of a class."""
    for statement in node.body:
        match statement:
            case ast.AnnAssign(ast.Name() as target, annotation):
                yield target, annotation
            case _:
                pass


def flatten(tree: ast.Module) -> None:
    """Write the fields of a base class into the classes that are based on it.

    A schema of `allOf` may change a field of the base; type checkers refuse that in a
    subclass.
    """
    classes: dict[str, ast.ClassDef] = {}
    calls: dict[str, ast.Call] = {}
    for number, node in enumerate(tree.body):
        match node:
            case ast.Assign(
                [ast.Name(name)], ast.Call(ast.Name("TypedDict"), [_, ast.Dict()])
            ):
                calls[name] = cast("ast.Call", node.value)
            case ast.ClassDef(name=name):
                _inherit(node, classes)
                if call := _called(node, calls):
                    calls[name] = call
                    tree.body[number] = ast.Assign([ast.Name(name)], call)
                else:
                    classes[name] = node
            case _:
                pass


def _inherit(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> None:
    """Write the fields of the bases into a class."""
    own = {name for statement in node.body for name in _field(statement)}
    bases: list[ast.expr] = []
    inherited: list[ast.stmt] = []
    for base in node.bases:
        inner = classes.get(ast.unparse(base))
        bases += inner.bases if inner else [base]
        # Its own fields win, then those of the first base, as in Python.
        for statement in inner.body if inner else ():
            if (names := {*_field(statement)}) and not names & own:
                inherited.append(statement)
                own |= names
    unique = {ast.unparse(base): base for base in bases}
    node.bases, node.body = [*unique.values()], [*node.body, *inherited]


def _called(node: ast.ClassDef, calls: Mapping[str, ast.Call]) -> ast.Call | None:
    """Return the call for a TypedDict whose bases are calls, which no class takes.

    Args:
        node: The class, with the fields of its other bases.
        calls: Name of a TypedDict to its call: a member of it is no name in Python.
    """
    names = {ast.unparse(base) for base in node.bases} - {"TypedDict"}
    words = [*map(ast.dump, node.keywords)]
    if not names or not names <= calls.keys():
        return None
    if any([*map(ast.dump, calls[name].keywords)] != words for name in names):
        return None
    types = {t.id: cast("ast.expr", quoted(type_)) for t, type_ in fields(node)}
    for base in node.bases:
        match calls.get(ast.unparse(base)):
            case ast.Call(args=[_, ast.Dict(keys, values)]):
                named = [str(ast.literal_eval(key)) for key in keys if key]
                types = {**dict(zip(named, values, strict=True)), **types}
            case _:
                pass
    return typed_dict(node, types)


def quoted(type_: ast.expr) -> ast.Constant:
    """Return a type as a text, which may name what comes later."""
    return ast.Constant(ast.unparse(type_))


def typed_dict(node: ast.ClassDef, types: Mapping[str, ast.expr]) -> ast.Call:
    """Return the call that makes a TypedDict of types by name, in place of a class."""
    table = ast.Dict([*map(ast.Constant, types)], [*types.values()])
    return ast.Call(
        ast.Name("TypedDict"), [ast.Constant(node.name), table], node.keywords
    )


def _field(statement: ast.stmt) -> Iterator[str]:
    """Yield the name that a statement of a class binds."""
    match statement:
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            yield name
        case _:
            pass


def imports(*trees: ast.Module) -> list[ast.stmt]:
    """Return the imports of modules, each name once, in the order of isort."""
    names: dict[str, set[str]] = {}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                listed = names.setdefault("." * node.level + (node.module or ""), set())
                listed.update(alias.name for alias in node.names)
    # On Python 3.11, Pydantic reads no TypedDict of `typing`.
    if "TypedDict" in names.get("typing", ()):
        names["typing"].remove("TypedDict")
        names.setdefault("typing_extensions", set()).add("TypedDict")
    names.setdefault("__future__", set()).add("annotations")
    return [
        ast.ImportFrom(
            module, [ast.alias(n) for n in sorted(names[module], key=_kind)], 0
        )
        for module in sorted(names, key=lambda module: (_group(module), module))
        if names[module]
    ]


def _kind(name: str) -> tuple[bool, bool, str]:
    """Return the order of a name in an import: constants, classes, functions."""
    return not name.isupper(), name[0].islower(), name


def _group(module: str) -> int:
    """Return the group of a module: the future, Python's own, all others."""
    if module == "__future__":
        return 0
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def natural(name: str) -> list[int | str]:
    """Return the key by which isort sorts modules: `tool2` comes before `tool10`."""
    return [int(p) if p.isdigit() else p for p in re.split(r"([0-9]+)", name)]


def types(tree: ast.Module) -> list[ast.stmt]:
    """Return the types that a module defines; pydantic completes them at first use."""
    statements: list[ast.stmt] = []
    for node in tree.body:
        match node:
            case ast.ImportFrom() | ast.Expr(
                ast.Call(ast.Attribute(attr="model_rebuild"))
            ):
                pass
            case _:
                statements.append(node)
    return statements


class _Docstrings(ast.NodeTransformer):
    """Takes the docstrings out of a tree, and leaves a name for each."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def visit_Pass(self, node: ast.Pass) -> ast.stmt:
        del node
        return self.visit_Expr(ast.Expr(ast.Constant("An object.")))

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.texts.append(node.value.value)
            return ast.Expr(ast.Name(f"{_DOC}{len(self.texts) - 1}"))
        return node


def source(tree: ast.Module) -> str:
    """Return the source of a tree: literals in ASCII, docstrings that nothing runs."""
    docs = _Docstrings()
    text = ast.unparse(ast.fix_missing_locations(docs.visit(tree)))
    lines: list[str] = []
    for line in text.encode("ascii", "backslashreplace").decode().split("\n"):
        stripped = line.strip()
        if stripped.startswith(_DOC):
            indent = len(line) - len(stripped)
            words = clean(WireStr(docs.texts[int(stripped.removeprefix(_DOC))]))
            wrapped = wrap(words or "...", indent, lead=3)
            lines.append(" " * indent + docstring(wrapped, indent))
        else:
            lines.append(line)
    return _in_groups("\n".join(lines))


def _in_groups(text: str) -> str:
    """Return the text of a module with a blank line behind each group of imports."""
    lines = text.split("\n")
    modules = [line.split()[1] for line in takewhile(_is_import, lines)]
    for number in range(len(modules) - 1, 0, -1):
        if _group(modules[number]) != _group(modules[number - 1]):
            lines.insert(number, "")
    return "\n".join(lines)


def _is_import(line: str) -> bool:
    return line.startswith("from ")
