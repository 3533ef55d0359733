"""Black and ruff agree on what is made, at any width."""

from __future__ import annotations

import ast
import shutil
from itertools import product
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.pipeline.formatting import by_black
from mcp_bindgen.pipeline.same_program import is_same_program
from mcp_bindgen.python.literals import docstring
from mcp_bindgen.python.style import OURS, Style

from tests.cli.test_style import RECORDING, TARGET, project, ran
from tests.packages import HEADER, ROOT, RUNTIME, generate

if TYPE_CHECKING:
    from pathlib import Path

# Two more widths are in test_style.py, and all others in scripts/styles.
ALONE = {
    60: "",
    88: "",
    120: 'target-version = "py313"\n',
    200: "",
}


@pytest.mark.slow
@pytest.mark.parametrize("width", ALONE)
def test_both_find_nothing_to_format(tmp_path: Path, width: int) -> None:
    text = f"[tool.ruff]\nline-length = {width}\n{ALONE[width]}"
    folder = project(tmp_path / "app", text)
    recordings = [tmp_path / "catalog.json", tmp_path / "todo.json"]
    for path in recordings:
        shutil.copy(ROOT / "generated" / path.stem / "recording.json", path)
    # Black takes 10 seconds for a runtime: they share one.
    options = ("--target", "python,langchain", "--shared-runtime", "shared", "--quiet")
    assert generate(*recordings, "-o", folder / "src", *options) == (0, "")
    assert ran(folder, "ruff", "format", "--check", "src") == ""
    words = ["black", "--check", "--quiet", "--workers", "1"]
    words += ["--line-length", str(width)]
    if width == OURS.line_length:  # scripts/lint reads this runtime
        runtime = folder / "src" / "shared"
        for path in runtime.rglob("*.py"):
            original = RUNTIME / path.relative_to(runtime)
            assert path.read_text() == HEADER + original.read_text()
        words += ["--extend-exclude", "/shared/"]
    assert ran(folder, *words, "src") == ""


def test_no_conditional_expression_stands_in_another() -> None:
    # In narrow lines, only ruff breaks the inner one.
    nested = [
        f"{path.relative_to(RUNTIME)}:{node.lineno}"
        for path in RUNTIME.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.IfExp)
        and any(isinstance(part, ast.IfExp) for part in (node.body, node.orelse))
    ]
    assert nested == []


@pytest.mark.parametrize("version", ["py38", "py311", "py314", "py315"])
def test_the_version_of_python_changes_nothing(version: str) -> None:
    # From 3.14 on, both take the parentheses of `except (A, B):` away.
    words = ("ruff", "format", "--check", "--isolated", "--target-version", version)
    assert ran(ROOT, *words, "generated") == ""


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ('x = (\n    "a"\n    "b"\n)\n', 'x = "ab"\n'),
        ('f("{a}" f"{b}")\n', 'f(f"{{a}}{b}")\n'),
        ('f(r"\\d" "a")\n', 'f(r"\\d" "a")\n'),
        ('f(\'"\' "a")\n', "f('\"a')\n"),
        (f'x = (\n    "{"a" * 30}"\n    "{"b" * 30}"\n)\n', None),
        (f'x = (\n    "a"  # why\n    "{"b" * 30}"\n)\n', None),
        (
            "if True:\n    one, two = first.get(1), second.get(22222222)\n",
            (
                "if True:\n    one, two = (\n        first.get(1),\n"
                "        second.get(22222222),\n    )\n"
            ),
        ),
        (
            "with first(111111111111), second(22222222):\n    pass\n",
            "with (\n    first(111111111111),\n    second(22222222),\n):\n    pass\n",
        ),
        (
            "if True:\n    a = -1  # a comment of many words, here\n",
            "if True:\n    # a comment of many words, here\n    a = -1\n",
        ),
    ],
)
def test_what_both_leave(tmp_path: Path, text: str, made: str | None) -> None:
    style = Style(40)
    formatted = by_black(text, style)
    assert formatted == (text if made is None else made)
    assert by_black(formatted, style) == formatted
    assert is_same_program(text, formatted)
    (tmp_path / "a.py").write_text(formatted)
    words = ("ruff", "format", "--check", "--isolated", "--line-length", "40")
    assert ran(tmp_path, *words, "a.py") == ""


@pytest.mark.parametrize("version", ["py37", "py38", "py39"])
def test_a_file_may_be_newer_than_the_project(tmp_path: Path, version: str) -> None:
    text = "match  a:\n    case 1:\n        b = [ 1,2 ]\n"
    formatted = by_black(text, Style(110, target_version=(version,)))
    assert formatted == "match a:\n    case 1:\n        b = [1, 2]\n"
    (tmp_path / "a.py").write_text(formatted)
    words = ("ruff", "format", "--check", "--isolated", "--target-version", version)
    assert ran(tmp_path, *words, "a.py") == ""


def test_files_of_a_users_target_are_formatted_without_a_style(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "target.toml").write_text('description = "modules of our own"\n')
    (own / "own.py").write_text(TARGET)
    (own / "made.py.jinja").write_text(
        '# Generated by mcp-bindgen. Do not edit.\n"""Made.  """\n'
    )
    folder = project(tmp_path / "app", "")
    options = ("-o", folder / "src", "--target", f"python,{own}", "--quiet")
    assert generate(RECORDING, "--name", "catalog", *options) == (0, "")
    made = folder / "src" / "catalog"
    assert 'return "x"' in (made / "own.py").read_text()
    words = ("black", "--check", "--quiet", "own.py", "made.py")
    assert ran(made, *words) == ""
    assert generate(RECORDING, "--name", "catalog", *options, "--check") == (0, "")


def test_both_leave_docstrings_of_quotes_and_backslashes(tmp_path: Path) -> None:
    texts = ["".join(parts) for parts in product(['"', '"""', "\\", "a", ""], repeat=4)]
    made = [docstring([text], 4) for text in texts if text]
    classes = [f"class A{n}:\n    {text}\n" for n, text in enumerate(made)]
    (tmp_path / "a.py").write_text("\n\n".join(classes))
    assert ran(tmp_path, "black", "--check", "--quiet", "a.py") == ""
    assert ran(tmp_path, "ruff", "format", "--check", "--isolated", "a.py") == ""
    values = [ast.literal_eval(text).strip() for text in made]
    assert values == [text for text in texts if text]
