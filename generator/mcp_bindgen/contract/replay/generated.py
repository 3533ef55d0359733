"""Makes one small value of a schema, always the same one for the same seed."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from mcp_bindgen.contract.instances import values_of
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.shape import ShapedDocument, root_parts
from mcp_bindgen.json_writer import canonical_text
from mcp_bindgen.runtime.json_values import elements, members
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from mcp_bindgen.schema.node import SchemaError, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["arguments_of", "empty_value", "value_of"]

_DEPTH = 5  # levels; deeper objects have required members only
_DEEPEST = 24
_ELEMENTS = 50  # of an array that must have more, nobody wants to read them
_LEAVES = 8  # values of a string or a number that a seed chooses from
_TRIED = 400


class _Choice(NamedTuple):
    """How one of several values is chosen.

    Attributes:
        document: The document of references.
        seed: Another number gives other values; 0 takes the first of each.
        hints: Whether `examples` and `default` are used.
        whole: Whether an object has all declared members, or the required ones alone.
    """

    document: ShapedDocument
    seed: int
    hints: bool
    whole: bool

    def of(self, values: Sequence[Any], pointer: str) -> Any:
        """Return one of some values, the same one for the same place and seed."""
        if not self.seed:
            return values[0]
        return values[crc32(f"{self.seed} {pointer}".encode()) % len(values)]


def value_of(schema: Mapping[str, Any], seed: int = 0) -> Any:
    """Return a value that fits a schema, `ABSENT` where none is known.

    It takes `const`, `examples`, `enum` and `default` where the schema has them, else
    the smallest value, with all members that an object names. Residual validation
    judges the value.

    Example: `value_of({"type": "object", "properties": {"n": {"minimum": 3}}})`.

    Args:
        schema: The schema, of draft 7 or 2020-12.
        seed: Another number gives other values.
    """
    return next(_fitting(schema, seed), ABSENT)


def arguments_of(schema: Mapping[str, Any]) -> Any:
    """Return arguments that fit an input schema; only required ones, where these fit.

    It returns `ABSENT` where none are known. The values are made as `value_of` does.
    """
    values = _fitting(schema, 0, whole=False)
    return next((value for value in values if is_object(value)), ABSENT)


def empty_value(schema: Mapping[str, Any]) -> Any:
    """Return the value of a schema whose JSON is shortest, `ABSENT` without any."""
    return min(islice(_fitting(schema, 0), _LEAVES * 4), key=_size, default=ABSENT)


def _size(value: Any) -> tuple[int, str]:
    text = canonical_text(value)
    return len(text), text


def _fitting(
    schema: Mapping[str, Any], seed: int, *, whole: bool = True
) -> Iterator[Any]:
    """Yield values that the schema accepts, the preferred one first."""
    try:
        document = ShapedDocument.read(schema)
        checker = SchemaChecker(document.root)
    except (ValueError, SchemaError):
        return
    preferred = (
        _value(_Choice(document, seed, hints, whole), schema, "", 0)
        for hints in (True, False)
    )
    others = values_of(document, root_parts(document))
    for value in islice(chain(preferred, others), _TRIED):
        if value is not ABSENT and not any(checker.faults(value)):
            yield value


def _value(choice: _Choice, node: Any, pointer: str, depth: int) -> Any:
    """Return the preferred value of one schema; it may not fit."""
    named = members(node)
    if not named or depth > _DEEPEST:
        return "x" if node in (True, {}) else ABSENT
    # The narrowest keyword first: a value of it fits the others of an honest schema.
    if "const" in named:
        return named["const"]
    if listed := _listed(choice, named):
        return choice.of(listed, pointer)
    if "$ref" in named:
        target = choice.document.target_of(named)
        return _value(choice, target[1], pointer, depth + 1) if target else ABSENT
    for keyword in ("anyOf", "oneOf"):
        if alternatives := elements(named.get(keyword)):
            return _alternative(choice, alternatives, pointer, depth)
    match _type(named):
        case "object":
            return _object(choice, named, pointer, depth)
        case "array":
            return _array(choice, named, pointer, depth)
        case _:
            return _leaf(choice, named, pointer)


def _listed(choice: _Choice, node: dict[str, Any]) -> list[Any]:
    """Return the values that a schema itself names."""
    if choice.hints and (examples := elements(node.get("examples"))):
        return examples
    if enum := elements(node.get("enum")):
        return enum
    if choice.hints and node.get("default") is not None:
        return [node["default"]]
    return []


def _alternative(
    choice: _Choice, alternatives: Sequence[Any], pointer: str, depth: int
) -> Any:
    """Return a value of one alternative; null only where there is no other."""
    useful = [each for each in alternatives if members(each).get("type") != "null"]
    one = choice.of(useful or alternatives, pointer)
    return _value(choice, one, pointer, depth + 1)


def _type(node: dict[str, Any]) -> object:
    types = elements(node.get("type")) or [node.get("type")]
    if types == [None]:
        if "properties" in node:
            return "object"
        return "array" if "items" in node or "prefixItems" in node else None
    return next((name for name in types if name != "null"), "null")


def _object(choice: _Choice, node: dict[str, Any], pointer: str, depth: int) -> Any:
    properties = members(node.get("properties"))
    required = set(elements(node.get("required")))
    made: dict[str, Any] = {}
    for name in [*properties, *sorted(required - properties.keys())]:
        if name not in required and (depth >= _DEPTH or not choice.whole):
            continue
        schema = properties.get(name, node.get("additionalProperties", True))
        value = _value(choice, schema, f"{pointer}/{name}", depth + 1)
        if value is not ABSENT:
            made[name] = value
        elif name in required:
            return ABSENT
    return made


def _array(choice: _Choice, node: dict[str, Any], pointer: str, depth: int) -> Any:
    least, most = node.get("minItems", 0), node.get("maxItems", _ELEMENTS)
    prefix = elements(node.get("prefixItems"))
    size = max(least, len(prefix), 0 if depth >= _DEPTH else 1)
    size = int(min(size, most, _ELEMENTS))
    schemas = [*prefix, *[node.get("items", True)] * size][:size]
    values = [
        _value(choice, schema, f"{pointer}/{index}", depth + 1)
        for index, schema in enumerate(schemas)
    ]
    return ABSENT if ABSENT in values else values


def _leaf(choice: _Choice, node: dict[str, Any], pointer: str) -> Any:
    """Return a string, a number, a boolean, null, or any of a schema of other words."""
    try:
        document = ShapedDocument.read(node)
        checker = SchemaChecker(document.root)
    except (ValueError, SchemaError):  # it refers to something outside of itself
        return ABSENT
    values = islice(values_of(document, root_parts(document)), _TRIED)
    fitting = (value for value in values if not any(checker.faults(value)))
    few = [*islice(fitting, _LEAVES if choice.seed else 1)]
    return choice.of(few, pointer) if few else ABSENT
