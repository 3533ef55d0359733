"""Suggests the risk of a tool from its name; the server's hints may only raise it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MODES", "Risk", "risk_of"]

MODES = {
    "low": ("NORMAL", "DEGRADED", "ALERT"),
    "medium": ("NORMAL", "DEGRADED"),
    "high": ("NORMAL",),
}
"""The modes that are suggested for each risk."""

_LOW = frozenset("""
    read get list search query view show find fetch describe count lookup check
    """.split())
_HIGH = frozenset("""
    write delete execute send create modify update remove set patch manage move transfer
    publish add append approve archive assign ban batch buy call cancel charge close
    commit copy deploy destroy disable drop edit enable erase exec insert install invite
    invoke kick kill merge overwrite pay post purge push put refund rename replace reply
    reset restart restore revoke rotate run save schedule share shell start stop submit
    terminate truncate uninstall unpublish upload upsert wipe
    """.split())
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LEVELS = ("low", "medium", "high")


class Risk(NamedTuple):
    """A risk with its reason.

    Attributes:
        level: "low", "medium" or "high".
        reason: Where it comes from, as text for people.
    """

    level: str
    reason: str


def risk_of(tool: Mapping[str, Any]) -> Risk:
    """Return the risk that a tool seems to have.

    Example: `risk_of({"name": "delete_task"}).level == "high"`.

    Args:
        tool: The tool as its server lists it.
    """
    name = str(tool.get("name", ""))
    words = [word.lower() for word in _WORD.findall(name)]
    risk = _of_words(words)
    hints = members(tool.get("annotations"))
    raised = _of_hints(hints)
    if raised is not None and _LEVELS.index(raised.level) > _LEVELS.index(risk.level):
        return raised
    return risk


def _of_words(words: list[str]) -> Risk:
    for level, known in (("high", _HIGH), ("low", _LOW)):
        if word := next((word for word in words if _root(word) & known), None):
            return Risk(level, f"the name has the word {word}")
    return Risk("medium", "no word of the name is known")


def _root(word: str) -> set[str]:
    """Return a word, and the words that it may be a form of: deletes, sending."""
    forms = {word}
    for ending in ("s", "es", "d", "ed", "ing", "ting", "ning"):
        stem = word.removesuffix(ending)
        forms |= {stem, f"{stem}e"} if stem != word else set()
    return forms


def _of_hints(hints: Mapping[str, Any]) -> Risk | None:
    """Return the risk that the server admits; it may claim no lower one."""
    if hints.get("destructiveHint") is True:
        return Risk("high", "the server says that it may destroy something")
    if hints.get("readOnlyHint") is False:
        return Risk("medium", "the server says that it changes something")
    return None
