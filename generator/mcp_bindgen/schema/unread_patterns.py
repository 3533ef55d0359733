"""Finds the patterns of a schema that no engine of the runtime reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.runtime.validation.backtracking import pattern_matcher
from mcp_bindgen.schema.size import patterns_of

if TYPE_CHECKING:
    from mcp_bindgen.schema.document import Document

__all__ = ["unread_patterns", "why_unread"]


def why_unread(pattern: str) -> str | None:
    """Return why no engine reads a pattern; None where one does.

    Args:
        pattern: A regular expression of ECMA-262, as the schema has it.
    """
    try:
        pattern_matcher(pattern)
    except ValueError as error:
        return str(error)
    return None


def unread_patterns(document: Document) -> dict[str, str]:
    """Return the patterns that nothing enforces: JSON pointer to the reason.

    They pass every value at every location: in a type, under `not`, in `if`.

    Args:
        document: The whole schema.
    """
    unread: dict[str, str] = {}
    for pointer, node in document.nodes:
        for pattern_pointer, pattern in patterns_of(node, pointer).items():
            if reason := why_unread(pattern):
                unread[pattern_pointer] = reason
    return unread
