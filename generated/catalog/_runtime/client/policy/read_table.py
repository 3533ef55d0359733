# Copied by mcp-bindgen. Do not edit.
"""One table of a policy file, whose mistakes name the path of their key."""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from ...json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Table"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Table:
    """A table of TOML, its path in the file, and the mistakes of the whole file.

    Args:
        path: The path of the table, "" for the file.
        raw: The table; anything else is as an empty one.
        faults: Place and reason of each mistake; grows.
    """

    def __init__(self, path: str, raw: object, faults: list[tuple[str, str]]) -> None:
        self.path = path
        self.raw = members(raw)
        self.faults = faults

    def path_of(self, key: str) -> str:
        """Return the path of a key, as TOML writes it."""
        written = key if _BARE.fullmatch(key) else f'"{key}"'
        return f"{self.path}.{written}" if self.path else written

    def fault(self, key: str, reason: str) -> None:
        """Note a mistake."""
        self.faults.append((self.path_of(key), reason))

    def only(self, keys: Iterable[str]) -> None:
        """Note each key that is none of these."""
        known = sorted(keys)
        for key in self.raw:
            if key not in known:
                near = get_close_matches(key[:100], known, 1)
                hint = f"did you mean {near[0]}?" if near else ", ".join(known)
                self.fault(key, f"unknown key; {hint}")

    def inner(self, key: str) -> Table:
        """Return the table at a key, an empty one where there is none."""
        if not isinstance(self.raw.get(key, {}), dict):
            self.fault(key, "expected a table")
        return Table(self.path_of(key), self.raw.get(key, {}), self.faults)

    def text(self, key: str) -> str:
        """Return a text, "" where there is none."""
        value = self.raw.get(key, "")
        if isinstance(value, str):
            return value
        self.fault(key, "expected a text")
        return ""

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return true or false."""
        value = self.raw.get(key, default)
        if isinstance(value, bool):
            return value
        self.fault(key, "expected true or false")
        return default

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Return one of several texts."""
        value = self.raw.get(key, default)
        if isinstance(value, str) and value in choices:
            return value
        self.fault(key, f"expected one of {', '.join(choices)}")
        return default

    def number(
        self, key: str, least: float = 0, most: float = sys.float_info.max
    ) -> float | None:
        """Return a number above the least one, None where there is none."""
        value = self.raw.get(key)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # A whole number of TOML may be larger than any float.
        if is_number and abs(value) <= most and value > least:
            return float(value)
        bound = f" and at most {most:,}" if most < sys.float_info.max else ""
        self.fault(key, f"expected a number greater than {least:g}{bound}")
        return None

    def count(self, key: str, least: int = 0) -> int | None:
        """Return a whole number, None where there is none."""
        value = self.raw.get(key)
        if value is None or (type(value) is int and least <= value <= sys.maxsize):
            return value
        self.fault(key, f"expected a whole number, {least} or more")
        return None

    def values(self, key: str) -> list[Any] | None:
        """Return a list of at least one value, None where there is none."""
        value = self.raw.get(key)
        if value is None:
            return None
        if isinstance(value, list) and value:
            return elements(cast("object", value))
        self.fault(key, "expected a list of at least one value")
        return None

    def texts(self, key: str) -> list[str]:
        """Return a list of texts, [] where there is none."""
        listed = cast("object", self.raw.get(key, []))
        values = cast("list[object]", listed) if isinstance(listed, list) else [None]
        if all(isinstance(value, str) for value in values):
            return [str(value) for value in values]
        self.fault(key, "expected a list of texts")
        return []

    def names(self, key: str, known: Sequence[str] = ()) -> list[str]:
        """Return a list of different names, [] where there is none.

        Args:
            key: The key.
            known: The names there are; any name where there is none.
        """
        names = self.texts(key)
        if len({*names}) < len(names) or "" in names:
            self.fault(key, "expected names that differ")
        for name in names:
            if known and name not in known:
                self.fault(key, f"unknown mode {name}; one of {', '.join(known)}")
        return names
