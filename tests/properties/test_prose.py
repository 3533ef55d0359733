"""Prose: texts of people are wrapped anew; lists, tables and code stay as they are."""

from __future__ import annotations

import os
import textwrap
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.python.literals import WireStr, clean, columns, wrap
from mcp_bindgen.python.prose import BEGINS_BLOCK, joined

MANY = settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "100")))
WIDTHS = st.integers(60, 200)
PLAIN_WORDS = (
    "the record of a team which was made by its owner is read again before each "
    "update and returned with all fields that a caller may see in it"
)
PLAIN = st.sampled_from([str(word) for word in PLAIN_WORDS.split()])
ODD = st.sampled_from(
    [
        *(
            "Azure",
            "`max_rows`",
            "(optional)",
            "e.g.",
            "naïve",
            '"quoted"',
            "10",
            "JSON",
        ),
        *("https://example.org/a/very/long/path/of/a/page/that/does/not/fit/anywhere",),
        *(
            "数据库的名称",
            "שלום",
            "مرحبا",
            "данные",
            "n" * 90,
            "a-b-c",
            "C:\\x",
            "don't",
        ),
    ]
)


def _sentence(words: list[str]) -> str:
    return " ".join(["This", *words, "end."])


SENTENCES = st.lists(st.one_of(PLAIN, PLAIN, PLAIN, ODD), min_size=2, max_size=60).map(
    _sentence
)
PLAIN_SENTENCES = st.lists(PLAIN, min_size=50, max_size=90).map(_sentence)


@dataclass(frozen=True)
class Part:
    """A part of a text as a list of lines; `fixed` lines stay as they are."""

    lines: list[str]
    fixed: bool = False


def _wrapped(text: str, width: int, mark: str, depth: int) -> Part:
    margin = "    " * depth
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=margin + mark,
        subsequent_indent=margin + " " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return Part(lines)


BY_HAND = st.integers(60, 100)
PARAGRAPHS = st.builds(_wrapped, SENTENCES, BY_HAND, st.just(""), st.just(0))
ELEMENTS = st.builds(
    _wrapped,
    SENTENCES,
    BY_HAND,
    st.sampled_from(["- ", "1. ", "* ", "a. ", "b) ", "ii. ", "iv) "]),
    st.integers(0, 2),
)
CELLS = st.lists(PLAIN, min_size=1, max_size=12).map(" ".join)


def _table(rows: list[list[str]]) -> Part:
    return Part([f"| {' | '.join(row)} |" for row in rows], fixed=True)


def _fenced(lines: list[str]) -> Part:
    return Part(["```python", *lines, "```"], fixed=True)


def _indented(cells: list[str]) -> Part:
    lines = [f'    {cell.replace(" ", "_")}(a, b=" {cell} ") && {{' for cell in cells]
    return Part(lines, fixed=True)


def _bare_table(rows: list[list[str]]) -> Part:
    """Return a table of Markdown without bars around it."""
    cells = [[*row, "a", "b"][:2] for row in rows]
    lines = [" | ".join(row) for row in [["one", "two"], ["---", ":-:"], *cells]]
    return Part(lines, fixed=True)


def _simple_table(rows: list[list[str]]) -> Part:
    """Return a table of reStructuredText."""
    ruler = "=" * 40 + "  " + "=" * 60
    lines = [f"{[*row, ''][0]:40}  {row[-1]}" for row in rows]
    return Part([ruler, lines[0], ruler, *lines[1:], ruler], fixed=True)


def _nested(lines: list[str]) -> Part:
    inner = ["```python", *lines, "```", *lines]
    return Part(["````md", *inner, "````"], fixed=True)


def _wide_code(cells: list[str]) -> Part:
    call = "".join(f", {cell.replace(' ', '_')}=[1, 2]" for cell in cells)
    return Part([f"    call({call[2:]})", "    done(1, 2, 3)"], fixed=True)


def _line(mark: str, cell: str) -> Part:
    return Part([f"{mark} {cell}"])


TABLES = st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=3)
CODE = st.lists(CELLS | st.just("    x = {"), min_size=1, max_size=4)
OTHERS = st.one_of(
    TABLES.map(_table),
    TABLES.map(_bare_table),
    TABLES.map(_simple_table),
    CODE.map(_nested),
    st.lists(CELLS, min_size=1, max_size=5).map(_wide_code),
    CODE.map(_fenced),
    st.lists(CELLS, min_size=1, max_size=3).map(_indented),
    st.builds(_line, st.sampled_from(["##", ">"]), CELLS),
)
PARTS = st.one_of(PARAGRAPHS, ELEMENTS, OTHERS)
TEXTS = st.lists(PARTS, min_size=1, max_size=6)


def _laid_out(text: str, width: int, indent: int = 4) -> list[str]:
    with columns(width):
        return wrap(joined(clean(WireStr(text), breaks=True), width), indent)


def _text(parts: list[Part]) -> str:
    """Return the text of parts between two lines that begin at the left."""
    return "\n\n".join(["Title", *("\n".join(part.lines) for part in parts), "Notes."])


@MANY
@given(TEXTS, WIDTHS)
def test_no_word_is_lost_and_a_second_time_changes_nothing(
    parts: list[Part], width: int
) -> None:
    text = _text(parts)
    lines = _laid_out(text, width)
    assert " ".join(lines).split() == text.split()
    assert _laid_out("\n".join(lines), width) == lines


@MANY
@given(TEXTS, WIDTHS)
def test_tables_and_code_stay_and_elements_begin_lines(
    parts: list[Part], width: int
) -> None:
    out = "\n".join(_laid_out(_text(parts), width)) + "\n"
    position = 0
    for part in parts:
        first = (
            part.lines if part.fixed else [part.lines[0][: part.lines[0].find("T") + 4]]
        )
        position = out.find("\n" + "\n".join(first), position) + 1
        assert position > 0, part


@MANY
@given(TEXTS, WIDTHS)
def test_no_word_stands_alone(parts: list[Part], width: int) -> None:
    own = {line for part in parts for line in part.lines}
    for before, line in pairwise(_laid_out(_text(parts), width)):
        words = before.split()
        if line and line not in own and " " not in line.strip() and len(words) > 2:
            is_long = len(line.strip()) >= 24  # and is no gap in the text
            assert is_long or len(words[-1]) + 1 + len(line) > width - 4, (before, line)


@MANY
@given(PLAIN_SENTENCES, BY_HAND, WIDTHS, st.sampled_from(["", "- ", "10. "]))
def test_hand_wrapped_prose_is_as_if_it_was_not_wrapped(
    text: str, by_hand: int, width: int, mark: str
) -> None:
    lines = _wrapped(text, by_hand, mark, 0).lines
    whole = "Title\n\n" + mark + text
    assert _laid_out("Title\n\n" + "\n".join(lines), width) == _laid_out(whole, width)


MARKS = st.sampled_from("- > # * + = | \u2013 \u2014 1. 2) a. b) iv. ``` ~~~".split())


@MANY
@given(st.lists(st.one_of(PLAIN, PLAIN, MARKS), min_size=2, max_size=80), WIDTHS)
def test_no_mark_in_a_sentence_begins_a_line(words: list[str], width: int) -> None:
    text = "This or " + " or ".join(words)
    lines = _laid_out(text, width)
    assert " ".join(lines).split() == text.split()
    assert not [line for line in lines if BEGINS_BLOCK.match(line)]


@MANY
@given(
    st.lists(st.lists(PLAIN, min_size=4, max_size=40), min_size=2, max_size=4),
    st.sampled_from(["  ", "   ", "\\"]),
    WIDTHS,
)
def test_a_break_at_the_end_of_a_line_stays(
    parts: list[list[str]], end: str, width: int
) -> None:
    texts = [" ".join([f"part{n}", *words]) for n, words in enumerate(parts)]
    lines = _laid_out(f"{end}\n".join(texts), width)
    assert [line.split()[0] for line in lines if line.startswith("part")] == [
        f"part{number}" for number in range(len(parts))
    ]
