"""A model that names one defined after it finds it in its own module alone."""

from __future__ import annotations

import os
import signal
import time
from importlib import import_module, invalidate_caches
from itertools import count
from textwrap import indent
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.validation import models as runtime

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = count()
# As generated modules are: `Leaf` names a class after it, and that one names `Leaf`.
MODULE = """
from __future__ import annotations

from mcp_bindgen.runtime.validation.models import CamelModel, Model
from mcp_bindgen.runtime.validation.scalars import MISSING, Integer, String


class Leaf(CamelModel):
    lies_in: Node | MISSING = MISSING
    size: Integer | MISSING = MISSING


class Node(Model):
    name: String
    leaf: Leaf | MISSING = MISSING
    next: Node | MISSING = MISSING


class Arguments(Model):
    root: Node | MISSING = MISSING
"""
# A program that has names of its own, and makes a `Leaf`.
PROGRAM = """
from pydantic import BaseModel, TypeAdapter, create_model

import {models} as models
from mcp_bindgen.runtime.client.binding import Binding, raw

NODE = {{"name": "a", "leaf": {{"size": 1}}, "next": {{"name": "b"}}}}
LEAF = {{"liesIn": NODE}}


class Other(BaseModel):
    own: int
"""
IN_A_FUNCTION = """
def main():
    Node = Leaf = Other
{body}
    return leaf


leaf = main()
"""
AT_THE_TOP = """
Node = Leaf = Other
{body}
"""
BODIES = {
    "an object": "leaf = models.Leaf.model_validate(LEAF)",
    "JSON": """text = TypeAdapter(dict).dump_json(LEAF)
leaf = models.Leaf.model_validate_json(text)""",
    "keywords": "leaf = models.Leaf(lies_in=NODE)",
    "a rebuilt model": """models.Leaf.model_rebuild(force=True)
leaf = models.Leaf.model_validate(LEAF)""",
    "a list": "leaf = TypeAdapter(list[models.Leaf]).validate_python([LEAF])[0]",
    "a class of the program": """Own = create_model("Own", leaf=(models.Leaf, ...))
leaf = Own(leaf=LEAF).leaf""",
    "a subclass": """class Sub(models.Leaf):
    more: int = 0
leaf = Sub.model_validate(LEAF)""",
    "a subclass with a model": """class Sub(models.Arguments):
    leaf: models.Leaf
leaf = Sub.model_validate({"leaf": LEAF}).leaf""",
    "a subclass with types of its own": """class Own(BaseModel):
    size: int
class Sub(models.Leaf):
    own: Own
    later: "Later"
class Later(BaseModel):
    size: int
Sub.model_rebuild()
leaf = Sub.model_validate({**LEAF, "own": {"size": 1}, "later": {"size": 2}})
assert (leaf.own, leaf.later) == (Own(size=1), Later(size=2))""",
    "a call": """binding = Binding("t", models.Leaf, raw)
assert binding.prepare(LEAF) == LEAF
leaf = models.Leaf.model_validate(LEAF)""",
}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a module whose models were never used."""
    name = f"models_{next(NUMBERS)}"
    (tmp_path / f"{name}.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # pyright: ignore[reportUnknownMemberType]
    invalidate_caches()
    return import_module(name)


@pytest.mark.parametrize(
    "where", [IN_A_FUNCTION, AT_THE_TOP], ids=["in a function", "at the top"]
)
@pytest.mark.parametrize("name", BODIES)
def test_names_of_a_program_are_no_types(
    models: Any, tmp_path: Path, name: str, where: str
) -> None:
    body = BODIES[name]
    body = indent(body, "    ") if where == IN_A_FUNCTION else body
    text = PROGRAM.format(models=models.__name__) + where.format(body=body)
    program = f"program_{next(NUMBERS)}"
    (tmp_path / f"{program}.py").write_text(text, "utf-8")
    invalidate_caches()
    leaf = import_module(program).leaf
    assert isinstance(leaf, models.Leaf)
    assert type(leaf.lies_in) is models.Node
    assert type(leaf.lies_in.leaf) is models.Leaf
    assert leaf.lies_in.next.name == "b"


def test_a_missing_name_is_an_error(models: Any) -> None:
    del models.Node
    with pytest.raises(NameError, match="Node"):
        models.Leaf.model_rebuild()
    assert models.Leaf.model_rebuild(raise_errors=False) is False


def test_a_class_without_a_module_has_the_names_around_it(models: Any) -> None:
    text = """class Sub(Leaf):
    later: "Later"
class Later(Leaf): pass
leaf = Sub.model_validate({"later": {"size": 2}})"""
    names: dict[str, Any] = {"__name__": "no_module", "Leaf": models.Leaf}
    exec(text, names)
    assert type(names["leaf"].later) is names["Later"]


def test_a_fork_waits_for_a_build(models: Any) -> None:
    begun = Event()

    def build() -> None:
        with vars(runtime)["_building"]:
            begun.set()
            time.sleep(0.05)

    thread = Thread(target=build)
    thread.start()
    begun.wait()
    if (child := os.fork()) == 0:
        signal.alarm(10)  # which ends a child that waits
        models.Leaf.model_validate({})
        os._exit(0)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert models.Leaf.model_validate({})
