"""Tells prose from lists, tables and code; joins lines that were wrapped by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from mcp_bindgen.python.fixed_lines import fixed_lines, open_fence

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BEGINS_BLOCK", "ITEM", "joined", "lines_to_wrap", "with_sentence"]

ITEM = re.compile(
    r"\s*(?:[-*+•‣\u2013\u2014]|\d{1,3}[.)]|[a-z][.)]|(?:[ivx]{2,4}|[IVX]{2,4})[.)])"
    r"\s+(?=\S)"
)
"""Matches the mark of an element of a list."""

BEGINS_BLOCK = re.compile(rf"{ITEM.pattern}| *(?:[>#|=+*-]+(?: |$)|```|~~~)")
"""Matches a text that is no prose at the beginning of a line, or may be none."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
# Rows of tables, headings, quotations, prompts, tags, brackets of code.
_ALONE = re.compile(r"[|#>\[\]){}<@$\\+=*_~-]|\((?![a-z]{2})")
_ROW = re.compile(r"\s*[|+].*[|+]$")
# A name and its text: behind a colon, "name (str, optional):" too, a dash or an arrow.
_ENTRY = re.compile(
    r"(?:\S+ ){0,2}\S*(?: ?\([^()]*\))?(?::(?: |$)| (?:[-\u2013\u2014=→]|=>|->) )"
    r"|[a-z]+_\w+ \([A-Z]"
)
_CODE = re.compile(r".* (?:=|==|:=|=>|->|&&|\|\|) |.*[{\[(;\\|]$|.*[^.!?:\s] {2,}\S")
_CALL = re.compile(r"[\w.]+\(.*\)$")
# In any script; capitals within or in all of a word are names or code.
_WORD = re.compile(r"[(\"'`*]*[^\W\d_](?:[^\W\d_A-Z]|['\u2019-])*[)\"'`*]*[.,;:!?]?")
_SENTENCE_ENDS = (".", "!", "?", ":", ";", '."', ".)")
_ENDS = (*_SENTENCE_ENDS, "\u2026", "\u3002", "\uff01", "\uff1f")
_LEAST = 40
"""Characters of a line that its author wrapped because it was full."""
_INDENT_OF_CODE = 4
_PROSE = 0.7  # share of words in a line that is prose, whatever signs of code it has
_SOME_WORDS = 0.4


@dataclass(slots=True)
class _Block:
    """Lines that may be one paragraph; the first may have the mark of a list.

    Attributes:
        indent: Columns before the lines; before further ones, where they hang.
        lines: The lines.
        is_code: Whether Markdown reads an indented block of code.
        is_fixed: Whether it is a line of a table, or of code between fences.
    """

    indent: int
    lines: list[str]
    is_code: bool = False
    is_fixed: bool = False


# A field's text is printed in its class and in the function.
@lru_cache(maxsize=256)
def joined(text: str, width: int = 88) -> str:
    """Return a text whose paragraphs of prose are single lines.

    Lists, tables, headings, code, and indented blocks that fit stay as they are. A line
    is joined to the one before if that one was full, in the middle of a sentence.

    Args:
        text: A cleaned text, with the two blanks of its hard line breaks.
        width: Longer lines do not fit; they are wrapped anew with those around them.
    """
    if "\n" not in text:
        return text
    blocks = _blocks(text)
    lines = (line for block in blocks for line in _paragraphs(block, width))
    return "\n".join(line.rstrip() for line in lines)


def with_sentence(text: str, sentence: str, end: str = ".") -> str:
    r"""Return a text with a sentence behind it, which is part of no code and no list.

    Example:
        with_sentence("A name", "Default: `x`.")  # "A name. Default: `x`."
        with_sentence("- a\n- b", "Default: `a`.")  # "- a\n- b\n\nDefault: `a`."

    Args:
        text: A cleaned text; code that it leaves open is closed.
        sentence: The sentence; "" adds none.
        end: What ends prose without a mark of punctuation.
    """
    lines = text.split("\n")
    may_be_code = "\n" in text and ("```" in text or "~~~" in text)
    if may_be_code and (closing := open_fence(lines)):
        lines.append(closing)
        text = f"{text}\n{closing}"
    if not (text and sentence):
        return text or sentence
    if not _goes_on(lines):
        return f"{text}\n\n{sentence}"
    return f"{text}{'' if text.endswith(_ENDS) else end} {sentence}"


def _goes_on(lines: list[str]) -> bool:
    """Return whether the last line is prose that a further sentence may continue."""
    last = lines[-1]
    if BEGINS_BLOCK.match(last) or len(lines) - 1 in fixed_lines(lines):
        return False
    is_block = last[:1] == " " or _ALONE.match(last) or _ENTRY.match(last)
    return len(lines) == 1 or not (is_block or _is_code(last))


def lines_to_wrap(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line of a text, and whether it may be broken: tables and code may not.

    Args:
        text: A cleaned text.
    """
    if "\n" not in text:
        yield text, True
        return
    for block in _blocks(text):
        for line in block.lines:
            is_code = block.is_code and not _is_prose(line)
            yield line, not (is_code or block.is_fixed or _ROW.match(line))


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    lines = text.split("\n")
    fixed = fixed_lines(lines)
    for number, line in enumerate(lines):
        is_fixed = number in fixed
        indent = len(line) - len(line.lstrip())
        last = blocks[-1] if blocks and not (is_fixed or blocks[-1].is_fixed) else None
        if last and _continues(line.strip(), indent, last):
            last.indent = indent
            last.lines.append(line)
        else:
            is_code = _begins_code(line, indent, last)
            blocks.append(_Block(indent, [line], is_code, is_fixed))
    return blocks


def _begins_code(line: str, indent: int, before: _Block | None) -> bool:
    """Return whether a line is one of code, by its indentation behind an empty line."""
    if indent < _INDENT_OF_CODE or not before or ITEM.match(line):
        return False
    return before.is_code or not before.lines[-1].strip()


def _continues(line: str, indent: int, block: _Block) -> bool:
    """Return whether a line may belong to the paragraph of a block."""
    before = block.lines[-1].strip()
    if not line or not before or block.is_code or not _is_below(indent, block):
        return False
    if block.lines[-1].endswith(("  ", "\\")):  # Markdown breaks the line there
        return False
    if _FENCE.match(before) or before.endswith(":") or ITEM.match(line):
        return False
    is_first = len(block.lines) == 1 and not ITEM.match(before)
    if is_first and (_ALONE.match(before) or _is_code(before)):
        return False
    return not (_ALONE.match(line) or _ENTRY.match(line) or _is_code(line))


def _is_below(indent: int, block: _Block) -> bool:
    """Return whether a line's indentation is that of further lines of a block."""
    first = block.lines[0].strip()
    is_item = bool(ITEM.match(first))
    if len(block.lines) == 1 and (is_item or _ENTRY.match(first)):
        return indent >= block.indent + is_item
    return indent == block.indent


def _is_code(line: str) -> bool:
    """Return whether a line has signs of code, and few words."""
    return bool(_CODE.match(line)) and _share_of_words(line) < _PROSE


def _is_prose(line: str) -> bool:
    """Return whether an indented line is more likely a sentence than code."""
    stripped = line.strip()
    is_code = _CODE.match(stripped) or _CALL.match(stripped)
    return not is_code and _share_of_words(stripped) >= _PROSE


def _share_of_words(line: str) -> float:
    parts = line.split()
    return sum(bool(_WORD.fullmatch(part)) for part in parts) / len(parts)


def _paragraphs(block: _Block, width: int) -> list[str]:
    """Join the lines of a block where there is proof that they were wrapped."""
    first = block.lines[0]
    is_indented = not ITEM.match(first) and (block.indent or first[:1] == " ")
    if is_indented and max(map(len, block.lines)) <= width:
        return block.lines

    # A single word may be longer than all lines.
    full = max((len(line) for line in block.lines if " " in line.strip()), default=0)

    def is_full(line: str, after: str) -> bool:
        word = after.split(maxsplit=1)[0]
        return len(line) + len(word) >= min(full, width)

    def goes_on(line: str, after: str) -> bool:
        if len(line) < _LEAST or line.endswith(_SENTENCE_ENDS):
            return False
        if _share_of_words(line) < _SOME_WORDS:
            return False
        return after.lstrip()[0].islower() or line.endswith(",")

    pairs = [*pairwise(block.lines)]
    if not any(is_full(*pair) and goes_on(*pair) for pair in pairs):
        return block.lines
    lines = block.lines[:1]
    for line, after in pairs:
        if is_full(line, after) or goes_on(line, after):
            lines[-1] = f"{lines[-1]} {after.strip()}"
        else:
            lines.append(after)
    return lines
