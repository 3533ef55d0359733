"""Disarms text in a page that a host of skills would run before a model reads it.

Some hosts read a page as plain text, so that no fence helps: they run what stands in
backticks behind an exclamation mark, and include the file behind an at sign.
"""

from __future__ import annotations

import re

__all__ = ["first_run", "not_run"]

_RUN = re.compile(r"(?<=!)(?=`)|(?<=`)(?=!)|(?<![^\s`])(?=@[\w./~\"'])")


def not_run(text: str) -> str:
    r"""Return a text with a backslash within each mark that a host would run.

    Example: `not_run("!`id`") == "!\\`id`"`.
    """
    return _RUN.sub(r"\\", text)


def first_run(text: str) -> str:
    """Return the line of a page that a host would run first, "" if none."""
    match = _RUN.search(text)
    if match is None:
        return ""
    begin = text.rfind("\n", 0, match.start()) + 1
    return text[begin:].partition("\n")[0].strip()
