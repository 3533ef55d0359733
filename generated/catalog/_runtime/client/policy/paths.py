# Copied by mcp-bindgen. Do not edit.
"""Checks paths in arguments: by their text, and on a shared disk by their links."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .entry import PathRule

__all__ = ["fault_of_text", "is_plain", "path_test"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
# Names that are devices on Windows, with any extension.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[. ].*)?",
    re.IGNORECASE,
)
# A step of ASCII letters, digits and a few signs, with no dot or space at an end, that
# names no device.
_STEP = (
    r"(?!(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./ ]|$))"
    r"[A-Za-z0-9_+=,@-]++(?:[. ]++[A-Za-z0-9_+=,@-]++)*+"
)
_PLAIN = re.compile(rf"(?!/(?i:dev|proc|sys)(?:/|$))/?{_STEP}(?:/{_STEP})*+/?")
# The short name that Windows makes of a long one: SECRET~1 for secret-keys.
_SHORT = re.compile(r"[^.~]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?")
_DEVICES = ("dev", "proc", "sys")
# Characters that some systems turn into these.
_SPECIAL = frozenset("/\\.:~%")
# Characters that code pages of Windows turn into / or \.
_SEPARATORS = re.compile("[\u2044\u2215\u29f8\u2216\u29f5\u29f9\xa5\u20a9]")


def fault_of_text(path: str) -> str:
    """Return the reason why a path is ambiguous, "" if all systems read it the same.

    Args:
        path: The path, as it is sent.
    """
    steps = path.split("/")
    plain = unicodedata.normalize("NFKC", path)
    checks = (
        (not path, "it is empty"),
        (not path.isprintable(), "it has a character that nobody sees"),
        ("\\" in path, "it has a backslash"),
        (path.startswith("~"), "it begins with ~"),
        (path.startswith("//"), "it names another machine"),
        (_SCHEME.match(path), "it begins with a scheme or a drive"),
        (_PERCENT.search(path), "it has a percent-encoded character"),
        (".." in steps or "." in steps, "it has a step . or .."),
        ("" in steps[1:-1], "it has an empty step"),
        (
            any(step != step.rstrip(". ") for step in steps),
            "a step ends with . or space",
        ),
        (any(step != step.lstrip() for step in steps), "a step begins with a space"),
        (any(":" in step for step in steps), "it has a colon"),
        (any(map(_DEVICE.fullmatch, steps)), "it names a device"),
        (any(map(_SHORT.fullmatch, steps)), "it has a short name of Windows"),
        (path.startswith("/") and steps[1] in _DEVICES, "it names a device"),
        (_SEPARATORS.search(path), "it has a character like / or ."),
        (_specials(plain) != _specials(path), "it has a character like / or ."),
        (unicodedata.normalize("NFC", path) != path, "it is not in the form NFC"),
    )
    return next((reason for fails, reason in checks if fails), "")


def _specials(path: str) -> list[str]:
    return [character for character in path if character in _SPECIAL]


def path_test(rule: PathRule) -> Callable[[Any], str]:
    """Return a function that gives the reason why a rule forbids a path, or "".

    On a shared disk, links are resolved at each call. A program that can change the
    disk can still replace a folder by a link before the server opens the file.

    Args:
        rule: The rule.
    """
    outside, plain = _outside_of(rule.allowed, rule.forbidden), _PLAIN.fullmatch

    def test(path: Any) -> str:
        if not isinstance(path, str):
            return "it is no text"
        if plain(path) is None and (fault := fault_of_text(path)):
            return fault
        return outside(path) or (_fault_of_links(path, rule) if rule.local else "")

    return test


def is_plain(path: str) -> bool:
    """Return whether a path is of the usual kind, in which nothing is ambiguous."""
    return _PLAIN.fullmatch(path) is not None


def _fault_of_links(path: str, rule: PathRule) -> str:
    try:
        real = _resolved(path)
        allowed, forbidden = map(_all_resolved, (rule.allowed, rule.forbidden))
    except (OSError, RuntimeError, ValueError) as _:
        return "its links cannot be resolved"
    return _outside_of(allowed, forbidden)(real) and "a link leads elsewhere"


def _outside_of(
    allowed: Iterable[str], forbidden: Iterable[str]
) -> Callable[[str], str]:
    """Return the test of clear paths: it gives the reason to forbid one, or ""."""
    # A folder with "/" at its end is the beginning of each path below it only.
    roots = tuple(_with_end(root) for root in allowed)
    # A disk may not tell upper from lower case: what is forbidden is so in any case.
    folded = tuple(_folded(_with_end(root)) for root in forbidden)

    def outside(path: str) -> str:
        whole = path if path.endswith("/") else f"{path}/"
        if roots and not whole.startswith(roots):
            return "it is not below an allowed path"
        if folded:
            lower = whole.lower() if whole.isascii() else _folded(whole)
            if lower.startswith(folded):
                return "it is below a forbidden path"
        return ""

    return outside


def _with_end(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", path).casefold()


def _resolved(path: str) -> str:
    return Path(path).resolve().as_posix()


def _all_resolved(paths: Iterable[str]) -> list[str]:
    return [_resolved(path) for path in paths]
