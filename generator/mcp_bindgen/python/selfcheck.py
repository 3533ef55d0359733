"""Checks a rendered package before it is written: code at import, visible characters.

A finding is a fault of ours, or of a user's target: names come from the allocator and
texts from `literals`, so no text of a server should be able to cause one.
"""

from __future__ import annotations

import ast
import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from mcp_bindgen.errors import Problem
from mcp_bindgen.hidden import first_hidden
from mcp_bindgen.paths import is_safe
from mcp_bindgen.python import allowlist as allowed
from mcp_bindgen.python.selfcheck_markdown import markdown_faults
from mcp_bindgen.python.selfcheck_statements import walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from mcp_bindgen.python.allowlist import Allowlist

__all__ = ["check"]

_MOST = 5  # findings of one file: a broken template would name every line
_OUR_FAULT = "this is a fault of mcp-bindgen, please report it; nothing was written"
_USERS_FAULT = "correct the file of the target; nothing was written"
_USERS_CODE = (
    "correct the template: it writes imports, data, classes and signatures; put other"
    " code into a file without .jinja, or list it in [selfcheck] of target.toml"
)

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_PART = 1 << 20  # characters
_FILE = re.compile(allowed.FILE)
_HEADER = f"{allowed.COMMENT}\n"
# The hidden characters that strict JSON in ASCII may have.
_MAY_HIDE = "\t\r\x7f"
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]")
_DOCSTRING = re.compile(rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""', re.DOTALL)
# Escapes of JSON that may be half of a surrogate pair, or hide that they are not.
_ESCAPE = re.compile(
    r"\\(?:\\|u[dD][89abAB]..\\u[dD][c-fC-F]|(?P<half>u[dD][89a-fA-F]))"
)
# Finds strings only so as not to look into them; the possessive loops are linear.
_TOKEN = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"""'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+'''"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'(?:[^'\\\n]++|\\.)*+'"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<odd>[^\x00-\x7f]|['\"])",
    re.DOTALL,
)


def check(
    files: Mapping[str, str],
    trusted: Collection[str] = (),
    passed: Collection[str] = (),
    rules: Mapping[str, Allowlist] = MappingProxyType({}),
    users: Mapping[str, Path] = MappingProxyType({}),
) -> list[Problem]:
    """Return the faults of a package, sorted by file and line.

    Example:
        `check({"names.py": "import os"})` gives one problem.

    Args:
        files: Path, relative and with "/", to text.
        trusted: Paths of files that are exact copies of ours or of a user's; only
            their characters are checked.
        passed: Paths of files that have passed before.
        rules: Path to the allowlist of the file; `COMMON` for all other files.
        users: Path to the folder of a user's target, for the files that it makes.
    """
    problems: list[Problem] = []
    for path in sorted(files.keys() - set(passed)):
        text = files[path]
        allowlist = None if path in trusted else rules.get(path, allowed.COMMON)
        faults = [*_file(path, text, files, allowlist)]
        if path in users and allowlist is None and path.endswith(".py"):
            faults += _syntax_faults(text)
        for line, message in sorted(faults)[:_MOST]:
            location = f"{ascii(path)[1:-1][:80]}:{line}" if line else ascii(path)[:80]
            if path in users:
                wrong = f"{users[path]}: {location}: {message}"
                is_code = path.endswith(".py") and allowlist is not None
                hint = _USERS_CODE if is_code else _USERS_FAULT
                problems.append(Problem("", wrong, hint))
            else:
                problems.append(Problem("", f"{location}: {message}", _OUR_FAULT))
    return problems


def _file(
    path: str, text: str, files: Mapping[str, str], allowlist: Allowlist | None
) -> Iterator[tuple[int, str]]:
    """Yield line and message of each fault of a file; line 0 is its name."""
    if not _is_name(path):
        yield 0, "expected the name of a .py, .json or .md file, of a-z, 0-9 and _"
        return
    is_json = allowlist is not None and path.endswith(".json")
    json_faults = [*_json(text)] if is_json else []
    is_plain = is_json and not json_faults and not any(c in text for c in _MAY_HIDE)
    hidden = None if is_plain else _first_hidden(text)
    if hidden:
        yield _line(text, hidden.start()), f"the hidden character {hidden[0]!a}"
    elif allowlist is None:
        return
    elif is_json:
        yield from json_faults
    elif path.endswith(".py"):
        yield from _python(path, text, files, allowlist)
    elif path.endswith(".md"):
        yield from markdown_faults(text)
    elif text:
        yield 1, "this file must be empty"


def _is_name(path: str) -> bool:
    """Return whether a file of a package may have this name."""
    stem = path.rpartition("/")[2].partition(".")[0]
    is_special = stem.startswith("__") and stem != "__init__" and path != "__main__.py"
    is_known = bool(_FILE.fullmatch(path)) and is_safe(path)
    return is_known and stem not in allowed.FILES_RUN_BY_OTHERS and not is_special


def _first_hidden(text: str) -> re.Match[str] | None:
    """Return the first hidden character; a long text is not copied to look at it."""
    parts = (text[begin : begin + _PART] for begin in range(0, len(text), _PART))
    return first_hidden(text) if any(map(first_hidden, parts)) else None


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _python(
    path: str, text: str, files: Mapping[str, str], allowlist: Allowlist
) -> Iterable[tuple[int, str]]:
    try:
        tree = ast.parse(text)
        faults, docstrings = walk(tree, path, files.keys(), allowlist)
    except _UNREADABLE as error:
        return [_unreadable(error)]
    return [*faults, *_tokens(text, docstrings)]


def _syntax_faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and message of the first mistake in a source that is copied."""
    try:
        ast.parse(text)
    except _UNREADABLE as error:
        yield _unreadable(error)


def _unreadable(error: Exception) -> tuple[int, str]:
    line = error.lineno if isinstance(error, SyntaxError) else None
    return line or 1, f"Python cannot read this file: {type(error).__name__}"


def _tokens(
    text: str, docstrings: Mapping[tuple[int, int], tuple[int, int]]
) -> Iterator[tuple[int, str]]:
    """Check parts that a syntax tree lacks: comments, and the spelling of names."""
    rest = text if text.isascii() else _outside(text, docstrings)
    if rest.isascii() and rest.count("#") == text.startswith(_HEADER):
        return
    for match in _TOKEN.finditer(text):
        if match["comment"]:
            if match.start() or not text.startswith(_HEADER):
                yield _line(text, match.start()), "a comment that is not ours"
        elif match["odd"]:
            yield _line(text, match.start()), f"{match[0]!a} outside a string"
        elif not match[0].isascii():
            begin = text.rfind("\n", 0, match.start()) + 1
            column = len(text[begin : match.start()].encode())
            line = _line(text, begin)
            if (line, column) not in docstrings:
                yield line, "a string that is not ASCII"


def _outside(text: str, docstrings: Mapping[tuple[int, int], tuple[int, int]]) -> str:
    """Return a file without its docstrings, which a syntax tree places in bytes."""
    data, begins = text.encode(), [0]
    for line in data.split(b"\n"):
        begins.append(begins[-1] + len(line) + 1)
    outside: list[bytes] = []
    done = 0
    for (first, begin), (last, end) in sorted(docstrings.items()):
        start, stop = begins[first - 1] + begin, begins[last - 1] + end
        if _DOCSTRING.fullmatch(data, start, stop):  # and not several strings
            outside.append(data[done:start])
            done = stop
    return b"".join([*outside, data[done:]]).decode(errors="replace")


def _json(text: str) -> Iterator[tuple[int, str]]:
    odd = None if text.isascii() else _OUTSIDE_ASCII.search(text)
    if odd:
        yield _line(text, odd.start()), f"{odd[0]!a} in a file that must be ASCII"
    try:
        json.loads(text, parse_constant=_refuse, object_pairs_hook=_refuse_twice)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        reason = getattr(error, "msg", type(error).__name__)
        yield line, f"this is not strict JSON: {reason}"
        return
    for escape in _ESCAPE.finditer(text):
        if escape["half"]:
            yield _line(
                text, escape.start()
            ), "this is not strict JSON: half a character"


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _refuse_twice(pairs: list[tuple[str, object]]) -> None:
    """Refuse a repeated key; collect nothing, since a file may be large."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is repeated")
