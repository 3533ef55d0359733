"""Each limit: what is at it passes, what is over it costs what it should."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.pipeline.executor import HERE
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.pools import processes
from mcp_bindgen.pipeline.settings import Settings

from tests.hostile.bombs import BOMBS
from tests.hostile.positions import document, tool
from tests.hostile.shapes import chain, crowd, graph, lone, many
from tests.hostile.sizes import alike, listed, made, nested, union, wide

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_bindgen.pipeline.package import Package


SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"


OF_TOOLS: list[tuple[str, int, Callable[[int], bytes], str]] = [
    (
        "name",
        30,
        lambda n: lone(None, name="n" * n),
        "expected 1 to 30 characters, got 31",
    ),
    (
        "name",
        30,
        lambda n: lone({"k" * n: 1}),
        "expected a key of at most 30 characters, got 31",
    ),
    (
        "text",
        90,
        lambda n: lone(None, description="d" * n),
        "a string of at most 90 characters, got 91",
    ),
    ("properties", 30, wide, "31 entries, more than 30"),
    ("tool_nodes", 34, lambda n: lone({"enum": [0] * (n - 4)}), "at most 34 JSON"),
    (
        "digits",
        20,
        lambda n: lone({"const": 10 ** (n - 1)}),
        "a number of at most 20 characters, got 21",
    ),
    (
        "depth",
        10,
        lambda n: chain(n - 1, lambda ref: ref),
        "nested more than 10 levels deep, its references followed",
    ),
    (
        "states",
        100,
        lambda n: lone(many(1, lambda _: {"type": "string", "pattern": "a" * n})),
        "patterns with more than 100 states together",
    ),
]
OF_FILES: list[tuple[str, int, Callable[[int], bytes]]] = [
    ("tools", 9, lambda n: crowd(n - 1, lambda k: tool(None, name=f"t{k}"))),
    ("nodes", 40, lambda n: json.dumps(document(x=[0] * (n - 14))).encode()),
    ("bytes", 2_000, lambda n: json.dumps(document()).encode().ljust(n)),
]
OF_TYPES: list[tuple[str, Callable[[int], bytes]]] = [
    ("branches", union),
    ("branches", alike),
    ("branches", nested),
    ("enum", listed),
]


@pytest.mark.parametrize(("limit", "at", "make", "message"), OF_TOOLS)
def test_over_a_limit_of_one_tool_it_is_left_out(
    limit: str, at: int, make: Callable[[int], bytes], message: str
) -> None:
    assert made(make(at), **{limit: at}).problems == ()
    package = made(make(at + 1), **{limit: at})
    (problem,) = package.problems
    assert message in problem.message
    assert problem.pointer.startswith("/tools/1")
    assert problem.hint
    assert [tool.wire.text for tool in package.catalog.tools] == ["good_one"]


@pytest.mark.parametrize(("limit", "at", "make"), OF_FILES)
def test_over_a_limit_of_the_file_it_is_refused(
    limit: str, at: int, make: Callable[[int], bytes]
) -> None:
    made(make(at), **{limit: at})
    with pytest.raises(BindgenError, match=f"at most {at:,}") as caught:
        made(make(at + 1), **{limit: at})
    assert f"--limit {limit}=" in caught.value.problems[0].hint


@pytest.mark.parametrize(("limit", "make"), OF_TYPES)
def test_over_a_limit_of_types_residual_validation_checks(
    limit: str, make: Callable[[int], bytes]
) -> None:
    for count, kinds in ((30, set[str]()), (31, {"residual"})):
        package = made(make(count), **{limit: 30})
        assert package.problems == ()
        notes = {note.kind for t in package.catalog.tools for note in t.notes}
        assert notes == kinds


def test_references_that_multiply_are_left_out() -> None:
    for bomb, message in (
        ("double allOf in allOf 12", "multiply to more than can be read"),
        ("double tuple 12", "multiply to more than can be written"),
    ):
        package = made(BOMBS[bomb]())
        (problem,) = package.problems
        assert message in problem.message
        assert problem.pointer.startswith("/tools/1/inputSchema")


def merged(*members: list[str]) -> Package:
    """Merge objects whose one property is described by each of some texts."""

    def said(texts: list[str]) -> Any:
        listed = [{"description": text, "minLength": 1} for text in texts]
        return {"properties": {"p": {"prefixItems": listed}}}

    return made(lone({"type": "object", "allOf": [said(texts) for texts in members]}))


def test_what_is_merged_is_compared_once() -> None:
    one, two = [f"a{n}" for n in range(60)], [f"b{n}" for n in range(60)]
    assert merged(*[one, two] * 30).problems == ()
    (problem,) = merged(*([*one, f"{n}"] for n in range(80))).problems
    assert "multiply to more than can be read" in problem.message
    assert problem.pointer.startswith("/tools/1/inputSchema")


def test_a_reference_that_leads_out_costs_the_tool() -> None:
    for reference in ("http://127.0.0.1:9/x", "file:///etc/passwd", "x.json", "//h/x"):
        schema = {"type": "object", "properties": {"a": {"$ref": reference}}}
        package = made(lone(schema))
        (problem,) = package.problems
        assert problem.pointer.startswith("/tools/1/inputSchema")
        assert problem.hint


def test_objects_that_know_one_another_are_no_bomb() -> None:
    package = made(
        graph(8, lambda refs: {"type": "object", "additionalProperties": refs[0]})
    )
    assert package.problems == ()


def test_limits_are_set_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(wide(30))
    command = ["generate", str(file), "-o", str(tmp_path / "out")]
    run = CliRunner().invoke
    assert run(app, command).exit_code == 0
    low = run(app, [*command, "--limit", "properties=29", "--limit", "tools=5"])
    assert (low.exit_code, "30 entries, more than 29" in low.stderr) == (1, True)
    for wrong in ("props=3", "properties", "properties=", "properties=-1", "depth=101"):
        ran = run(app, [*command, "--limit", wrong])
        assert ran.exit_code == 2
        assert "hint:" in ran.stderr
    assert (
        "did you mean properties?"
        in run(app, [*command, "--limit", "property=1"]).stderr
    )


def test_the_limits_are_documented() -> None:
    text = SECURITY.read_text("utf-8")
    for field in fields(Limits):
        assert f"| `{field.name}` | {getattr(DEFAULT, field.name):,} |" in text


LARGE = {"type": "object", "properties": {"a": {"enum": ["\x7f" * 95_000, 1]}}}


def test_a_tool_that_adds_too_much_is_left_out() -> None:
    package = made(lone(LARGE))
    (problem,) = package.problems
    assert "more than 4,000,000 characters" in problem.message
    assert [tool.wire.text for tool in package.catalog.tools] == ["good_one"]
    refs = {f"p{n}": {"$ref": "#/$defs/a"} for n in range(90)}
    shared = {"properties": refs, "$defs": {"a": {"const": "\x7f" * 95_000}}}
    assert "can be written" in made(lone(shared)).problems[0].message
    (problem,) = made(lone(None, x=["\x7f" * 95_000] * 8)).problems
    assert "more than 4,000,000 characters" in problem.message


def test_tools_that_add_too_much_together_are_refused() -> None:
    def large(n: int) -> Any:
        return tool(None, name=f"t{n}", description="\u00e9" * 4_000)

    data = crowd(30, large)
    weight = sum(len(text) for text in made(data).files.values())
    made(data, made=4 * weight)
    small = Settings(limits=replace(DEFAULT, made=90_000))
    with processes(2) as elsewhere:
        for executor in (HERE, elsewhere):
            with pytest.raises(BindgenError, match="more than 90,000 char") as caught:
                generate(data, "made", small, executor)
            assert "--limit made=" in caught.value.problems[0].hint


def test_keys_that_lead_to_a_schema_are_short_together() -> None:
    schema: Any = {"type": "string"}
    for _ in range(4):
        schema = {"type": "object", "properties": {"k" * 990: schema}}
    (problem,) = made(lone(schema)).problems
    assert "the keys that lead to a schema are too long" in problem.message
