"""Cleans results as a policy says: hidden characters, secrets, size."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, cast

from ...strict_json import dumps, elements, members
from .masks import masked

if TYPE_CHECKING:
    from .entry import ResultRule

__all__ = ["cleaned_result"]

# Categories of characters that nobody sees; line ends and tabs stay.
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_KEEP = frozenset("\n\r\t")
# Letters and marks by their category that show nothing all the same.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = (0xFE00, 0xFE0F)
_SELECTORS_MORE = (0xE0100, 0xE01EF)


def cleaned_result(result: dict[str, Any], rule: ResultRule) -> dict[str, Any]:
    """Return a result of `tools/call` as the policy wants it.

    Texts in content and structured content, keys too, are cleaned. A result that is
    too large then has its texts cut; where that is not enough, it becomes a note.

    Args:
        result: The result as it came.
        rule: The rule.
    """
    cleaned = {key: _cleaned(value, rule) for key, value in result.items()}
    if rule.max_bytes is None or len(dumps(cleaned)) <= rule.max_bytes:
        return cleaned
    return _cut(cleaned, rule.max_bytes)


def _cleaned(value: Any, rule: ResultRule) -> Any:
    if isinstance(value, str):
        text = visible(value) if rule.strip_hidden else value
        return masked(text, rule.mask) if rule.mask else text
    if isinstance(value, dict):
        keyed = members(cast("object", value)).items()
        return {_cleaned(k, rule): _cleaned(v, rule) for k, v in keyed}
    if isinstance(value, list):
        return [_cleaned(item, rule) for item in elements(cast("object", value))]
    return value


def visible(text: str) -> str:
    """Return a text without characters that nobody sees or that reorder others."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(filter(_is_visible, text))


def _is_visible(character: str) -> bool:
    if character in _KEEP:
        return True
    code = ord(character)
    selects = any(low <= code <= high for low, high in (_SELECTORS, _SELECTORS_MORE))
    hidden = character in _BLANK or selects
    return not hidden and unicodedata.category(character) not in _HIDDEN


def _cut(result: dict[str, Any], most: int) -> dict[str, Any]:
    """Return a result with its texts cut, and without what no cut makes small."""
    size = len(dumps(result))
    note = f"[cut by the policy: {size:,} bytes, {most:,} are allowed]"
    left = max(most - len(note) - 200, 0)
    content: list[Any] = []
    for block in map(members, elements(result.get("content"))):
        text = block.get("text")
        if block.get("type") != "text" or not isinstance(text, str):
            continue
        part = text.encode()[:left].decode(errors="ignore")
        left -= len(part.encode())
        if part:
            content.append({"type": "text", "text": part})
    content.append({"type": "text", "text": note})
    shape = {"content": content, "isError": result.get("isError", False)}
    return {**shape, "_meta": {"mcp-bindgen/cut": size}}
