"""Values that a schema allows and forbids, judged by two validators that agree."""

from __future__ import annotations

import importlib
import json
import warnings
from typing import TYPE_CHECKING, Any, cast

import jsonschema_rs

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

__all__ = ["judged"]

# It has no types of its own.
jsonschema: Any = importlib.import_module("jsonschema")

Json = dict[str, Any]
_TRIES, _VALID, _INVALID = 20, 12, 15
_DEEPEST = 3
_LONGEST = 5_000
"""Characters of a value; longer ones show nothing that shorter ones do not."""
_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.0, 1.5, 10**20, "", "x", "1", "a b", "2026-01-31"),
    *("2026-01-31T12:00:00Z", "https://a.example/b", [], [None], ["x"], {}, {"x": 1}),
)


def judged(identity: str, schema: Json, chance: random.Random) -> Json | None:
    """Return a schema with values and their verdicts; None if there are none.

    Args:
        identity: Name of the tool.
        schema: Its schema, in the dialect 2020-12.
        chance: Where random choices come from.
    """
    try:
        quick = jsonschema_rs.Draft202012Validator(
            schema, validate_formats=False
        ).is_valid
        jsonschema.Draft202012Validator.check_schema(schema)
    except (ValueError, RecursionError, jsonschema.SchemaError):
        return None
    agrees = _second(schema)
    valid: dict[str, Any] = {}
    invalid: dict[str, Any] = {}
    for _ in range(_TRIES):
        if len(valid) >= _VALID and len(invalid) >= _INVALID:
            break
        made = _Maker(schema, chance).value(schema, 0)
        every: list[Any] = [made, *(_mutant(made, chance) for _ in range(4))]
        for data in every:
            text = json.dumps(data, sort_keys=True)
            if len(text) > _LONGEST or not isinstance(data, dict):
                continue
            whole = cast("Json", data)
            into, most = (valid, _VALID) if quick(whole) else (invalid, _INVALID)
            if text not in into and len(into) < most and agrees(whole, into is valid):
                into[text] = whole
    if not valid:
        return None
    return {
        "id": identity,
        "schema": schema,
        "valid": [*valid.values()],
        "invalid": [{"mutation": "random", "data": data} for data in invalid.values()],
    }


def _second(schema: Json) -> Callable[[Json, bool], bool]:
    """Return what tells whether the second validator has the same verdict."""
    validator = jsonschema.Draft202012Validator(schema)

    def agrees(data: Json, verdict: bool) -> bool:  # noqa: FBT001  a verdict is one
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return bool(validator.is_valid(data)) is verdict
        except Exception:  # noqa: BLE001  a pattern that Python cannot compile, say
            return False

    return agrees


class _Maker:
    """Makes values that a schema may allow; the judges say whether it does."""

    def __init__(self, root: Json, chance: random.Random) -> None:
        self.root = root
        self.chance = chance

    def value(self, schema: Any, depth: int) -> Any:
        """Return a value for a schema, or an odd one where it says nothing."""
        if not isinstance(schema, dict) or depth > 2 * _DEEPEST:
            return self.chance.choice(_ODD)
        schema = self.resolved(cast("Json", schema))
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self.chance.choice(schema["enum"])
        kinds = schema.get("type") or self.kinds(schema)
        kind = kinds if isinstance(kinds, str) else self.chance.choice(kinds)
        makers: dict[str, Callable[[Json, int], Any]] = {
            "object": self.object,
            "array": self.array,
            "string": self.string,
            "integer": self.number,
            "number": self.number,
            "boolean": lambda _schema, _depth: self.chance.random() < 0.5,
            "null": lambda _schema, _depth: None,
        }
        if kind not in makers:
            return self.chance.choice(_ODD)
        return makers[kind](schema, depth)

    def kinds(self, schema: Json) -> list[str]:
        """Return the kinds that the keywords speak of."""
        if "properties" in schema or "additionalProperties" in schema:
            return ["object"]
        if "items" in schema:
            return ["array"]
        return ["string"] if "pattern" in schema else ["any"]

    def resolved(self, schema: Json) -> Json:
        """Return a schema with its reference followed and one branch of each union."""
        for _ in range(20):
            if "$ref" in schema:
                key = schema["$ref"].removeprefix("#/$defs/")
                target = self.root["$defs"][key.replace("~1", "/").replace("~0", "~")]
                rest = {k: v for k, v in schema.items() if k != "$ref"}
                schema = self.joined(rest, [target])
            for union in ("anyOf", "oneOf"):
                if schema.get(union):
                    rest = {k: v for k, v in schema.items() if k != union}
                    schema = self.joined(rest, [self.chance.choice(schema[union])])
            if "allOf" in schema:
                rest = {k: v for k, v in schema.items() if k != "allOf"}
                schema = self.joined(rest, schema["allOf"])
            if not {"$ref", "anyOf", "oneOf", "allOf"} & schema.keys():
                break
        return schema

    def joined(self, schema: Json, others: list[Any]) -> Json:
        """Return one schema for several, roughly."""
        made = dict(schema)
        for other in others:
            if not isinstance(other, dict):
                continue
            for key, value in cast("Json", other).items():
                mine = made.get(key)
                if key == "properties" and isinstance(mine, dict):
                    made[key] = {**cast("Json", mine), **value}
                elif key in {"required", "allOf"} and isinstance(mine, list):
                    made[key] = mine + value
                else:
                    made[key] = value
        return made

    def object(self, schema: Json, depth: int) -> Json:
        """Return an object: all required properties, and some of the others."""
        properties: Json = schema.get("properties", {})
        required = schema.get("required", [])
        likely = 0.7 if depth < 2 else 0.3 if depth < _DEEPEST else 0.0
        made = {
            key: self.value(value, depth + 1)
            for key, value in properties.items()
            if key in required or self.chance.random() < likely
        }
        for key in required:
            if key not in made:
                made[key] = self.value(schema.get("additionalProperties"), depth + 1)
        rest = schema.get("additionalProperties", True)
        if rest is not False and self.chance.random() < (0.3 if properties else 0.8):
            made[self.chance.choice(["x", "other", "a-b", "class"])] = self.value(
                rest, depth + 1
            )
        return made

    def array(self, schema: Json, depth: int) -> list[Any]:
        """Return a list of allowed length."""
        least = schema.get("minItems", 0)
        most = schema.get("maxItems", least + (3 if depth < _DEEPEST else 0))
        length = self.chance.randint(least, max(least, min(most, least + 3)))
        return [self.value(schema.get("items"), depth + 1) for _ in range(length)]

    def string(self, schema: Json, _: int) -> str:
        """Return a text, at times one of the schema's own examples."""
        samples = [schema.get("default"), schema.get("example")]
        samples += schema.get("examples") or []
        texts: list[str] = [text for text in samples if isinstance(text, str)]
        if texts and self.chance.random() < 0.7:
            return str(self.chance.choice(texts))
        odd = [text for text in _ODD if isinstance(text, str)]
        text: str = self.chance.choice(odd)
        least: int = schema.get("minLength", 0)
        return text.ljust(least, "x")

    def number(self, schema: Json, _: int) -> float:
        """Return a number near the bounds."""
        low: Any = schema.get("minimum", schema.get("exclusiveMinimum", -2))
        high: Any = schema.get("maximum", schema.get("exclusiveMaximum", low + 10))
        value: float = self.chance.choice([low, high, low + 1, (low + high) / 2])
        return int(value) if schema.get("type") == "integer" else value


def _mutant(data: Any, chance: random.Random) -> Any:
    """Return a copy of a value with one part changed, removed or added."""
    copy = json.loads(json.dumps(data))
    spots = [*_spots(copy)]
    if not spots:
        return {"x": chance.choice(_ODD)}
    holder, key = chance.choice(spots)
    again = holder[key]
    match chance.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder["unknown"] = chance.choice(_ODD)
        case 2 if isinstance(holder, list):
            cast("list[object]", holder).append(again)
        case _:
            holder[key] = chance.choice(_ODD)
    return copy


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each part of a value, as what holds it and its key."""
    parts: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        parts += cast("Json", value).items()
    elif isinstance(value, list):
        parts += enumerate(cast("list[object]", value))
    for key, part in parts:
        yield value, key
        yield from _spots(part)
