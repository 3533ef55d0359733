"""Paragraphs that a server wrapped by hand are joined; nothing else is."""

from __future__ import annotations

import pytest
from mcp_bindgen.python.literals import wrap
from mcp_bindgen.python.prose import joined

WRAPPED = """\
Get the details of an Azure SQL database, or list all databases of the server
when no name stands there. This tool returns the status, the size and the
region.

Use it before `update`."""

SECTIONS = """\
Search the catalog and return the records that fit, best ones first, with their
scores

Args:
    query: The words to look for, in the language of the texts, as a person would
        write them
    limit: How many records the answer has, at most, of all that the catalog has

- first element of a list that is long enough to be wrapped by hand at column 80
- second element

| column | another column of a table that is wide enough to be wrapped by hand ok
| a | b

```
if the_condition_of_the_first_line and the_condition_of_the_second_line and
then_it_goes_on:
```

    an indented block of code, long enough to be a line that was wrapped by hand
    so it stays

query - the words to look for, in the language of the texts, as written by hand
limit - how many

SELECT name, owner FROM records WHERE name = "a" AND owner = "b" AND year = 2026
order by name"""


def test_paragraphs_become_lines() -> None:
    first, last = WRAPPED.split("\n\n")
    assert joined(WRAPPED) == first.replace("\n", " ") + "\n\n" + last


def test_all_else_stays() -> None:
    first, rest = SECTIONS.split("\n\n", 1)
    assert joined(SECTIONS) == first.replace("\n", " ") + "\n\n" + rest


WORDS = "the words of a row in a table that is wide enough to be wrapped by hand"
RULER = f"{'=' * 9}  {'=' * 70}"


@pytest.mark.parametrize(
    "text",
    [
        f"{RULER}\na          {WORDS}\nb          {WORDS},\nand\n{RULER}",
        f"name of it | {WORDS}\n--- | :-:\na | {WORDS} and {WORDS}\nb | c",
        f"```` md\n```\n{WORDS},\nand so on\n```\n{WORDS},\nand so on\n````",
        f"~~~\n```\n{WORDS},\nand so on\n~~~",
        f"i. {WORDS},\nii. {WORDS},\nIV) {WORDS},\na. and so on",
        f"Before.\n\n    call({WORDS.replace(' ', ', ')}, {WORDS.replace(' ', ', ')})",
        f"{WORDS},\\\nand so on",
    ],
)
def test_tables_code_and_lists_stay(text: str) -> None:
    assert joined(text) == text
    assert wrap(text, 4) == text.split("\n")


def test_two_blanks_end_a_line() -> None:
    assert wrap(joined(f"{WORDS},  \nand so on"), 4) == [f"{WORDS},", "and so on"]


def test_a_fence_that_nothing_closes_is_none() -> None:
    text = f"````\n{WORDS},\nand so on\n```"
    assert joined(text) == f"````\n{WORDS}, and so on\n```"


def test_a_sentence_with_marks_makes_no_list() -> None:
    for mark in ("-", ">", "1.", "a.", "+", "#", "```"):
        for length in range(60, 80):
            lines = wrap(f"{'a' * length} word {mark} b, {WORDS}", 4)
            assert not [line for line in lines if line.startswith(mark)]


@pytest.mark.parametrize(
    "text",
    [
        "Returns the record.\nRaises an error where there is none.",
        "One sentence in a line, long enough to be wrapped.\nAnother one.",
        "A heading without an end\nthen a shorter line",
        "",
        "one line",
    ],
)
def test_sentences_of_one_line_each_stay(text: str) -> None:
    assert joined(text) == text


def test_elements_of_lists_hang_behind_their_marks() -> None:
    element = "- an element of a list that was wrapped by its author at some column,\n"
    element += "  so that it has two lines"
    assert joined(element) == element.replace("\n  ", " ")
    assert wrap("1. " + "word " * 20, 4)[1].startswith("   word")
    assert wrap("word " * 20, 4)[1].startswith("word")
