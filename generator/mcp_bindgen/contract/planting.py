"""Puts JSON values at the end of a path, into the values that must be around them."""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.contract.instances import (
    few_values,
    first_elements,
    minimal_object,
    new_name,
)
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.normal import shape_of
from mcp_bindgen.contract.pattern_samples import samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mcp_bindgen.contract.model import Path, Step
    from mcp_bindgen.contract.shape import Branch, Parts, ShapedDocument

__all__ = ["mixed", "plant", "replaced", "undeclared", "without"]

_FRAMES = 12  # ways to the end of a path, through the members of unions
_OTHERS = 24  # values that fill an array
_UNNAMED = 6  # values of one undeclared member
_FOREIGN = 2  # values of one member of another member of a union
_LEAST = 1_000  # elements of an array that must have more


def plant(
    document: ShapedDocument, parts: Parts, path: Path, values: Iterable[Any]
) -> Iterator[Any]:
    """Yield values of a schema that hold each of some values at the end of a path.

    Args:
        document: The document of its references.
        parts: The schema.
        path: The steps to the inner value.
        values: The inner values.
    """
    frames = [*islice(_frames(document, parts, path), _FRAMES)]
    for value in values:
        for frame in frames:
            yield frame(value)


def _frames(
    document: ShapedDocument, parts: Parts, path: Path
) -> Iterator[Callable[[Any], Any]]:
    """Yield functions that put a value at the end of a path into the values around it.

    In unions, the members that declare the path come first.
    """
    if not path:
        yield lambda value: value
        return
    step, rest = path[0], path[1:]
    branches = shape_of(document, parts).branches
    for branch in sorted(branches, key=lambda b: step.name not in b.properties):
        if branch.kind == "array" and step.kind in {"items", "item"}:
            index = int(step.name) if step.kind == "item" else len(branch.prefix)
            inner = next(iter(branch.prefix[index:]), branch.items)
            for frame in _frames(document, inner, rest):
                yield partial(_in_array, document, branch, index, frame)
        elif branch.kind == "object" and step.kind in {"name", "extra"}:
            for name, inner in _members(branch, step):
                for frame in _frames(document, inner, rest):
                    yield partial(_in_object, document, branch, name, frame)


def _in_array(
    document: ShapedDocument,
    branch: Branch,
    index: int,
    frame: Callable[[Any], Any],
    value: Any,
) -> list[Any]:
    # What stands around the value must fit, too, or the fault would be there.
    inner, low = frame(value), branch.bounds.get("low")
    more = min(int(low.value) if low else 0, _LEAST) - index - 1
    others = few_values(document, branch.items, 0, _OTHERS) if more > 0 else []
    after = [each for each in others if each != inner] or others
    start = first_elements(document, branch, index, 0)
    return [*start, inner, *islice(cycle(after), max(more, 0))]


def _in_object(
    document: ShapedDocument,
    branch: Branch,
    name: str,
    frame: Callable[[Any], Any],
    value: Any,
) -> dict[str, Any]:
    return {**minimal_object(document, branch, 0), name: frame(value)}


def _members(branch: Branch, step: Step) -> Iterator[tuple[str, Parts]]:
    """Yield the names that a step may lead to, each with its schemas."""
    if step.kind == "name":
        yield step.name, branch.properties.get(step.name, branch.extra or ())
        return
    for pattern, inner in branch.by_pattern:
        yield from ((name, inner) for name in samples(pattern)[:1])
    if not branch.is_closed:
        yield new_name(branch), branch.extra or ()


def undeclared(document: ShapedDocument, parts: Parts) -> Iterator[dict[str, Any]]:
    """Yield objects of a schema with a member that it does not declare.

    Args:
        document: The document of its references.
        parts: The schema.
    """
    for branch in shape_of(document, parts).branches:
        if branch.kind == "object" and not branch.is_closed:
            base, name = minimal_object(document, branch, 0), new_name(branch)
            for value in few_values(document, branch.extra or (), 0, _UNNAMED):
                yield {**base, name: value}


def mixed(document: ShapedDocument, parts: Parts) -> Iterator[dict[str, Any]]:
    """Yield objects with a member of another member of the union: `oneOf` may mind.

    Args:
        document: The document of its references.
        parts: The schema.
    """
    branches = [b for b in shape_of(document, parts).branches if b.kind == "object"]
    bases = [minimal_object(document, branch, 0) for branch in branches]
    for number, branch in enumerate(branches):
        others = [*bases[:number], *bases[number + 1 :]]
        for name, inner in branch.properties.items():
            for value in (*few_values(document, inner, 0, _FOREIGN), "other"):
                yield from ({**base, name: value} for base in others)


def replaced(
    value: Any, path: Path, change: Callable[[Any], Iterable[Any]]
) -> Iterator[Any]:
    """Yield a value with other parts at the end of a path, where it leads into it.

    Args:
        value: The whole value.
        path: The steps.
        change: Returns the other parts for the one that is there, `ABSENT` for none.
    """
    if not path:
        yield from change(value)
        return
    step, rest = path[0], path[1:]
    if step.kind == "name" and isinstance(value, dict):
        known = cast("dict[str, Any]", value)
        for new in replaced(known.get(step.name, ABSENT), rest, change):
            yield {**known, step.name: new}
    elif step.kind in {"item", "items"} and isinstance(value, list):
        elements = cast("list[object]", value)
        index = int(step.name or 0)
        for each in elements[index : index + 1]:
            for new in replaced(each, rest, change):
                yield [*elements[:index], new, *elements[index + 1 :]]


def without(value: Any, name: str) -> Iterator[Any]:
    """Yield an object without a member that it has.

    Args:
        value: The object; another value has no members.
        name: The name of the member.
    """
    if isinstance(value, dict) and name in value:
        known = cast("dict[str, Any]", value)
        yield {key: each for key, each in known.items() if key != name}
