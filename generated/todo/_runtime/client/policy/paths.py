# Copied by mcp-bindgen. Do not edit.
"""Checks paths in arguments: by their text, and on a shared disk by their links."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .entry import PathRule

__all__ = ["fault_of_path", "fault_of_text"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
# Names that are devices on Windows, with any extension.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?",
    re.IGNORECASE,
)
_DEVICES = ("dev", "proc", "sys")
# Characters that some systems turn into these.
_SPECIAL = frozenset("/\\.:~%")


def fault_of_text(path: str) -> str:
    """Return why a path is ambiguous, "" where all systems read it the same.

    Args:
        path: The path as it would be sent.
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
        (path.startswith("/") and steps[1] in _DEVICES, "it names a device"),
        (_specials(plain) != _specials(path), "it has a character like / or ."),
        (unicodedata.normalize("NFC", path) != path, "it is not in the form NFC"),
    )
    return next((reason for fails, reason in checks if fails), "")


def _specials(path: str) -> list[str]:
    return [character for character in path if character in _SPECIAL]


def fault_of_path(path: object, rule: PathRule) -> str:
    """Return why a rule forbids a path, "" where it allows it.

    On a shared disk, links are resolved now: whoever can change the disk can exchange
    a folder for a link before the server opens the file.

    Args:
        path: The value of the argument.
        rule: The rule.
    """
    if not isinstance(path, str):
        return "it is no text"
    if fault := fault_of_text(path):
        return fault
    if fault := _outside(_steps(path), rule.allowed, rule.forbidden):
        return fault
    if not rule.local:
        return ""
    try:
        real = _resolved(path)
        allowed, forbidden = map(_all_resolved, (rule.allowed, rule.forbidden))
    except (OSError, RuntimeError, ValueError):
        return "its links cannot be resolved"
    return _outside(_steps(real), allowed, forbidden) and "a link leads elsewhere"


def _outside(
    steps: tuple[str, ...], allowed: Iterable[str], forbidden: Iterable[str]
) -> str:
    roots = [*allowed]
    if roots and not any(_is_below(steps, _steps(root)) for root in roots):
        return "it is not below an allowed path"
    # A disk may not tell upper from lower case: what is forbidden is so in any case.
    folded = _folded(steps)
    if any(_is_below(folded, _folded(_steps(root))) for root in forbidden):
        return "it is below a forbidden path"
    return ""


def _steps(path: str) -> tuple[str, ...]:
    begin = ("/",) if path.startswith("/") else ()
    return (*begin, *(step for step in path.split("/") if step))


def _folded(steps: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFKC", step).casefold() for step in steps)


def _is_below(steps: tuple[str, ...], root: tuple[str, ...]) -> bool:
    return steps[: len(root)] == root


def _resolved(path: str) -> str:
    return Path(path).resolve().as_posix()


def _all_resolved(paths: Iterable[str]) -> list[str]:
    return [_resolved(path) for path in paths]
