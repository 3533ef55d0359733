"""Names: a server that knows how they are given out can take none from another tool."""

# The rule of names is private to its module, and the same for all that stands here.
# pyright: reportPrivateUsage=false
from __future__ import annotations

import ast
import json
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.pipeline import plan
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.python import allowlist as allowed
from mcp_bindgen.python.names import allocate, digest, field_names
from mcp_bindgen.python.reserved import CLASSES, TOOLS
from mcp_bindgen.render.export_names import export_names
from mcp_bindgen.schema import classes

from tests.hostile.positions import tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_bindgen.pipeline.package import Package

    from tests.hostile.positions import Json

TARGETS = ("agents", "anthropic", "gemini", "langchain", "openai", "pydantic_ai")
EMPTY: Json = {"type": "object"}
FILLED: Json = {"type": "object", "properties": {"x": EMPTY}}


def made(tools: Iterable[Json]) -> Package:
    data = json.dumps({"tools": [*tools]}).encode()
    return generate(data, "made", Settings(TARGETS))


def named(name: str, schema: Json = EMPTY) -> Json:
    return {**tool(schema), "name": name, "outputSchema": schema}


def thieves(size: int = 6) -> list[str]:
    """Return names of which two meet, and the others are what these would become."""
    digests = [digest("Foo0", n) for n in range(6, size + 2, 2)]
    wanted = [f"foo0-{mark}{digits}" for digits in digests for mark in ("", "x")]
    return ["Foo0", "FOO0", *wanted, *(f"{name}_tool" for name in wanted)]


@pytest.mark.parametrize("size", [6, 8, 64])
def test_a_hash_that_is_another_name_is_lengthened(size: int) -> None:
    wires = thieves(size)
    names = allocate(wires, kind="tool", reserved=TOOLS, derived=plan.derived)
    everything = [n for name in names.values() for n in {*plan.derived(name)}]
    assert len({*everything}) == len(everything)
    fields = field_names(wires)
    assert len({*fields.values()}) == len(wires)
    assert not made(map(named, wires)).problems


def test_a_name_that_ends_like_one_of_python_is_no_fault() -> None:
    assert "tools/scan__.py" in made([named("scan__")]).files


def test_names_that_meet_do_not_depend_on_their_order() -> None:
    for wires in permutations(["Foo0", "FOO0", "foo0-eebef1", "good"]):
        assert field_names(wires) == field_names(sorted(wires))
        names = allocate(wires, kind="tool", reserved=TOOLS, derived=plan.derived)
        assert names["foo0-eebef1"] == "foo0_eebef1"
        assert names["good"] == "good"


def named_tools(*wires: str) -> dict[str, str]:
    return {**allocate(wires, kind="tool", reserved=TOOLS, derived=plan.derived)}


def spellings() -> list[str]:
    """Return wire names that are spelled like all names of a tool with a hash."""
    names = [*plan.derived("foo0_x" + digest("Foo0"))]
    names += [name.replace("_", mark) for name in names for mark in "-. "]
    return [*names, *(f"{name}_" for name in names)]


@pytest.mark.parametrize("more", spellings())
def test_no_spelling_is_a_hashed_name(more: str) -> None:
    before = named_tools("Foo0", "FOO0")
    assert before["Foo0"] == "foo0_x" + digest("Foo0")
    after = named_tools("Foo0", "FOO0", more)
    older = {name for made in before.values() for name in plan.derived(made)}
    assert older.isdisjoint(plan.derived(after[more]))
    assert {wire: after[wire] for wire in before} == before
    assert after[more] == named_tools(more)[more]


def test_a_name_that_was_searched_for_its_hash_takes_none() -> None:
    alike = "foo0;,?.?/!~"
    assert digest(alike) == digest("Foo0")
    before, after = named_tools("Foo0", "FOO0"), named_tools("Foo0", "FOO0", alike)
    assert before["Foo0"] not in after.values()
    assert len({*after.values()}) == len(after)


def test_an_older_name_that_ends_like_a_spelling_is_not_taken() -> None:
    before = named_tools("foo_bar_camel")
    assert before == {"foo_bar_camel": "foo_bar_camel"}
    after = named_tools("foo_bar_camel", "fooBar", "FooBar")
    assert "foo_bar_camel" not in (after["fooBar"], after["FooBar"])


def test_models_have_a_name_for_each_tool_whatever_the_others_take() -> None:
    taken = [f"a_{digest('a!', size)}" for size in range(6, 63, 2)]
    wires = ["a!", "a?", *taken]
    names = export_names(wires)
    assert len({*names.values()}) == len(wires)
    assert all(names[wire] == wire for wire in taken)


def test_properties_and_titles_may_know_the_hashes() -> None:
    properties: Json = {wire: {} for wire in thieves(8)}
    inner = [{**FILLED, "title": title} for title in ("Foo0", "FOO0")]
    for size in range(6, 40, 2):
        for mark in ("a1", "a2", "a3"):
            title = f"ToolX{digest(f'{mark}/properties/x0', size)}"
            inner.append({**FILLED, "title": title})
    properties |= {f"x{number}": schema for number, schema in enumerate(inner)}
    package = made([named("tool", {**EMPTY, "properties": properties})])
    assert not package.problems


def bound(source: str) -> Iterator[str]:
    """Yield every name that a file binds, and each that it asks for."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name) | ast.alias(name) | ast.arg(name):
                yield name
            case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
                yield node.name
            case _:
                pass


def ours() -> list[str]:
    """Return all names that stand in a package, and what a tool makes them from."""
    package = made([named("x", {**EMPTY, "properties": {"y": EMPTY}})])
    words = {*CLASSES, *TOOLS, *allowed.CALLS, *allowed.BASES, *allowed.FORMS}
    words |= allowed.FILES_RUN_BY_OTHERS | allowed.DUNDERS | allowed.BUILTINS
    for path, text in package.files.items():
        words |= {*path.replace(".", "/").split("/")}
        words |= {*bound(text)} if path.endswith(".py") else set()
    ends = ("_async", "_tool", "Arguments", "Result")
    words |= {word.removesuffix(end) for word in words for end in ends}
    return sorted(words - {"", "x", "y"})


def test_a_tool_a_property_and_a_title_may_be_called_like_all_that_is_ours() -> None:
    words = ours()
    assert {"make", "StrEnum", "sitecustomize", "tool", "langchain_tools"} <= {*words}
    inner: Json = {word: {**FILLED, "title": word} for word in words}
    for start in range(0, len(words), 300):
        some = words[start : start + 300]
        schema = {**EMPTY, "properties": {word: inner[word] for word in some}}
        tools = [named("all of them", schema), *map(named, some)]
        assert not made(tools).problems


def test_what_the_check_reserves_is_reserved() -> None:
    checked = {*allowed.CALLS, *allowed.BASES, *allowed.FORMS}
    assert checked <= TOOLS | CLASSES
    assert allowed.FILES_RUN_BY_OTHERS <= TOOLS


def test_a_tool_that_does_not_pass_our_check_is_left_out_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(classes, "CLASSES", frozenset[str]())
    inner: Json = {**EMPTY, "properties": {"StrEnum": FILLED}}
    bad: Json = {"name": "bad", "inputSchema": inner}
    package = made([named("good"), bad])
    assert [t.wire.text for t in package.catalog.tools] == ["good"]
    (problem,) = package.problems
    assert problem.pointer == "/tools/1"
    assert "StrEnum" in problem.message
    assert "fault of mcp-bindgen" in problem.hint
