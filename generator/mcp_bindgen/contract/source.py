"""Compares two generated tools as typed callers see them: names and types in Python.

Arguments are what callers pass: the new type must take the old one. Results are what
callers read: the new type must go where the old one was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.contract.model import Path, Side, Step
from mcp_bindgen.contract.python_types import (
    Atom,
    Classes,
    PyType,
    atoms,
    classes_of,
    show_type,
)
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.schema.ir import Field, Tool

__all__ = ["Break", "compare_tools"]

_LITERALS = {'"': "str", "'": "str", "T": "bool", "F": "bool", "N": "None"}


class Break(NamedTuple):
    """One difference that breaks typed callers.

    Attributes:
        side: `in` for arguments, `out` for results.
        path: The steps to the value, by names in JSON.
        rule: The rule that names it where no change of a schema explains it.
        old: The old type or name.
        new: The new type or name.
    """

    side: Side
    path: Path
    rule: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """The classes of two tools, and which of them are compared already."""

    side: Side
    old: Classes
    new: Classes
    done: dict[tuple[str, str], None]


def compare_tools(old: Tool, new: Tool) -> Iterator[Break]:
    """Yield what breaks typed callers of a generated tool.

    Args:
        old: The tool of the old package.
        new: The tool of the new package.
    """
    before, after = classes_of(old), classes_of(new)
    inputs = _Pair("in", before, after, {})
    outputs = _Pair("out", before, after, {})
    yield from _objects(inputs, old.arguments, new.arguments, ())
    types = atoms(old.return_type, before), atoms(new.return_type, after)
    is_unwrapped = old.returns == new.returns == "unwrapped"
    yield from _types(outputs, *types, (Step("name", "result"),) * is_unwrapped)
    if is_unwrapped:
        wrappers = (frozenset({Atom("class", str(t.result))}) for t in (old, new))
        before_, after_ = wrappers
        yield from _types(outputs, before_, after_, ())
    yield from _rebound(inputs, outputs)


def _rebound(inputs: _Pair, outputs: _Pair) -> Iterator[Break]:
    """Yield classes whose name means another thing now."""
    for pair in (inputs, outputs):
        for name, _ in [*pair.done]:
            new = pair.new.get(name)
            old = pair.old.get(name)
            if (name, name) in pair.done or not isinstance(old, Object):
                continue
            if isinstance(new, Object):
                broken = next(_objects(pair, old, new, ()), None)
                if broken:
                    path = broken.path
                    yield Break(pair.side, path, "PYTHON_NAME_REBOUND", name, name)


def _objects(pair: _Pair, old: Object, new: Object, path: Path) -> Iterator[Break]:
    """Compare two models field by field, by the names in Python."""
    key = (str(old.name), str(new.name))
    if key in pair.done:
        return
    pair.done[key] = None
    if key[0] != key[1] and key[0] not in pair.new:
        yield Break(pair.side, path, "PYTHON_MODEL_RENAMED", *key)
    before = {str(field.name): field for field in old.fields}
    after = {str(field.name): field for field in new.fields}
    wires = {field.wire.text: field for field in new.fields}
    for name, field in before.items():
        here = (*path, Step("name", field.wire.text))
        other = after.get(name)
        if other is None:
            now = wires.get(field.wire.text)
            gone = str(now.name) if now else "nothing"
            yield Break(pair.side, here, "PYTHON_SIGNATURE_CHANGED", name, gone)
        elif other.wire.text != field.wire.text and field.wire.text in wires:
            rebound = name, other.wire.text
            yield Break(pair.side, here, "PYTHON_NAME_REBOUND", *rebound)
        else:
            yield from _fields(pair, field, other, here)
    if pair.side == "in":
        come = [after[name] for name in after if name not in before]
        yield from (_needed(field, path) for field in come if field.required)


def _needed(field: Field, path: Path) -> Break:
    """Return the break of a new parameter that every call must pass."""
    here, name = (*path, Step("name", field.wire.text)), str(field.name)
    return Break("in", here, "PYTHON_SIGNATURE_CHANGED", "nothing", name)


def _fields(pair: _Pair, old: Field, new: Field, path: Path) -> Iterator[Break]:
    first, second = (new, old) if pair.side == "in" else (old, new)
    if first.required and not second.required:
        names = [("" if f.required else "MISSING | ") + str(f.name) for f in (old, new)]
        yield Break(pair.side, path, "PYTHON_SIGNATURE_CHANGED", *names)
    types = atoms(old.type, pair.old), atoms(new.type, pair.new)
    yield from _types(pair, *types, path)


def _types(pair: _Pair, old: PyType, new: PyType, path: Path) -> Iterator[Break]:
    """Compare two types; what stands in lists, dicts and models, at its own path."""
    goes, takes = (old, new) if pair.side == "in" else (new, old)
    if Atom("Any") in takes or goes == frozenset({Atom("Any")}):
        yield from _lost_classes(pair, old, path)
        return
    for atom in sorted(goes, key=repr):
        partners = [each for each in takes if each.kind == atom.kind]
        if atom.kind in {"list", "dict"} and partners:
            step = Step("items" if atom.kind == "list" else "extra")
            for each in partners[:1]:
                first, second = atom.inner, each.inner
                inner = (first, second) if pair.side == "in" else (second, first)
                yield from _types(pair, *inner, (*path, step))
        elif atom.kind == "class" and partners:
            yield from _class(pair, atom, partners, len(goes), path)
        elif not _goes(atom, takes):
            shown = show_type(old), show_type(new)
            yield Break(pair.side, path, "PYTHON_SIGNATURE_CHANGED", *shown)


def _lost_classes(pair: _Pair, old: PyType, path: Path) -> Iterator[Break]:
    """Yield the classes that callers imported, and that are nothing special now."""
    for atom in sorted(old, key=repr):
        if atom.kind == "class" and atom.name not in pair.new:
            yield Break(pair.side, path, "PYTHON_MODEL_RENAMED", atom.name, "Any")


def _class(
    pair: _Pair, atom: Atom, partners: list[Atom], number: int, path: Path
) -> Iterator[Break]:
    """Compare a model with the one of the other side that is most like it."""
    found: list[list[Break]] = []
    for each in sorted(partners, key=lambda other: other.name != atom.name):
        names = (atom.name, each.name) if pair.side == "in" else (each.name, atom.name)
        old, new = pair.old.get(names[0]), pair.new.get(names[1])
        if not isinstance(old, Object) or not isinstance(new, Object):
            if names[0] not in pair.new:
                found.append([Break(pair.side, path, "PYTHON_MODEL_RENAMED", *names)])
            continue
        if names in pair.done:
            return
        trial = _Pair(pair.side, pair.old, pair.new, dict(pair.done))
        breaks = [*_objects(trial, old, new, path)]
        if not breaks or (each.name == atom.name and number == len(partners) == 1):
            pair.done.update(trial.done)
            yield from breaks
            return
        found.append(breaks)
    if found:
        yield from min(found, key=len)


def _goes(atom: Atom, takes: PyType) -> bool:
    """Tell whether a value of a type that is no container may stand for another.

    An integer stands for a number; true and false stand for no integer, whatever
    Python says, since a server refuses them.
    """
    if atom in takes:
        return True
    if atom.kind == "int":
        return Atom("float") in takes
    if atom.kind != "literal":
        return False
    kind = _LITERALS.get(atom.name[0])
    kind = kind or ("float" if "." in atom.name or "e" in atom.name else "int")
    return Atom(kind) in takes or (kind == "int" and Atom("float") in takes)
