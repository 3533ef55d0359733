"""Random tools that have names for everything, and the same tools in another order.

JSON Schema gives no order to members, to definitions, and to what these keywords list:
`anyOf`, `oneOf`, `allOf`, `enum`, `required` and `type`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.schema.keywords import MAPS

from tests.contract.random_changes import random_schema

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Schema = dict[str, Any]
NAMES = [
    *("owner", "ownerId", "owner_id", "owners", "item", "items", "result"),
    *("limit", "page", "class", "state", "a-b", "a_b", "a.b"),
]
TITLES = ("Owner", "Item", "Page", "Def1")
DEFINITIONS: list[str] = ["Owner", "def1", "def2", "Page"]
CODES = [f"code{number}" for number in range(56)]
_UNORDERED = frozenset({"anyOf", "oneOf", "allOf", "enum", "required", "type"})
_VALUES = frozenset({"enum", "const", "default", "examples"})


def random_tool(r: random.Random) -> Schema:
    """Return a tool whose schemas have unions, references and `allOf` of objects."""
    schemas = {"inputSchema": _root(r)}
    if r.random() < 0.5:
        schemas["outputSchema"] = _root(r)
    return {"name": "search", **schemas}


def _root(r: random.Random) -> Schema:
    keys = r.sample(DEFINITIONS, r.choice((0, 0, 1, 2)))
    schema = _object(r, 3, keys)
    if keys:
        schema["$defs"] = {key: _object(r, 2, keys) for key in keys}
    return schema


def _object(r: random.Random, depth: int, keys: list[str]) -> Schema:
    names = r.sample(NAMES, r.randint(1, 4))
    members = {name: _schema(r, depth - 1, keys) for name in names}
    schema: Schema = {"type": "object", "properties": members}
    needed = [name for name in names if r.random() < 0.5]
    if needed:
        schema["required"] = needed
    if r.random() < 0.3:
        schema["additionalProperties"] = r.choice((False, False, {"type": "string"}))
    if r.random() < 0.2:
        schema["title"] = r.choice(TITLES)
    if r.random() < 0.1:
        schema["description"] = r.choice("abc")
    return schema


def _schema(r: random.Random, depth: int, keys: list[str]) -> Schema:
    if depth < 1 or r.random() < 0.35:
        forms: list[Callable[[], Schema]] = [
            *(lambda: random_schema(r, 0),) * 3,
            lambda: {"type": r.sample(("string", "null", "object", "array"), 2)},
            lambda: {"type": "string", "format": r.choice(("date", "uuid"))},
            lambda: {"enum": r.sample(CODES, r.randint(54, 56))},
            *(lambda: {"$ref": f"#/$defs/{r.choice(keys)}"},) * (3 if keys else 0),
        ]
        return r.choice(forms)()
    ways: list[Callable[[], Schema]] = [
        lambda: _object(r, depth, keys),
        lambda: {"type": "array", "items": _schema(r, depth - 1, keys)},
        lambda: {"type": "array", "prefixItems": _several(r, depth, keys)[:2]},
        *(lambda: {r.choice(("anyOf", "oneOf")): _several(r, depth, keys)},) * 3,
        *(lambda: {"allOf": _several(r, depth, keys)},) * 2,
    ]
    return r.choice(ways)()


def _several(r: random.Random, depth: int, keys: list[str]) -> list[Schema]:
    makes = (_object, _object, _schema)
    return [r.choice(makes)(r, depth - 1, keys) for _ in range(r.randint(2, 4))]


def shuffled(r: random.Random, value: Any, keyword: str = "") -> Any:
    """Return a schema with everything that has no order in another one.

    Args:
        r: The chance.
        value: The schema, or a part of one.
        keyword: The keyword that the part belongs to, "" where it has its own.
    """
    if isinstance(value, dict):
        schema = cast("Schema", value)
        pairs = [
            (key, shuffled(r, inner, "" if keyword in MAPS else key))
            for key, inner in schema.items()
        ]
        r.shuffle(pairs)
        return dict(pairs)
    if isinstance(value, list):
        listed = cast("list[object]", value)
        made = listed if keyword in _VALUES else [shuffled(r, v) for v in listed]
        return r.sample(made, len(made)) if keyword in _UNORDERED else made
    return value


def shuffled_tool(r: random.Random, tool: Schema) -> Schema:
    """Return a tool with its schemas in another order."""
    return {
        key: shuffled(r, value) if key.endswith("Schema") else value
        for key, value in tool.items()
    }
