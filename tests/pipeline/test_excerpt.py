"""Black reads the statements that another width changes; the outcome is the same."""

from __future__ import annotations

import ast

import pytest
from mcp_bindgen.pipeline.excerpt import excerpt, whole
from mcp_bindgen.pipeline.formatting import by_black, formatted
from mcp_bindgen.python.style import OURS, Style

from tests.packages import ROOT, RUNTIME

FUTURE = "from __future__ import annotations\n\n"
LONG = "f(\n    1,\n    2,\n)\n"
FILES = sorted(RUNTIME.rglob("*.py"))
MADE = sorted((ROOT / "generated" / "todo").rglob("*.py"))


def left(text: str, width: int = 40) -> list[str]:
    """Return the rows of an excerpt behind the import of `__future__`."""
    changing, runs = excerpt(FUTURE + text, width)
    ast.parse(changing)
    assert whole(changing, runs) == FUTURE + text
    return [row.replace("_statements_left_out_", "§") for row in changing.split("\n")]


def test_runs_of_statements_are_names() -> None:
    rows = left(f"a = 1\n# why\nb = 2\n{LONG}\n\nclass A:\n    pass\n")
    assert rows[2:] == ["§0", *LONG.split("\n"), "", "§1", ""]


def test_the_statement_around_a_long_one_is_there_and_the_others_are_not() -> None:
    row = f"    {'long' * 10} = 3"
    rows = left(f"if a:\n    b = 1\nelif b:\n    c = 2\nelse:\n{row}\n    d = 4\n")
    assert rows[2:] == [
        "if a:",
        "    §0",
        "elif b:",
        "    §1",
        "else:",
        row,
        "    §2",
        "",
    ]


def test_an_elif_is_there() -> None:
    rows = left("if f(\n    a,\n):\n    b = 1\nelif b:\n    c = 2\n")
    assert rows[5:] == ["    §0", "elif b:", "    §1", ""]


@pytest.mark.parametrize(
    "head",
    [
        "@a\ndef f(\n    a,\n    b,\n):\n",
        "async def f(\n    a,\n    b,\n):\n",
        "class A(\n    a,\n    b,\n):\n",
        "while f(\n    a,\n    b,\n):\n",
        "with f(\n    a,\n    b,\n):\n",
        "for a in f(\n    a,\n    b,\n):\n",
    ],
)
def test_a_head_over_several_rows_is_there(head: str) -> None:
    rows = left(f'{head}    """Text."""\n\n    a = 1\n    b = 2\n')
    assert rows[2:] == [*head.split("\n")[:-1], "    §0", ""]


def test_every_block_of_a_statement_has_an_excerpt() -> None:
    text = (
        f"try:\n    a = 1\nexcept A:\n    b = 1\nelse:\n    c = 1\nfinally:\n"
        f"    {'d' * 40} = 1\nmatch a:\n    case 1:\n        e = 1\n"
        f"    case 2:\n        {'f' * 40} = 2\n"
    )
    assert [row.strip() for row in left(text) if "§" in row] == ["§0", "§1", "§2", "§3"]


def test_a_body_beside_its_head_is_not_taken_out() -> None:
    text = "def f(\n    a,\n    b,\n): ...\n"
    assert left(text)[2:] == text.split("\n")


def test_imports_are_an_import() -> None:
    rows = left(
        f"from a import (\n    b,\n)\nfrom b import c\nimport d\n\ne = 1\n{LONG}"
    )
    expected = ["from a import (", "    b,", ")", "import §0", "", "§1"]
    assert rows[2:8] == expected


def test_only_the_last_row_of_a_docstring_may_change() -> None:
    words = "word " * 12
    first = f'    """{words}\n\n    The end.\n    """\n'
    assert left(f"def a():\n{first}")[2:] == ["§0", ""]
    last = f'    """Begin.\n\n    {words}"""\n'
    assert left(f"def a():\n{last}")[2:] == ["def a():", *last.split("\n")]


def test_characters_may_take_two_columns() -> None:
    assert left(f'a = "{"字" * 20}"\n')[2:] != ["§0", ""]
    assert left(f'a = "{"字" * 10}"\n')[2:] == ["§0", ""]


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n",
        f"{FUTURE}_statements_left_out_0 = 1\n",
        f"{FUTURE}# fmt: off\na = 1\n",
    ],
)
def test_a_source_may_stay_whole(text: str) -> None:
    assert excerpt(text, 40) == (text, [])


@pytest.mark.parametrize("width", [60, 79, 120])
def test_black_would_do_the_same_with_all(width: int) -> None:
    # In other tests, and in scripts/styles, black checks the outcome of all files.
    chosen = [*FILES[width % 70 :: 70], *MADE[width % 20 :: 20]]
    texts = {path.name: path.read_text() for path in chosen}
    style = Style(width, requires_python=">=3.11")
    made = formatted(texts, style)
    assert made == {name: by_black(text, style) for name, text in texts.items()}
    assert made != texts


@pytest.mark.parametrize(
    "style", [Style(skip_magic_trailing_comma=True), Style(preview=True), OURS]
)
def test_other_options_may_change_all(style: Style) -> None:
    text = f"{FUTURE}a[\n    1,\n] = 2\nb = x if a else (y, z)\n"
    assert formatted({"a.py": text}, style) == {"a.py": by_black(text, style)}


def test_a_users_file_may_have_any_layout() -> None:
    text = f"{FUTURE}a  =  'b'\n"
    made = formatted({"a.py": text, "a.txt": text}, Style(100), ["a.py"])
    assert made == {"a.py": f'{FUTURE}a = "b"\n', "a.txt": text}
    assert formatted({"a.py": "a = (\n"}, Style(100)) == {"a.py": "a = (\n"}
