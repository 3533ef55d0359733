"""The names of tools for models: every API takes them, and no two are equal."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from mcp_bindgen.python.names import digest, digests
from mcp_bindgen.runtime.agents.toolinfo import NAME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["export_names"]

_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{NAME_LIMIT - 1}}}")


def export_names(wires: Iterable[str]) -> dict[str, str]:
    """Return for each wire name the name that every model's API takes.

    A name depends on its wire name alone, except where two would be the same.
    """
    listed = sorted(set(wires))
    bases = {wire: _base(wire) for wire in listed}
    claims = Counter(bases.values())
    names: dict[str, str] = {w: w for w in listed if bases[w] == w}
    taken = {*claims}
    for wire in (w for w in listed if w not in names):
        name = bases[wire]
        if claims[name] > 1:
            choices = (_marked(name, digits) for digits in digests(wire))
            name = next(choice for choice in choices if choice not in taken)
        names[wire] = name
        taken.add(name)
    return names


def _base(wire: str) -> str:
    if _NAME.fullmatch(wire):
        return wire
    base = re.sub(r"[^A-Za-z0-9_-]+", "_", wire[:1000]).strip("_")
    if not base:
        return f"tool_{digest(wire)}"
    base = base if re.match(r"[A-Za-z_]", base) else f"tool_{base}"
    return base if len(base) <= NAME_LIMIT else _marked(base, digest(wire))


def _marked(base: str, digits: str) -> str:
    return f"{base[: NAME_LIMIT - 1 - len(digits)].rstrip('_')}_{digits}"
