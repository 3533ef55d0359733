"""The option --limit, and the reading of a recording under it."""

from __future__ import annotations

from dataclasses import fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, NoReturn, ParamSpec, TypeVar

import click

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import HIGHEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp_bindgen.limits import Limits

__all__ = ["limit_option", "limits_from", "read"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def limit_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --limit to a command."""
    return click.option(
        "--limit",
        "limit_texts",
        multiple=True,
        metavar="NAME=NUMBER",
        help="Set a limit, for example tools=20000; SECURITY.md lists all.",
    )(command)


def limits_from(texts: Sequence[str], limits: Limits) -> Limits:
    """Return limits, some of them set by the user.

    Example: `limits_from(["tools=20000"], DEFAULT).tools == 20_000`.

    Args:
        texts: The values of --limit, each `name=number`.
        limits: The limits for all other names.

    Raises:
        BindgenError: A name or a number is wrong.
    """
    return replace(limits, **dict(_limit(text, limits) for text in texts))


def _limit(text: str, limits: Limits) -> tuple[str, int]:
    name, _, number = text.partition("=")
    names = [field.name for field in fields(limits)]
    if name not in names:
        close = get_close_matches(name, names, 1)
        question = f"did you mean {close[0]}? " if close else ""
        _refuse(text, "unknown limit", f"{question}limits are {', '.join(names)}")
    digits = number.replace("_", "")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len(str(2**63)):
        hint = f"write it like {name}={getattr(limits, name)}"
        _refuse(text, "expected a whole number", hint)
    highest = HIGHEST.get(name, 2**62)
    if int(digits) > highest:
        _refuse(text, f"expected at most {highest:,}", f"write {name}={highest}")
    return name, int(digits)


def read(file: Path, limits: Limits) -> bytes:
    """Return the bytes of a recording, at most one more than the limit.

    Raises:
        BindgenError: The file cannot be read; the problem does not name it.
    """
    try:
        with file.open("rb") as stream:
            return stream.read(limits.bytes + 1)
    except OSError as error:
        hint = "create the file with mcp-bindgen record"
        problem = Problem("", f"cannot read the file: {error.strerror}", hint)
        raise BindgenError(problem) from error


def _refuse(text: str, reason: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", f"--limit {text[:80]!a}: {reason}", hint))
