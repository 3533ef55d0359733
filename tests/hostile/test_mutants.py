"""Mutants: each finds what it changes, and says so where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest

from tests.hostile.changes import (
    always,
    argument,
    constant,
    gives,
    never,
    returns,
    text,
)
from tests.hostile.mutant import Mutant, mutated
from tests.hostile.mutants import MUTANTS

if TYPE_CHECKING:
    from tests.hostile.changes import Change

PACKAGE = Path(mcp_bindgen.__file__).parent
SOURCE = """\
MOST = 3  # why three
WORDS = ["a++"]


class Reader:
    @property
    def few(self, limits):
        if self.size > limits.most or self.is_closed:
            self.refuse(self.size, hint="fewer")
        return [n for n in self.found if n]
"""


@pytest.mark.parametrize("name", MUTANTS)
def test_each_defence_stands_where_its_mutant_looks_for_it(name: str) -> None:
    mutant = MUTANTS[name]
    source = (PACKAGE / mutant.file).read_text("utf-8")
    changed = mutated(source, mutant)
    assert changed != mutated(source, mutant, harmless=True)
    compile(changed, mutant.file, "exec")
    assert all(Path(part).exists() for part in mutant.tests.split() if "/" in part)


@pytest.mark.parametrize(
    ("name", "change", "changed"),
    [
        ("few", never("limits.most"), "        if False or self.is_closed:"),
        (
            "few",
            always("self.is_closed"),
            "        if self.size > limits.most or True:",
        ),
        ("few", never("n"), "        return [n for n in self.found if False]"),
        ("Reader.few", gives("refuse", "None"), "            None"),
        (
            "Reader.few",
            argument("refuse", "hint", "''"),
            "            self.refuse(self.size, hint='')",
        ),
        ("", constant("MOST", "4"), "MOST = 4"),
        ("", text("++", "+"), "WORDS = ['a+']"),
    ],
)
def test_a_change_is_made_and_nothing_else(
    name: str, change: Change, changed: str
) -> None:
    mutant = Mutant("reader.py", name, change, "")
    harmless = mutated(SOURCE, mutant, harmless=True).splitlines()
    (line,) = {*mutated(SOURCE, mutant).splitlines()} - {*harmless}
    assert line == changed


def test_a_body_is_replaced_and_its_decorators_stay() -> None:
    source = SOURCE.replace(
        "class Reader:\n", "class Reader:\n\n"
    )  # as `ast` writes it
    changed = mutated(source, Mutant("reader.py", "Reader.few", returns("[]"), ""))
    assert changed == source[: source.index("        if")] + "        return []\n"


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("Reader.many", returns("1"), "there is no Reader.many"),
        ("Writer.few", returns("1"), "there is no Writer.few"),
        ("Reader.few", never("limits.least"), "Reader.few has nothing to change"),
        ("", constant("LEAST", "1"), "the module has nothing to change"),
    ],
)
def test_what_is_gone_is_reported(name: str, change: Change, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        mutated(SOURCE, Mutant("reader.py", name, change, ""))
