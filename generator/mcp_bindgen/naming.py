"""Gives out every Python name: ASCII, free, and stable whatever else is named.

A name depends on its wire name alone, except where two would be the same: then all
but an exact match carry a hash of their wire names. The order of a list never counts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from .reserved import PARAMETERS
from .source import PyName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["allocate", "class_words", "field_names", "pascal", "snake", "upper"]

LIMIT = 60
_SYMBOLS = {
    "<": " lt ",
    ">": " gt ",
    "=": " eq ",
    "+": " plus ",
    "%": " percent ",
    "&": " and ",
}
_BETWEEN = re.compile(r"[^A-Za-z0-9]+")
_WORD = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[A-Z]")


def _words(text: str) -> list[str]:
    """Split a wire name into ASCII words, at symbols and at changes of case."""
    for symbol, word in _SYMBOLS.items():
        text = text.replace(symbol, word)
    text = text[:1000]
    if not text.isascii():
        folded = unicodedata.normalize("NFKD", text)
        text = "".join(c if c.isascii() else " " for c in folded if not _is_mark(c))
    spaced = _BETWEEN.sub(" ", text)
    return [word for part in spaced.split() for word in _WORD.findall(part)]


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) == "Mn"


def digest(text: str, size: int = 6) -> str:
    """Return some hexadecimal digits that stand for a wire name."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:size]


def snake(text: str, kind: str) -> str:
    """Return the `lower_case` name for a wire name, before anything is reserved.

    Args:
        text: The name on the wire.
        kind: What is named: goes in front where a name cannot start so.
    """
    if re.fullmatch(r"[a-z][a-z0-9_]*", text) and len(text) <= LIMIT:
        return text
    words = [word.lower() for word in _words(text)]
    joined = "_".join(words)
    if not joined:
        return f"{kind}_{digest(text)}"
    if joined[0].isdigit():
        joined = f"{kind}_{joined}"
    if len(joined) > LIMIT:
        joined = f"{joined[: LIMIT - 7].rstrip('_')}_{digest(text)}"
    return joined


def pascal(name: str) -> str:
    """Return the `ClassName` for an allocated or suggested lower-case name."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def upper(name: str) -> PyName:
    """Return the `CONSTANT` for an allocated name."""
    return PyName(name.upper().rstrip("_") if name.endswith("_") else name.upper())


@lru_cache(maxsize=4096)
def class_words(text: str) -> str:
    """Return a class name for a title or a property, "" where it has no words."""
    words = _words(text)
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    if not joined or joined[0].isdigit():
        return ""
    return joined[:LIMIT]


def allocate(
    wires: Iterable[str],
    *,
    kind: str,
    reserved: frozenset[str],
    derived: Callable[[str], tuple[str, ...]] = lambda name: (name,),
) -> dict[str, PyName]:
    """Give each wire name a Python name of its own.

    Args:
        wires: Names on the wire, all different, in any order.
        kind: What is named, as in `snake`.
        reserved: Names that are taken; a name that is one gets an underscore.
        derived: All names that stand or fall with a name; none may meet another's.
    """
    bases = {wire: _free(snake(wire, kind), reserved) for wire in wires}
    claims = Counter(name for base in bases.values() for name in set(derived(base)))
    given: dict[str, PyName] = {}
    taken: set[str] = set()
    for wire, base in sorted(bases.items(), key=lambda pair: _rank(*pair)):
        mine = set(derived(base))
        clash = any(claims[name] > 1 for name in mine)
        if clash and (wire != base or mine & taken):
            free, mine = _hashed(wire, base, taken, derived)
            given[wire] = PyName(free)
        else:
            given[wire] = PyName(base)
        taken |= mine
    return {wire: given[wire] for wire in bases}


def field_names(wires: Iterable[str]) -> dict[str, PyName]:
    """Give the properties of one object their names as fields and parameters."""
    return allocate(wires, kind="field", reserved=PARAMETERS)


def _rank(wire: str, base: str) -> tuple[bool, int, str]:
    return wire != base, len(wire), wire


def _free(name: str, reserved: frozenset[str]) -> str:
    return f"{name}_" if name in reserved else name


def _hashed(
    wire: str, base: str, taken: set[str], derived: Callable[[str], tuple[str, ...]]
) -> tuple[str, set[str]]:
    stem = base[: LIMIT - 7].rstrip("_")
    choices = (f"{stem}_{digest(wire, size)}" for size in range(6, 65, 2))
    name = next(name for name in choices if not taken & set(derived(name)))
    return name, set(derived(name))
