"""Files and functions stay small: each fits on a screen, and does one thing.

A function counts from `def` to its end, without its docstring. Its complexity is one,
and one more for each branch, loop, handler, `and`, `or`, and loop and condition of a
comprehension.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(mcp_bindgen.__file__).parent
TESTS = Path(__file__).parent
LINES_OF_FILE, LINES_OF_PIPE, LINES, COMPLEXITY = 300, 150, 40, 15
BRANCHES = (
    *(ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While),
    *(ast.ExceptHandler, ast.Assert, ast.match_case),
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(text: str) -> Iterator[Function]:
    """Yield all functions of a module, also those inside others."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Function):
            yield node


def lines_of(function: Function) -> int:
    """Return how many lines a function has, without its docstring."""
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str())) as doc:
            without = (doc.end_lineno or 0) - doc.lineno + 1
        case _:
            without = 0
    return (function.end_lineno or 0) - function.lineno + 1 - without


def complexity_of(function: Function) -> int:
    """Return the complexity of a function, without that of functions inside."""
    total, pending = 1, [*ast.iter_child_nodes(function)]
    while pending:
        node = pending.pop()
        match node:
            case ast.BoolOp(values=values):
                total += len(values) - 1
            case ast.comprehension(ifs=conditions):
                total += 1 + len(conditions)
            case _:
                total += isinstance(node, BRANCHES)
        if not isinstance(node, Function):
            pending += ast.iter_child_nodes(node)
    return total


def faults(text: str) -> list[str]:
    """Return the functions of a module that are too long or too complex."""
    return [
        f"{each.lineno}: {each.name}, {lines_of(each)} lines, {complexity_of(each)}"
        for each in functions(text)
        if lines_of(each) >= LINES or complexity_of(each) > COMPLEXITY
    ]


@pytest.mark.parametrize("root", [SOURCE, TESTS], ids=["generator", "tests"])
def test_files_are_short(root: Path) -> None:
    long = {
        str(file.relative_to(root)): lines
        for file in root.rglob("*.py")
        if (lines := len(file.read_text("utf-8").splitlines())) >= LINES_OF_FILE
        and "expected" not in file.parts
    }
    assert long == {}


@pytest.mark.parametrize("room", sorted(p.name for p in SOURCE.iterdir()))
def test_functions_are_short_and_simple(room: str) -> None:
    folder = SOURCE / room
    files = folder.rglob("*.py") if folder.is_dir() else [folder]
    too_large = {
        str(file.relative_to(SOURCE)): names
        for file in files
        if file.suffix == ".py" and (names := faults(file.read_text("utf-8")))
    }
    assert too_large == {}


def test_a_long_function_is_a_fault_and_its_docstring_does_not_count() -> None:
    body = '    """One.\n\n    Two.\n    """\n' + "    pass\n" * (LINES - 2)
    assert faults(f"def f() -> None:\n{body}") == []
    assert faults(f"def f() -> None:\n{body}    pass\n") == ["1: f, 40 lines, 1"]


@pytest.mark.parametrize(
    ("text", "complexity"),
    [
        ("if a: pass\n elif b: pass\n else: pass", 3),
        ("return a and b or c", 3),
        ("return [x for x in y if x if z]", 4),
        ("for x in y: z = 1 if x else 2", 3),
        ("while x: assert y", 3),
        ("try: pass\n except E: pass", 2),
        ("match x:\n  case 1: pass\n  case _: pass", 3),
        ("def g():\n  if a: pass", 1),
    ],
)
def test_complexity_counts_each_branch(text: str, complexity: int) -> None:
    outer = next(functions(f"def f():\n {text}"))
    assert complexity_of(outer) == complexity


def test_the_pipe_is_one_module_that_is_read_at_once() -> None:
    text = (SOURCE / "pipeline" / "generate.py").read_text("utf-8")
    assert len(text.splitlines()) < LINES_OF_PIPE
