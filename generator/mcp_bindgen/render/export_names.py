"""The names of tools for models: every API takes them, and no two are equal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_bindgen.python.names import digest, separate
from mcp_bindgen.runtime.agents.toolinfo import NAME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["export_names"]

_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{NAME_LIMIT - 1}}}")


def export_names(wires: Iterable[str]) -> dict[str, str]:
    """Return for each wire name the name that every model's API takes.

    A name depends on its wire name alone, except where two would be the same: then
    nobody has it, so that a new tool takes no name that an older one had.
    """
    return separate({wire: _base(wire) for wire in sorted(set(wires))})


def _base(wire: str) -> str:
    if _NAME.fullmatch(wire):
        return wire
    base = re.sub(r"[^A-Za-z0-9_-]+", "_", wire[:1000]).strip("_")
    if not base:
        return f"tool_{digest(wire)}"
    base = base if re.match(r"[A-Za-z_]", base) else f"tool_{base}"
    if len(base) <= NAME_LIMIT:
        return base
    return f"{base[: NAME_LIMIT - 7].rstrip('_')}_{digest(wire)}"
