"""A generated model accepts what jsonschema-rs accepts, and gives it back unchanged."""

from __future__ import annotations

import json
import os
import sys
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.strict_json import json_key
from mcp_bindgen.runtime.validation import bounded
from pydantic import TypeAdapter, ValidationError

from tests.strategies import DRAFT_7, HOMES, NAMES, VALUES, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("schemas")

OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
NUMBERS = count()


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Write a package, whose runtime the modules of all examples use."""
    folder = tmp_path_factory.mktemp("random")
    schema = {"type": "object", "minProperties": 1}  # needs residual validation too
    write(folder / "randomly", generated({"name": "checked", "inputSchema": schema}))
    sys.path.insert(0, str(folder))
    with pytest.MonkeyPatch.context() as patch:
        # Answers that count as large pass a check of their own; here all do.
        patch.setattr(limits, "LARGE_ANSWER", -1)
        yield
    sys.path.remove(str(folder))


def generated(tool: dict[str, Any]) -> dict[str, str]:
    recording = json.dumps({"tools": [tool]}).encode()
    made = generate(recording, "randomly", Settings(("python",)))
    # Until draft 7 a reference hides the type beside it.
    others = [p for p in made.problems if "of type object" not in p.message]
    assert others == []
    if made.problems:
        reject()
    return dict(made.files)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def module_of(input_schema: object, output_schema: object) -> tuple[ModuleType, str]:
    """Return the module of a tool with these schemas, and how its classes begin."""
    name = f"t{next(NUMBERS)}"
    tool = {"name": name, "inputSchema": input_schema, "outputSchema": output_schema}
    path = f"tools/{name}.py"
    module = ModuleType(f"randomly.tools.{name}")
    module.__package__ = "randomly.tools"
    sys.modules[module.__name__] = module  # where pydantic looks names up
    exec(compile(generated(tool)[path], path, "exec"), module.__dict__)
    return module, name.title()


def verdicts(type_: Any, values: Iterable[object]) -> list[object]:
    """Return for each value what a type gives back, or that it refuses."""
    adapter, read = TypeAdapter[Any](type_), bounded.reader(type_)
    return [_verdict(adapter, read, value) for value in values]


def _verdict(
    adapter: TypeAdapter[Any], read: Callable[[object], object], value: object
) -> object:
    try:
        return json_key(adapter.dump_python(read(value), mode="json", by_alias=True))
    except ValidationError:
        return "refused"


def expected(accepts: Callable[[Any], bool], value: object) -> object:
    return json_key(value) if accepts(value) else "refused"


@settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "150")))
@given(documents(), st.lists(OBJECTS, max_size=5), st.lists(VALUES, max_size=5))
def test_a_model_is_its_schema(
    schema: dict[str, Any], objects: list[dict[str, Any]], values: list[object]
) -> None:
    arguments = {**schema, "type": "object"}
    module, stem = module_of(arguments, schema)
    for part, class_, given_values in (
        (arguments, f"{stem}Arguments", objects),
        (schema, f"{stem}Result", [*objects, *values]),
    ):
        type_ = getattr(module, class_)
        accepts = jsonschema_rs.validator_for(part).is_valid
        found = verdicts(type_, given_values)
        assert found == [expected(accepts, value) for value in given_values]


def agree(schema: dict[str, Any], values: list[Any]) -> None:
    """Check one schema alone: residual validation would check what stands beside it."""
    module, stem = module_of({"type": "object"}, schema)
    type_ = getattr(module, f"{stem}Result")
    accepts = jsonschema_rs.validator_for(schema).is_valid
    found = verdicts(type_, values)
    assert found == [expected(accepts, value) for value in values], schema


# What Python, or a careless reader of JSON, takes for the same.
ALIKE: list[Any] = [
    *(1, True, 1.0, 0, False, "1", "", None, [1], [True], [], {}),
    *({"a": 1}, {"a": True}, 2**63, -(2**63), 2**53, 2.0**53),
]
PAIRS: list[tuple[Any, Any]] = [
    *((1, True), (True, 1.0), (1, 1.0), (False, 0), ("1", 1), (None, "")),
    *(([1], [True]), ({"a": 1}, {"a": True}), (2**53, 2.0**53), (2**63, 2**53)),
]


def meetings(one: object, two: object) -> Iterator[dict[str, Any]]:
    """Yield schemas in which two values meet, each in another way."""
    first, second = {"const": one}, {"const": two}
    pair: list[Any] = [first, second]
    inner = [{"properties": {"x": part}} for part in pair]
    yield {"allOf": pair}
    yield {"allOf": [{"enum": [one, "z"]}, {"enum": [two, "z"]}]}
    yield {"allOf": [{"enum": [one]}, {"enum": [two]}]}
    yield {"enum": [one, two]}
    yield {"anyOf": pair}
    yield {"oneOf": pair}
    yield {"const": one, "enum": [two, "z"]}
    yield {"type": "object", "allOf": inner}
    yield {"type": "array", "allOf": [{"items": part} for part in pair]}


@pytest.mark.parametrize(("one", "two"), PAIRS, ids=repr)
def test_what_is_alike_is_not_the_same(one: object, two: object) -> None:
    values = [*ALIKE, *({"x": value} for value in ALIKE), *([v] for v in ALIKE)]
    for schema in meetings(one, two):
        agree(schema, values)


OPEN = [
    {"type": "object", "properties": {"A": {"const": tag}}, "required": ["A"]}
    for tag in ("x", "y")
]
CLOSED = [{**schema, "additionalProperties": False} for schema in OPEN]
WORDS = st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=2, unique=True)
ENUMS: st.SearchStrategy[dict[str, Any]] = WORDS.map(lambda words: {"enum": words})
TAGS = ENUMS | WORDS.map(lambda words: {"const": words[0]})
TAG_NAMES = st.sampled_from(["kind", "Method", "op"])


@st.composite
def tagged_objects(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an object with properties that may tell it from others of its kind."""
    anything = st.builds(dict[str, Any])
    properties = draw(st.dictionaries(TAG_NAMES, TAGS | anything, min_size=1))
    for name in properties.keys() & {draw(TAG_NAMES)}:
        properties[name] = {**properties[name], **draw(NARROWER)}
    required = sorted(draw(st.sets(st.sampled_from(sorted(properties)))))
    more: dict[str, Any] = draw(st.sampled_from([{}, {"additionalProperties": False}]))
    return {"type": "object", "properties": properties, "required": required, **more}


# What may stand beside a list of values, and change what it means.
NARROWER: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {"type": "string"},
        {"type": "integer"},
        {"const": "x"},
        {"$ref": "#/$defs/text"},
        {"allOf": [{"type": "integer"}]},
    ]
)
TAGGED = st.dictionaries(TAG_NAMES, st.sampled_from(["x", "y", "z", 1]), max_size=3)


@settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "150")))
@given(
    st.sampled_from(["anyOf", "oneOf"]),
    st.lists(tagged_objects(), min_size=2, max_size=4),
    st.sampled_from([{}, {"$schema": DRAFT_7}]),
    st.lists(TAGGED, max_size=8),
)
def test_a_tag_differs_in_all_branches(
    keyword: str,
    branches: list[dict[str, Any]],
    dialect: dict[str, str],
    values: list[Any],
) -> None:
    text = {"text": {"type": "string"}}
    agree({**dialect, keyword: branches, "$defs": text}, values)


def request(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return an object with properties that it must have."""
    return {"type": "object", "properties": properties, "required": [*properties]}


BLOCK, X, Y, ONE = {"const": "block"}, {"const": "x"}, {"const": "y"}, {"const": 1}
INTEGER = {"type": "integer"}
NO_TAGS: list[list[dict[str, Any]]] = [
    [request(kind=BLOCK, op=X), request(kind=BLOCK, op=Y)],
    [request(kind=BLOCK, op=ONE), request(kind=BLOCK, op={"const": 2})],
    [request(kind={**X, **INTEGER}), request(kind={**Y, **INTEGER})],
    [request(kind={**X, "enum": ["z"]}), request(kind=Y)],
    [request(kind={**X, "$ref": "#/$defs/text"}), request(kind=Y)],
    [{**request(kind=X), "allOf": [request(kind=INTEGER)]}, request(kind=Y)],
]


@pytest.mark.parametrize("dialect", [{}, {"$schema": DRAFT_7}], ids=["2020", "7"])
@pytest.mark.parametrize("branches", NO_TAGS, ids=repr)
def test_what_is_no_tag(branches: list[Any], dialect: dict[str, str]) -> None:
    kinds = ["block", "x", "y", "z", 1]
    values: list[Any] = [{"kind": kind, "op": op} for kind in kinds for op in ("x", 1)]
    text = {"text": {"type": "string"}}
    agree({**dialect, "oneOf": branches, "$defs": text}, [*values, {}, {"kind": "x"}])


PARTS: list[dict[str, Any]] = [
    {},
    {"items": {"type": "string"}},
    {"items": False, "maxItems": 1},
    {"prefixItems": [True], "minItems": 1, "maxItems": 1},
    {"prefixItems": [{"type": "integer"}], "minItems": 1},
    {"prefixItems": [True], "items": False, "minItems": 1},
    {"additionalItems": False},
]
OLDER: list[dict[str, Any]] = [
    *PARTS[:3],
    {"items": [True], "minItems": 1, "maxItems": 1},
    {"items": [{"type": "integer"}], "minItems": 1},
    {"items": [True], "additionalItems": False, "minItems": 1},
    {"additionalItems": False},
]
LISTS: list[Any] = [[], [1], ["a"], [1, 2], ["a", "b"], [1, "a"], ["a", 1]]


@pytest.mark.parametrize("schema", [{"oneOf": OPEN}, {"oneOf": CLOSED}], ids=repr)
def test_a_tag_has_its_own_name_only(schema: dict[str, Any]) -> None:
    tags = [{"A": "x"}, {"A": "z"}, {"a": "x"}, {}]
    values = [{**tag, **more} for tag in tags for more in ({}, {"a": 1}, {"a": "y"})]
    agree(schema, values)


@pytest.mark.parametrize("dialect", [{}, {"$schema": DRAFT_7}], ids=["2020", "7"])
def test_elements_meet_in_an_all_of(dialect: dict[str, str]) -> None:
    parts = OLDER if dialect else PARTS
    for one in parts:
        for two in parts:
            both = [{"type": "array", **one}, {"type": "array", **two}]
            agree({**dialect, "allOf": both}, LISTS)


REF = {"$ref": "#/$defs/d"}
INSIDE = {"a": {"$ref": "#/$defs/e"}}
HOME = {"$id": "http://a/x", "type": "object", "properties": INSIDE}
TARGETS: list[dict[str, Any]] = [
    {"type": "object", "properties": {"a": {}}, "not": {"required": ["a"]}},
    {"type": "object", "dependentRequired": {"a": ["b"]}},
    {**HOME, "$defs": {"e": {"type": "string"}}},
]


@pytest.mark.parametrize("target", TARGETS, ids=repr)
@pytest.mark.parametrize("root", [REF, {"allOf": [REF, {"type": "object"}]}], ids=repr)
def test_a_root_is_what_it_refers_to(
    root: dict[str, Any], target: dict[str, Any]
) -> None:
    schema = {**root, "$defs": {"d": target, "e": {"type": "integer"}}}
    module, stem = module_of(schema, schema)
    accepts = jsonschema_rs.validator_for(schema).is_valid
    values: list[Any] = [{}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 1}, {"b": 1}]
    for class_ in (f"{stem}Arguments", f"{stem}Result"):
        type_ = getattr(module, class_)
        found = verdicts(type_, values)
        assert found == [expected(accepts, value) for value in values], class_


LATER: list[dict[str, Any]] = [
    {"type": "array", "prefixItems": [True], "minItems": 1, "maxItems": 1},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    {"dependentSchemas": {"a": False}, "items": [{"prefixItems": [False]}]},
]


@pytest.mark.parametrize("schema", LATER, ids=repr)
def test_older_schemas_know_no_later_keywords(schema: dict[str, Any]) -> None:
    agree({**schema, "$schema": DRAFT_7}, [*LISTS, [[1]], {"a": 1}])


@pytest.mark.parametrize("home", HOMES)
def test_grouped_definitions_are_kept(home: str) -> None:
    inner = {"type": "object", "minProperties": 1}
    outer = {"properties": {"a": {"$ref": f"#/{home}/inner"}}, "maxProperties": 2}
    group: dict[str, Any] = {"inner": inner, "outer": {"type": "object", **outer}}
    group["unused"] = {"type": "object", "properties": {"x": {"const": "unused"}}}
    definitions: Any = group
    for step in reversed(home.split("/")):
        definitions = {step.replace("~1", "/"): definitions}
    # A property of that name is no definition.
    root = {"type": "object", "properties": {"components": True}}
    whole = {"anyOf": [{"$ref": f"#/{home}/outer"}, {"type": "integer"}], "not": False}
    schema = {**definitions, **root, "not": {"required": ["z"]}, "allOf": [whole]}
    del schema["type"]
    agree(schema, [{"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}, "z": 1}, 1, "text"])
    module, stem = module_of(schema, schema)
    ends = ("Arguments", "Result")
    texts: list[object] = [getattr(module, f"{stem}{end}") for end in ends]
    assert not any("unused" in repr(vars(text)) for text in texts if text)


INTO_PARTS = [
    "#/properties/x/properties/y",
    "#/properties/x/anyOf/0",
    "#/prefixItems/1",
    "#/x-list/1",
    "#/x-list/1/properties/y",
    "#/%24defs/a%25b",
]


@pytest.mark.parametrize("reference", INTO_PARTS)
def test_references_into_parts_of_a_schema(reference: str) -> None:
    thing = {"type": "object", "properties": {"y": {"type": "string"}}}
    schema = {
        "properties": {
            "x": {**thing, "anyOf": [thing]},
            "z": {"$ref": reference},
        },
        "prefixItems": [True, thing],
        "x-list": [1, thing],
        "$defs": {"a%b": thing},
        "not": {"required": ["never"]},
    }
    agree(schema, [{"z": {"y": "t"}}, {"z": {"y": 1}}, {"z": "t"}, {"never": 1}, 1])
