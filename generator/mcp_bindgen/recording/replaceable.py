"""Recognises recordings, so that no other file is replaced by one."""

from __future__ import annotations

import codecs
import json
import re

from mcp_bindgen.runtime.json_values import elements, members

__all__ = ["is_replaceable"]

# A damaged recording of ours still begins as one.
_OURS = re.compile(rb'\{\s*"format"\s*:\s*"mcp-bindgen/')
_MEMBERS = frozenset("""
    _meta cacheScope calls instructions nextCursor prompts resourceTemplates resources
    resultType server serverInfo tools ttlMs
    """.split())


def is_replaceable(data: bytes) -> bool:
    """Return whether a recording may replace a file: it is empty, or a recording.

    Example: `is_replaceable(b'{"tools": []}')`.

    Args:
        data: The bytes of the file.
    """
    text = data.removeprefix(codecs.BOM_UTF8).strip()
    if not text or _OURS.match(text):
        return True
    try:
        value = members(json.loads(text))
    except (ValueError, RecursionError):
        return False
    if str(value.get("format")).startswith("mcp-bindgen/"):
        return True
    return _is_answer(value) or ("jsonrpc" in value and _is_answer(value.get("result")))


def _is_answer(value: object) -> bool:
    """Return whether a value is an answer with tools as servers send it, no more."""
    answer = members(value)
    if not isinstance(answer.get("tools"), list) or not answer.keys() <= _MEMBERS:
        return False
    return all("inputSchema" in members(tool) for tool in elements(answer["tools"]))
