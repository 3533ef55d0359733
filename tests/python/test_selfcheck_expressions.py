"""What a generated file may evaluate at import, and what comes near to it.

Each source that passes stands before those that must be refused, with the finding.
"""

from __future__ import annotations

import ast

import pytest
from mcp_bindgen.python.selfcheck import check

PRELUDE = """\
from typing import TYPE_CHECKING, Annotated, Any, Literal
from pydantic import ConfigDict, Field
from .._runtime.client.binding import Binding, raw, structured
from .._runtime.validation.models import Model
from .._runtime.validation.scalars import MISSING, OneOf
"""
OTHERS = {"tools/__init__.py": "", "tools/y.py": "", "client.py": ""}


def messages(source: str, path: str = "tools/x.py") -> list[str]:
    """Return what is found in a file of a package."""
    ast.parse(source)
    problems = check({**OTHERS, path: source})
    assert all("report" in problem.hint for problem in problems)
    return [problem.message.removeprefix(f"{path}:") for problem in problems]


TABLE: dict[str, list[tuple[str, str]]] = {
    "X: int | list[str]": [
        ("X: open", "the name open"),
        ("X: open | str", "the name open"),
        ("X: open[str]", "the name open"),
        ("X: int | list[[str]]", "the expression List as a type"),
    ],
    "X = 1e300": [
        ("X = 1e999", "a number without end"),
    ],
    "X = -1.5": [
        ("X = -1e999", "a number without end"),
    ],
    "X = -1": [
        ("X = -MISSING", "the expression UnaryOp at import"),
        ("X = +1", "the expression UnaryOp at import"),
        ("X = not 1", "the expression UnaryOp at import"),
    ],
    'X = "x"': [
        ('X = b"x"', "a constant of kind bytes"),
        ('X = f"x"', "the expression JoinedStr at import"),
    ],
    "X = 1": [
        ("X = 1j", "a constant of kind complex"),
    ],
    "X = None": [
        ("X = ...", "a constant of kind ellipsis"),
    ],
    'X = {"a": 1}': [
        ('X = {**{"a": 1}}', "the expression Dict at import"),
        ("X = {exec: 1}", "the name exec"),
        ('X = {"a": exec}', "the name exec"),
    ],
    "X = [1]": [
        ("X = [*[1]]", "the expression Starred at import"),
        ("X = {1}", "the expression Set at import"),
        ("X = [x for x in [1]]", "the expression ListComp at import"),
        ("X = [1 if 2 else 3]", "the expression IfExp at import"),
        ("X = [1 and 2]", "the expression BoolOp at import"),
        ("X = [1 < 2]", "the expression Compare at import"),
        ("X = [(Y := 1)]", "the expression NamedExpr at import"),
    ],
    "X = (1, 2)": [
        ("X = (1, lambda: 1)", "the expression Lambda at import"),
    ],
    "X = str | int": [
        ("X = str % int", "the expression BinOp as a type"),
        ("X = 2 ** 2", "the expression BinOp as a type"),
    ],
    "X = list[int]": [
        ("X = list[2]", "the expression Constant as a type"),
        ("X = MISSING.x[int]", "the expression Subscript as a type"),
    ],
    "X = Field(ge=1)": [
        ("X = open(1)", "a call of open at import"),
        ("X = str(1)", "a call of str at import"),
        ("X = Field(default_factory=1)", "argument default_factory of Field"),
        ('X = Field(**{"ge": 1})', "the argument None of Field"),
        ("X = Field(1)", "a positional argument of Field"),
        ("X = Field(ge=exec)", "the name exec"),
        ("X = Field(ge=1)(1)", "a call of an expression at import"),
        ("X = MISSING.Field(ge=1)", "a call of an expression at import"),
        ("X = Checked(1)", "the name Checked, which is bound nowhere"),
    ],
    "X = OneOf(1)": [
        ("X = OneOf(exec)", "the name exec"),
    ],
    "X = OneOf(1, 2)": [
        ("X = OneOf(1, exec)", "the name exec"),
        ("X = OneOf(*[1, 2])", "the expression Starred at import"),
    ],
    'X: Literal["exec(1)"] = 1': [
        ('X: list["exec(1)"] = 1', "the expression Call as a type"),
    ],
    'X: Annotated[str, "a b"] = 1': [
        ('X: Annotated["a b", 1] = 1', "a string where a type"),
    ],
    'X: "str | int" = 1': [
        ('X: "str | open" = 1', "the name open"),
    ],
    'X: "list[str]" = 1': [
        ("X: \"list['open']\" = 1", "the name open"),
        ('X: "__import__(1)" = 1', "the expression Call as a type"),
    ],
    "X: list[int] = 1": [
        ("X: [int] = 1", "the expression List as a type"),
    ],
    "X: dict[str, None] = {}": [
        ("X: dict[str, ...] = {}", "the expression Constant as a type"),
    ],
    "X: str | None = 1": [
        ("X: str | 1 = 1", "the expression Constant as a type"),
    ],
    "X: Any = 1": [
        ("X: Field(ge=1) = 1", "the expression Call as a type"),
        ("X: MISSING.x = 1", "the expression Attribute as a type"),
    ],
    "X: Literal[1] = 1": [
        ("X: Literal[exec] = 1", "the name exec"),
    ],
    "X: Annotated[str, OneOf(1)] = 1": [
        ("X: Annotated[OneOf(1), str] = 1", "Call as a type"),
    ],
    "X = structured(str)": [
        ('X = structured("open")', "the name open"),
        ("X = structured(raw(1))", "the expression Call as a type"),
    ],
}
CASES = [
    (good, bad, message) for good, cases in TABLE.items() for bad, message in cases
]


@pytest.mark.parametrize(("good", "bad", "message"), CASES, ids=[c[1] for c in CASES])
def test_an_expression(good: str, bad: str, message: str) -> None:
    assert messages(PRELUDE + good) == []
    assert any(message in finding for finding in messages(PRELUDE + bad))
