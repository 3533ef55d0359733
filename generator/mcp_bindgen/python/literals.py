"""Turns text into Python source; nothing else may, and templates print nothing else.

Three types keep this honest. `WireStr` is text from a server: it is no `str`, so that
it cannot be joined, formatted or printed by accident. `PyName` is an identifier from
the allocator. `Code` is source made here or by the layout of expressions.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from mcp_bindgen.hidden import HIDDEN, first_hidden
from mcp_bindgen.python.docstring_safety import inert
from mcp_bindgen.python.prose import BEGINS_BLOCK, ITEM, lines_to_wrap, with_sentence

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = [
    "WIDTH",
    "Code",
    "PyName",
    "WireStr",
    "clean",
    "columns",
    "docstring",
    "finalize",
    "lit",
    "text_width",
    "wrap",
]

_string = json.encoder.encode_basestring_ascii
WIDTH = 88
TEXT_LIMIT = 4000
_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Text below many blank lines is out of a reader's sight.
_GAP = re.compile(r"\n{10,}")


@dataclass(frozen=True, slots=True, order=True)
class WireStr:
    """Text as a server sent it, of any content."""

    text: str


class PyName(str):
    """An ASCII identifier that the allocator made."""

    __slots__ = ()


class Code(str):
    """Python source that is safe to print as it is."""

    __slots__ = ()


def finalize(value: object) -> str:
    """Let Jinja print source and names, and nothing else.

    Raises:
        TypeError: A template tried to print something that could be server text.
    """
    if isinstance(value, (Code, PyName)):
        return value
    kind = type(value).__name__
    raise TypeError(f"expected the output of lit, json or doc, got a {kind}")


def lit(value: object) -> Code:
    """Return the ASCII literal of a JSON value, quoted as black does.

    Args:
        value: `WireStr`, `str`, `int`, finite `float`, `bool`, `None`, or a list or
            dict of these.
    """
    if isinstance(value, WireStr):
        return Code(_quote(value.text))
    if isinstance(value, str):
        return Code(_quote(value))
    if isinstance(value, list):
        items = cast("list[object]", value)
        return Code("[" + ", ".join(lit(item) for item in items) + "]")
    if isinstance(value, dict):
        members = cast("dict[object, object]", value).items()
        pairs = (f"{lit(key)}: {lit(item)}" for key, item in members)
        return Code("{" + ", ".join(pairs) + "}")
    if value is None or isinstance(value, (bool, int)):
        return Code(repr(value))
    if isinstance(value, float) and value - value == 0:
        return Code(repr(value).replace("e+", "e"))
    raise TypeError(f"no literal for a {type(value).__name__}")


def _quote(text: str) -> str:
    body = _string(text)[1:-1]
    if "\\u" in body:
        body = _join_surrogates(body)
    if "[[[cog" in body:
        # The generator cog runs the text behind this, in any line of a file.
        body = body.replace("[[[cog", "[[\\x5bcog")
    double = body.count('\\"')
    single = text.count("'")
    if double > single:
        return "'" + body.replace('\\"', '"').replace("'", "\\'") + "'"
    return f'"{body}"'


_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")


def _join_surrogates(body: str) -> str:
    # JSON writes an astral character as two halves; Python would keep them apart.
    def join(match: re.Match[str]) -> str:
        high, low = int(match[2], 16), int(match[3], 16)
        return f"{match[1]}\\U{0x10000 + (high - 0xD800) * 1024 + low - 0xDC00:08x}"

    return _PAIR.sub(join, body)


def clean(text: WireStr, limit: int = TEXT_LIMIT, *, breaks: bool = False) -> str:
    """Return server text for people: readable in any script, without hidden parts.

    Control, format, bidirectional, private, unassigned and invisible characters go,
    and a note says how many.

    Args:
        text: Any text.
        limit: The most characters; a note tells how many were cut.
        breaks: Whether lines that Markdown breaks end with two blanks, as they did.
    """
    plain = text.text.strip(" ")
    if plain.isascii() and plain.isprintable() and len(plain) <= limit:
        return plain
    return _cleaned(text.text, limit, breaks=breaks)


@lru_cache(maxsize=4096)
def _cleaned(text: str, limit: int, *, breaks: bool) -> str:
    raw = _BREAK.sub("\n", text).expandtabs(4)
    visible = raw if first_hidden(raw) is None else HIDDEN.sub("", raw)
    removed = len(raw) - len(visible)
    visible = inspect.cleandoc(visible)
    cut = len(visible) - limit
    if cut > 0:
        note = f"[{cut} characters cut]"
        visible = with_sentence(visible[:limit].rstrip(), note, "")
    if removed:
        note = f"[{removed} hidden character{'s' * (removed > 1)} removed]"
        visible = with_sentence(visible, note, "")
    lines = (_stripped(line, breaks=breaks) for line in visible.split("\n"))
    return _GAP.sub("\n\n\n", "\n".join(lines)).strip()


def _stripped(line: str, *, breaks: bool) -> str:
    stripped = line.rstrip()
    return f"{stripped}  " if breaks and stripped and line[-2:] == "  " else stripped


_columns: ContextVar[int] = ContextVar("columns", default=WIDTH)


@contextmanager
def columns(width: int) -> Generator[None]:
    """Wrap the texts of the body at another width, as a project's style wants it.

    Example:
        with columns(100):
            files = tool_files(tool, targets)

    Args:
        width: Columns of a line.
    """
    token = _columns.set(width)
    try:
        yield
    finally:
        _columns.reset(token)


def text_width() -> int:
    """Return the width at which texts are wrapped now, in columns."""
    return _columns.get()


def wrap(text: str, indent: int, *, lead: int = 0, hang: int = 0) -> list[str]:
    """Break text into lines that fit, keeping its own line breaks and indentation.

    Tables and code are not broken. Further lines of a list's element are aligned behind
    its mark.

    Args:
        text: Cleaned text.
        indent: Columns that the lines will be moved to the right.
        lead: Columns taken on the first line.
        hang: Further indentation of all lines but the first.
    """
    width = text_width()
    is_line = "\n" not in text and not text[:1].isspace()
    if is_line and len(text) <= width - indent - lead:
        return [text.rstrip()]
    lines: list[str] = []
    for number, (line, may_break) in enumerate(lines_to_wrap(text)):
        stripped = line.strip()
        own = " " * min(len(line) - len(line.lstrip()), 40)
        margin = own if number == 0 else " " * hang + own
        taken = " " * lead if number == 0 else ""
        used = indent + len(taken) + len(margin)
        mark = len(item[0].lstrip()) if (item := ITEM.match(line)) else 0
        further = " " * (hang + mark) + own
        rooms = (width - used, width - indent - len(further))
        first, *rest = _broken(stripped, *rooms) if may_break else [stripped]
        lines += [margin + first if first else "", *(further + r for r in rest)]
    return lines


def _broken(text: str, first: int, width: int) -> list[str]:
    """Break text at spaces, so that no short word is alone on a line.

    Args:
        text: Words with spaces between them.
        first: Columns of the first line.
        width: Columns of the others.
    """
    lines: list[str] = []
    room = first
    while text:
        cut = len(text) if len(text) <= room else text.rfind(" ", 0, max(room, 0) + 1)
        cut = text.find(" ") if cut < 0 else cut
        cut = _before_block(text, len(text) if cut < 0 else cut)
        line, text, room = text[:cut].rstrip(), text[cut:].lstrip(), width
        is_alone = " " not in line and len(line) < width // 2
        if lines and is_alone and lines[-1].count(" ") > 1:
            before, _, word = lines[-1].rpartition(" ")
            fits = len(word) + 1 + len(line) <= width
            if fits and not BEGINS_BLOCK.match(f"{word} {line}"):
                lines[-1], line = before.rstrip(), f"{word} {line}"
        lines.append(line)
    return lines or [""]


def _before_block(text: str, cut: int) -> int:
    """Return where to break a text, so that no dash of prose begins a list below."""
    earlier = cut
    while earlier > 0 and BEGINS_BLOCK.match(text, earlier):
        earlier = text.rfind(" ", 0, earlier)
    return earlier if earlier > 0 else cut


def docstring(lines: list[str], indent: int) -> Code:
    """Return a docstring literal, laid out as black leaves it, that no tool acts on.

    Args:
        lines: Cleaned and wrapped text; the first line is the summary.
        indent: Columns before the docstring.
    """
    body = inert("\n".join(lines).strip())
    body = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') or "..."
    lead = " " if body.startswith('"') else ""
    if "\n" not in body:
        # Behind an escaped quote, black wants a space and ruff wants none.
        if body.endswith('\\"\\"\\"'):
            body = f'{body[:-2]}"'
        return Code(f'"""{lead}{body}{" " if body.endswith(chr(34)) else ""}"""')
    margin = " " * indent
    first, _, others = body.partition("\n")
    # Where all that follows is indented, black moves it to the left.
    rest = [
        f"{margin}{line}" if line else ""
        for line in textwrap.dedent(others).split("\n")
    ]
    return Code("\n".join([f'"""{lead}{first}', *rest, f'{margin}"""']))
