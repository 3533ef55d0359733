"""Which statements a generated file may hold, and what comes near to them.

Each source that passes stands before those that must be refused, with the finding.
"""

from __future__ import annotations

import ast

import pytest
from mcp_bindgen.python.selfcheck import check
from mcp_bindgen.render.target_folders import allowlists, chosen

PRELUDE = """\
from typing import TYPE_CHECKING, Annotated, Any, Literal
from pydantic import ConfigDict, Field
from .._runtime.client.binding import Binding, raw
from .._runtime.validation.models import Model
from .._runtime.validation.scalars import MISSING, OneOf
"""
OTHERS = {"tools/__init__.py": "", "tools/y.py": "", "client.py": ""}

RECURSIVE = """\
from typing_extensions import TypeAliasType
if TYPE_CHECKING:
    X: Any = 'list[X]'
else:
    """


def messages(source: str, path: str = "tools/x.py") -> list[str]:
    """Return what is found in a file of a package."""
    ast.parse(source)
    problems = check({**OTHERS, path: source})
    assert all("report" in problem.hint for problem in problems)
    return [problem.message.removeprefix(f"{path}:") for problem in problems]


TABLE: dict[str, list[tuple[str, str]]] = {
    "from .y import Y\nclass Z(Model):\n    Y = Y": [
        ("class Z(Model):\n    from .y import Y", "ImportFrom in a class"),
        ("if TYPE_CHECKING:\n    from .y import Y\nY = 1", "Y is bound twice"),
    ],
    "X = 1": [
        ("X += 1", "AugAssign at import"),
        ("del X", "Delete at import"),
        ("assert X", "Assert at import"),
        ("raise X", "Raise at import"),
        ("for X in []:\n    pass", "For at import"),
        ("while X:\n    pass", "While at import"),
        ("with X:\n    pass", "With at import"),
        ("try:\n    X = 1\nfinally:\n    pass", "Try at import"),
        ("pass", "Pass at import"),
        ("match X:\n    case 1:\n        pass", "Match at import"),
        ("X = 1\nX = 2", "X is bound twice"),
        ("MISSING.x = 1", "an assignment to Attribute"),
        ("import json", "Import at import"),
    ],
    "from enum import StrEnum": [
        ("from enum import Enum", "the import of Enum from enum"),
        ("from enum import StrEnum as X", "import of StrEnum"),
        ("from enum import *", "the import of * from enum"),
    ],
    "from .y import Y": [
        ("from .z import Y", "the import of Y from .z"),
        ("from .y import *", "the import of * from .y"),
        ("from .y import Y as X", "the import of Y from .y"),
        ("from ..y import Y", "the import of Y from ..y"),
    ],
    "from ..client import Y": [
        ("from ...client import Y", "import of Y from ...client"),
        ("from . import Y", "the import of Y from ."),
    ],
    "from .._runtime.validation.scalars import UNIQUE": [
        ("from .._runtime.validation.scalars import json", "of json"),
        ("from .._runtime.x import UNIQUE", "UNIQUE"),
    ],
    '"""Text."""': [
        ("'text' 'x'.join([])", "Expr at import"),
        ('"""Text.\n\n    >>> eval()"""', "tools act on: '>>> eval()'"),
        ('"""Text.\n\n - .. include:: x"""', "tools act on"),
        ('class Y(Model):\n    """>>> x"""', "tools act on"),
        ('def g():\n    """>>> x"""', "tools act on"),
        ('Field(alias="x")', "Expr at import"),
        ('f"{1}"', "Expr at import"),
    ],
    "if TYPE_CHECKING:\n    X = 1": [
        ("if MISSING:\n    X = 1", "If at import"),
        ("if TYPE_CHECKING:\n    X = 1\nelse:\n    X = 2", "If at import"),
    ],
    "if not TYPE_CHECKING:\n    X = 1": [
        ("if not MISSING:\n    X = 1", "If at import"),
        ("if not TYPE_CHECKING:\n    import os", "Import at import"),
        ("if not TYPE_CHECKING:\n    X = 1\nX = 2", "X is bound twice"),
        ("if not TYPE_CHECKING:\n    X = 1\nelse:\n    X = 2", "If at import"),
    ],
    f"{RECURSIVE}X = TypeAliasType('X', 'list[X]')": [
        (f"{RECURSIVE}exec('X')", "If at import"),
        (f"{RECURSIVE}Y = TypeAliasType('X', 'int')", "If at import"),
        (f"{RECURSIVE}X = TypeAliasType('X', 'exec()')", "Call as a type"),
        (f"{RECURSIVE}X = TypeAliasType('X', 'int')\n    X = 1", "If at import"),
    ],
    "class Y(Model):\n    x = 1": [
        ("class Y(Model):\n    x = 1\n    x = 2", "x is bound twice"),
        ("class Checked(Model):\n    x = 1", "meaning for Checked"),
        ("class Y(Any):\n    x = 1", "a base class that is not"),
        ("class Y(Model.x):\n    x = 1", "a base class"),
        ("class Y(Model, x=1):\n    x = 1", "the keyword x of a class"),
        ("@raw\nclass Y(Model):\n    x = 1", "a call of raw at import"),
        ("class Y(Model):\n    def f(x): return x", "in a class"),
        ("class Y(Model):\n    import json", "Import in a class"),
        ("class Y(Model):\n    class Z(Model):\n        x = 1", "ClassDef in"),
        ("class Y(StrEnum):\n    x = 1", "the name StrEnum"),
    ],
    "def g(x, *y, z): return x": [
        ("def g(x, *x, z): return x", "two parameters of one name"),
    ],
    "__all__ = []": [
        ("__path__ = []", "a new meaning for __path__"),
    ],
    "X, Y = 1, 2": [
        ("X, Field = 1, 2", "a new meaning for Field"),
        ("(X, Y)[0] = 1", "an assignment to Subscript"),
        ("[X, Y] = 1, 2", "an assignment to List"),
    ],
    "X: Any = 1": [
        ("MISSING.x: Any = 1", "AnnAssign at import"),
    ],
    "def g(): return 1": [
        ("def Literal(): return 1", "a new meaning for Literal"),
        ("def __getattr__(x): return eval(x)", "the name eval"),
        ("@raw\ndef g(): return 1", "a function with decorators"),
    ],
    "class Y(Model):\n    raw: Any = 1": [
        (
            "class Y(Model):\n    __init_subclass__: Any = 1",
            "meaning for __init",
        ),
    ],
    "class Y(Model):\n    def __call__(self): ...": [
        (
            "class Y(Model):\n    def __call__(self): return 1",
            "FunctionDef in a class",
        ),
        ("def __call__(x): return 1", "a new meaning for __call__"),
        ("class Y(Model):\n    __call__: Any = 1", "meaning for __call__"),
    ],
    "class Y(Model):\n    a: Any = 1\n    x: Any = Field(ge=1)": [
        (
            "class Y(Model):\n    Field: Any = 1\n    x: Any = Field(ge=1)",
            "a call of Field at import",
        ),
    ],
    "X = MISSING": [
        ("X = missing", "the name missing, which is bound nowhere"),
    ],
    "X = __name__": [
        ("X = __builtins__", "the name __builtins__"),
    ],
    "X: list[int] = []": [
        ("X: exec = []", "the name exec, which is bound nowhere"),
    ],
    "X = [str]": [
        ("X = [open]", "the name open, which is bound nowhere"),
    ],
    "X = [MISSING.x]": [
        ("X = [os.x]", "the name os, which is bound nowhere"),
        ("X = [MISSING._x]", "the attribute _x"),
        ("X = [MISSING.x.y]", "the expression Attribute at import"),
    ],
    "async def g(): return 1": [
        ("@raw\nasync def g(): return 1", "with decorators"),
    ],
    "def g(x=MISSING): return x": [
        ("def g(x=raw(1)): return x", "a call of raw at import"),
    ],
    "def g(*, x=MISSING): return x": [
        ("def g(*, x=exec): return x", "the name exec"),
    ],
    "def g(x: str): return x": [
        ("def g(x: open): return x", "the name open"),
    ],
    "def g(*x: str): return x": [
        ("def g(*x: open): return x", "the name open"),
    ],
    "def g(**x: str): return x": [
        ("def g(**x: open): return x", "the name open"),
    ],
    "def g() -> str: return 1": [
        ("def g() -> open: return 1", "the name open"),
    ],
    "if TYPE_CHECKING:\n    from .y import Y": [
        ("if TYPE_CHECKING:\n    import os", "Import at import"),
    ],
}
CASES = [
    (good, bad, message) for good, cases in TABLE.items() for bad, message in cases
]


@pytest.mark.parametrize(("good", "bad", "message"), CASES, ids=[c[1] for c in CASES])
def test_a_statement(good: str, bad: str, message: str) -> None:
    assert messages(PRELUDE + good) == []
    assert any(message in finding for finding in messages(PRELUDE + bad))


BODIES: dict[str, list[tuple[str, str]]] = {
    "return client": [
        ("return eval", "the name eval, which is bound nowhere"),
    ],
    "return input": [
        ("return open", "the name open, which is bound nowhere"),
    ],
    "x = 1\nreturn x": [
        ("x = 1\nreturn y", "the name y, which is bound nowhere"),
    ],
    "return client.call": [
        ("return client._call", "the attribute _call"),
        ("return client.__class__", "the attribute __class__"),
    ],
    "return {input: 1}": [
        ("return lambda: 1", "Lambda in a function"),
        ("return f'{input}'", "JoinedStr in a function"),
        ("return [x for x in input]", "ListComp in a function"),
    ],
    "return 1": [
        ("import os\nreturn os", "Import in a function"),
        ("global x\nreturn 1", "Global in a function"),
        ("yield 1", "Yield in a function"),
        ("def g(): return 1\nreturn 1", "FunctionDef in a function"),
        ("class Y: pass\nreturn 1", "ClassDef in a function"),
        ("while 1: return 1", "While in a function"),
        ("with client: return 1", "With in a function"),
        ("if client: return 1", "If in a function"),
    ],
    '"""Text."""\nreturn 1': [
        ('return 1\n"""Text."""', "Expr in a function"),
    ],
}
IN_BODIES = [
    (good, bad, message) for good, cases in BODIES.items() for bad, message in cases
]


def in_function(source: str, path: str = "tools/x.py") -> list[str]:
    body = "".join(f"\n    {line}" for line in source.splitlines())
    return messages(f"def f(client, input):{body}\n", path)


@pytest.mark.parametrize(
    ("good", "bad", "message"), IN_BODIES, ids=[c[1] for c in IN_BODIES]
)
def test_in_a_function(good: str, bad: str, message: str) -> None:
    assert in_function(good) == []
    assert any(message in finding for finding in in_function(bad))


def test_a_protocol_stands_in_one_file_alone() -> None:
    source = "from typing import Any, Protocol\nclass Y(Protocol):\n    x: Any"
    for path in ("_completions.py", "tools/x.py"):
        files = {**OTHERS, path: source}
        problems = check(files, rules=allowlists(chosen(["python"]), files))
        assert bool(problems) == (path != "_completions.py")
