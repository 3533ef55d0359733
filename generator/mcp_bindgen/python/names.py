"""Gives out every Python name: ASCII, free, and stable when other names change.

A name depends on its wire name alone, except where two would be the same: then each
says how its wire name is spelled, or ends with `_x` and a hash of it. No other name has
such an end, so that a tool cannot be spelled like the hashed name of another. The order
of a list never counts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING

from mcp_bindgen.python.literals import PyName
from mcp_bindgen.python.reserved import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = [
    "allocate",
    "class_words",
    "field_names",
    "pascal",
    "separate",
    "snake",
    "upper",
]

LIMIT = 60
_READ = 1000  # characters of a wire name that a name is made of
_SYMBOLS = {
    "<": " lt ",
    ">": " gt ",
    "=": " eq ",
    "+": " plus ",
    "%": " percent ",
    "&": " and ",
}
# Ways to spell the same words, of which a name that others share says its own.
_STYLES = {
    "snake": re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*"),
    "camel": re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+"),
    "pascal": re.compile(r"(?:[A-Z][a-z0-9]*)+"),
    "upper": re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)+"),
    "kebab": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+"),
    "dotted": re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)+"),
    "slashed": re.compile(r"[a-z0-9]+(?:/[a-z0-9]+)+"),
    "spaced": re.compile(r"[a-z0-9]+(?: [a-z0-9]+)+"),
    "underscore": re.compile(r"_[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*"),
    "dollar": re.compile(r"\$[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*"),
    "at": re.compile(r"@[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*"),
}
_SNAKE = re.compile(r"[a-z][a-z0-9_]*")
# The class name of a hashed name, and of a name that one of its own is made like.
_HASHED = re.compile(r".X(?:[0-9a-f]{2}){3,}(?:Async|Tool)?$")
_BETWEEN = re.compile(r"[^A-Za-z0-9]+")
_WORD = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[A-Z]")


def _words(text: str) -> list[str]:
    """Split a wire name into ASCII words, at symbols and at changes of case."""
    for symbol, word in _SYMBOLS.items():
        text = text.replace(symbol, word)
    text = text[:_READ]
    if not text.isascii():
        # One character may become 18; of these, no more are read either.
        folded = unicodedata.normalize("NFKD", text)[:_READ]
        text = "".join(c if c.isascii() else " " for c in folded if not _is_mark(c))
    spaced = _BETWEEN.sub(" ", text)
    return [word for part in spaced.split() for word in _WORD.findall(part)]


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) == "Mn"


def digest(text: str, size: int = 6) -> str:
    """Return some hexadecimal digits of a wire name's hash."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:size]


def digests(text: str) -> Iterator[str]:
    """Yield digits of a wire name's hash without end: more of them, then other ones.

    To take them all, a server would need a name for each.
    """
    yield from (digest(text, size) for size in range(6, 58, 2))
    yield from (digest(f"{text} {number}", 56) for number in count())


def snake(text: str, kind: str) -> str:
    """Return the `lower_case` name for a wire name, before anything is reserved.

    Args:
        text: The name on the wire.
        kind: The kind of thing; goes in front where a name cannot start so.
    """
    if len(text) <= LIMIT and _SNAKE.fullmatch(text):
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
        kind: The kind of thing, as in `snake`.
        reserved: Names that are taken; a name that is one, or has one derived from
            it, gets an underscore, or its kind in front.
        derived: All names that are made from a name; none may be equal to another's.
    """
    bases = {wire: _free(snake(wire, kind), kind, reserved, derived) for wire in wires}
    names = separate(bases, reserved=reserved, derived=derived)
    return {wire: PyName(name) for wire, name in names.items()}


def separate(
    bases: Mapping[str, str],
    *,
    reserved: frozenset[str] = frozenset(),
    derived: Callable[[str], tuple[str, ...]] = lambda name: (name,),
) -> dict[str, str]:
    """Return different names for wire names, some of which would have the same one.

    Example:
        separate({"a.b": "a_b", "c": "c"})  # as they are
        separate({"a.b": "a_b", "a_b": "a_b"})  # "a_b_dotted", "a_b_snake"

    Args:
        bases: Wire name to the name that depends on it alone.
        reserved: As for `allocate`.
        derived: As for `allocate`.
    """
    spelled = [base for base in bases.values() if not _is_hashed(base)]
    claims = Counter(name for base in spelled for name in {*derived(base)})
    if len(claims) == claims.total() and len(spelled) == len(bases):
        return {**bases}
    contested = _contested(bases, claims, derived)
    names = {w: base for w, base in bases.items() if w not in contested}
    used = {*reserved, *claims}  # also names that others will get later
    names |= _ended({w: bases[w] for w in sorted(contested)}, used, derived)
    return {wire: names[wire] for wire in bases}


def _ended(
    bases: Mapping[str, str], used: set[str], derived: Callable[[str], tuple[str, ...]]
) -> dict[str, str]:
    """Return for each wire name its name with an end: its spelling, or its hash."""
    names: dict[str, str] = {}
    choices = {w: chain([_styled(w, b)], _hashed(w, b)) for w, b in bases.items()}
    while choices:
        tried = {wire: next(names_) for wire, names_ in choices.items()}
        claims = Counter(n for name in tried.values() for n in {*derived(name)})
        taken = used | {name for name, times in claims.items() if times > 1}
        for wire, name in tried.items():
            # Where two wire names have one hash, nobody gets it.
            if name and taken.isdisjoint(derived(name)):
                names[wire] = name
                used.update(derived(name))
                del choices[wire]
    return names


def _contested(
    bases: Mapping[str, str],
    claims: Mapping[str, int],
    derived: Callable[[str], tuple[str, ...]],
) -> set[str]:
    """Return the wire names that do not keep the plain name.

    Nobody keeps a name that two may have: code that was written when it meant one of
    them must fail, not mean the other. This holds for the names of spellings, too, and
    for all names that look like a hashed one, whatever else is listed.
    """
    fresh = {
        wire
        for wire, base in bases.items()
        if _is_hashed(base) or any(claims[n] > 1 for n in derived(base))
    }
    contested = set(fresh)
    while fresh:
        endings = {n for w in fresh for n in derived(_styled(w, bases[w]))}
        fresh = {
            wire
            for wire in bases.keys() - contested
            if not endings.isdisjoint(derived(bases[wire]))
        }
        contested |= fresh
    return contested


def _is_hashed(name: str) -> bool:
    """Return whether a name, or one that is made from it, may be a hashed one."""
    return "x" in name and _HASHED.search(pascal(name)) is not None


def field_names(wires: Iterable[str]) -> dict[str, PyName]:
    """Give the properties of one object their names as fields and parameters."""
    return allocate(wires, kind="field", reserved=PARAMETERS)


def _styled(wire: str, base: str) -> str:
    """Return a name that says how its wire name is spelled, "" where no word does."""
    styles = (style for style, pattern in _STYLES.items() if pattern.fullmatch(wire))
    name = f"{base.rstrip('_')}_{next(styles, '')}"
    return "" if name.endswith("_") or len(name) > LIMIT else name


def _hashed(wire: str, base: str) -> Iterator[str]:
    """Yield names that end with digits of a hash of their wire name."""
    for digits in digests(wire):
        stem = base[: LIMIT - 2 - len(digits)].rstrip("_")
        yield f"{stem}_x{digits}"


def _free(
    name: str,
    kind: str,
    reserved: frozenset[str],
    derived: Callable[[str], tuple[str, ...]],
) -> str:
    if reserved.isdisjoint(derived(name)):
        return name
    choices = (f"{name}_", f"{kind}_{name}")
    return next(n for n in choices if reserved.isdisjoint(derived(n)))
