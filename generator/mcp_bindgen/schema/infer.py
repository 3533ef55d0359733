"""Recorded answers to the schema that fits all of them; it is no promise."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.json_reader import parse
from mcp_bindgen.schema.keywords import TYPE_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["answer_of", "infer"]

Schema = dict[str, Any]


def answer_of(result: dict[str, Any]) -> tuple[bool, Any]:
    """Return whether a tool's result holds one JSON value, and the value.

    Args:
        result: The `result` member of an answer to `tools/call`.
    """
    if result.get("isError") is True:
        return False, None
    if "structuredContent" in result:
        return True, result["structuredContent"]
    blocks = cast("list[Any]", result.get("content") or [])
    if len(blocks) != 1 or not isinstance(blocks[0], dict):
        return False, None
    text = cast("dict[str, object]", blocks[0]).get("text")
    try:
        value = parse(text.encode()) if isinstance(text, str) else None
    except BindgenError:
        return False, None
    return isinstance(value, (dict, list)), value


def infer(samples: Sequence[Any]) -> Schema:
    """Return the narrowest schema of plain types that allows every sample.

    Members seen in each object are required; other members stay allowed.

    Args:
        samples: JSON values, at least one.
    """
    kinds = {_kind(sample) for sample in samples}
    if "number" in kinds:
        kinds.discard("integer")
    schema: Schema = {"type": _one_or_more(sorted(kinds))}
    objects = [cast("dict[str, Any]", s) for s in samples if isinstance(s, dict)]
    arrays = [cast("list[object]", s) for s in samples if isinstance(s, list)]
    if objects:
        schema |= _object(objects)
    items = [item for array in arrays for item in array]
    if items:
        schema["items"] = infer(items)
    return schema


def _object(samples: list[dict[str, Any]]) -> Schema:
    values: defaultdict[str, list[Any]] = defaultdict(list)
    for sample in samples:
        for name, value in sample.items():
            values[name].append(value)
    properties = {name: infer(values[name]) for name in sorted(values)}
    required = [name for name in properties if len(values[name]) == len(samples)]
    return {"properties": properties, "required": required}


def _one_or_more(kinds: list[str]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else kinds


def _kind(value: object) -> str:
    return TYPE_NAMES[type(value)]
