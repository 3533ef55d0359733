# Copied by mcp-bindgen. Do not edit.
"""Compares rules about texts with the texts that the schema of an argument allows."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from ...validation.pattern_meet import never_meet
from ...validation.pattern_reach import least_length
from .schema_paths import branches_at, kinds_in, number_at

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["fault_of_texts", "literal", "pattern_of_path", "pattern_of_word"]

_LONG = 200
_SYNTAX = re.compile(r"[\^$\\.*+?()\[\]{}|/]")


def literal(text: str) -> str:
    """Return the pattern of a text itself."""
    return _SYNTAX.sub(r"\\\g<0>", text)


def pattern_of_word(text: str) -> str:
    """Return the pattern of a text in any case, and with spaces around it."""
    return rf"(?i)^\s*{literal(text.strip())}\s*$"


def pattern_of_path(path: str) -> str:
    """Return the pattern of a path and of all paths below it."""
    return f"^{literal(path.rstrip('/'))}(?:/[^]*)?$"


def fault_of_texts(
    schema: object,
    steps: tuple[str, ...],
    patterns: Sequence[str],
    most: float = math.inf,
) -> str:
    """Return why no text of the schema passes a rule, "" where one may.

    Args:
        schema: The input schema.
        steps: The steps of a JSON pointer.
        patterns: The patterns of the rule, one of which must match; none for any text.
        most: The most characters that the rule allows.
    """
    branches = branches_at(schema, steps)
    faults = [_fault(one, patterns, most) for one in branches]
    return next(filter(None, reversed(faults)), "") if all(faults) else ""


def _fault(schema: dict[str, Any], patterns: Sequence[str], most: float) -> str:
    """Return why no text of one schema passes, "" where one may."""
    if "string" not in kinds_in(schema):
        return "the argument never is a string"
    least = min(map(least_length, patterns), default=0)
    if least > number_at(schema, "maxLength", math.inf):
        return "the schema allows only texts that are shorter"
    shortest = number_at(schema, "minLength", 0)
    own = schema.get("pattern")
    own = own if isinstance(own, str) else ""
    if max(shortest, least_length(own)) > most:
        return f"the schema allows only texts longer than {most:g}"
    # A longer one would have too many states to compare.
    if 0 < shortest < _LONG and _all_apart(patterns, f"^[^]{{{int(shortest)},}}$"):
        return "the schema allows only texts that are longer"
    if own and _all_apart(patterns, own):
        return "no text that the schema allows matches it"
    return ""


def _all_apart(patterns: Sequence[str], other: str) -> bool:
    return bool(patterns) and all(never_meet(one, other) for one in patterns)
