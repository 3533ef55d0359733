"""Models send wire names, whichever of them is made first in a fresh process."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel, ValidationError

from tests.packages import generate
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

ORDERS = 12  # of a module's classes
# The servers with classes that name later ones, but for one of 300 tools, which takes
# a minute.
SERVERS = ("elevenlabs", "mcp_server_odoo", "notion", "pagerduty", "xcodebuild")


def page() -> dict[str, Any]:
    """Return a schema of pages in blocks in pages, with names that are renamed."""
    block = {
        "type": "object",
        "properties": {"subPage": {"$ref": "#/$defs/Page"}},
    }
    return {
        "type": "object",
        "properties": {"page": {"$ref": "#/$defs/Page"}},
        "$defs": {
            "Block": block,
            "Page": {
                "type": "object",
                "properties": {
                    "childBlocks": {
                        "type": "array",
                        "items": {"$ref": "#/$defs/Block"},
                    },
                    "pageTitle": {"type": "string"},
                },
            },
        },
    }


def fresh(name: str) -> ModuleType:
    """Import a module as a new process would."""
    sys.modules.pop(name, None)
    return importlib.import_module(name)


def models(module: ModuleType) -> dict[str, type[BaseModel]]:
    every = {name: getattr(module, name) for name in module.__all__}
    return {
        name: value
        for name, value in every.items()
        if isinstance(value, type) and issubclass(value, BaseModel)
    }


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))


def wire_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the fields of a class, completed in another module, with their aliases."""
    model.model_rebuild()
    return {n: field.alias or n for n, field in model.model_fields.items()}


def sent(model: type[BaseModel], names: Sequence[str]) -> set[str]:
    """Return the names under which a constructor passes what it is given on.

    No value fits but where any does, so that nearly each is in an error.
    """
    value = object()
    try:
        made = model(**dict.fromkeys(names, value))
    except ValidationError as error:
        faults = error.errors(include_url=False)
        assert not [f for f in faults if f["type"] in {"missing", "extra_forbidden"}]
        return {str(fault["loc"][0]) for fault in faults}
    return {*made.model_dump(by_alias=True)}


def names_later_class(source: str) -> bool:
    """Return whether a class has a field whose type is a class defined further down."""
    classes = [
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)
    ]
    later = {node.name for node in classes}
    for node in classes:
        later.discard(node.name)
        fields = [inner for inner in node.body if isinstance(inner, ast.AnnAssign)]
        if later & {
            n.id for f in fields for n in ast.walk(f) if isinstance(n, ast.Name)
        }:
            return True
    return False


def check(name: str) -> int:
    """Make the models of a module in many orders; return how many were made.

    Only the classes matter that are not complete at import: pydantic knows the fields
    of the others.
    """
    module = fresh(name)
    late = [n for n, m in models(module).items() if not m.__pydantic_fields_complete__]
    names = {n: wire_names(m) for n, m in models(module).items() if n in late}
    for order in islice(orders(late), ORDERS):
        classes = models(fresh(name))
        for class_ in order:
            renamed = {n: wire for n, wire in names[class_].items() if n != wire}
            passed = sent(classes[class_], [*names[class_]])
            assert not passed & (renamed.keys() - {*renamed.values()}), (order, class_)
            assert passed or not renamed, (order, class_)
    return len(late)


def orders(late: list[str]) -> Iterator[list[str]]:
    """Yield orders in which each class is the first, and the last, in turn."""
    for turn in range(len(late)):
        order = [*late[turn:], *late[:turn]]
        yield order
        yield order[::-1]


def test_a_class_that_names_a_later_one_sends_wire_names(path: Path) -> None:
    tool = {"name": "show", "inputSchema": page()}
    (path / "pages.json").write_text(json.dumps({"tools": [tool]}))
    assert generate(path / "pages.json", "-o", path, "--name", "pages")[0] == 0
    for first in ("Page", "ChildBlock"):
        module = fresh("pages.tools.show")
        getattr(module, first)()
        inner = module.Page(page_title="inner")
        outer = module.Page(child_blocks=[module.ChildBlock(sub_page=inner)])
        assert outer.model_dump(exclude_unset=True) == {
            "childBlocks": [{"subPage": {"pageTitle": "inner"}}]
        }
    assert check("pages.tools.show") > 0


@needs("corpus")
def test_every_order_of_construction_sends_wire_names(path: Path) -> None:
    made = 0
    for name in SERVERS:
        recording = recordings()[name]
        assert generate(recording, "-o", path, "--name", name, "--quiet")[0] == 0
        for tool in sorted((path / name / "tools").glob("[a-z]*.py")):
            if names_later_class(tool.read_text("utf-8")):
                made += check(f"{name}.tools.{tool.stem}")
    assert made > 0
