"""One tool whose module or types do not work leaves all other tools working."""

from __future__ import annotations

import importlib
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.binding import Binding, structured
from mcp_bindgen.runtime.results import ToolResult
from mcp_bindgen.runtime.validation.models import Model

from tests.packages import generate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

ANY_ID = {"type": "object", "properties": {"id": {"type": "integer"}}}
CHOICE = {
    "type": "object",
    "anyOf": [{"properties": {"a": ANY_ID}}, {"properties": {"b": ANY_ID}}],
}
TWO_MEANINGS = """
class TwoArguments(Model):
    pet: Annotated[_Cat | _Dog, Field(discriminator="kind")] | MISSING = MISSING
class _Cat(Model):
    kind: Literal["same"]
class _Dog(Model):
    kind: Literal["same"]
from typing import Annotated, Literal
from pydantic import Field
from .._runtime.validation.scalars import MISSING
"""


class Transport:
    """Answers every call, and notes it."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        from mcp_bindgen.runtime.results import ToolResult

        self.calls.append(name)
        return ToolResult.from_wire({"structuredContent": {"a": arguments}})

    def close(self) -> None: ...


@pytest.fixture
def package(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """A package whose tool `two` has other source added."""
    tools = [
        {"name": name, "inputSchema": ANY_ID, "outputSchema": CHOICE}
        for name in ("one", "two", "three")
    ]
    recording = tmp_path / "broken.json"
    recording.write_text(json.dumps({"tools": tools}))
    options = ("-o", tmp_path, "--target", "python,openai", "--quiet")
    assert generate(recording, *options).code == 0
    module = tmp_path / "broken" / "tools" / "two.py"
    source, start = module.read_text(), "_TOOL: Binding"
    module.write_text(source.replace(start, f"{request.param}\n{start}"))
    sys.path.insert(0, str(tmp_path))
    yield importlib.import_module("broken")
    sys.path.remove(str(tmp_path))
    for name in [n for n in sys.modules if n.partition(".")[0] == "broken"]:
        del sys.modules[name]


@pytest.mark.parametrize("package", ["raise TypeError('no')"], indirect=True)
def test_a_star_import_leaves_out_the_tool_and_says_so(package: ModuleType) -> None:
    names: dict[str, Any] = {}
    with pytest.warns(RuntimeWarning, match=r"tools\.two is left out: TypeError: no"):
        exec("from broken import *", names)
    assert {"one", "three_async", "ThreeArguments", "Client"} <= names.keys()
    assert not {"two", "two_async", "TwoArguments", "TwoResult"} & names.keys()
    assert "two" in dir(package)


@pytest.mark.parametrize(
    "package", ["raise TypeError('no')", TWO_MEANINGS], indirect=True
)
def test_other_calls_are_made(package: Any) -> None:
    transport = Transport()
    client = package.Client(transport)
    calls = [partial(call_by_name, client, name) for name in ("one", "two", "three")]
    one, two, three = client.call_many(calls)
    assert isinstance(two, package.UnusableToolError)
    assert isinstance(two, package.McpError)
    assert two.tool == "two"
    assert "the generated code of the tool does not work: TypeError" in str(two)
    assert one.a.id == three.a.id == 1
    assert sorted(transport.calls) == ["one", "three"]


@pytest.mark.parametrize(
    "package", ["raise TypeError('no')", TWO_MEANINGS], indirect=True
)
def test_a_model_gets_answers_of_other_tools(package: ModuleType) -> None:
    target = importlib.import_module("broken.openai")
    transport = Transport()
    client = package.Client(transport)
    functions = [
        {"id": name, "function": {"name": name, "arguments": '{"id": 1}'}}
        for name in ("one", "two", "three")
    ]
    replies = target.run_tool_calls(client, {"tool_calls": functions})
    assert transport.calls == ["one", "three"]
    assert ["does not work" in reply["content"] for reply in replies] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("package", ["class TwoResult: ..."], indirect=True)
def test_a_result_whose_type_cannot_be_built_is_in_the_error(package: Any) -> None:
    client = package.Client(Transport())
    with pytest.raises(package.UnexpectedResultError, match="cannot be built") as error:
        client.two(id=1)
    assert error.value.result.structured == {"a": {"id": 1}}
    assert client.one(id=1).a.id == 1


def call_by_name(client: Any, name: str) -> Any:
    return getattr(client, name)(id=1)


class Interrupted(Exception):  # noqa: N818 - a program's own, out of a signal handler
    """Comes once, while a model is built."""


def interrupted_once(model: type[Model]) -> type[Model]:
    """Have the first build of a model end with an exception that is not its fault."""
    builds = iter([Interrupted()])

    def schema(_cls: Any, source: Any, handler: Any) -> Any:
        for error in builds:
            raise error
        return handler(source)

    setattr(model, "__get_pydantic_core_schema__", classmethod(schema))  # noqa: B010
    return model


def test_an_interrupted_build_is_no_fault_of_the_tool() -> None:
    class Sent(Model):
        number: int

    class Read(Model):
        number: int

    binding = Binding("add", interrupted_once(Sent), structured(interrupted_once(Read)))
    with pytest.raises(Interrupted):
        binding.prepare({"number": 1})
    assert binding.prepare({"number": 1}) == {"number": 1}
    result = ToolResult(structured={"number": 2}, has_structured=True)
    with pytest.raises(Interrupted):
        binding.parse(result)
    assert binding.parse(result).number == 2
