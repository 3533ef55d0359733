"""Random schemas, and random changes of them: what a server's authors may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Schema = dict[str, Any]
NAMES = ("owner", "ownerId", "owner_id", "limit", "page", "class", "state", "labels")
WORDS = ("open", "closed", "all", "draft", "A1")
PATTERNS = ("^[a-z]+$", "^a", "[0-9]", "^.{2,4}$")
KINDS = ("string", "integer", "number", "boolean", "null", "array", "object")


def random_schema(r: random.Random, depth: int) -> Schema:
    """Return a schema of at most a depth."""
    if depth > 0 and r.random() < 0.4:
        make = r.choice((random_object, _list, _union, _map))
        return make(r, depth - 1)
    forms: list[Callable[[], Schema]] = [
        lambda: {"type": "string"},
        lambda: {"type": "string", "minLength": r.randint(0, 2)},
        lambda: {"type": "string", "pattern": r.choice(PATTERNS)},
        lambda: {"type": "integer", "minimum": r.randint(-2, 3)},
        lambda: {"type": r.choice(("integer", "number", "boolean"))},
        lambda: {"enum": r.sample(WORDS, r.randint(1, 3))},
        lambda: {"type": "string", "enum": r.sample(WORDS, r.randint(2, 4))},
        lambda: {"type": ["string", "null"]},
        lambda: {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        lambda: {"const": r.choice(WORDS)},
        dict,
    ]
    return r.choice(forms)()


def random_object(r: random.Random, depth: int) -> Schema:
    """Return the schema of an object with named members."""
    names = r.sample(NAMES, r.randint(1, 4))
    members = {name: random_schema(r, depth) for name in names}
    schema: Schema = {"type": "object", "properties": members}
    needed = [name for name in names if r.random() < 0.4]
    if needed:
        schema["required"] = needed
    if r.random() < 0.3:
        schema["additionalProperties"] = r.random() < 0.2
    return schema


def _list(r: random.Random, depth: int) -> Schema:
    schema: Schema = {"type": "array", "items": random_schema(r, depth)}
    if r.random() < 0.3:
        schema[r.choice(("minItems", "maxItems"))] = r.randint(0, 3)
    return schema


def _map(r: random.Random, depth: int) -> Schema:
    return {"type": "object", "additionalProperties": random_schema(r, depth)}


def _union(r: random.Random, depth: int) -> Schema:
    members = [random_schema(r, depth) for _ in range(r.randint(2, 3))]
    return {r.choice(("anyOf", "anyOf", "oneOf", "allOf")): members}


def change_schema(r: random.Random, root: Schema) -> Schema:
    """Return a schema after one change somewhere in it."""
    holder: Schema = {"root": root}
    spots: list[tuple[Any, Any]] = []
    _collect(holder, "root", spots)
    at, key = r.choice(spots)
    if at is holder or r.random() < 0.7:
        objects = [(a, k) for a, k in spots if "properties" in _mapped(a[k])]
        at, key = r.choice(objects or spots)
    node = at[key]
    at[key] = _change(r, node, is_root=at is holder)
    return cast("Schema", holder["root"])


def _mapped(value: Any) -> Schema:
    return cast("Schema", value) if isinstance(value, dict) else {}


def _collect(at: Any, key: Any, spots: list[tuple[Any, Any]]) -> None:
    """Collect where the schemas in a schema stand."""
    spots.append((at, key))
    node = _mapped(at[key])
    for word in ("properties", "$defs", "definitions"):
        for name in _mapped(node.get(word)):
            _collect(node[word], name, spots)
    for word in ("items", "additionalProperties", "not"):
        if isinstance(node.get(word), dict):
            _collect(node, word, spots)
    for word in ("anyOf", "oneOf", "allOf"):
        for number in range(len(node.get(word, ()))):
            _collect(node[word], number, spots)


def _change(r: random.Random, node: Any, *, is_root: bool) -> Any:
    """Return another schema in the place of one; a root stays an object."""
    if isinstance(node, dict) and "properties" in node:
        schema = cast("Schema", node)
        r.choice((_add, _add_required, _remove, _toggle, _rename, _close, _replace))(
            r, schema
        )
        return schema
    if is_root or not isinstance(node, dict):
        return random_object(r, 1)
    schema = cast("Schema", node)
    ways: list[Callable[[], Any]] = [
        lambda: random_schema(r, 1),
        lambda: {"anyOf": [schema, {"type": "null"}]},
        lambda: {"anyOf": [schema, random_schema(r, 1)]},
        lambda: {"oneOf": [schema, random_schema(r, 1)]},
        lambda: {"allOf": [schema, random_schema(r, 0)]},
        lambda: {**schema, "not": {"const": r.choice(WORDS)}},
        lambda: {**schema, "maxLength": r.randint(1, 5)},
        lambda: {**schema, "minimum": r.randint(-3, 3)},
        lambda: {**schema, "exclusiveMaximum": r.randint(4, 9)},
        lambda: {**schema, "pattern": r.choice(PATTERNS)},
        lambda: {**schema, "type": r.choice(KINDS)},
        lambda: {**schema, "type": r.sample(KINDS, 2)},
        lambda: {**schema, "enum": r.sample(WORDS, 2)},
        lambda: {**schema, "description": r.choice(WORDS)},
        lambda: {**schema, "default": r.choice(WORDS)},
        lambda: {**schema, "maxItems": r.randint(0, 3)},
        lambda: {**schema, "multipleOf": r.randint(2, 3)},
        lambda: {"type": "array", "items": schema},
        lambda: {k: v for k, v in schema.items() if k != r.choice([*schema, ""])},
    ]
    if "enum" in schema:
        values = cast("list[Any]", schema["enum"])
        ways += [
            lambda: {**schema, "enum": values[1:] or ["other"]},
            lambda: {**schema, "enum": [*values, "more"]},
        ] * 3
    return r.choice(ways)()


def _add(r: random.Random, schema: Schema) -> None:
    schema["properties"][r.choice(NAMES)] = random_schema(r, 1)


def _add_required(r: random.Random, schema: Schema) -> None:
    name = r.choice(NAMES)
    schema["properties"].setdefault(name, random_schema(r, 1))
    schema["required"] = sorted({*schema.get("required", ()), name})


def _remove(r: random.Random, schema: Schema) -> None:
    if schema["properties"]:
        name = r.choice([*schema["properties"]])
        del schema["properties"][name]
        if r.random() < 0.9:
            _without(schema, name)


def _without(schema: Schema, name: str) -> None:
    if "required" in schema:
        schema["required"] = [n for n in schema["required"] if n != name]


def _toggle(r: random.Random, schema: Schema) -> None:
    if schema["properties"]:
        name = r.choice([*schema["properties"]])
        if name in schema.get("required", ()):
            _without(schema, name)
        else:
            schema["required"] = sorted({*schema.get("required", ()), name})


def _rename(r: random.Random, schema: Schema) -> None:
    if schema["properties"]:
        name, other = r.choice([*schema["properties"]]), r.choice((*NAMES, "query"))
        if other not in schema["properties"]:
            members = schema["properties"]
            schema["properties"] = {
                other if n == name else n: v for n, v in members.items()
            }
            if name in schema.get("required", ()):
                _without(schema, name)
                schema["required"].append(other)


def _close(r: random.Random, schema: Schema) -> None:
    now = schema.get("additionalProperties")
    choices: list[Any] = [False, True, {"type": "string"}, None]
    schema["additionalProperties"] = r.choice([c for c in choices if c != now])
    if schema["additionalProperties"] is None:
        del schema["additionalProperties"]


def _replace(r: random.Random, schema: Schema) -> None:
    if schema["properties"]:
        name = r.choice([*schema["properties"]])
        schema["properties"][name] = _change(
            r, schema["properties"][name], is_root=False
        )
