"""Names say what they hold: words that fit any value are no names."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(mcp_bindgen.__file__).parent
TESTS = Path(__file__).parent
EMPTY = frozenset("asked found given kept place seen shown standing told".split())
_FIELD = re.compile("(?i)not_?found")  # a term of HTTP and of JSON-RPC
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the functions, classes, variables, parameters and fields of a node."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
            yield name
        case _:
            pass


def empty_names(text: str) -> list[str]:
    """Return the names of a module that have one of the words, with their lines."""
    return [
        f"{getattr(node, 'lineno', 0)}: {name}"
        for node in ast.walk(ast.parse(text))
        for name in names_in(node)
        if EMPTY & {word.lower() for word in _WORD.findall(_FIELD.sub("", name))}
    ]


@pytest.mark.parametrize("room", sorted(p.name for p in SOURCE.iterdir()))
def test_names_say_what_they_hold(room: str) -> None:
    folder = SOURCE / room
    files = folder.rglob("*.py") if folder.is_dir() else [folder]
    faults = {
        str(file.relative_to(SOURCE)): names
        for file in files
        if file.suffix == ".py" and (names := empty_names(file.read_text("utf-8")))
    }
    assert faults == {}


def test_names_of_tests_say_what_they_hold() -> None:
    files = (file for file in TESTS.rglob("*.py") if "expected" not in file.parts)
    faults = {
        str(file.relative_to(TESTS)): names
        for file in files
        if (names := empty_names(file.read_text("utf-8")))
    }
    assert faults == {}


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "class A:\n    place: str = ''",
        "def f(given): ...",
        "self._seen = {}",
        "f = lambda kept: kept",
        "[shown for shown in ()]",
        "from a import b as told",
        "_SHOWN = 3",
        "place_of = 'found'",
        "ERROR_SHOWN = 3",
        "def given_up(): ...",
        "async def f(askedFor): ...",
        "class WasKept: ...",
    ],
)
def test_an_empty_name_is_a_fault(text: str) -> None:
    assert len(empty_names(text)) == 1


def test_a_word_of_a_text_a_call_or_the_field_is_none() -> None:
    assert empty_names("placed = 'found'\nMETHOD_NOT_FOUND = given()") == []
