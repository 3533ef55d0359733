"""Real schemas through the functions: what goes out, what comes back, what never does.

The instances and their verdicts come from the fidelity tests of real servers' schemas,
or from the file that MCP_BINDGEN_INSTANCES names.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.json_values import json_key
from pydantic_core import to_jsonable_python as to_python

from tests.fidelity.__main__ import RAISED
from tests.packages import generate
from tests.shared import SHARED, needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

FILE = Path(
    os.environ.get("MCP_BINDGEN_INSTANCES", SHARED / "fidelity" / "instances.json")
)
pytestmark = [needs(str(FILE)), pytest.mark.xdist_group("fidelity")]

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One schema with the values that it allows and forbids, and its tool."""

    tool: str
    schema: JsonObject
    valid: list[Any]
    invalid: list[Any]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    tools = json.loads(FILE.read_text())["tools"]
    return [
        Case(f"t{n}", t["schema"], t["valid"], [i["data"] for i in t["invalid"]])
        for n, t in enumerate(tools)
    ]


@pytest.fixture(scope="module")
def package(
    cases: list[Case], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ModuleType]:
    """Generate a package whose tools take and return what the schemas say."""
    folder = tmp_path_factory.mktemp("real")
    tools = [
        {"name": case.tool, "inputSchema": case.schema, "outputSchema": case.schema}
        for case in cases
    ]
    (folder / "real.json").write_text(json.dumps({"tools": tools}))
    options = ("--target", "python", "--quiet", *RAISED)
    ran = generate(folder / "real.json", "-o", folder, *options)
    assert ran == (0, "")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("real")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def names(package: ModuleType) -> Mapping[str, Mapping[str, str]]:
    """Return for each tool the wire names of its parameters and their Python names."""
    folder = next(iter(package.__path__))
    tools = json.loads((Path(folder) / "info.json").read_text())
    return {
        tool: {p["wire"]: p["name"] for p in info["parameters"]}
        for tool, info in tools.items()
    }


class Wire:
    """A transport that notes what is sent, and answers what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.sent: list[tuple[str, JsonObject]] = []
        self.answer = answer

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        self.sent.append((name, dict(arguments)))
        return self.answer

    def close(self) -> None:
        """Nothing is held."""


class AsyncWire:
    """The same for tasks."""

    def __init__(self, answer: Any) -> None:
        self.sent: list[tuple[str, JsonObject]] = []
        self.answer = answer

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        self.sent.append((name, dict(arguments)))
        return self.answer

    async def close(self) -> None:
        """Nothing is held."""


def call(client: Any, case: Case, names: Mapping[str, str], data: JsonObject) -> Any:
    """Call a tool's method as a user would: unknown keys are extra arguments."""
    missing = importlib.import_module("real").MISSING
    method: Callable[..., Any] = getattr(client, case.tool)
    required = dict.fromkeys(names.get(w, w) for w in case.schema.get("required", ()))
    known = {names[wire]: value for wire, value in data.items() if wire in names}
    extra = {wire: value for wire, value in data.items() if wire not in names}
    if not names and takes_extra(method):
        return method(extra=data)
    if extra:
        client = client.with_options(extra_arguments=extra)
        method = getattr(client, case.tool)
    absent = {name: missing for name in required if name not in known}
    named = {name: value for name, value in absent.items() if name in names.values()}
    return method(**known, **named)


def takes_extra(method: Any) -> bool:
    return "extra" in method.__func__.__code__.co_varnames


def test_what_a_schema_allows_is_sent_as_it_is(
    package: ModuleType, cases: list[Case], names: Mapping[str, Mapping[str, str]]
) -> None:
    count = 0
    for case in cases:
        for data in case.valid:
            wire = Wire(answered(data))
            call(package.Client(wire), case, names[case.tool], data)
            ((tool, sent),) = wire.sent
            assert (tool, json.dumps(sent)) == (case.tool, ordered(data, sent))
            count += 1
    assert count > 8_000


def is_object(data: object) -> bool:
    """Return whether a value can be given as arguments at all."""
    return isinstance(data, dict)


def answered(data: object) -> Any:
    results = importlib.import_module("real._runtime.results")
    return results.ToolResult(structured=data, has_structured=True)


def ordered(data: JsonObject, like: JsonObject) -> str:
    """Return JSON text with the outermost keys in the order of another object."""
    assert data.keys() == like.keys()
    return json.dumps({key: data[key] for key in like})


def test_what_a_schema_forbids_is_never_sent(
    package: ModuleType, cases: list[Case], names: Mapping[str, Mapping[str, str]]
) -> None:
    count = 0
    for case in cases:
        client = package.Client(wire := Wire(None))
        for data in case.invalid:
            if is_object(data):
                with pytest.raises(package.InvalidArgumentsError) as caught:
                    call(client, case, names[case.tool], data)
                assert caught.value.faults
                assert caught.value.tool == case.tool
                count += 1
        assert wire.sent == []
    assert count > 7_000


@pytest.mark.usefixtures("package")
def test_what_a_schema_allows_comes_back_whole(cases: list[Case]) -> None:
    for case in cases:
        read = reader(case)
        for data in case.valid:
            dumped = to_python(read(data), by_alias=True)
            assert json_key(dumped) == json_key(data)


def test_what_a_schema_forbids_is_an_unexpected_result(
    package: ModuleType, cases: list[Case]
) -> None:
    for case in cases:
        read = reader(case)
        for data in case.invalid:
            with pytest.raises(package.UnexpectedResultError) as caught:
                read(data)
            assert caught.value.faults


def reader(case: Case) -> Callable[[object], Any]:
    """Return what turns a structured result into what a function returns."""
    binding = importlib.import_module(f"real.tools.{case.tool}")._TOOL
    return lambda data: binding.parse(answered(data))


def test_the_same_goes_out_where_calls_are_awaited(
    package: ModuleType, cases: list[Case], names: Mapping[str, Mapping[str, str]]
) -> None:
    async def run() -> None:
        for case in cases[::20]:
            for data in case.valid[:5]:
                wire = AsyncWire(answered(data))
                await call(package.AsyncClient(wire), case, names[case.tool], data)
                assert wire.sent == [(case.tool, data)]

    asyncio.run(run())
