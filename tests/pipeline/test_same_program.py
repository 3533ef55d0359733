"""Two sources are the same program if only their layout differs, and else never."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.pipeline.formatting import by_black
from mcp_bindgen.pipeline.same_program import is_same_program
from mcp_bindgen.python.style import Style

if TYPE_CHECKING:
    from collections.abc import Callable

SIMPLE = (
    "a = 1",
    "a = (1)",
    "a = 2",
    "a = 1; b = 2",
    "b = 2",
    "b = 2; a = 1",
    "pass",
    '"""Two  words."""',
    '"""Two words."""',
    "f('é', a); f(a)",
    "f(\n  'é', a\n); f(a)",
    "f('é', a)",
    'a = """\nb = 2\n"""',
    "a = 1\x0c",
    "a = 1\r",
)
HEADS = (
    "if a:",
    "elif a:",
    "else:",
    "for a in b:",
    "try:",
    "except A:",
    "except (A):",
    "finally:",
    "@a\ndef f():",
    "@b\ndef f():",
    "@(a)\ndef f():",
    "async def f():",
    "class A:",
    "with a, b:",
    "with (a, b):",
    "match a:",
    "case 1:",
)


def tree(text: str) -> str:
    """Return the whole syntax tree of a source; of its docstrings, the words."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            words = node.value.value
            node.value.value = " ".join(words.split()) if isinstance(words, str) else 1
    return ast.dump(module)


def verdict(text: str, other: str) -> bool:
    """Return what the whole trees say."""
    try:
        return text == other or tree(text) == tree(other)
    except (SyntaxError, ValueError):
        return False


def _indented(head: str, body: str) -> str:
    return f"{head}\n  " + body.replace("\n", "\n  ")


simple = st.sampled_from(SIMPLE)


def _inside(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    compound = st.builds(_indented, st.sampled_from(HEADS), inner)
    return st.lists(simple | compound, min_size=1, max_size=4).map("\n".join)


sources = st.recursive(simple, _inside, max_leaves=8).map("{}\n".format)


def _again(text: str) -> str:
    return by_black(text, Style(20))


def _without_a_row(text: str) -> str:
    return "\n".join(text.split("\n")[1:])


def _first_row_twice(text: str) -> str:
    return text.split("\n", maxsplit=1)[0] + "\n" + text


def _joined(text: str) -> str:
    return text.replace("\n", "; ", 1)


def _turned(text: str) -> str:
    return "\n".join(reversed(text.split("\n"))) + "\n"


CHANGES: tuple[Callable[[str], str], ...] = (
    str,
    _again,
    _without_a_row,
    _first_row_twice,
    _joined,
    _turned,
    lambda text: text.replace("a", "(a)", 1),
    lambda text: text.replace("1", "3", 1),
    lambda text: text.replace("else", "finally", 1),
    lambda text: text.replace("    ", " "),
    lambda text: text.replace("  ", "\t"),
)


@given(text=sources, changes=st.lists(st.sampled_from(CHANGES), max_size=2))
def test_the_verdict_is_that_of_the_whole_trees(
    text: str, changes: list[Callable[[str], str]]
) -> None:
    other = text
    for change in changes:
        other = change(other)
    assert is_same_program(text, other) is verdict(text, other)


@given(text=sources, other=sources)
def test_so_it_is_for_any_two(text: str, other: str) -> None:
    assert is_same_program(text, other) is verdict(text, other)


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("x = 'a'\n", 'x = "a"\n', True),
        ('"""A  b."""\nx = (1)\n', '"""A\nb."""\nx = 1\n', True),
        ("x = 'a'\n", "x = 'b'\n", False),
        ("x = 1\n", "# coding: utf-7\nx = 1\n", False),
        ("x = 1\n", "x = (\n", False),
        ('x = "a  b"\n', 'x = "a b"\n', False),
        # The second statements stand on equal rows, and are others.
        ("a()\na(); b()\n", "a(); b()\nb()\n", False),
        # Python takes a carriage return for the end of a row.
        ("a = 1\rb = 2\nc\n", "a = 1\rb = 3\nc\n", False),
        ("a = 1\rb = 2\nc\n", "a = (1)\rb = 2\nc\n", True),
        ("f('\u20ac')\n", "f('\u20ad')\n", False),
        ("if a:\n    b\nelse:\n    c\n", "if a:\n    b\nelse:\n    d\n", False),
        ("try:\n    a\nexcept B:\n    c\n", "try:\n    a\nexcept C:\n    c\n", False),
        (
            "match a:\n    case 1:\n        b\n",
            "match a:\n    case 2:\n        b\n",
            False,
        ),
        (
            "try:\n    a\nexcept B:\n    c\nelse:\n    d\n",
            "try:\n    a\nexcept B:\n    c\nfinally:\n    d\n",
            False,
        ),
        ("@a\ndef f(): pass\n", "@b\ndef f(): pass\n", False),
        ("def f(a): pass\n", "def f(b): pass\n", False),
        ("for a in b:\n    c\n", "for a in b:\n    c\nelse:\n    d\n", False),
    ],
)
def test_layout_alone_may_differ(text: str, other: str, *, same: bool) -> None:
    assert is_same_program(text, other) is same
