# Copied by mcp-bindgen. Do not edit.
"""Cleans results as a policy says: hidden characters, secrets, size."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...json_pointer import child
from ...json_values import elements, members
from ...strict_json import StrictJsonError, dumps, loads
from .hidden import first_hidden
from .masks import masked
from .suspicions import UNSEEN, suspicions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .entry import ResultRule

__all__ = ["FINDINGS", "cleaned_result", "findings_in", "marked"]

FINDINGS = "mcp-bindgen/findings"
"""The member of `_meta` that has the findings of a result."""

_CUT = "[cut]"


def cleaned_result(result: dict[str, Any], rule: ResultRule) -> dict[str, Any]:
    """Return a result of `tools/call` as the policy wants it.

    Texts in content and structured content, keys too, are cleaned. A result that is
    too large then has its texts cut; where that is not enough, it becomes a note.

    Args:
        result: The result, unchanged.
        rule: The rule.
    """
    joined = _joined(result)
    cleaned = {key: _cleaned(value, rule) for key, value in joined.items()}
    if rule.max_bytes is None or len(dumps(cleaned)) <= rule.max_bytes:
        return cleaned
    return _cut(cleaned, rule.max_bytes)


def _cleaned(value: Any, rule: ResultRule) -> Any:
    if isinstance(value, str):
        decoded = _decoded(value)
        cleaned = _cleaned(decoded, rule) if decoded is not None else None
        if cleaned != decoded:  # an escape hid something from the text as it is
            value = dumps(cleaned).decode()
        text = visible(value) if rule.strip_hidden else value
        return masked(text, rule.mask) if rule.mask else text
    if isinstance(value, dict):
        keyed = members(cast("object", value)).items()
        return {_cleaned(k, rule): _cleaned(v, rule) for k, v in keyed}
    if isinstance(value, list):
        return [_cleaned(item, rule) for item in elements(cast("object", value))]
    return value


def _joined(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result in which blocks that spell one JSON value are one block."""
    blocks = elements(result.get("content"))
    spelled = [block for block in map(members, blocks) if block.get("type") == "text"]
    text = "\n".join(str(block.get("text")) for block in spelled)
    if len(spelled) < 2 or _decoded(text) is None:
        return result
    others = [block for block in blocks if block not in spelled]
    return {**result, "content": [*others, {"type": "text", "text": text}]}


def _decoded(text: str) -> Any:
    """Return the JSON value of a text with escapes; None if it is no JSON."""
    if "\\" not in text or text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except StrictJsonError:
        return None


def visible(text: str) -> str:
    """Return a text without characters that are invisible or reorder others."""
    return UNSEEN.sub("", text) if first_hidden(text) else text


def findings_in(result: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the findings of `mcp-bindgen lint` in the texts of a result.

    No finding is no proof of safety.

    Args:
        result: The result, unchanged.

    Returns:
        Rule and JSON pointer of each finding; at most 20.
    """
    findings = (
        {"rule": rule, "pointer": pointer}
        for pointer, text in _texts(result)
        for rule, _, _ in suspicions(text)
    )
    return [*islice(findings, limits.SUSPICIONS)]


def _texts(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each text of a result with its pointer, keys included."""
    pending: list[tuple[str, Any]] = [("", dict(result))]
    while pending:
        pointer, value = pending.pop()
        if isinstance(value, str):
            yield pointer, value
            pending.append((pointer, _decoded(value)))
        elif isinstance(value, dict):
            for key, item in members(cast("object", value)).items():
                yield child(pointer, key), key
                pending.append((child(pointer, key), item))
        elif isinstance(value, list):
            for number, item in enumerate(elements(cast("object", value))):
                pending.append((child(pointer, number), item))


def marked(
    result: dict[str, Any], findings: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """Return a result with its findings in `_meta`, in place of a server's own."""
    meta = {**members(result.get("_meta")), FINDINGS: [*findings]}
    return {**result, "_meta": meta}


def _cut(result: dict[str, Any], most: int) -> dict[str, Any]:
    """Return a result with its texts cut, and without parts that no cut makes small."""
    size = len(dumps(result))
    note = f"[cut by the policy: {size:,} bytes, {most:,} are allowed]"
    of_tool = "contents" not in result  # else of a resource
    key = "content" if of_tool else "contents"
    listed = [members(block) for block in elements(result.get(key))]
    shape: dict[str, Any] = {}
    if of_tool:
        shape["isError"] = result.get("isError") is True
    first = listed[0] if listed and not of_tool else {}
    meta: dict[str, Any] = {"_meta": {"mcp-bindgen/cut": size}}
    ways: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...]
    ways = ((note, first, meta), (_CUT, first, {}), (_CUT, {**first, "uri": ""}, {}))
    cuts = [{key: [_block(text, like)], **shape, **more} for text, like, more in ways]
    cut = next((cut for cut in cuts if len(dumps(cut)) <= most), cuts[-1 - of_tool])
    left = most - len(dumps(cut))
    blocks: list[Any] = []
    for block in listed:
        text = block.get("text")
        if (of_tool and block.get("type") != "text") or not isinstance(text, str):
            continue
        used = len(dumps(_block("", block))) + 1
        part = _begin(text, left - used)
        if part:
            blocks.append(_block(part, block))
            left -= used + len(dumps(part)) - 2
    return {**cut, key: [*blocks, *cut[key]]}


def _block(text: str, like: Mapping[str, Any]) -> dict[str, Any]:
    """Return a block with a text, of the same kind as another."""
    if "uri" in like:
        return {"uri": like["uri"], "text": text}
    return {"type": "text", "text": text}


def _begin(text: str, most: int) -> str:
    """Return the longest begin of a text whose JSON form has so many bytes."""
    short, long = 0, max(min(len(text), most), 0)
    while short < long:
        middle = (short + long + 1) // 2
        if len(dumps(text[:middle])) - 2 <= most:
            short = middle
        else:
            long = middle - 1
    return text[:short]
