"""Files that black lays out: the only module that knows black, and imports it late.

Black leaves our own layout unchanged, which is a hundred times as fast. Black
does the rest: a file that our layout may have got wrong, and a project's own style.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.alike import alike
from mcp_bindgen.pipeline.cache import key
from mcp_bindgen.pipeline.excerpt import excerpt, whole
from mcp_bindgen.pipeline.same_program import is_same_program
from mcp_bindgen.pipeline.versions import version
from mcp_bindgen.python.style import OURS, Style

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from black.mode import Mode

    from mcp_bindgen.limits import Budget
    from mcp_bindgen.pipeline.cache import Cache

__all__ = ["by_black", "cached", "formatted", "is_sure", "mended"]

FileTexts: TypeAlias = "dict[str, str]"

_LONG = re.compile(rf"^.{{{OURS.line_length + 1},}}$", re.MULTILINE)
_DOCSTRING = re.compile(r'^ *"""(?:[^"\\]|\\.|"(?!""))*"""', re.MULTILINE | re.DOTALL)
_STRING = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_ATOM = rf"(?:[\w.]+|{_STRING})"
# Too long, and right: black breaks no name and no string, so that each has its own
# line; it leaves an assignment of one that fits on no line.
_ALONE = re.compile(rf" *(?:\| |\w+=|{_STRING}: )?{_ATOM},?")
_ASSIGNED = re.compile(rf"( *)[\w.]+ = ({_ATOM})")
_INDENT = 4
# Black's time for 14 characters is that of a step; a larger file would take seconds.
_CHARACTERS_A_STEP, _MOST = 14, 200_000
# Joined text may fit on a line with the text around it.
_ROUNDS = 4


def is_sure(text: str) -> bool:
    """Return whether all long lines of a file of ours are as black leaves them.

    Args:
        text: The source of a file in our own layout.
    """
    if max(map(len, text.split("\n"))) <= OURS.line_length:
        return True
    code = _DOCSTRING.sub("", text)
    return all(map(_is_right, _LONG.findall(code)))


def _is_right(line: str) -> bool:
    if assigned := _ASSIGNED.fullmatch(line):
        return len(assigned[1] + assigned[2]) > OURS.line_length - _INDENT
    return _ALONE.fullmatch(line) is not None


def mended(files: Mapping[str, str], budget: Budget) -> dict[str, str]:
    """Return generated files; black formats those in which a line may be too long.

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


def formatted(
    files: Mapping[str, str], style: Style, users: Collection[str] = ()
) -> dict[str, str]:
    """Return files of which black has laid out those in Python.

    Args:
        files: Path to text.
        style: The style; files that are laid out in it already do not change.
        users: Paths of files in any layout; the others are in our own.
    """
    made = dict(files)
    for path, text in files.items():
        if path.endswith(".py"):
            laid_out = by_black if path in users else _restyled
            made[path] = laid_out(text, style)
    return made


def cached(files: Mapping[str, str], style: Style, cache: Cache | None) -> FileTexts:
    """Return the result of `formatted`; the second time, from the cache.

    A stranger may have planted the texts of a cache: each must be the same program as
    the file that it is to replace.

    Args:
        files: Path to text, in our own layout; together they have one entry.
        style: The style.
        cache: The entries of earlier runs, None to let black do all.
    """
    name = f"{key(dict(files), repr(style))}.style"
    entry: object = cache.read(name) if cache else None
    known = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    if known.keys() == files.keys() and all(
        isinstance(text, str) and is_same_program(files[path], text)
        for path, text in known.items()
    ):
        return cast("FileTexts", known)
    made = formatted(files, style)
    if cache:
        cache.write({name: made})
    return made


@lru_cache(maxsize=1024)  # packages of one process share most files: their runtime
def _restyled(text: str, style: Style) -> str:
    """Return a source that is in our own layout as `by_black` would.

    Another width changes few statements: black reads these alone, in a third of the
    time. Its previews and other options may change all.
    """
    options = replace(
        style, line_length=OURS.line_length, target_version=(), requires_python=""
    )
    changing, others = text, list[str]()
    if options == OURS:
        with suppress(SyntaxError, ValueError, RecursionError):
            changing, others = excerpt(text, style.line_length)
    return whole(by_black(changing, style), others)


def by_black(text: str, style: Style) -> str:
    """Return a source as black and ruff leave it; as it is where black cannot read it.

    Example: `by_black("x = 'a'", OURS)` gives `x = "a"` and a line end.

    Args:
        text: The source of a file.
        style: The options of black.
    """
    from black.parsing import InvalidInput

    mode = _mode(style)
    made = text
    try:
        made = _laid_out(text, mode)
        for _ in range(_ROUNDS):
            other = alike(made, style.line_length)
            if other == made or not is_same_program(made, other):
                break
            made = _laid_out(other, mode)
    except (InvalidInput, SyntaxError, RecursionError):
        pass  # `made` is the last text that could be read
    return made


def _laid_out(text: str, mode: Mode) -> str:
    """Return a source as black leaves it, also one that is too new for the project.

    Packages run on Python 3.11; a project may name an older one as its target.
    """
    from black import format_str
    from black.parsing import InvalidInput

    try:
        return format_str(text, mode=mode)
    except InvalidInput:
        return format_str(text, mode=replace(mode, target_versions=set()))


def _mode(style: Style) -> Mode:
    """Return the options of black.

    Raises:
        BindgenError: This version of black has no such Python, or no such feature.
    """
    from black.files import infer_target_version
    from black.mode import Mode, Preview, TargetVersion

    project = {"project": {"requires-python": style.requires_python or None}}
    try:
        named = {TargetVersion[name.upper()] for name in style.target_version}
        return Mode(
            target_versions=named or {*(infer_target_version(project) or ())},
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
