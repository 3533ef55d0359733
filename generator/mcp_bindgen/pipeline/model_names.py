"""Names in models: none hides a name that the module needs, and all are in ASCII."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, cast
from unicodedata import normalize

from mcp_bindgen.pipeline.model_forward import forward
from mcp_bindgen.pipeline.model_source import bound, fields, quoted, typed_dict
from mcp_bindgen.python.allowlist import BUILTINS
from mcp_bindgen.python.names import LIMIT, pascal, snake
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

__all__ = [
    "PROTECTED",
    "aliases",
    "by_call",
    "changed_key",
    "field_names",
    "hiding_member",
    "is_field_name",
    "plain_defaults",
    "rename",
    "shorten",
    "typed_extras",
    "unalias",
    "unwritten_name",
]

PROTECTED = ("model_dump", "model_validate")
"""Pydantic warns of a field whose name begins with one of these."""

_EXTRA = "__pydantic_extra__"
_HIDING = BUILTINS | {"Any", "Optional", "TypeAlias", "UNSET", "Union", "UnsetType"}


def _is_odd(name: str, reserved: Collection[str]) -> bool:
    """Return whether a field's name would hide another one, or is not in ASCII."""
    return name in reserved or name in _HIDING or not name.isascii()


def is_field_name(name: object, reserved: Collection[str]) -> bool:
    """Return whether a user may give a field a name: it hides no other."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        return False
    return not name.startswith("_") and not _is_odd(name, reserved)


def unwritten_name(schema: object) -> str:
    """Return a property whose name Python reads as another one, "" for none."""
    names = (name for node in _tables(schema) for name in node if name.isidentifier())
    return next((name for name in names if normalize("NFKC", name) != name), "")


def changed_key(tree: ast.Module, schema: object) -> str:
    """Return a key of a TypedDict that no member is called, "" for none."""
    wires = {name for node in _tables(schema) for name in node}
    return min(field_names(tree) - wires - {*_required(schema)}, default="")


def _required(schema: object) -> Iterator[str]:
    """Yield the names that objects require, which may be no properties of theirs."""
    if isinstance(schema, list):
        for each in cast("list[object]", schema):
            yield from _required(each)
    elif isinstance(schema, dict):
        node = cast("dict[str, object]", schema)
        if isinstance(names := node.get("required"), list):
            listed = cast("list[object]", names)
            yield from (name for name in listed if isinstance(name, str))
        for value in node.values():
            yield from _required(value)


def aliases(
    schema: object,
    reserved: Collection[str],
    named: Collection[str],
    protected: tuple[str, ...] = (),
) -> dict[str, str]:
    """Return names on the wire to names of fields, where these must differ.

    Args:
        schema: A schema.
        reserved: Names that the module must not bind.
        named: Names that the user gives to fields.
        protected: Beginnings of names that no field may have.
    """
    wires = {name: None for node in _tables(schema) for name in node}
    made: dict[str, str] = {}
    for wire in wires:
        is_protected = wire.startswith(protected)
        if is_protected or _is_odd(wire, reserved):
            name = f"{snake(wire, 'field')}_"
            name = f"field_{name}" if is_protected else name
            while name in wires or name in made.values() or name in named:
                name += "_"
            made[wire] = name
    return made


def _tables(schema: object) -> Iterator[dict[str, Any]]:
    """Yield the properties of all objects in a schema."""
    if isinstance(schema, list):
        for each in cast("list[object]", schema):
            yield from _tables(each)
    elif isinstance(schema, dict):
        node = cast("dict[str, object]", schema)
        yield members(node.get("properties"))
        for value in node.values():
            yield from _tables(value)


def rename(tree: ast.Module, taken: Collection[str], prefix: str) -> None:
    """Rename the types of a module whose names are taken.

    Args:
        tree: The module.
        taken: The names that are taken.
        prefix: The beginning of the new names.
    """
    new: dict[str, str] = {}
    for name in bound(tree):
        if name in taken or not name.isascii():
            other = f"{prefix}{pascal(snake(name, 'model'))}"
            new[name] = _free(other, {*taken, *bound(tree), *new.values()})
    _rename(tree, new)


def shorten(tree: ast.Module, taken: Collection[str], stays: str) -> None:
    """Shorten the names of types, which black and ruff then lay out alike.

    Args:
        tree: The module.
        taken: The names that are taken.
        stays: The name that users import.
    """
    new: dict[str, str] = {}
    for name in bound(tree):
        if len(name) > LIMIT and name != stays:
            new[name] = _free(name[:LIMIT], {*taken, *bound(tree), *new.values()})
    _rename(tree, new)


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += "_"
    return name


def _rename(tree: ast.Module, new: Mapping[str, str]) -> None:
    """Give types new names, wherever these stand."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    # A field may have the name of a type: its own name is on the wire, so it stays.
    members_of = {id(target) for node in classes for target, _ in fields(node)}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                node.name = new.get(node.name, node.name)
            case ast.Name() if id(node) not in members_of:
                node.id = new.get(node.id, node.id)
            case ast.Call(
                ast.Name("TypedDict" | "TypeAliasType"),
                [ast.Constant(str(name)), *_],
            ):
                cast("ast.Constant", node.args[0]).value = new.get(name, name)
            case _:
                pass
    # A type in quotes is a name, too.
    for constant in forward(tree):
        constant.value = new.get(str(constant.value), constant.value)


def hiding_member(tree: ast.Module) -> str:
    """Return a member whose name hides a type of its own class, "" for none."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            listed = [*fields(node)]
            types = {
                each.id
                for _, type_ in listed
                for each in ast.walk(type_)
                if isinstance(each, ast.Name)
            }
            for target, _ in listed:
                if target.id in types:
                    return target.id
    return ""


def field_names(tree: ast.Module) -> frozenset[str]:
    """Return the names of the fields of all classes."""
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return frozenset(target.id for node in classes for target, _ in fields(node))


def plain_defaults(tree: ast.Module) -> frozenset[str]:
    """Write None where a function returns it, and return the names of all fields.

    datamodel-code-generator writes the function where a field is called as its class.
    """
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
                pass  # a type, and no field
            case ast.AnnAssign(ast.Name(name), value=value):
                names.add(name)
                match value:
                    case ast.Call(
                        keywords=[
                            ast.keyword(value=ast.Lambda(body=ast.Constant(None)))
                        ]
                    ):
                        node.value = ast.Constant(None)
                    case _:
                        pass
            case _:
                pass
    return frozenset(names)


def by_call(tree: ast.Module, reserved: Collection[str]) -> None:
    """Write TypedDicts with odd keys as calls: keys of a call are texts, no names."""
    for number, node in enumerate(tree.body):
        if isinstance(node, ast.ClassDef):
            listed = [*fields(node)]
            names = [target.id for target, _ in listed]
            # In a class, Python puts the name of the class before `__name`.
            if any(_is_odd(n, reserved) or n.startswith("__") for n in names):
                call = typed_dict(node, {t.id: quoted(type_) for t, type_ in listed})
                tree.body[number] = ast.Assign([ast.Name(node.name)], call)


def unalias(tree: ast.Module, reserved: Collection[str]) -> None:
    """Import each name as itself; one that a field hides is assigned to a second name.

    Args:
        tree: The module.
        reserved: Names that the module must not bind.
    """
    second: dict[str, str] = {}
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.asname:
                second[alias.asname], alias.asname = alias.name, None
    used = {name for name, first in second.items() if first not in reserved}
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and second.get(each.id, "") in reserved:
            each.id = second[each.id]
    tree.body[:0] = [
        ast.Assign([ast.Name(name)], ast.Name(second[name])) for name in sorted(used)
    ]


def typed_extras(tree: ast.Module) -> None:
    """Annotate the other members of an object as Pydantic's documents do."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            node.names = [alias for alias in node.names if alias.name != "Dict"]
        elif isinstance(node, ast.ClassDef):
            node.body = [_typed_extra(statement) for statement in node.body]


def _typed_extra(statement: ast.stmt) -> ast.stmt:
    match statement:
        case ast.Assign(
            [ast.Name("__annotations__")],
            ast.Dict([ast.Constant(name)], [ast.Subscript(slice=type_)]),
        ) if (
            name == _EXTRA
        ):
            extra = ast.Subscript(ast.Name("dict"), type_)
            return ast.AnnAssign(ast.Name(_EXTRA), extra, None, 1)
        case _:
            return statement
