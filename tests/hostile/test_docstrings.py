"""Docstrings: no tool that reads them finds anything of a server's to run or obey."""

# The pattern is private to its module, and the reference for what is looked for first.
# pyright: reportPrivateUsage=false
from __future__ import annotations

import ast
import json
import subprocess
import sys
from doctest import DocTestParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.python.docstring_safety import (
    _ACTIVE,
    _TARGET,
    first_active,
    inert,
)
from mcp_bindgen.python.literals import WireStr, clean, docstring, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TARGETS = ("python", "openai", "langchain")
# A place where a line may end, at any indentation and behind any name.
WIDTHS = range(40, 90)


def recording(command: str) -> bytes:
    """Return a server that says one thing everywhere, broken at every width."""

    def tool(width: int) -> dict[str, object]:
        text = f"{'w' * width} >>> {command}"
        x = {"type": "string", "description": text, "default": f"{text} #"}
        inner = {"type": "object", "description": text, "properties": {"x": x}}
        schema = {"type": "object", "properties": {"p": x, f"q {text}": inner}}
        return {
            "name": f"test_{width} {text}",
            "title": text,
            "description": text if width % 2 else "",
            "inputSchema": schema,
        }

    server = {"name": "s", "title": f"{'w' * 60} >>> {command}", "version": "1"}
    return json.dumps(
        {"serverInfo": server, "tools": [tool(width) for width in WIDTHS]}
    ).encode()


def docstrings(source: str) -> Iterator[str]:
    """Yield every string that stands alone, those under fields among them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_no_docstring_has_an_example_however_its_lines_are_broken() -> None:
    package = generate(recording("boom()"), "made", Settings(TARGETS))
    assert not package.problems
    texts = [
        text
        for path, source in package.files.items()
        if path.endswith(".py") and not path.startswith("_runtime")
        for text in docstrings(source)
    ]
    lines = [line.strip() for text in texts for line in text.split("\n")]
    assert sum(line.startswith(r"\>>> boom()") for line in lines) > len(WIDTHS)
    assert not [text for text in texts if DocTestParser().get_examples(text)]


def test_pytest_runs_nothing_of_a_package(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    command = f"open({str(canary)!r}, 'w').close()"
    package = generate(recording(command), "made", Settings(("python", "openai")))
    for path, text in package.files.items():
        file = tmp_path / "made" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    plain = ("-p", "no:cacheprovider", "-c", str(tmp_path / "none.ini"))
    (tmp_path / "none.ini").write_text("[pytest]\n")
    doctest = subprocess.run(
        [sys.executable, "-m", "pytest", "--doctest-modules", *plain, "made"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert doctest.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, doctest.stdout
    assert not canary.exists()


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        (">>> x", r"\>>> x"),
        ("p: >>> x", r"p: \>>> x"),
        ("1. >>> x", r"1. \>>> x"),
        ("|>>> x|", r"|\>>> x|"),
        (r"\>>> x", r"\>>> x"),
        (".. include:: x", r"\.. include:: x"),
        ("- .. include:: x", r"- \.. include:: x"),
        ("|.. include:: x|", r"|\.. include:: x|"),
        ("..\n   x", "\\..\n   x"),
        ("wait... then a..b", "wait... then a..b"),
        ("```python\nx\n```", "```\\python\nx\n```"),
        ("> ~~~ {.py exec=1}", r"> ~~~ \{.py exec=1}"),
        ("`~` x", r"`~` \x"),
        ("~``{include} x", r"~``\{include} x"),
        ("a ```x``` b", r"a ```\x``` b"),
        ("```\nx\n```", "```\nx\n```"),
        (":::{include} x", r"\:::{include} x"),
        ("s3:::x", "s3:::x"),
        ("--8<-- 'x'", r"\--8<-- 'x'"),
        (";--8<-- 'x'", r";\--8<-- 'x'"),
        (":download:`x`", r"\:download:`x`"),
        (":-:download:`x`", r"\:-\:download:`x`"),
        ("`x`:download:", r"`x`\:download:"),
        ("{download}`x`", r"\{download}`x`"),
        ("of `{id}` and :x", "of `{id}` and :x"),
        ("a {{ x }}", r"a {\{ x }}"),
        ("{{{x}}}", r"{\{\{x}}}"),
        ("{% x %} {# x #} {! x !}", r"{\% x %} {\# x #} {\! x !}"),
        ('{"a": {"b": {}}}', '{"a": {"b": {}}}'),
        ("[[[cog x]]] [[[1]]]", r"[[\[cog x]]] [[[1]]]"),
        ("In [12]: x", r"In \[12]: x"),
        ("[a](/b) a[0](b)", r"[a]\(/b) a[0]\(b)"),
        ("[a]( <https://b>) [a](#b)", "[a]( <https://b>) [a](#b)"),
        ("[a](HTTPS://b)", r"[a]\(HTTPS://b)"),
        ("![a](https://b)", r"!\[a](https://b)"),
        ("[a b]: /c\n>[a]:\n c", "[a b]\\: /c\n>[a]\\:\n c"),
        ("[a]: https://b, dict[a]: b", "[a]: https://b, dict[a]: b"),
        ("[a ![b]: c", r"[a !\[b]\: c"),
        ("<IMG x> < img>", r"<\IMG x> <\ img>"),
        ('src="a" src="https://b"', r'src=\"a" src="https://b"'),
        ("<!-- a --> <path:a> <a:b>", r"<\!-- a --> <\path:a> <a:b>"),
        ("`{python} a` `{id}`", r"`\{python} a` `{id}`"),
        ("% invisible-code: a, 5 %", r"\% invisible-code: a, 5 %"),
        ("!!python/x <<< a", r"\!!python/x \<<< a"),
        ("```\u00a0python", "```\u00a0\\python"),
        ("# mypy: ignore-errors", r"\# mypy: ignore-errors"),
        ("# Usage", "# Usage"),
        ("vim: set ff=dos :", r"\vim: set ff=dos :"),
        ("x vi:ff=dos", r"x \vi:ff=dos"),
        ("Vim>600: set x", r"\Vim>600: set x"),
        ("x ex: se x", r"x \ex: se x"),
        ("ex: set", r"\ex: set"),
        ("ex: sets", "ex: sets"),
        ("x ex:ff=dos", r"x \ex:ff=dos"),
        ("kate: tab-width 1;", r"\kate: tab-width 1;"),
        ("; local Variables:\n; eval: x", "; \\local Variables:\n; eval: x"),
        ("in vim, (ex: 5), ex: 5", "in vim, (ex: 5), ex: 5"),
    ],
)
def test_what_tools_act_on_is_broken(text: str, broken: str) -> None:
    assert inert(text) == broken
    assert bool(first_active(text)) is (text != broken)
    assert not first_active(broken)


PIECES = st.sampled_from(
    [
        *(">>> x", ">>>", "..", ".. x::", "```", "~~~", "py", ":a:", "`b`", "{c}"),
        *("# mypy:", "--8<--", ":::", "\\", "\n", " ", "    ", '"""', "- "),
        *("{{", "{%", "[[[cog", "In [1]:", "](/x)", "[a]: x", "![a", "<img", "<!--"),
        *("<path:", "src='", "!!python", "`{py} x", "% invisible-code", "<<<"),
        *("vim:", "vim>1:", "Vi:", "ex: set ", "ex:a=", "Kate:", "Local VARIABLES:"),
        *("w" * 20, "w" * 70),
    ]
)


@example("!!pythonLocal VARIABLES:", 0)  # the second backslash ended a word
@example("# mypyLocal VARIABLES:", 0)
@example("<imgLocal VARIABLES:", 0)
@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([0, 4, 8]))
def test_a_finished_docstring_is_inert(text: str, indent: int) -> None:
    source = docstring(wrap(clean(WireStr(text)), indent, lead=3), indent)
    heads = ("", "def f():\n    ", "class A:\n    def f():\n        ")
    (said,) = docstrings(heads[indent // 4] + source)
    assert not first_active(said)
    assert not DocTestParser().get_examples(said)


@given(
    st.lists(PIECES | st.sampled_from([*">.:`~-8<{}#[]()!%"]), max_size=12).map("".join)
)
def test_looking_for_signs_first_misses_nothing(text: str) -> None:
    broken = _ACTIVE.sub(r"\g<mark>\\", text)
    assert inert(text) == _TARGET.sub(r"\g<0>\\", broken)


def test_it_takes_steps_in_proportion() -> None:
    # Each would take minutes if every place looked at all that follows.
    for text in (":a" * 500_000, "`" * 1_000_000, "-" * 1_000_000, "``` " * 250_000):
        assert len(inert(text)) <= 2 * len(text)
    for text in (" [" * 500_000, "](" * 500_000, " [a" * 300_000, "<" + " " * 9**6):
        assert len(inert(text)) <= 2 * len(text)


@pytest.mark.parametrize("hidden", ["\u2028", "\u202e", "\x1b", "\ufeff"])
def test_values_show_what_is_hidden_in_them(hidden: str) -> None:
    schema = {"type": "string", "default": hidden, "examples": [hidden]}
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"p": schema}}}
    package = generate(json.dumps({"tools": [tool]}).encode(), "made")
    escaped = f'"\\u{ord(hidden):04x}"'
    said = f"Examples: `{escaped}`. Default: `{escaped}`."
    assert said in docstrings(package.files["tools/t.py"])
