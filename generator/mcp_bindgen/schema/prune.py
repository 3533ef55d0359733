"""Leaves out of a schema what allows and forbids nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp_bindgen.runtime.json_pointer import child, steps
from mcp_bindgen.schema.keywords import ANNOTATIONS, KNOWN, LISTS, MAPS, SINGLE
from mcp_bindgen.schema.node import listed, mapped, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["prune"]

_SILENT = ANNOTATIONS - {"$schema", "$defs", "definitions", "$anchor", "$id"}


def prune(root: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without what has no effect and what nothing refers to."""
    kept = mapped(_effective(dict(root)))
    reached, pending = set[str](), [_without_definitions(kept)]
    while pending:
        for ref in _refs(pending.pop()):
            _, _, place = ref.partition("#/")
            name = "/".join(place.split("/")[:2])
            if not ref.startswith(("#/$defs/", "#/definitions/")):
                return kept
            if name not in reached:
                reached.add(name)
                pending.append(_definition(kept, name))
    for home in ("$defs", "definitions"):
        if home in kept:
            named = {n: d for n, d in kept[home].items() if child(home, n) in reached}
            kept = {**kept, home: named} if named else _dropped(kept, home)
    return kept


def _dropped(node: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key not in names}


def _without_definitions(node: Mapping[str, Any]) -> dict[str, Any]:
    return _dropped(node, "$defs", "definitions")


def _definition(root: Mapping[str, Any], path: str) -> Any:
    home, key = steps(f"/{path}")
    return mapped(root.get(home)).get(key, True)


def _refs(value: object) -> Iterator[str]:
    """Yield what a schema refers to; "" for what leads who knows where."""
    nodes = walk(mapped(value), "")
    for _, node in nodes:
        if {"$dynamicRef", "$recursiveRef", "$id", "$anchor"} & node.keys():
            yield ""
        elif "$ref" in node:
            yield unquote(str(node["$ref"]))


def _effective(node: Any) -> Any:
    if isinstance(node, bool):
        return node
    kept: dict[str, Any] = {}
    for keyword, item in mapped(node).items():
        if keyword not in KNOWN or keyword in _SILENT:
            continue
        if keyword in LISTS and listed(item):
            kept[keyword] = [_effective(part) for part in listed(item)]
        elif keyword in MAPS:
            parts = mapped(item).items()
            kept[keyword] = {name: _effective(part) for name, part in parts}
        else:
            kept[keyword] = _effective(item) if keyword in SINGLE else item
    return kept
