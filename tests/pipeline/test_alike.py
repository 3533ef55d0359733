"""Characters that end a line for `str.splitlines` and for no Python."""

from __future__ import annotations

import ast

import pytest
from mcp_bindgen.pipeline.alike import alike


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\x0c"])
def test_lines_are_those_of_python(char: str) -> None:
    source = (
        f'"""a{char}b"""\n\n'
        f'x = "c{char}d" "e"\n\n'
        f'y = (\n    "{char}",\n    1,\n)  # why\n'
    )
    made = alike(source, 88)
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(source))
    assert f'x = "c{char}de"\n' in made
    assert f'# why\ny = (\n    "{char}",\n' in made
