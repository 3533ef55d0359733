"""Entries that only the whole package shows to be planted are written anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.cache import Cache

from tests.pipeline.runs import NAMES, entries, files, generate

if TYPE_CHECKING:
    from collections.abc import Callable


def _with_more_entries(entry: Any) -> None:
    entry["texts"][-1] += "\n__import__('os').system('true')\n"


def _with_many_steps(entry: Any) -> None:
    entry["steps"] = 10**30


def _without_an_entry(entry: Any) -> None:
    del entry["tool"]["entries"][-1]
    del entry["texts"][-1]


def _with_half_a_character(entry: Any) -> None:
    entry["texts"][-1] = entry["texts"][-1].replace("alpha", "\\ud800")
    entry["tool"]["line"] = "\ud800"


PLANTS = (
    _with_more_entries,
    _with_many_steps,
    _without_an_entry,
    _with_half_a_character,
)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("files", "3"),
        ("tools", None),
        ("notes", 1),
        ("problems", [["", 1, ""]]),
        ("others", {"a": "b"}),
        ("others", [1]),
        ("others", "ab"),
    ],
)
def test_a_planted_summary_is_a_miss(home: Path, member: str, value: object) -> None:
    generate()
    before = files()
    name = next(name for name in entries(home) if name.endswith(".summary"))
    entry: Any = Cache(home).read(name)
    Cache(home).write({name: {**entry, member: value}})
    assert "3 tools, " in generate().stderr
    assert files() == before
    assert Cache(home).read(name) == entry


@pytest.mark.parametrize("plant", PLANTS)
def test_what_only_the_whole_package_shows_is_made_anew(
    home: Path, made: list[str], plant: Callable[[Any], None]
) -> None:
    generate()
    before = files()
    for name in entries(home):
        if not name.endswith(".summary"):
            entry: Any = Cache(home).read(name)
            plant(entry)
            Cache(home).write({name: entry})
    Path("out/demo/tools/alpha.py").unlink()
    made.clear()
    generate()
    assert sorted(made) == [*NAMES]
    assert files() == before
    Path("out/demo/tools/alpha.py").unlink()
    made.clear()
    generate()
    assert made == []
