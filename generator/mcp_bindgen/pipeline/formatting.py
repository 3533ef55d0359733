"""Files that black lays out: the only module that knows black, and imports it late.

Our own layout is what black leaves unchanged, a hundred times as fast as black. Black
does the rest: a file that our layout may have got wrong, and a project's own style.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.python.style import OURS, Style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from black.mode import Mode

    from mcp_bindgen.limits import Budget

__all__ = ["by_black", "formatted", "is_sure", "mended"]

_LONG = re.compile(rf"^.{{{OURS.line_length + 1},}}$", re.MULTILINE)
_DOCSTRING = re.compile(r'^ *"""(?:[^"\\]|\\.|"(?!""))*"""', re.MULTILINE | re.DOTALL)
_STRING = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_ATOM = rf"(?:[\w.]+|{_STRING})"
# Too long, and right: black breaks no name and no string, so that each stands alone
# on its line; it leaves an assignment of one that fits on no line.
_ALONE = re.compile(rf" *(?:\| |\w+=|{_STRING}: )?{_ATOM},?")
_ASSIGNED = re.compile(rf"( *)[\w.]+ = ({_ATOM})")
_INDENT = 4
# Black's time for 14 characters is that of a step; a larger file would take seconds.
_CHARACTERS_A_STEP, _MOST = 14, 200_000


def is_sure(text: str) -> bool:
    """Tell whether all long lines of a file of ours are as black leaves them.

    Args:
        text: The source of a file in our own layout.
    """
    if not _LONG.search(text):
        return True
    code = _DOCSTRING.sub("", text)
    return all(map(_is_right, _LONG.findall(code)))


def _is_right(line: str) -> bool:
    if assigned := _ASSIGNED.fullmatch(line):
        return len(assigned[1] + assigned[2]) > OURS.line_length - _INDENT
    return _ALONE.fullmatch(line) is not None


def mended(files: Mapping[str, str], budget: Budget) -> dict[str, str]:
    """Return files of ours, of which black has laid out those that are not sure.

    Args:
        files: Path to text in our own layout.
        budget: Counts the steps.
    """
    made = dict(files)
    for path, text in files.items():
        if path.endswith(".py") and not is_sure(text) and len(text) <= _MOST:
            budget.spend(len(text) // _CHARACTERS_A_STEP)
            made[path] = by_black(text, OURS)
    return made


def formatted(files: Mapping[str, str], style: Style) -> dict[str, str]:
    """Return files of which black has laid out those in Python.

    Args:
        files: Path to text.
        style: The style; files that are laid out in it already do not change.
    """
    return {
        path: by_black(text, style) if path.endswith(".py") else text
        for path, text in files.items()
    }


def by_black(text: str, style: Style) -> str:
    """Return a source as black lays it out; as it is where black cannot read it.

    Example: `by_black("x = 'a'", OURS)` gives `x = "a"` and a line end.

    Args:
        text: The source of a file.
        style: The options of black.
    """
    from black import format_str
    from black.parsing import InvalidInput

    try:
        return format_str(text, mode=_mode(style))
    except (InvalidInput, RecursionError):
        return text


def _mode(style: Style) -> Mode:
    """Return the options of black.

    Raises:
        BindgenError: This version of black has no such Python, or no such feature.
    """
    from black.mode import Mode, Preview, TargetVersion

    try:
        return Mode(
            target_versions={TargetVersion[v.upper()] for v in style.target_version},
            line_length=style.line_length,
            string_normalization=not style.skip_string_normalization,
            magic_trailing_comma=not style.skip_magic_trailing_comma,
            preview=style.preview or style.unstable,
            unstable=style.unstable,
            enabled_features={Preview[f] for f in style.enable_unstable_feature},
        )
    except KeyError as error:
        message = f"black {version('black')} does not know {error.args[0]!a}"
        hint = "correct target-version or enable-unstable-feature in pyproject.toml"
        raise BindgenError(Problem("", message, hint)) from error
