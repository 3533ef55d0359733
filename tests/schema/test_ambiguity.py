"""What pydantic may try for one part of a value stays bounded, whatever the schema."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.schema.compile import CompiledSchema, compile_result
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from pathlib import Path

F = {"$ref": "#/$defs/F"}
MANY = {"type": "array", "items": F}
TEXT = {"type": "string"}


def thing(*required: str, **properties: object) -> dict[str, Any]:
    """Return the schema of an object."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed}


def around(*branches: object, **more: object) -> dict[str, Any]:
    """Return a result whose `v` is one of some schemas, which may hold the same."""
    return {**thing(v=F), "$defs": {"F": {"anyOf": [*branches]}, **more}}


def chain(levels: int) -> dict[str, Any]:
    """Return objects in objects, at each level one of two."""
    defs: dict[str, Any] = {f"d{levels}": {"type": "integer"}}
    for level in range(levels):
        ref = {"$ref": f"#/$defs/d{level + 1}"}
        pair = [thing(a=ref), thing(a=ref, b={"type": "integer"})]
        defs[f"d{level}"] = {"anyOf": pair}
    return {**thing(v={"$ref": "#/$defs/d0"}), "$defs": defs}


def tag(value: object) -> dict[str, Any]:
    """Return the schema of one value."""
    return {"const": value}


SAFE = {
    "filters": around(
        thing(**{"and": MANY}), thing(**{"or": MANY}), thing(field=TEXT, value=TEXT)
    ),
    "tagged": around(
        thing("op", op=tag("and"), of=MANY), thing("op", op=tag("or"), of=MANY)
    ),
    "JSON": around(TEXT, MANY, {"type": "object", "additionalProperties": F}),
    "pairs": around(thing(left=F, right=F), TEXT),
    "groups": around(thing(items=MANY, name=TEXT), thing(items={"type": "array"})),
    "a chain": chain(8),
}
COSTLY = {
    "objects": around(thing(a=F, k=tag(1)), thing(a=F, k=tag(2))),
    "a tag that may miss": around(thing(a=F, k=tag("x")), thing(a=F, k=tag("y"))),
    "lists": around(MANY, {"type": "array", "items": {"anyOf": [F, TEXT]}}),
    "values": around(thing(a=F), {"type": "object", "additionalProperties": F}),
    "in between": around(thing(a={"$ref": "#/$defs/G"}), thing(a=MANY), G=MANY),
    "elements": {
        **thing(v=F),
        "$defs": {
            "F": {"type": "array", "prefixItems": [MANY, {**MANY, "title": "x"}]}
        },
    },
    "a chain": chain(20),
}


def compiled(schema: dict[str, Any]) -> CompiledSchema:
    """Return the types of a result."""
    return compile_result(schema, "Tool", frozenset())


def residual(rooted: CompiledSchema) -> list[str]:
    """Return the unions that residual validation checks."""
    return [n.pointer for n in rooted.notes if n.detail in {"anyOf", "prefixItems"}]


@pytest.mark.parametrize("name", SAFE)
def test_what_tries_little_keeps_its_types(name: str) -> None:
    assert not [note for note in compiled(SAFE[name]).notes if note.kind != "renamed"]


@pytest.mark.parametrize("name", COSTLY)
def test_what_tries_too_much_is_left_to_residual_validation(name: str) -> None:
    rooted = compiled(COSTLY[name])
    assert residual(rooted)
    assert rooted.root.residual is not None


def test_a_tag_is_used_beside_what_is_no_object() -> None:
    ops = [thing("op", op=tag(word), a=F) for word in ("and", "or")]
    rooted = compiled(around(*ops, TEXT, {"type": "null"}))
    assert not residual(rooted)
    assert "discriminator" in "".join(
        flat(type_.type) for type_ in rooted.types if not isinstance(type_, Object)
    )


def test_objects_stay_dicts() -> None:
    root = compiled(COSTLY["objects"]).root
    assert isinstance(root, Object)
    assert flat(root.fields[0].type) == "dict[str, Any]"


RUN = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
sys.path.insert(0, sys.argv[1])
from importlib import import_module
from package._runtime.results import ToolResult
from package._runtime.errors import McpError
for schema, leaf in ((s, l) for s in json.loads(sys.argv[2]) for l in ("{}", "[1]")):
    tool = import_module(f"package.tools.{schema}")._TOOL
    for levels in (16, 60):
        value = json.loads('{"a":' * levels + leaf + "}" * levels)
        answer = {"structuredContent": {"v": value}}
        for act in (
            lambda: tool.parse(ToolResult.from_wire(answer)),
            lambda: tool.prepare({"v": value}),
        ):
            try:
                act()
            except McpError as error:
                assert len(str(error)) < 10_000
print("done")
"""


def test_values_are_checked_within_seconds(tmp_path: Path) -> None:
    """The processor's time and memory are bounded by the system."""
    schemas = {
        f"t{number}": schema
        for number, schema in enumerate([*COSTLY.values(), *SAFE.values()])
    }
    tools = [
        {"name": name, "inputSchema": schema, "outputSchema": schema}
        for name, schema in schemas.items()
    ]
    package = generate(json.dumps({"tools": tools}).encode(), "package")
    for path, text in package.files.items():
        file = tmp_path / "package" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    run = [sys.executable, "-c", RUN, str(tmp_path), json.dumps([*schemas])]
    ran = subprocess.run(run, capture_output=True, text=True, check=False)
    assert ran.stdout == "done\n", ran.stderr[-2_000:]


def branch(required: str, /, **more: object) -> dict[str, Any]:
    """Return an object that must have one property, without a title."""
    return {
        **thing(required, **{required: TEXT} | more),
        "additionalProperties": False,
    }


NAMED: dict[str, tuple[list[Any], list[str]]] = {
    "a required property": ([branch("query"), branch("url")], ["VByQuery", "VByUrl"]),
    "a constant": (
        [branch("a", kind=tag("one")), branch("a", kind=tag("two"))],
        ["One", "Two"],
    ),
    "a property": (
        [branch("a", c=TEXT), branch("a", b=TEXT)],
        ["VWithC", "VWithB"],
    ),
    "a type": (
        [branch("a"), branch("a", a={"type": "integer"})],
        ["VWithStringA", "VWithIntegerA"],
    ),
    "a type of elements": (
        [
            branch("a", a={"type": "array", "items": {"type": kind}})
            for kind in ("string", "integer")
        ],
        ["VWithStringA", "VWithIntegerA"],
    ),
    "a text, and lists of texts and numbers": (
        [
            branch("a"),
            *(
                branch("a", a={"type": "array", "items": {"type": kind}})
                for kind in ("string", "integer")
            ),
        ],
        ["V", "VWithArrayA", "VWithIntegerA"],
    ),
    "a type among others": (
        [branch("a", a={"anyOf": [TEXT, {"type": "null"}]}), branch("a", a={})],
        ["VWithStringA", "V"],
    ),
    "a constant that a branch with another word shares": (
        [
            branch("a", kind=tag("one")),
            branch("b", kind=tag("one"), a=TEXT),
            branch("a", c=TEXT),
            branch("a"),
        ],
        ["One", "VByB", "VWithC", "V"],
    ),
    "nothing": (
        [branch("a"), branch("a", a={"type": "string", "minLength": 3})],
        ["VVariant1", "VVariant2"],
    ),
    "one more": (
        [branch("query"), branch("url"), branch("path")],
        ["VByQuery", "VByUrl", "VByPath"],
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_branches_are_called_after_what_tells_them_apart(name: str) -> None:
    branches, expected = NAMED[name]
    types = compiled(thing(v={"anyOf": branches})).types
    assert {t.name for t in types} == {*expected, "ToolResult"}
