"""The line of a recording that a finding is about."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.node import is_array, is_object

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared

__all__ = ["line_of"]

_LISTS = {
    "RESOURCE_TEMPLATE": ("resourceTemplates", "uriTemplate"),
    "RESOURCE": ("resources", "uri"),
    "PROMPT": ("prompts", "name"),
}
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:\n]|[^\s{}\[\],:"]+')


@dataclass(slots=True)
class _Open:
    """An object or an array that is being read."""

    pointer: str
    is_object: bool
    key: str | int = 0
    begins: bool = True  # a key, or an element, comes next


def line_of(server: Compared, change: Change) -> int:
    """Return the line of the new recording that a finding is about, from 1.

    A removed part has no line there; the line of its parent counts.

    Args:
        server: The comparison.
        change: The finding.
    """
    lines = _lines(server.new)
    kind, key = next(
        (names for start, names in _LISTS.items() if change.rule.startswith(start)),
        ("tools", "name"),
    )
    pointer = change.pointer
    if change.tool:
        pointer = _entry(server.new, kind, key, change.tool) + change.pointer
    while pointer and pointer not in lines:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer, 1)


@lru_cache(maxsize=4)
def _lines(data: bytes) -> dict[str, int]:
    """Return the line of each value, or of its key, by JSON pointer."""
    text = data.decode(json.detect_encoding(data), "surrogatepass")
    lines, line = {"": 1}, 1
    pending: list[_Open] = []
    for word in (match[0] for match in _WORD.finditer(text)):
        top = pending[-1] if pending else None
        if word == "\n":
            line += 1
            continue
        if word in "}]":
            pending.pop()
            continue
        if word == ",":
            if top:
                top.begins = True
                top.key = top.key if isinstance(top.key, str) else top.key + 1
            continue
        # The first word of a member is its key; of an element, the value itself.
        if top and top.begins and word != ":":
            top.begins = False
            top.key = json.loads(word) if top.is_object else top.key
            lines.setdefault(child(top.pointer, top.key), line)
        if word in "{[":
            pointer = child(top.pointer, top.key) if top else ""
            pending.append(_Open(pointer, word == "{"))
    return lines


@lru_cache(maxsize=4)
def _document(data: bytes) -> tuple[str, Any]:
    """Return the object that holds the lists of a recording, and its pointer."""
    document = json.loads(data)
    if "tools" not in document and is_object(document.get("result")):
        return "/result", document["result"]
    return "", document


@lru_cache(maxsize=4)
def _entries(data: bytes, kind: str, key: str) -> dict[str, str]:
    base, document = _document(data)
    listed = document.get(kind)
    return {
        str(entry.get(key)): child(base, kind, number)
        for number, entry in enumerate(listed if is_array(listed) else ())
        if is_object(entry)
    }


def _entry(data: bytes, kind: str, key: str, name: str) -> str:
    return _entries(data, kind, key).get(name, "")
