"""Disarms text in a page that a host of skills would run before a model reads it.

Some hosts read a page as plain text, so that no fence helps: they put arguments, which
may be empty, in place of `$ARGUMENTS` and `$1`, then run what stands in backticks
behind an exclamation mark, and include the file behind an at sign.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from mcp_bindgen.python.docstring_safety import constant_parts

__all__ = ["first_run", "not_run", "not_run_code"]

_RUN = re.compile(
    r"(?<=!)(?=[`{])|(?<=`)(?=!)"  # commands, the second in a fence
    r"|(?<![\w\\])(?=@[^\s`])"  # files
    r"|(?<!\\)(?=\$(?:ARGUMENTS|\d|\{CLAUDE_))"  # arguments
)
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")


def not_run(text: str) -> str:
    r"""Return a text with a backslash within each mark that a host would run.

    Example: `not_run("!`id`") == "!\\`id`"`.
    """
    return _RUN.sub(r"\\", text)


def not_run_code(code: str) -> str:
    r"""Return Python code with escapes in its strings, which keep their values.

    A backslash alone would be part of the value, which the server would refuse.

    Args:
        code: Types, signatures and calls, without comments.

    Example: `not_run_code('f("@x")') == 'f("\\x40x")'`.
    """
    return _STRING.sub(lambda match: _escaped(match[0]), code)


def _escaped(literal: str) -> str:
    cuts = {0, len(literal), *(match.end() for match in _RUN.finditer(literal))}
    cuts |= {*accumulate(map(len, constant_parts(literal)))}
    first, *more = (literal[begin:end] for begin, end in pairwise(sorted(cuts)))
    return first + "".join(map(_escaped_first, more))


def _escaped_first(part: str) -> str:
    """Return a part of a string that begins with an escape; the last quote has none."""
    if part in {'"', "'"} or part[0] == "\\" or not part[0].isascii():
        return part
    return f"\\x{ord(part[0]):02x}{part[1:]}"


def first_run(text: str) -> str:
    """Return the line of a page that a host would run first, "" if none."""
    match = _RUN.search(text)
    if match is None:
        return ""
    begin = text.rfind("\n", 0, match.start()) + 1
    return text[begin:].partition("\n")[0].strip()
