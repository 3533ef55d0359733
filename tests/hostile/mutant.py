"""What turns a defence off."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Mutant"]


class Mutant(NamedTuple):
    """One defence, and how to turn it off: replace a text that stands there once."""

    file: str
    old: str
    new: str
    tests: str
