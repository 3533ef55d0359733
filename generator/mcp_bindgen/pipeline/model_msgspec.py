"""Types that msgspec refuses at first use, made wider, so that it reads them.

msgspec tells the members of a union apart by the kind of the JSON value, or by a tag;
it has no constants and no bounds of more than 64 bits.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["widen"]

_INT64 = range(-(2**63), 2**63)
_OF_NUMBERS = frozenset({"ge", "gt", "le", "lt", "multiple_of"})
_OTHER_BOUND = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le"}
_OF_LENGTH = frozenset({"max_length", "min_length"})
_BOUNDS = {
    "float": _OF_NUMBERS,
    "int": _OF_NUMBERS,
    "str": _OF_LENGTH,
    "dict": _OF_LENGTH,
    "list": _OF_LENGTH,
}
# Of each of these kinds, a union has one member; together they are one of these types.
_WIDER = {"object": "dict[str, Any]", "array": "list[Any]", "str": "str", "int": "int"}


@dataclass(slots=True)
class _Module:
    """The types behind the names of a module.

    Attributes:
        aliases: Name of a type to the type.
        tags: Name of a Struct to its tag, "" where it has none.
        enums: Name of an Enum to the kind of its values, "" for mixed ones.
        widened: Whether a type has become `Any` or holds it.
    """

    aliases: dict[str, ast.expr] = field(default_factory=dict[str, ast.expr])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    enums: dict[str, str] = field(default_factory=dict[str, str])
    widened: bool = False


def widen(tree: ast.Module) -> None:
    """Write wider types for those of a module that msgspec refuses.

    Args:
        tree: The module.
    """
    module = _read(tree)
    for node in tree.body:
        match node:
            case ast.AnnAssign(ast.Name(name), ast.Name("TypeAlias"), value) if value:
                node.value = module.aliases[name] = _mended(value, module)
            case ast.ClassDef():
                for statement in node.body:
                    if isinstance(statement, ast.AnnAssign):
                        statement.annotation = _mended(statement.annotation, module)
            case _:
                pass
    if module.widened:
        tree.body.insert(0, ast.ImportFrom("typing", [ast.alias("Any")], 0))


def _read(tree: ast.Module) -> _Module:
    """Return the types behind the names of a module."""
    module = _Module()
    for node in tree.body:
        match node:
            case ast.AnnAssign(
                ast.Name(name), ast.Name("TypeAlias"), ast.expr() as value
            ):
                module.aliases[name] = value
            case ast.ClassDef(name=name, bases=[ast.Name(base), *_]) if "Enum" in base:
                module.enums[name] = _kind_of([*_values(node)])
            case ast.ClassDef(name=name):
                tags = {word.arg: ast.unparse(word.value) for word in node.keywords}
                tag = f"{tags.get('tag_field')} {tags['tag']}" if "tag" in tags else ""
                module.tags[name] = tag
            case _:
                pass
    return module


def _values(node: ast.ClassDef) -> Iterator[object]:
    """Yield the values of an Enum."""
    for statement in node.body:
        match statement:
            case ast.Assign(value=value):
                yield ast.literal_eval(value)
            case _:
                pass


def _kind_of(values: Sequence[object]) -> str:
    """Return the kind that all constants share, "" where msgspec has none for them."""
    if all(type(value) is int and value in _INT64 for value in values):
        return "int"
    return "str" if all(isinstance(value, str) for value in values) else ""


def _mended(node: ast.expr, module: _Module) -> ast.expr:
    """Return a type that msgspec reads; it accepts each value of the other type."""
    match node:
        case ast.BinOp(op=ast.BitOr()) | ast.Subscript(ast.Name("Union" | "Optional")):
            mended = [_mended(each, module) for each in _members(node)]
            return _joined(_distinct(mended, module), node)
        case ast.Subscript(ast.Name("Literal")):
            return node
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, *rest])):
            made = _mended(type_, module)
            inner = _bound(made, module)
            meta = [_bounds(each, _head(made, module), inner) for each in rest]
            return ast.Subscript(node.value, ast.Tuple([made, *meta]))
        case ast.Subscript(head, ast.Tuple(elements)):
            types: list[ast.expr] = [_mended(each, module) for each in elements]
            return ast.Subscript(head, ast.Tuple(types))
        case ast.Subscript(head, index):
            return ast.Subscript(head, _mended(index, module))
        case ast.Name(name) if module.enums.get(name, name) == "":
            return _any(module)
        case ast.Constant("Any"):
            return _any(module)  # where a type ends that is within itself
        case _:
            return node


def _any(module: _Module) -> ast.expr:
    module.widened = True
    return ast.Name("Any")


def _items(index: ast.expr) -> Sequence[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _members(node: ast.expr) -> list[ast.expr]:
    """Return the members of a union; any other type is its own only member."""
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_members(left), *_members(right)]
        case ast.Subscript(ast.Name("Union"), index):
            return [*chain.from_iterable(map(_members, _items(index)))]
        case ast.Subscript(ast.Name("Optional"), index):
            return [*_members(index), ast.Constant(None)]
        case _:
            return [node]


def _distinct(members: list[ast.expr], module: _Module) -> list[ast.expr]:
    """Return the members of a union: one wider type for those that look alike."""
    flat = [*chain.from_iterable(_expanded(each, module) for each in members)]
    made = flat
    for kind, wider in _WIDER.items():
        alike = [each for each in flat if _kind(each, module) == kind]
        if len(alike) > 1 and not _are_distinct(alike, module):
            module.widened |= "Any" in wider
            first, *rest = alike
            one = ast.parse(wider, mode="eval").body
            made = [one if each is first else each for each in made if each not in rest]
    made = _together(made, module)
    return members if [*map(id, made)] == [*map(id, flat)] else made


def _together(members: list[ast.expr], module: _Module) -> list[ast.expr]:
    """Return the members of a union without those that msgspec reads wrongly in it."""
    if {"int", "float"} <= {_kind(each, module) for each in members}:
        numbers = [_number(each, module) for each in members]
        members = [*{ast.dump(each): each for each in numbers}.values()]
    if any(_bound(each, module) for each in members):
        return [_array_of_any(each, module) for each in members]
    return members


def _number(node: ast.expr, module: _Module) -> ast.expr:
    """Return a plain type for a number: msgspec reads `3` as the integer alone."""
    kind = _kind(node, module)
    is_plain = isinstance(node, ast.Name) and node.id == kind
    return node if is_plain or kind not in {"int", "float"} else ast.Name(kind)


def _array_of_any(node: ast.expr, module: _Module) -> ast.expr:
    """Return a list for a tuple: beside a bound in a union, one crashes msgspec."""
    if _head(node, module) != "tuple":
        return node
    module.widened = True
    return ast.parse("list[Any]", mode="eval").body


def _joined(members: Sequence[ast.expr], like: ast.expr) -> ast.expr:
    """Return the union of types, in the form of another one."""
    texts = [each for each in members if isinstance(each, ast.Constant) and each.value]
    if isinstance(like, ast.Subscript) or texts:  # `|` takes no text
        return ast.Subscript(ast.Name("Union"), ast.Tuple([*members]))
    return reduce(lambda a, b: ast.BinOp(a, ast.BitOr(), b), members)


def _expanded(node: ast.expr, module: _Module) -> list[ast.expr]:
    """Return the members of a union, also those behind names."""
    match node:
        case ast.Name(name) if name in module.aliases:
            type_ = module.aliases[name]
            parts = _members(_mended(type_, module))
            inner = [*chain.from_iterable(_expanded(each, module) for each in parts)]
            # A name may be of a union that is one wider type from now on.
            return [node] if [*map(ast.dump, inner)] == [ast.dump(type_)] else inner
        case _:
            return [node]


def _head(node: ast.expr, module: _Module) -> str:
    """Return the name of a type without its bounds and arguments."""
    match node:
        case ast.Name(name) if name in module.aliases:
            return _head(module.aliases[name], module)
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, *_])):
            return _head(type_, module)
        case ast.Subscript(ast.Name(name)) | ast.Name(name):
            return name
        case _:
            return ""


def _kind(node: ast.expr, module: _Module) -> str:
    """Return the kind of JSON value by which msgspec tells a type from others."""
    head = _head(node, module)
    if head in module.enums:
        return module.enums[head]
    if head == "Literal":
        return _kind_of(_constants(node, module)) or head
    if head in module.tags or head in {"dict", "Mapping"}:
        return "object"
    return "array" if head in {"list", "tuple", "Sequence"} else head


def _constants(node: ast.expr, module: _Module) -> list[object]:
    match node:
        case ast.Name(name):
            return _constants(module.aliases[name], module)
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, *_])):
            return _constants(type_, module)
        case ast.Subscript(slice=index):
            return [ast.literal_eval(each) for each in _items(index)]
        case _:
            return []


def _are_distinct(members: Sequence[ast.expr], module: _Module) -> bool:
    """Return whether msgspec can tell types of one kind apart: by tags, or values."""
    heads = [_head(each, module) for each in members]
    if all(head in {"str", "int", "Literal"} for head in heads):
        return True
    tags = [module.tags.get(head, "") for head in heads]
    fields = {tag.partition(" ")[0] for tag in tags}
    return all(tags) and len(fields) == 1 and len({*tags}) == len(tags)


def _bound(node: ast.expr, module: _Module) -> set[str]:
    """Return the bounds that a type has, also those behind its name."""
    match node:
        case ast.Name(name) if name in module.aliases:
            return _bound(module.aliases[name], module)
        case ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, *rest])):
            calls = [each for each in rest if isinstance(each, ast.Call)]
            words = {word.arg or "" for call in calls for word in call.keywords}
            own = words & (_OF_NUMBERS | _OF_LENGTH)
            sides = {_OTHER_BOUND[word] for word in own & _OTHER_BOUND.keys()}
            return _bound(type_, module) | own | sides
        case _:
            return set()


def _bounds(node: ast.expr, head: str, inner: set[str]) -> ast.expr:
    """Return the bounds of a type that msgspec has, each once."""
    match node:
        case ast.Call(ast.Name("Meta") as name, [], words):
            fitting = [w for w in words if w.arg not in inner and _fits(w, head)]
            return ast.Call(name, [], fitting)
        case _:
            return node


def _fits(word: ast.keyword, head: str) -> bool:
    if word.arg not in _OF_NUMBERS | _OF_LENGTH:
        return True
    if word.arg not in _BOUNDS.get(head, ()):
        return False
    value = ast.literal_eval(word.value)
    if head == "int" or word.arg in _OF_LENGTH:
        return type(value) is int and value in _INT64
    return True
