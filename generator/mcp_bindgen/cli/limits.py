"""Reads recordings, as much as --limit allows."""

from __future__ import annotations

from dataclasses import fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, NoReturn, ParamSpec, TypeVar

import click

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp_bindgen.limits import Limits

__all__ = ["limit_option", "limits_from", "read"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Above these, Python or pydantic itself gives up.
_CEILINGS = {"depth": 100, "digits": 4_300}


def limit_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --limit to a command."""
    return click.option(
        "--limit",
        "limit_texts",
        multiple=True,
        metavar="NAME=NUMBER",
        help="Raise or lower a limit, as tools=20000; SECURITY.md lists them.",
    )(command)


def limits_from(given: Sequence[str], limits: Limits) -> Limits:
    """Return the limits, with those that somebody gave in their place.

    Args:
        given: Each `name=number`.
        limits: What holds otherwise.

    Raises:
        BindgenError: There is no such limit, or its value is none.
    """
    return replace(limits, **dict(_limit(text, limits) for text in given))


def _limit(text: str, limits: Limits) -> tuple[str, int]:
    name, _, number = text.partition("=")
    known = [field.name for field in fields(limits)]
    if name not in known:
        close = get_close_matches(name, known, 1)
        meant = f"do you mean {close[0]}? " if close else ""
        _refuse(text, "no such limit", f"{meant}limits are {', '.join(known)}")
    digits = number.replace("_", "")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len(str(2**63)):
        _refuse(text, "no whole number", f"write it as {name}={getattr(limits, name)}")
    most = _CEILINGS.get(name, 2**62)
    if int(digits) > most:
        _refuse(text, f"more than {most:,}", f"{name}={most} is the highest there is")
    return name, int(digits)


def read(file: Path, limits: Limits) -> bytes:
    """Return the bytes of a recording; no more than tell that it is too large.

    Raises:
        BindgenError: The system refuses.
    """
    try:
        with file.open("rb") as stream:
            return stream.read(limits.bytes + 1)
    except OSError as error:
        hint = "record it: mcp-bindgen record"
        problem = Problem("", f"cannot read {file}: {error.strerror}", hint)
        raise BindgenError(problem) from error


def _refuse(text: str, reason: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", f"--limit {text[:80]!a}: {reason}", hint))
