"""Small parts of which large recordings are made."""

from __future__ import annotations

import json
from functools import reduce
from typing import TYPE_CHECKING, Any

from tests.hostile.positions import GOOD, Json, document, tool

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "LEAF",
    "answers",
    "array",
    "chain",
    "crowd",
    "fields",
    "graph",
    "inside",
    "lone",
    "many",
    "nested",
    "tagged",
    "wrapped",
]

LEAF: Json = {"type": "string"}


def fields(**properties: object) -> Json:
    return {"type": "object", "properties": properties}


def many(count: int, make: Callable[[int], object], key: str = "p") -> Json:
    return {
        "type": "object",
        "properties": {f"{key}{n}": make(n) for n in range(count)},
    }


def array(items: object) -> Json:
    return {"type": "array", "items": items}


def lone(schema: object, **members: object) -> bytes:
    return json.dumps(document(tool(schema, **members))).encode()


def inside(schema: object) -> bytes:
    return lone(fields(a=schema))


def nested(levels: int, via: Callable[[Any], Any]) -> bytes:
    """Put a schema into itself, in the text."""
    start: Any = LEAF
    return inside(reduce(lambda inner, _: via(inner), range(levels), start))


def chain(length: int, via: Callable[[Any], Any]) -> bytes:
    """Make each definition of the next, through a reference."""
    refs = [{"$ref": f"#/$defs/d{n}"} for n in range(length)]
    defs = {f"d{n}": via(ref) for n, ref in enumerate([*refs[1:], LEAF])}
    return lone({**fields(x=refs[0]), "$defs": defs})


def graph(size: int, via: Callable[[list[Json]], Any]) -> bytes:
    """Make each definition of all definitions."""
    refs = [{"$ref": f"#/$defs/d{n}"} for n in range(size)]
    return lone(
        {**fields(x=refs[0]), "$defs": {f"d{n}": via(refs) for n in range(size)}}
    )


def crowd(count: int, make: Callable[[int], Json]) -> bytes:
    """List many tools."""
    return json.dumps({"tools": [GOOD, *map(make, range(count))]}).encode()


def answers(count: int, make: Callable[[int], object]) -> bytes:
    calls = [
        {
            "name": "good_one",
            "arguments": {"n": n},
            "result": {"structuredContent": make(n)},
        }
        for n in range(count)
    ]
    return json.dumps(document(calls=calls)).encode()


def wrapped(number: int) -> object:
    value: object = number
    for _ in range(40):
        value = [value]
    return value


def tagged(number: int) -> Json:
    return {**fields(k={"const": f"x{number}"}), "required": ["k"]}
