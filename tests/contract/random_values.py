"""Random JSON values that a schema may accept; jsonschema-rs says which it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.runtime.json_pointer import steps

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

Schema = dict[str, Any]
DEEPEST = 7
TEXTS = ("", "a", "abc", "zzzz", "A1", "long text of words", "7", "ab")
NUMBERS = (0, 1, -1, 2, 3, 4, 5, 6, 9, 10, 100, -7, 0.5, 2.5, -3.25)
BOUNDS = ("const", "default", "minimum", "maximum", "exclusiveMaximum")
# A name that no side declares: one that the other side declares is a parameter or a
# field that was added, which is compatible by definition.
UNDECLARED = ("unnamed", "nameless")


def values(
    r: random.Random, schema: Any, other: Any, number: int, *, extra: bool
) -> Iterator[Any]:
    """Yield values for a schema.

    Args:
        r: The source of randomness.
        schema: The schema that they may fit.
        other: Another one, whose constants are tried as well.
        number: How many.
        extra: Whether objects have members that the schema does not name.
    """
    literals = [None, *literals_of(schema), *literals_of(other)]
    maker = Maker(r, schema, literals, extra)
    for _ in range(number):
        yield maker.make(schema, 0)


def literals_of(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        node = cast("Schema", value)
        yield from (node[w] for w in BOUNDS if isinstance(node.get(w), (str, int)))
        yield from node["enum"] if isinstance(node.get("enum"), list) else ()
    inner = cast("Schema", value).values() if isinstance(value, dict) else value
    for each in inner if isinstance(value, (dict, list)) else ():
        yield from literals_of(each)


@dataclass
class Maker:
    """Makes values of one document."""

    r: random.Random
    root: Any
    literals: list[Any]
    extra: bool

    def make(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, dict) or depth > DEEPEST:
            return self.anything(depth)
        node = self.whole(cast("Schema", schema))
        if "const" in node:
            return node["const"]
        if node.get("enum"):
            return self.r.choice(node["enum"])
        if depth and self.r.random() < 0.15:
            return self.r.choice(self.literals)
        kind = node.get("type") or self.kind(node)
        if isinstance(kind, list):
            kind = self.r.choice(cast("list[str]", kind))
        makers = {"array": self.array, "object": self.object}
        if kind in makers:
            return makers[str(kind)](node, depth)
        return self.scalar(str(kind), node)

    def whole(self, node: Schema) -> Schema:
        """Return a schema with one choice of each combiner merged into it."""
        merged = {**node}
        for _ in range(DEEPEST):
            parts: list[Any] = []
            ref = merged.pop("$ref", None)
            if isinstance(ref, str) and ref.startswith("#"):
                parts.append(self.target(ref))
            parts += merged.pop("allOf", [])
            for word in ("anyOf", "oneOf"):
                if listed := merged.pop(word, None):
                    parts.append(self.r.choice(listed))
            for part in parts:
                merged = both(merged, part)
        return merged

    def target(self, ref: str) -> Any:
        at: Any = self.root
        for step in steps(ref[1:]):
            at = at[int(step) if isinstance(at, list) else step]
        return at

    def kind(self, node: Schema) -> str:
        if "properties" in node or "required" in node:
            return "object"
        for words, kind in (
            (("minLength", "maxLength", "pattern"), "string"),
            (("minimum", "maximum", "exclusiveMaximum", "multipleOf"), "number"),
            (("items", "minItems", "maxItems"), "array"),
        ):
            if any(word in node for word in words) and self.r.random() < 0.7:
                return kind
        return self.r.choice(("string", "integer", "object", "array", "null", "number"))

    def scalar(self, kind: str, node: Schema) -> Any:
        if kind in {"null", "boolean"}:
            return None if kind == "null" else self.r.random() < 0.5
        if kind == "string":
            sizes: list[int] = [
                node[w] for w in ("minLength", "maxLength") if w in node
            ]
            return self.r.choice((*TEXTS, *("x" * size for size in sizes)))
        near = [node[word] for word in ("minimum", "maximum") if word in node]
        number: float = self.r.choice(
            [*NUMBERS, *(n + d for n in near for d in (0, 1, -1))]
        )
        number *= (node.get("multipleOf") or 1) if self.r.random() < 0.5 else 1
        return int(number) if kind == "integer" else number

    def array(self, node: Schema, depth: int) -> list[Any]:
        least, most = node.get("minItems", 0), node.get("maxItems", 4)
        size = self.r.randint(least, max(least, min(most, least + 3)))
        prefix = node.get("prefixItems", [])
        schemas = [*prefix, *[node.get("items")] * size]
        return [self.make(schema, depth + 1) for schema in schemas[:size]]

    def object(self, node: Schema, depth: int) -> dict[str, Any]:
        members = cast("Schema", node.get("properties") or {})
        names = [str(name) for name in node.get("required") or ()]
        share = self.r.choice((0.0, 0.3, 1.0))
        rest = node.get("additionalProperties", True)
        names += [n for n in members if n not in names and self.r.random() < share]
        is_open = self.extra or (isinstance(rest, dict) and not members)
        if is_open and rest is not False and self.r.random() < 0.6:
            names.append(self.r.choice(UNDECLARED))
        return {n: self.make(members.get(n, rest), depth + 1) for n in names}

    def anything(self, depth: int) -> Any:
        inner = [[], [1], {}, {"a": "b"}] if depth < DEEPEST else []
        return self.r.choice([None, True, "text", 3, 2.5, *inner, *self.literals])


def both(one: Schema, other: Any) -> Schema:
    """Return a schema that says what both say, as far as is easy."""
    if not isinstance(other, dict):
        return one
    second = cast("Schema", other)
    joined = {**one, **second}
    if "required" in one and "required" in second:
        joined["required"] = [*one["required"], *second["required"]]
    if "properties" in one and "properties" in second:
        joined["properties"] = {**one["properties"], **second["properties"]}
    if isinstance(one.get("enum"), list) and isinstance(second.get("enum"), list):
        joined["enum"] = [each for each in one["enum"] if each in second["enum"]]
    return joined
