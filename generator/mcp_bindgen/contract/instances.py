"""Makes a few small JSON values of a schema, which test its bounds."""

from __future__ import annotations

import json
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.bounds import fits_bounds
from mcp_bindgen.contract.normal import shape_of
from mcp_bindgen.contract.pattern_samples import samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.contract.bounds import Bound
    from mcp_bindgen.contract.shape import Branch, Parts, ShapedDocument

__all__ = ["few_values", "first_elements", "minimal_object", "new_name", "values_of"]

_DEPTH = 6
_INNER = 6  # values of one member that are tried
_LEAST = 1_000  # elements of an array that must have more
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
    while rest:  # one of each in turn: no type has to wait for another
        for values in [*rest]:
            some = [*islice(values, 2)]
            yield from some
            if not some:
                rest.remove(values)


def few_values(
    document: ShapedDocument, parts: Parts, depth: int, most: int
) -> list[Any]:
    """Return the first values of a schema, made once for all paths to it.

    Args:
        document: The document of its references.
        parts: The schema.
        depth: How many schemas are around it.
        most: How many values.
    """
    key = tuple(id(part.node) for part in parts), depth, most
    if key not in document.values:
        document.values[key] = [*islice(values_of(document, parts, depth), most)]
    return document.values[key]


def _of_branch(document: ShapedDocument, branch: Branch, depth: int) -> Iterator[Any]:
    if branch.values is not None:
        yield from (json.loads(text) for text in sorted(branch.values))
    elif branch.kind == "null":
        yield None
    elif branch.kind == "boolean":
        yield from (True, False)
    elif branch.kind in {"integer", "number"}:
        yield from (n for n in _numbers(branch) if fits_bounds(n, branch.bounds))
    elif branch.kind == "string":
        yield from (t for t in _strings(branch) if fits_bounds(t, branch.bounds))
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
        yield from (edge + part for edge in edges for part in (0.5, -0.5))


def _strings(branch: Branch) -> Iterator[str]:
    low = branch.bounds.get("low")
    high = branch.bounds.get("high")
    shortest = int(low.value) if low else 0
    sizes = [shortest, int(high.value)] if high else [shortest, *_LENGTHS]
    sizes = [min(size, _LENGTHS[-1]) for size in sizes]
    formatted = [_FORMATS[name] for name in sorted(branch.formats) if name in _FORMATS]
    if formatted:
        yield from formatted
        addresses = [text for text in formatted if text.startswith("https:")]
        yield from (text.ljust(size, "x") for text in addresses for size in sizes)
        return
    for pattern in sorted(branch.patterns):
        yield from _matching(samples(pattern), sizes)
    yield from _TEXTS
    yield from ("x" * size for size in sizes)


def _matching(texts: Sequence[str], sizes: Sequence[int]) -> Iterator[str]:
    """Yield samples of a pattern, and longer texts that may match it, too."""
    yield from texts
    # A pattern may say more of the beginning, or of the end, or nothing of length.
    yield from (t + s for t in texts[:1] for s in _SYMBOLS)
    yield from (s + t for t in texts[:1] for s in _SYMBOLS)
    yield from (t.ljust(size, t[-1]) for t in texts if t for size in sizes)
    yield from _SYMBOLS


def first_elements(
    document: ShapedDocument, branch: Branch, number: int, depth: int
) -> list[Any]:
    """Return the first elements of an array.

    Args:
        document: The document of its references.
        branch: The array.
        number: How many.
        depth: How many schemas are around it.
    """
    elements = [*branch.prefix[:number]]
    elements += [branch.items] * (number - len(elements))
    return [v for each in elements for v in few_values(document, each, depth + 1, 1)]


def _arrays(
    document: ShapedDocument, branch: Branch, depth: int
) -> Iterator[list[Any]]:
    low, high = branch.bounds.get("low"), branch.bounds.get("high")
    least = min(int(low.value) if low else 0, _LEAST)
    most = min(int(high.value) if high else 1_001, 1_001)
    inner = few_values(document, branch.items, depth + 1, 4 * _INNER)
    prefix = first_elements(document, branch, len(branch.prefix), depth)
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


def minimal_object(
    document: ShapedDocument, branch: Branch, depth: int
) -> dict[str, Any]:
    """Return an object with the members that it must have, and as many as it must have.

    Args:
        document: The document of its references.
        branch: The object.
        depth: How many schemas are around it.
    """
    low, declared = branch.bounds.get("low"), branch.properties
    least = min(int(low.value) if low else 0, _LEAST)
    names = [name for name in declared if name in branch.required]
    names += sorted(branch.required - declared.keys())
    others = [name for name in declared if name not in branch.required]
    if not branch.is_closed and not branch.by_pattern:
        others += [f"other{number}" for number in range(least)]
    names += others[: max(least - len(names), 0)]
    by_default = branch.extra or ()
    return {
        name: value
        for name in names
        for value in few_values(document, declared.get(name, by_default), depth + 1, 1)
    }


def _objects(
    document: ShapedDocument, branch: Branch, depth: int
) -> Iterator[dict[str, Any]]:
    base = minimal_object(document, branch, depth)
    if len(base) < len(branch.required):
        return
    yield base
    by_name = {
        name: few_values(document, parts, depth + 1, 2 * _INNER)
        for name, parts in branch.properties.items()
    }
    yield {**base, **{name: values[0] for name, values in by_name.items() if values}}
    # Each member in turn: none has to wait for all values of another one.
    for round_ in range(2 * _INNER):
        for name, values in by_name.items():
            yield from ({**base, name: value} for value in values[round_ : round_ + 1])
    if not branch.is_closed and (branch.extra is not None or branch.is_map):
        name = new_name(branch)
        inner = few_values(document, branch.extra or (), depth + 1, _INNER)
        yield from ({**base, name: value} for value in inner)


def new_name(branch: Branch) -> str:
    """Return a name that an object does not declare.

    Args:
        branch: The object.
    """
    for pattern, _ in branch.by_pattern:
        for name in samples(pattern):
            return name
    names = chain(["other"], map(str, count()))
    return next(name for name in names if name not in branch.properties)
