"""Paragraphs that a server wrapped by hand are joined; nothing else is."""

from __future__ import annotations

import pytest
from mcp_bindgen.python.literals import WireStr, clean, wrap
from mcp_bindgen.python.prose import joined, with_sentence

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


ALONE = [
    "Such as:\n```json\n{}\n```",
    "Such as:\n~~~\n{}\n~~~",
    "Such as:\n\n    an indented line",
    "One of:\n- a: the first\n- b: the last",
    "One of:\n1. the first\n2. the last",
    "- the only one",
    "# A heading",
    "> A quotation",
    "a | b\n--- | ---\n1 | 2",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "=====  =====\na      b\n=====  =====\n1      2\n=====  =====",
    "The names:\nfirst: of a person",
    'As in:\nquery = {"a": 1}',
]


@pytest.mark.parametrize("text", ALONE)
def test_a_sentence_behind_a_block_is_a_paragraph(text: str) -> None:
    assert with_sentence(text, "Default: `1`.") == f"{text}\n\nDefault: `1`."


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", "Default: `1`."),
        ("A size", "A size. Default: `1`."),
        ("A size.", "A size. Default: `1`."),
        ("A size (in bytes.)", "A size (in bytes.) Default: `1`."),
        ("\u5927\u5c0f\u3002", "\u5927\u5c0f\u3002 Default: `1`."),
        ("A size: `n`", "A size: `n`. Default: `1`."),
        ("- a\n- b\n\nA size", "- a\n- b\n\nA size. Default: `1`."),
    ],
)
def test_a_sentence_behind_prose_goes_on(text: str, whole: str) -> None:
    assert with_sentence(text, "Default: `1`.") == whole


def test_code_that_a_server_left_open_is_closed() -> None:
    text = "Such as:\n  ````json\n{}\n```"
    assert with_sentence(text, "") == f"{text}\n  ````"
    assert with_sentence(text, "More.") == f"{text}\n  ````\n\nMore."
    cut = clean(WireStr("Such as:\n```\n" + "x" * 90), limit=60)
    assert cut.endswith("x\n```\n\n[43 characters cut]")


def test_a_heading_of_restructured_text_opens_no_code() -> None:
    text = "Sizes\n~~~~~\nThe sizes of a page."
    assert with_sentence(text, "More.") == f"{text} More."


def test_a_note_closes_no_fence_by_its_line() -> None:
    text = "Such as:\n```\n{}\u200b\n```"
    note = "[1 hidden character removed]"
    assert clean(WireStr(text)) == f"Such as:\n```\n{{}}\n```\n\n{note}"
