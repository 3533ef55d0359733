"""Breaks what tools would run or obey in a docstring: examples, directives, fences.

Any place counts, not only the start of a line: a tool that wraps text, or reads it as
a list, a table or the text of a parameter, starts lines elsewhere.
"""

from __future__ import annotations

import re

__all__ = ["first_active", "inert"]

_ACTIVE = re.compile(
    r"(?P<fence>(?<![\w`~])[`~]{3,}[ ]*(?=[^\s`~\\]))"  # "```python" is run
    r"|(?:(?<![>\\])(?=>>>)"  # doctest
    r"|(?<![\w.\\])(?=\.\.(?!\S))"  # directives of docutils, which read files
    r"|(?<![\w:\\])(?=:::)"  # those of Markdown
    r"|(?<![-\\])(?=-+8<-)"  # and its inclusions
    r"|(?<!\\)(?=[:{][\w.+:-]{1,40}[:}]`[^`\s])"  # roles, which copy files
    r"|(?<=`)(?=:[\w.+:-]{1,40}:)"
    r"|(?<!\\)(?=\#[ ]*(?:flake8|mypy)\b)"  # these are read in strings, too
    r"|(?<!\S)(?=(?:vi|[Vv]im(?:[<=>]?\d+)?|kate):)"  # settings of editors
    r"|(?<!\S)(?=ex:\s*(?:set?(?!\S)|\w+[-+^]?=))"
    r"|(?<!\\)(?=(?i:local[ ]variables:)))"
)
# One of these stands in all that the pattern finds, and looking for them costs little.
_SIGNS = (
    *(">>>", "..", ":::", "8<", "``", "~~", "`~", ":`", "}`", "`:"),
    *("mypy", "flake8", "vi:", "vim", "kate:", "ex:", "local variables:"),
)


def inert(text: str) -> str:
    """Return a text with a backslash in each place that a tool would act on."""
    return _ACTIVE.sub(r"\g<fence>\\", text) if _has_sign(text) else text


def first_active(text: str) -> str:
    """Return the line of a docstring that a tool would act on first, "" if none."""
    match = _ACTIVE.search(text) if _has_sign(text) else None
    if not match:
        return ""
    begin = text.rfind("\n", 0, match.start()) + 1
    return text[begin:].partition("\n")[0].strip()


def _has_sign(text: str) -> bool:
    lower = text.lower()
    return any(sign in lower for sign in _SIGNS)
