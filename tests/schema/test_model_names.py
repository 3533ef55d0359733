"""Models are called after their places: a new way to say the same renames none."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from mcp_bindgen.python.names import pascal, snake
from mcp_bindgen.python.plurals import singular
from mcp_bindgen.schema.compile import CompiledSchema, compile_result
from mcp_bindgen.schema.definitions import named_definitions
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.node import is_object, with_inner

from tests.shared import SAMPLE, needs, recordings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Schema: TypeAlias = "dict[str, Any]"
TEXT = {"type": "string"}
USER = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
TEAM = {"type": "object", "properties": {"size": TEXT}, "required": ["size"]}


def names(schema: Schema) -> set[str]:
    """Return the names of the classes inside a result."""
    types = compiled(schema, "Search").types
    return {str(type_.name) for type_ in types} - {"SearchResult"}


def compiled(schema: Schema, stem: str) -> CompiledSchema:
    return compile_result(schema, stem, frozenset())


def thing(**properties: object) -> Schema:
    return {"type": "object", "properties": properties}


def listed(items: object) -> Schema:
    return {"type": "array", "items": items}


def among(*texts: str) -> Schema:
    return thing(kind={"enum": [*texts]})


def defined(schema: Schema, **definitions: object) -> Schema:
    return {**schema, "$defs": definitions}


def ref(key: str) -> Schema:
    return {"$ref": f"#/$defs/{key}"}


SAME = {
    "inline": thing(owners=listed(USER)),
    "a title": thing(owners=listed({**USER, "title": "Person"})),
    "a definition": defined(thing(owners=listed(ref("User"))), User=USER),
    "another key": defined(thing(owners=listed(ref("Person"))), Person=USER),
    "a numbered key": defined(thing(owners=listed(ref("def1"))), def1=USER),
    "a list by name": defined(
        thing(owners=ref("Users")), Users=listed(ref("User")), User=USER
    ),
    "null": thing(owners={"anyOf": [listed(USER), {"type": "null"}]}),
    "used again": defined(
        thing(owners=listed(ref("User")), teams=listed(thing(owner=ref("User")))),
        User=USER,
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_class_is_called_after_its_location(name: str) -> None:
    assert names(SAME[name]) - {"Team"} == {"Owner"}


NAMED: dict[str, tuple[Schema, set[str]]] = {
    "places of several names": (
        defined(thing(source=ref("User"), target=ref("User")), User=USER),
        {"User"},
    ),
    "numbered, in several places": (
        defined(thing(source=ref("def1"), target=ref("def1")), def1=USER),
        {"Source"},
    ),
    "members of a union": (
        defined(
            thing(owner={"anyOf": [ref("User"), ref("Team")]}), User=USER, Team=TEAM
        ),
        {"User", "Team"},
    ),
    "members with titles": (
        thing(owner={"anyOf": [{**USER, "title": "User"}, {**TEAM, "title": "Team"}]}),
        {"User", "Team"},
    ),
    "a member beside a text": (
        defined(thing(owner={"anyOf": [ref("User"), TEXT]}), User=USER),
        {"Owner"},
    ),
    "a member that has nothing of its own": (
        thing(owner={"anyOf": [thing(a=TEXT), thing(a=TEXT, team=TEXT)]}),
        {"Owner", "OwnerWithTeam"},
    ),
    "members that list other texts": (
        thing(
            owner={"anyOf": [among("staff", "x"), among("x", "y"), thing(kind=TEXT)]}
        ),
        {"OwnerWithStaff", "OwnerWithKindY", "Owner"},
    ),
    "a long text": (
        thing(owner={"anyOf": [among("a" * 40), among("b" * 45), USER]}),
        {f"A{'a' * 39}", f"B{'b' * 44}", "OwnerByName"},
    ),
    "a place that says nothing": (
        defined(thing(result=listed(ref("User"))), User=USER),
        {"User"},
    ),
    "a title in a place that says nothing": (
        thing(response=listed({**USER, "title": "User"})),
        {"User"},
    ),
    "the elements of the whole": (defined(listed(ref("User")), User=USER), {"User"}),
    "one and several": (
        thing(user=USER, users=listed(TEAM)),
        {"SearchUser", "UsersItem"},
    ),
    "equal ones": (
        thing(one=thing(owner=USER), two=thing(owner=USER, more=TEXT)),
        {"One", "Two", "Owner"},
    ),
    "unequal ones": (
        thing(one=thing(owner=USER), two=thing(owner=TEAM)),
        {"One", "Two", "OneOwner", "TwoOwner"},
    ),
    "no plural": (thing(data=listed(USER)), {"DataItem"}),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_class_has_another_name(name: str) -> None:
    schema, expected = NAMED[name]
    assert names(schema) == expected


def test_a_long_name_counts_a_word_that_repeats() -> None:
    schema: Schema = {}
    for level in range(12):
        schema = thing(item=listed(schema), **{f"level{level}": TEXT})
    made = names(schema)
    assert {"SearchItemItem", "SearchItemItemItemItem", "SearchItem20"} <= made
    assert max(map(len, made)) <= 45


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        *(("Owners", "Owner"), ("RecentEntries", "RecentEntry"), ("Boxes", "Box")),
        *(("Addresses", "Address"), ("Statuses", "Status"), ("Aliases", "Alias")),
        *(("Databases", "Database"), ("Branches", "Branch"), ("Caches", "Cache")),
        *(("Movies", "Movie"), ("children", "child"), ("AllPeople", "AllPerson")),
        *(("Status", ""), ("Data", ""), ("DNS", ""), ("Ids", ""), ("", ""), ("A1", "")),
        *(("Series", ""), ("Analysis", ""), ("Address", ""), ("Kubernetes", "")),
    ],
)
def test_the_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


def schemas() -> Iterator[tuple[str, Schema]]:
    """Yield the schemas of real tools, each with the stem of its classes."""
    for server in SAMPLE:
        for tool in json.loads(recordings()[server].read_text("utf-8"))["tools"]:
            for key in ("inputSchema", "outputSchema"):
                if isinstance(tool.get(key), dict):
                    yield pascal(snake(tool["name"], "tool")), tool[key]


def renamed(schema: Any) -> Any:
    """Return a schema with other keys of definitions; numbered ones stay numbered."""
    if not is_object(schema):
        return schema
    changed = with_inner(schema, renamed)
    for keyword in {"$defs", "definitions"} & changed.keys():
        definitions = changed[keyword].items()
        changed[keyword] = {other_key(key): node for key, node in definitions}
    if re.match(r"#/(\$defs|definitions)/[^/]+$", changed.get("$ref", "")):
        *group, key = changed["$ref"].split("/")
        changed["$ref"] = "/".join([*group, other_key(key)])
    return changed


def other_key(key: str) -> str:
    return f"{key}9" if key[-1:].isdigit() else f"{key}Other"


def titled(schema: Any) -> Any:
    """Return a schema where the elements of arrays have titles."""
    if not is_object(schema):
        return schema
    changed = with_inner(schema, titled)
    if isinstance(changed.get("items"), dict) and "title" not in changed["items"]:
        changed["items"] = {**changed["items"], "title": "Added Title"}
    return changed


@needs("corpus")
@pytest.mark.parametrize("change", [renamed, titled])
def test_real_names_do_not_change(change: Callable[[Any], Any]) -> None:
    unchanged = 0
    for stem, schema in schemas():
        before = {str(type_.name) for type_ in compiled(schema, stem).types}
        after = {str(type_.name) for type_ in compiled(change(schema), stem).types}
        own = named_definitions(Document.read(schema)).values()
        lost = before - after
        assert not [name for name in lost if not any(word in name for word in own)]
        unchanged += len(before - lost)
    assert unchanged > 500
