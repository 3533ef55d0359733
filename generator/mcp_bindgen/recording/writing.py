"""The text of a recording, in one copy: it may have tens of megabytes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from mcp_bindgen.json_writer import indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_bindgen.recording.mismatch import JsonObject

__all__ = ["digest_of", "document_text", "tool_text"]

_line = json.JSONEncoder(allow_nan=False).encode


def tool_text(tool: JsonObject) -> str:
    """Return the text of a tool as `document_text` takes it."""
    return indented(tool, 2)


def document_text(before: JsonObject, tools: Iterable[str], after: JsonObject) -> str:
    """Return the text of a recording.

    Args:
        before: The members before the list of tools; there is one or more.
        tools: The text of each tool.
        after: The members after the list of tools; there is one or more.
    """
    return "".join(_pieces(before, tools, after))


def _pieces(
    before: JsonObject, tools: Iterable[str], after: JsonObject
) -> Iterator[str]:
    yield indented(before)[:-2]
    yield ',\n  "tools": ['
    comma = end = ""
    for text in tools:
        yield f"{comma}\n    "
        yield text
        comma, end = ",", "\n  "
    yield f"{end}]"
    yield f",{indented(after)[1:]}\n"  # without a bracket, as `before`


def digest_of(tools: Iterable[JsonObject], others: JsonObject) -> str:
    """Return the SHA-256 of `{"tools": [...], ...}` as one line of JSON.

    Args:
        tools: The tools.
        others: The members after them; there is one or more.
    """
    digest = hashlib.sha256(b'{"tools": [')
    comma = ""
    for tool in tools:
        digest.update(f"{comma}{_line(tool)}".encode())
        comma = ", "
    digest.update(f"], {_line(others)[1:]}".encode())
    return digest.hexdigest()
