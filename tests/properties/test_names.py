"""Names: usable, unique, and the same whatever else is named."""

# Tables and rules are private to their modules, and the same for all that stands here.
# pyright: reportPrivateUsage=false
from __future__ import annotations

import builtins
import keyword
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mcp_bindgen.pipeline import plan
from mcp_bindgen.python import allowlist as allowed
from mcp_bindgen.python.names import LIMIT, allocate, class_words, field_names
from mcp_bindgen.python.reserved import CLASSES, FIELDS, PARAMETERS, TOOLS
from mcp_bindgen.render.target_folders import built_in, reserved
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.validation.models import Model

from tests.packages import ROOT

if TYPE_CHECKING:
    import random

    from mcp_bindgen.python.literals import PyName

# Words that meet when they become names, and any text at all.
ALIKE = st.sampled_from("""
    get-item get_item get.item getItem GET_ITEM get__item _get_item get_item_ get/item
    getITEM GetItem GETItem
    list close class conftest client con from self id model_dump async close_async
    x-y x_y xY xy 1st first StartTime StartTime< StartTime> startTime a a_tool
    """.split())
WIRES = ALIKE | st.text(min_size=1, max_size=6) | st.text(max_size=200)
LISTS = st.lists(WIRES, max_size=8, unique=True)


derived = plan.derived


def tools(wires: list[str]) -> dict[str, PyName]:
    return allocate(wires, kind="tool", reserved=TOOLS, derived=derived)


@given(LISTS)
def test_tools_have_names_that_nothing_else_has(wires: list[str]) -> None:
    names = tools(wires)
    everything = [name for tool in names.values() for name in {*derived(tool)}]
    assert len({*everything}) == len(everything)
    assert names.keys() == {*wires}
    for name in names.values():
        assert name.isascii()
        assert name.isidentifier()
        assert name == name.lower()
        assert len(name) <= LIMIT + 2
        assert name not in TOOLS
        assert not keyword.iskeyword(name)


@given(LISTS)
def test_fields_have_names_that_nothing_else_has(wires: list[str]) -> None:
    names = field_names(wires)
    assert len({*names.values()}) == len(wires)
    for name in names.values():
        assert name.isascii()
        assert name.isidentifier()
        assert not name.startswith("_")
        assert name not in PARAMETERS
        assert not keyword.iskeyword(name)


@given(LISTS, st.randoms())
def test_the_order_of_a_list_does_not_count(
    wires: list[str], chance: random.Random
) -> None:
    shuffled = [*wires]
    chance.shuffle(shuffled)
    assert tools(shuffled) == tools(wires)
    assert field_names(shuffled) == field_names(wires)


@given(LISTS, WIRES)
def test_an_unrelated_tool_changes_no_name(wires: list[str], more: str) -> None:
    assume(more not in wires)
    alone = {wire: derived(tools([wire])[wire]) for wire in [*wires, more]}
    names = tools(wires)
    taken = {name for wire in wires for name in (*alone[wire], *derived(names[wire]))}
    assume(not taken & {*alone[more]})
    assert tools([*wires, more]) == names | tools([more])


@given(LISTS)
def test_only_what_would_collide_is_renamed(wires: list[str]) -> None:
    alone = {wire: tools([wire])[wire] for wire in wires}
    names = tools(wires)
    for wire in wires:
        others = {n for other in wires if other != wire for n in derived(alone[other])}
        if not others & {*derived(alone[wire])}:
            assert names[wire] == alone[wire]


@given(LISTS, WIRES)
def test_a_new_name_takes_over_no_older_one(wires: list[str], more: str) -> None:
    assume(more not in wires)
    before, after = field_names(wires), field_names([*wires, more])
    assert after[more] not in before.values()
    before, after = tools(wires), tools([*wires, more])
    older = {name for wire in wires for name in derived(before[wire])}
    assert older.isdisjoint(derived(after[more]))


@given(
    st.lists(ALIKE, min_size=1, max_size=8, unique=True), st.integers(1, 3), st.data()
)
def test_a_wire_name_like_a_name_that_was_made_takes_over_none(
    wires: list[str], rounds: int, data: st.DataObject
) -> None:
    for _ in range(rounds):
        before, older = field_names(wires), tools(wires)
        more = data.draw(st.sampled_from([*before.values(), *older.values()]))
        assume(more not in wires)
        wires = [*wires, more]
        meant: dict[str, str] = {name: wire for wire, name in before.items()}
        for wire, name in field_names(wires).items():
            assert meant.get(name, wire) == wire
        meant = {str(name): wire for wire in older for name in derived(older[wire])}
        for wire, made in tools(wires).items():
            assert {meant.get(name, wire) for name in derived(made)} == {wire}


def test_a_contested_name_says_how_it_is_spelled() -> None:
    assert field_names(["dryRun"]) == {"dryRun": "dry_run"}
    assert field_names(["dryRun", "dry_run", "dry-run", "DryRun", "DRY_RUN"]) == {
        "dryRun": "dry_run_camel",
        "dry_run": "dry_run_snake",
        "dry-run": "dry_run_kebab",
        "DryRun": "dry_run_pascal",
        "DRY_RUN": "dry_run_upper",
    }


BUILTINS = "all filter format hash id input iter max min next object range type vars"


@pytest.mark.parametrize("name", BUILTINS.split())
def test_builtins_stay_as_they_are(name: str) -> None:
    assert field_names([name]) == {name: name}


@pytest.mark.parametrize("name", ["list", "dict", "str", "class", "self", "copy"])
def test_what_a_class_needs_is_not_hidden(name: str) -> None:
    assert field_names([name]) == {name: f"{name}_"}


@given(st.text(max_size=100))
def test_class_words_are_a_class_name_or_nothing(text: str) -> None:
    words = class_words(text)
    assert words == "" or (words.isascii() and words.isidentifier())
    assert words[:1] == words[:1].upper()
    assert len(words) <= LIMIT


def test_nothing_of_this_python_is_left_to_servers() -> None:
    words = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "reveal_type"}
    # Names that we make are lower case throughout, or begin with an upper case letter.
    lower = {word for word in words if word == word.lower() and word[0] != "_"}
    upper = {word for word in words if word[0].isupper()}
    assert {*keyword.kwlist} <= FIELDS | {"False", "None", "True"}
    assert lower <= TOOLS
    assert upper <= CLASSES


def test_nothing_of_pydantic_and_of_ours_is_left_to_servers() -> None:
    assert {name for name in dir(Model) if name[0] != "_"} <= FIELDS
    clients = {*dir(BaseClient), *dir(AsyncBaseClient)}
    assert {name for name in clients if name[0] != "_"} <= TOOLS


def test_nothing_that_stands_in_a_module_is_left_to_servers() -> None:
    imported = {name for names in allowed.IMPORTS.values() for name in names}
    assert {n for n in imported if n[0].isupper() and n != n.upper()} <= CLASSES
    assert {n for n in imported if n == n.lower()} <= TOOLS
    assert {*allowed.BUILTINS} - {"__name__"} <= TOOLS


def test_nothing_that_a_package_offers_is_left_to_servers() -> None:
    offered = {
        name
        for target in built_in()
        for names in target.public.values()
        for name in names
    }
    assert {n for n in offered if n == n.lower()} <= reserved()
    modules = {path.name.partition(".")[0] for path in ROOT.glob("templates/*/*.py*")}
    assert {name for name in modules if name[0] != "_"} <= TOOLS | reserved()
