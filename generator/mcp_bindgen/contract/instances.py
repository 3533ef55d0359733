"""Makes a few small JSON values of a schema, which test its bounds."""

from __future__ import annotations

import json
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.normal import shape_of
from mcp_bindgen.contract.pattern_samples import samples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_bindgen.contract.bounds import Bound
    from mcp_bindgen.contract.model import Path, Step
    from mcp_bindgen.contract.shape import Branch, Parts, ShapedDocument

__all__ = ["plant", "values_of"]

_DEPTH = 6
_INNER = 6  # values of one member that are tried
_TEXTS = ("x", "", "some words, any text", "A1", "2026-01-31", "a@example.com")
_SYMBOLS = "-_./:@A0"  # characters that one pattern allows, and another may not
_NUMBERS = (1, 0, -1, 2, 7, 100, 1_000_000_007, -1_000_000_007)
# Until draft 7, many programs refuse a text that is not of its format.
_FORMATS = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "a@example.com",
    "idn-email": "a@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "https://example.com/",
    "iri": "https://example.com/",
    "iri-reference": "https://example.com/",
    "uri-template": "https://example.com/{id}",
    "json-pointer": "/a",
    "relative-json-pointer": "0/a",
    "regex": "^a+$",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
_SIZES = (6, 11, 21, 51, 101, 501, 1_001)  # of arrays without a bound
_LENGTHS = (300, 1_001, 5_001, 10_001, 100_001)  # the same for texts


def values_of(document: ShapedDocument, parts: Parts, depth: int = 0) -> Iterator[Any]:
    """Yield values of a schema; some may not fit it, so that a caller must check.

    Args:
        document: The document of its references.
        parts: The schema.
        depth: How many schemas are around it.
    """
    if depth > _DEPTH:
        return
    branches = shape_of(document, parts).branches
    # Null says little: other types come first.
    ordered = sorted(branches, key=lambda branch: branch.kind == "null")
    rest: list[Iterator[Any]] = []
    for branch in ordered:
        values = _of_branch(document, branch, depth)
        yield from islice(values, 1)
        rest.append(values)
    for values in rest:
        yield from values


def _few(document: ShapedDocument, parts: Parts, depth: int, most: int) -> list[Any]:
    """Return the first values of a schema, made once for all paths to it."""
    key = tuple(id(part.node) for part in parts), depth, most
    if key not in document.values:
        document.values[key] = [*islice(values_of(document, parts, depth), most)]
    return document.values[key]


def plant(
    document: ShapedDocument,
    parts: Parts,
    path: Path,
    values: Iterable[Any],
    depth: int = 0,
) -> Iterator[Any]:
    """Yield values of a schema that hold each of some values at the end of a path.

    Args:
        document: The document of its references.
        parts: The schema.
        path: The steps to the inner value.
        values: The inner values.
        depth: How many schemas are around it.
    """
    if not path or depth > 4 * _DEPTH:
        yield from values
        return
    step, rest, listed = path[0], path[1:], [*values]
    for branch in shape_of(document, parts).branches:
        if branch.kind == "array" and step.kind in {"items", "item"}:
            index = int(step.name) if step.kind == "item" else len(branch.prefix)
            inner = next(iter(branch.prefix[index:]), branch.items)
            # What stands around the value must fit, too, or the fault would be there.
            before = _elements(document, branch, index, depth)
            for value in plant(document, inner, rest, listed, depth + 1):
                yield [*before, value]
        elif branch.kind == "object" and step.kind in {"name", "extra"}:
            base = _minimal(document, branch, depth)
            for name, inner in _members(branch, step):
                for value in plant(document, inner, rest, listed, depth + 1):
                    yield {**base, name: value}


def _members(branch: Branch, step: Step) -> Iterator[tuple[str, Parts]]:
    """Yield the names that a step may lead to, each with its schemas."""
    if step.kind == "name":
        yield step.name, branch.properties.get(step.name, branch.extra or ())
        return
    for pattern, inner in branch.by_pattern:
        yield from ((name, inner) for name in samples(pattern)[:1])
    if not branch.is_closed:
        yield _new_name(branch), branch.extra or ()


def _of_branch(document: ShapedDocument, branch: Branch, depth: int) -> Iterator[Any]:
    if branch.values is not None:
        yield from (json.loads(text) for text in sorted(branch.values))
    elif branch.kind == "null":
        yield None
    elif branch.kind == "boolean":
        yield from (True, False)
    elif branch.kind in {"integer", "number"}:
        yield from _numbers(branch)
    elif branch.kind == "string":
        yield from _strings(branch)
    elif branch.kind == "array":
        yield from _arrays(document, branch, depth)
    else:
        yield from _objects(document, branch, depth)


def _edge(bound: Bound | None, step: float) -> Iterator[Any]:
    if bound:
        yield bound.value + step if bound.strict else bound.value


def _numbers(branch: Branch) -> Iterator[Any]:
    step = branch.bounds.get("step")
    small: Any = 1 if branch.kind == "integer" else 0.5
    edges = [
        *_edge(branch.bounds.get("low"), small),
        *_edge(branch.bounds.get("high"), -small),
    ]
    if len(edges) > 1:  # both ends, then something between
        yield from (edges[0], edges[1], (edges[0] + edges[1]) // 2)
    elif edges:
        yield from (edges[0], edges[0] + 1, edges[0] - 1)
    if step:
        yield from (step.value * number for number in (1, 0, 2, 3, -1))
    yield from _NUMBERS
    if branch.kind == "number":
        yield from (0.5, -2.25, 1e100)


def _strings(branch: Branch) -> Iterator[str]:
    low = branch.bounds.get("low")
    high = branch.bounds.get("high")
    shortest = int(low.value) if low else 0
    sizes = [shortest, int(high.value)] if high else [shortest, *_LENGTHS]
    formatted = [_FORMATS[name] for name in sorted(branch.formats) if name in _FORMATS]
    if formatted:
        yield from formatted
        for text in formatted:
            if text.startswith("https:"):
                yield from (text.ljust(min(size, 100_001), "x") for size in sizes)
        return
    for pattern in sorted(branch.patterns):
        yield from samples(pattern)
        yield from _SYMBOLS
    yield from _TEXTS
    yield from ("x" * min(size, 100_001) for size in sizes)


def _elements(
    document: ShapedDocument, branch: Branch, number: int, depth: int
) -> list[Any]:
    """Return the first elements of an array, as few as it may have."""
    elements = [*branch.prefix[:number]]
    elements += [branch.items] * (number - len(elements))
    return [v for each in elements for v in _few(document, each, depth + 1, 1)]


def _arrays(
    document: ShapedDocument, branch: Branch, depth: int
) -> Iterator[list[Any]]:
    low, high = branch.bounds.get("low"), branch.bounds.get("high")
    least = min(int(low.value) if low else 0, 1_000)
    most = min(int(high.value) if high else 1_001, 1_001)
    inner = _few(document, branch.items, depth + 1, 4 * _INNER)
    prefix = _elements(document, branch, len(branch.prefix), depth)
    sizes = (most,) if high else (least + 3, *_SIZES)
    for size in dict.fromkeys((max(least, 1), least, least + 1, *sizes)):
        rest = size - len(prefix)
        if size <= most:
            cycled = [
                inner[number % len(inner)] for number in range(max(rest, 0)) if inner
            ]
            yield [*prefix[:size], *cycled]
    for value in inner:
        yield [*prefix, *[value] * max(least - len(prefix), 1)]


def _minimal(document: ShapedDocument, branch: Branch, depth: int) -> dict[str, Any]:
    """Return an object with the members that it must have."""
    return {
        name: value
        for name in [n for n in branch.properties if n in branch.required]
        + sorted(branch.required - branch.properties.keys())
        for value in _few(document, branch.properties.get(name, ()), depth + 1, 1)
    }


def _objects(
    document: ShapedDocument, branch: Branch, depth: int
) -> Iterator[dict[str, Any]]:
    base = _minimal(document, branch, depth)
    if len(base) < len(branch.required):
        return
    yield base
    by_name = {
        name: _few(document, parts, depth + 1, 2 * _INNER)
        for name, parts in branch.properties.items()
    }
    yield {**base, **{name: values[0] for name, values in by_name.items() if values}}
    for name, values in by_name.items():
        yield from ({**base, name: value} for value in values)
    if not branch.is_closed and (branch.extra is not None or branch.is_map):
        name = _new_name(branch)
        inner = _few(document, branch.extra or (), depth + 1, _INNER)
        yield from ({**base, name: value} for value in inner)


def _new_name(branch: Branch) -> str:
    """Return a name that an object does not declare."""
    for pattern, _ in branch.by_pattern:
        for name in samples(pattern):
            return name
    names = chain(["other"], map(str, count()))
    return next(name for name in names if name not in branch.properties)
