# Copied by mcp-bindgen. Do not edit.
"""Words and texts in the forms that argparse reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["plain", "readable"]

# argparse takes these for options; it knows -5 and -5.5 as numbers.
_EXPONENT = re.compile(r"-(\d+\.?\d*|\.\d+)[eE][+-]?\d+", re.ASCII)
_FLAG = re.compile(r"--[^=]+")


def plain(text: str) -> str:
    """Return a description or an epilog that argparse prints as it is.

    Example: `plain("100%")` is the same; `plain("%(prog)s")` is "%%(prog)s".
    """
    # argparse formats only a text with this word in it.
    return text.replace("%", "%%") if "%(prog)" in text else text


def readable(words: Iterable[str]) -> list[str]:
    """Return the words of a command line; --flag -1e5 is one word, --flag=-1e5.

    Example: `readable(["--size", "-1e5"]) == ["--size=-1e5"]`.
    """
    ready: list[str] = []
    for word in words:
        if ready and _EXPONENT.fullmatch(word) and _FLAG.fullmatch(ready[-1]):
            ready[-1] = f"{ready[-1]}={word}"
        else:
            ready.append(word)
    return ready
