"""Layout: black leaves everything as we write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import black
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    Name,
    call,
    literal,
    name,
    statement,
    sub,
    union,
)
from mcp_bindgen.python.literals import Code, PyName, WireStr, clean, docstring, wrap
from mcp_bindgen.python.names import LIMIT
from mcp_bindgen.render.tool_module import assign_alias, import_from
from mcp_bindgen.schema.ir import Alias

if TYPE_CHECKING:
    from collections.abc import Callable

MISSING = name("MISSING")
LENGTHS = st.integers(1, 8) | st.integers(1, 40) | st.integers(60, 95)
# The allocator gives no longer names to fields, and none much longer to classes.
WORDS = (st.integers(1, 40) | st.integers(1, LIMIT + 2)).map(lambda size: "n" * size)
CLASSES = WORDS.map(lambda word: name(f"Class{word}"))
VALUES = (LENGTHS.map(lambda size: "x" * size) | st.integers() | st.booleans()).map(
    literal
)


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    keywords = st.dictionaries(
        st.sampled_from(["alias", "pattern", "ge", "le"]), VALUES, min_size=1
    )
    field = keywords.map(lambda values: call("Field", **values))
    return st.one_of(
        st.lists(VALUES, min_size=1, max_size=6).map(lambda v: sub("Literal", *v)),
        inner.map(lambda e: sub("list", e)),
        st.lists(inner, min_size=1, max_size=3).map(lambda e: sub("tuple", *e)),
        inner.map(lambda e: sub("dict", name("str"), e)),
        st.tuples(inner, field).map(lambda pair: sub("Annotated", *pair)),
        st.lists(inner, min_size=2, max_size=3).map(union),
    )


TYPES: st.SearchStrategy[Expr] = st.recursive(CLASSES, _larger, max_leaves=8)
DICTS = st.dictionaries(WORDS, CLASSES, max_size=6).map(
    lambda pairs: Bracket(
        "", "{}", tuple(Item(v, Code(f'"{k}": ')) for k, v in pairs.items())
    )
)


def stays(source: str) -> None:
    assert black.format_str(source, mode=black.Mode()) == source


@st.composite
def optional(draw: st.DrawFn) -> Expr:
    """Draw the type of a field that may be absent."""
    type_ = union([draw(TYPES), MISSING])
    if not draw(st.booleans()):
        return type_
    return sub("Annotated", type_, call("Field", alias=draw(VALUES)))


@given(WORDS, TYPES)
def test_required_fields(word: str, type_: Expr) -> None:
    stays(f"class A:\n    {statement(f'{word}: ', type_, '', 4)}\n")


@given(WORDS, optional())
def test_optional_fields(word: str, type_: Expr) -> None:
    stays(f"class A:\n    {statement(f'{word}: ', type_, ' = MISSING', 4)}\n")


@given(WORDS, TYPES, optional())
def test_parameters(word: str, required: Expr, absent: Expr) -> None:
    first = statement(f"{word}: ", required, ",", 4)
    second = statement("z: ", absent, " = MISSING,", 4)
    stays(f"def f(\n    c: B,\n    /,\n    *,\n    {first}\n    {second}\n): ...\n")


@given(WORDS, TYPES)
def test_aliases(word: str, type_: Expr) -> None:
    stays(f"{statement(f'{word}: TypeAlias = ', type_, '', 0)}\n")


@given(st.sampled_from(["return ", "return await ", "result = "]), DICTS)
def test_calls(head: str, arguments: Bracket) -> None:
    made = Bracket("client.call", "()", (Item(name("_TOOL")), Item(arguments)))
    stays(f"async def f():\n    {statement(head, made, '', 4)}\n")


@given(WORDS, WORDS, st.sampled_from([0, 4, 8]))
def test_names_assigned(word: str, value: str, indent: int) -> None:
    line = statement(f"{word} = ", Name(Code(value)), "", indent)
    heads = ("", "class A:\n    ", "class A:\n    if B:\n        ")
    stays(f"{heads[indent // 4]}{line}\n")


STRINGS = st.integers(0, 130).map("x".__mul__) | st.text(max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | STRINGS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=8,
)
# What stands before a value: an assignment, an annotated one, a return.
HEADS = WORDS.flatmap(
    lambda word: st.sampled_from([f"{word} = ", f"{word}: TypeAlias = ", "return "])
)


@given(HEADS, JSON, st.sampled_from([0, 4]))
def test_values(head: str, value: object, indent: int) -> None:
    line = statement(head, literal(value), "", indent)
    stays(f"def f():\n    {line}\n" if indent else f"{line}\n")


@given(HEADS, st.lists(JSON, min_size=1, max_size=3), st.sampled_from([[], ["ge"]]))
def test_values_in_calls(head: str, values: list[object], named: list[str]) -> None:
    items = [literal(value) for value in values]
    keywords = dict(zip(named, items, strict=False))
    made = call("Call", *items[len(named) :], **keywords)
    stays(f"def f():\n    {statement(head, made, '', 4)}\n")


@given(WORDS, TYPES)
def test_types_that_name_themselves(word: str, type_: Expr) -> None:
    alias = Alias(PyName(f"A{word}"), type_, recursive=True)
    stays(f"{assign_alias(alias)}\n")


@given(WORDS, st.lists(WORDS, min_size=1, max_size=6), st.sampled_from([0, 4]))
def test_imports(module: str, names: list[str], indent: int) -> None:
    line = import_from(f".tools.{module}", names, indent)
    stays(f"if TYPE_CHECKING:\n{line}\n" if indent else f"{line}\n")


TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ['"', '"""', "\\", "\n", "    ", "word ", "é", "\t", "'", "x" * 90]
    ),
    max_size=12,
).map("".join)
PLACES: list[Callable[[str], str]] = [
    lambda text: f"{text}\n",
    lambda text: f"def f():\n    {text}\n",
    lambda text: f"class A:\n    x: int\n    {text}\n",
]


@given(TEXTS, st.sampled_from([0, 1, 2]))
def test_docstrings(text: str, level: int) -> None:
    indent = 4 if level else 0
    lines = wrap(clean(WireStr(text)), indent, lead=3)
    stays(PLACES[level](docstring(lines, indent)))
