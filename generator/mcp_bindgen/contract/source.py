"""Compares two generated tools as typed callers see them: names and types in Python.

Callers pass arguments: the new type must take the old one. Callers read results: the
new type must fit where the old one did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.contract.model import Path, Side, Step
from mcp_bindgen.contract.python_types import (
    Atom,
    Classes,
    PyType,
    atoms,
    classes_of,
    in_order,
    show_type,
)
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

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
    """Yield the changes that break typed callers of a generated tool.

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
    here = (Step("name", "result"),) * is_unwrapped
    breaks = [*_types(outputs, *types, here)]
    yield from breaks
    if not breaks and "unwrapped" in {old.returns, new.returns} and not is_unwrapped:
        # One package returns the value of one member, the other the whole.
        yield Break("out", (), "PYTHON_SIGNATURE_CHANGED", *map(show_type, types))
    if is_unwrapped:
        wrappers = (frozenset({Atom("class", str(t.result))}) for t in (old, new))
        before_, after_ = wrappers
        yield from _types(outputs, before_, after_, ())
    yield from _rebound(inputs, outputs)


def _rebound(inputs: _Pair, outputs: _Pair) -> Iterator[Break]:
    """Yield a break for each name that another class has now."""
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
    # A class is compared where it comes first: no order of members may say where.
    ordered = sorted(old.fields, key=lambda field: field.wire.text)
    before = {str(field.name): field for field in ordered}
    after = {str(field.name): field for field in new.fields}
    wires = {field.wire.text: field for field in new.fields}
    for name, field in before.items():
        here = (*path, Step("name", field.wire.text))
        of_wire, other = wires.get(field.wire.text), after.get(name)
        if other is None:
            names = name, str(of_wire.name) if of_wire else "nothing"
            yield Break(pair.side, here, "PYTHON_SIGNATURE_CHANGED", *names)
        # The name still exists, and means another member: worse than a missing one.
        elif of_wire and other.wire.text != field.wire.text:
            rebound = name, other.wire.text
            yield Break(pair.side, here, "PYTHON_NAME_REBOUND", *rebound)
        else:
            yield from _fields(pair, field, other, here)
    if pair.side == "in":
        yield from _needed(before.keys(), after, path)


def _needed(
    old: Collection[str], new: Mapping[str, Field], path: Path
) -> Iterator[Break]:
    """Yield a break for each new parameter that every call must pass."""
    for name, field in new.items():
        if field.required and name not in old:
            here, declared = (*path, Step("name", field.wire.text)), _declared(field)
            yield Break("in", here, "PYTHON_SIGNATURE_CHANGED", "nothing", declared)


def _fields(pair: _Pair, old: Field, new: Field, path: Path) -> Iterator[Break]:
    first, second = (new, old) if pair.side == "in" else (old, new)
    if first.required and not second.required:
        declared = _declared(old), _declared(new)
        yield Break(pair.side, path, "PYTHON_SIGNATURE_CHANGED", *declared)
    types = atoms(old.type, pair.old), atoms(new.type, pair.new)
    yield from _types(pair, *types, path)


def _declared(field: Field) -> str:
    """Return the name of a field; its type may be a sketch only."""
    return f"the {'required' if field.required else 'optional'} {field.name}"


def _types(pair: _Pair, old: PyType, new: PyType, path: Path) -> Iterator[Break]:
    """Compare two types; their elements, values and fields have paths of their own."""
    goes, takes = (old, new) if pair.side == "in" else (new, old)
    if Atom("Any") in takes or goes == frozenset({Atom("Any")}):
        yield from _lost_classes(pair, old, new, path)
        if pair.side == "out" and Atom("Any") not in old:
            # mypy --strict accepts no `return value.name` of type Any.
            yield Break("out", path, "PYTHON_SIGNATURE_CHANGED", show_type(old), "Any")
        return
    for atom in sorted(goes, key=in_order):
        partners = _partners(atom, takes)
        if atom.kind in {"list", "dict", "tuple", "class"} and partners:
            yield from _nearest(pair, atom, partners, path)
        elif not _goes(atom, takes):
            types = show_type(old), show_type(new)
            yield Break(pair.side, path, "PYTHON_SIGNATURE_CHANGED", *types)
    if pair.side == "out":
        yield from _lost_classes(pair, old, new, path)


def _partners(atom: Atom, takes: PyType) -> list[Atom]:
    """Return the members of one kind; of tuples, those of one length."""
    same = [each for each in takes if each.kind == atom.kind]
    return [each for each in same if atom.kind != "tuple" or each.name == atom.name]


def _lost_classes(pair: _Pair, old: PyType, new: PyType, path: Path) -> Iterator[Break]:
    """Yield the classes that callers import, and that no longer exist."""
    compared = {before for before, _ in pair.done}
    for atom in sorted(old, key=in_order):
        is_gone = atom.name not in pair.new and atom.name not in compared
        if is_gone and isinstance(pair.old.get(atom.name), Object):
            names = atom.name, show_type(new)
            yield Break(pair.side, path, "PYTHON_MODEL_RENAMED", *names)
        elif atom.inner:
            yield from _lost_classes(pair, atom.inner, new, path)


def _nearest(
    pair: _Pair, atom: Atom, partners: list[Atom], path: Path
) -> Iterator[Break]:
    """Compare a container or a class with its partner on the other side.

    The partner of a class is the class of its name. The partner of a container, or of a
    class whose name is gone, is the most similar one.
    """
    named = [each for each in partners if (each.kind, each.name) == atom[:2]]
    same = [atom] if atom in partners else named if atom.kind == "class" else []
    best: tuple[list[Break], dict[tuple[str, str], None]] | None = None
    for each in same or sorted(partners, key=in_order):
        # Each partner on a copy: only the work of the best one counts as done.
        trial = replace(pair, done=dict(pair.done))
        one, other = (atom, each) if pair.side == "in" else (each, atom)
        compared = _classes if atom.kind == "class" else _inner
        breaks = [*compared(trial, one, other, path)]
        if best is None or len(breaks) < len(best[0]):
            best = breaks, trial.done
        if not breaks:
            break
    if best:
        pair.done.update(best[1])
        yield from best[0]


def _inner(pair: _Pair, old: Atom, new: Atom, path: Path) -> Iterator[Break]:
    """Compare the elements of two lists or tuples, or the values of two dicts."""
    if old.kind == "tuple":
        numbered = {each.kind: each.inner for each in new.inner}
        for each in sorted(old.inner, key=in_order):
            here = (*path, Step("item", each.kind))
            yield from _types(pair, each.inner, numbered[each.kind], here)
        return
    step = Step("items" if old.kind == "list" else "extra")
    yield from _types(pair, old.inner, new.inner, (*path, step))


def _classes(pair: _Pair, old: Atom, new: Atom, path: Path) -> Iterator[Break]:
    """Compare two models, or two recursive types, by their names."""
    before, after = pair.old.get(old.name), pair.new.get(new.name)
    if isinstance(before, Object) and isinstance(after, Object):
        yield from _objects(pair, before, after, path)
    elif old.name not in pair.new:
        names = old.name, new.name
        yield Break(pair.side, path, "PYTHON_MODEL_RENAMED", *names)


def _goes(atom: Atom, takes: PyType) -> bool:
    """Return whether a value of one scalar type fits another.

    An integer fits a number; true and false fit no integer, though bool is an int in
    Python: a server refuses them.
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
