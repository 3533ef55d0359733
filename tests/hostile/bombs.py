"""Recordings that are small and mean much work, or are as large as they may be."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.hostile.positions import Json, document, tool
from tests.hostile.shapes import (
    LEAF,
    answers,
    array,
    chain,
    crowd,
    fields,
    graph,
    inside,
    lone,
    many,
    nested,
    tagged,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BOMBS"]

_SHAPES: dict[str, Callable[[Any], Any]] = {
    "reference": lambda inner: inner,
    "object": lambda inner: fields(a=inner),
    "array": array,
    "map": lambda inner: {"type": "object", "additionalProperties": inner},
    "anyOf": lambda inner: {"anyOf": [inner, {"type": "null"}]},
    "allOf": lambda inner: {"allOf": [inner, {"minLength": 1}]},
    "not": lambda inner: {"not": inner},
    "if": lambda inner: {"if": inner, "then": True},
    "mixed": lambda inner: array(fields(a={"anyOf": [inner, {"type": "null"}]})),
}
_DOUBLES: dict[str, Callable[[Any], Any]] = {
    "object": lambda ref: many(10, lambda _: ref),
    "array": lambda ref: {"type": "array", "prefixItems": [ref] * 10, "minItems": 10},
    "tuple": lambda ref: {
        "type": "array",
        "prefixItems": [ref] * 10,
        "minItems": 10,
        "items": False,
    },
    "anyOf": lambda ref: {"anyOf": [ref] * 10},
    "anyOf of two": lambda ref: {
        "anyOf": [array(ref), {"type": "object", "additionalProperties": ref}]
    },
    "oneOf": lambda ref: {"oneOf": [array(ref), fields(a=ref), LEAF]},
    "allOf": lambda ref: {"allOf": [ref] * 10},
    "allOf in allOf": lambda ref: {"allOf": [{"allOf": [ref]} for _ in range(10)]},
    "allOf of objects": lambda ref: {"allOf": [fields(a=ref, b=ref), fields(a=ref)]},
}

_GRAPHS: dict[str, Callable[[list[Json]], Any]] = {
    "objects": lambda refs: fields(**{f"p{n}": ref for n, ref in enumerate(refs)}),
    "arrays": lambda refs: {"anyOf": [array(ref) for ref in refs]},
    "tuples": lambda refs: {"type": "array", "prefixItems": refs},
    "alternatives": lambda refs: {"oneOf": refs},
    "merged": lambda refs: {"allOf": refs},
    "alternatives of arrays": lambda refs: {"anyOf": [*refs, array(refs[-1])]},
    "alternatives of objects": lambda refs: {"anyOf": [*refs, fields(k=refs[0])]},
}

BOMBS: dict[str, Callable[[], bytes]] = {
    **{
        f"chain {name} {size}": partial(chain, size, via)
        for name, via in _SHAPES.items()
        for size in (30, 62, 1_000, 3_000)
    },
    **{
        f"nested {name}": partial(nested, 9 if name == "mixed" else 27, via)
        for name, via in _SHAPES.items()
        if name != "reference"
    },
    **{
        f"double {name} {size}": partial(chain, size, via)
        for name, via in _DOUBLES.items()
        for size in (12, 30)
    },
    **{
        f"graph {name} {size}": partial(graph, size, via)
        for name, via in _GRAPHS.items()
        for size in (8, 14, 60)
    },
    "branches inline": lambda: nested(6, lambda inner: {"anyOf": [array(inner)] * 4}),
    "branches of constants": lambda: inside(
        {"oneOf": [{"const": n} for n in range(2000)]}
    ),
    "branches of objects": lambda: inside({"oneOf": [*map(tagged, range(2_000))]}),
    "branches of strings": lambda: inside(
        {"oneOf": [{"type": "string", "minLength": n} for n in range(4_000)]}
    ),
    "unions of the widest": lambda: lone(
        many(30, lambda n: {"oneOf": [*map(tagged, range(n, n + 100))]})
    ),
    "unions that overlap": lambda: lone(
        many(
            200,
            lambda _: {
                "oneOf": [{"type": "string", "minLength": n} for n in range(16)]
            },
        )
    ),
    "merged properties": lambda: inside(
        {
            "allOf": [
                fields(**{key: {"minLength": n} for key in "abcdefghij"})
                for n in range(199)
            ]
        }
    ),
    "merged members": lambda: inside(
        {"allOf": [fields(**{f"p{n}": LEAF}) for n in range(199)]}
    ),
    "enum of 2,000": lambda: inside({"enum": [f"v{n}" for n in range(2_000)]}),
    "enum of 19,000": lambda: inside({"enum": [f"v{n}" for n in range(19_000)]}),
    "enum of objects": lambda: inside({"enum": [{"x": [n]} for n in range(2_000)]}),
    "enums": lambda: lone(many(300, lambda n: {"enum": [*range(n, n + 60)]})),
    "properties 1,000": lambda: lone(many(1_000, lambda _: LEAF)),
    "properties 5,000": lambda: lone(many(5_000, lambda _: LEAF)),
    "properties long": lambda: lone(many(1_000, lambda _: LEAF, "p" * 990)),
    "properties that collide": lambda: lone(
        fields(
            **{
                f"get{'-' * (n % 50 + 1)}x{'_' * (n // 50 + 1)}": LEAF
                for n in range(900)
            }
        )
    ),
    "required": lambda: lone(
        {"type": "object", "required": [f"r{n}" for n in range(15_000)]}
    ),
    "definitions": lambda: lone(
        {**fields(), "$defs": {f"d{n}": LEAF for n in range(6_000)}}
    ),
    "definitions used": lambda: lone(
        {
            **many(900, lambda n: {"$ref": f"#/$defs/d{n}"}),
            "$defs": {f"d{n}": fields(a={"minLength": n}) for n in range(900)},
        }
    ),
    "titles alike": lambda: lone(
        many(900, lambda n: {**fields(v={"const": n}), "title": "Same"})
    ),
    "tuple": lambda: inside(
        {
            "type": "array",
            "prefixItems": [LEAF] * 9_000,
            "minItems": 9_000,
            "items": False,
        }
    ),
    "types": lambda: inside({"type": ["string"] * 15_000}),
    "default": lambda: inside({"default": [[n] for n in range(9_000)]}),
    "examples": lambda: inside({"examples": [["x" * 50] * 100] * 100}),
    "headers": lambda: lone(
        many(900, lambda n: {"type": "string", "x-mcp-header": f"H{n}"})
    ),
    "patterns": lambda: lone(
        many(900, lambda n: {"type": "string", "pattern": f"^\\S{{1,900}}{n}$"})
    ),
    "patterns of tools": lambda: crowd(
        1_900,
        lambda n: tool(
            many(3, lambda m: {"type": "string", "pattern": f"^\\S{{1,900}}{n}x{m}$"}),
            name=f"t{n}",
        ),
    ),
    "pattern names": lambda: lone(
        {
            "type": "object",
            "patternProperties": {f"^\\S{{1,900}}{n}$": True for n in range(900)},
        }
    ),
    "pattern of groups": lambda: inside(
        {"type": "string", "pattern": "(?:a|b|c)*" * 400}
    ),
    "sizes": lambda: lone(
        fields(
            a={"type": "string", "minLength": 1e308, "maxLength": 10**390},
            b={"type": "array", "minItems": 10**390, "maxItems": -(10**390)},
            c={"type": "object", "minProperties": 2**63},
        )
    ),
    "numbers": lambda: lone(
        fields(
            a={"type": "integer", "minimum": 10**399, "multipleOf": 10**300},
            b={"type": "number", "multipleOf": 1e-300, "exclusiveMaximum": 1e308},
            c={"type": "integer", "multipleOf": 0},
            d={"type": "integer", "multipleOf": -1.5},
        )
    ),
    "result": lambda: lone(
        None, outputSchema=many(1_000, lambda n: fields(a={"minLength": n}))
    ),
    "description": lambda: lone(None, description="word " * 19_999),
    "description of lines": lambda: lone(None, description="x" + "\n" * 99_900 + "x"),
    "description of blanks": lambda: lone(None, description=" \t" * 49_999 + "x"),
    "description of prompts": lambda: lone(None, description=">>> \n" * 19_999),
    "description of quotes": lambda: lone(None, description='"' * 99_999),
    "description of backslashes": lambda: lone(None, description="\\" * 99_999),
    "description hidden": lambda: lone(None, description="\u200b" * 99_999),
    "description of marks": lambda: lone(None, description="e" + "\u0301" * 99_990),
    "descriptions": lambda: crowd(
        90, lambda n: tool(None, name=f"t{n}", description="word " * 19_999)
    ),
    "descriptions of lines": lambda: crowd(
        1_100, lambda n: tool(None, name=f"t{n}", description="x" + "\n" * 3_990 + "x")
    ),
    "names": lambda: crowd(1_900, lambda n: tool(None, name="n" * 990 + str(n))),
    "names of a million": lambda: lone(None, name="n" * 999_999),
    "names that fold": lambda: crowd(
        800, lambda n: tool(None, name="\ufdfa" * 900 + str(n))
    ),
    "names that collide": lambda: crowd(
        1_900,
        lambda n: tool(None, name=f"get{'-' * (n % 50 + 1)}x{'_' * (n // 50 + 1)}"),
    ),
    "tools": lambda: crowd(1_999, lambda n: tool(fields(a=LEAF), name=f"t{n}")),
    "tools too many": lambda: crowd(2_500, lambda n: tool(None, name=f"t{n}")),
    "tools heavy": lambda: crowd(
        1_150,
        lambda n: tool(
            many(20, lambda _: {**LEAF, "description": "x " * 40}), name=f"t{n}"
        ),
    ),
    "tools of classes": lambda: crowd(
        600, lambda n: tool(many(20, lambda m: fields(**{f"v{m}": LEAF})), name=f"t{n}")
    ),
    "tools checked twice": lambda: crowd(
        800,
        lambda n: tool(
            {**many(20, lambda m: {"not": {"const": m}}), "if": {"required": ["p1"]}},
            name=f"t{n}",
        ),
    ),
    "tools of steps": lambda: crowd(
        1_200,
        lambda n: tool(
            {
                **fields(x={"$ref": "#/$defs/d0"}),
                "$defs": {
                    f"d{m}": {"allOf": [{"$ref": f"#/$defs/d{m + 1}"}] * 4}
                    for m in range(6)
                },
            },
            name=f"t{n}",
        ),
    ),
    "answers": lambda: answers(1_999, lambda n: {f"a{n}": n}),
    "answers deep": lambda: answers(1_000, lambda n: {f"a{n}": wrapped(n)}),
    "answers as text": lambda: json.dumps(
        document(
            calls=[
                {
                    "name": "good_one",
                    "arguments": {"n": n},
                    "result": {
                        "content": [
                            {
                                "type": "text",
                                "text": json.dumps({f"k{m}": n for m in range(5000)}),
                            }
                        ]
                    },
                }
                for n in range(80)
            ]
        )
    ).encode(),
    "resources": lambda: json.dumps(
        document(resources=[{"uri": f"x:{n}", "name": "n" * 90} for n in range(2_000)])
    ).encode(),
    "values": lambda: json.dumps(document(unknown=[0] * 399_000)).encode(),
    "values too many": lambda: json.dumps(document(unknown=[0] * 500_000)).encode(),
    "bytes": lambda: json.dumps(document(instructions="x" * 9_000_000)).encode(),
    "bytes too many": lambda: b'{"tools": [' + b" " * 10_000_001 + b"]}",
    "brackets": lambda: b"[" * 1_000_000,
    "brackets closed": lambda: b"[" * 1_000_000 + b"]" * 1_000_000,
    "brackets few": lambda: b"[" * 100_000 + b"]" * 100_000,
    "braces": lambda: b'{"a":' * 500_000,
    "closings": lambda: b"]" * 9_000_000,
    "strings": lambda: b'{"tools": [' + b'""' * 4_000_000 + b"]}",
    "string without end": lambda: b'{"tools": ["' + b"\\" * 9_000_000,
    "keys alike": lambda: b'{"tools": [], "a": {' + b'"k":1,' * 100_000 + b'"k":1}}',
    "number": lambda: b'{"tools": [], "a": ' + b"9" * 9_000_000 + b"}",
    "faults": lambda: b'{"tools": [], "a": [' + b"NaN," * 100_000 + b"1]}",
    "faults in tools": lambda: b'{"tools": [' + b'{"a": NaN},' * 1_900 + b"1]}",
}
"""Name to what makes the bytes of a recording."""
