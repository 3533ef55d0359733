"""Functions of the program's own, beside the tools of servers."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
from datetime import date
from decimal import Decimal
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from mcp_bindgen.runtime.agents.own import own
from mcp_bindgen.runtime.client.approval import Replace
from mcp_bindgen.runtime.errors import ConfigError
from mcp_bindgen.runtime.results import ToolResult
from pydantic import BaseModel, Field

from tests.targets.fakes import DONE, ONE, Fake

if TYPE_CHECKING:
    from pathlib import Path


class City(BaseModel):
    """A city on a map."""

    name: str


@dataclasses.dataclass
class Weather:
    """What the sky does."""

    day: date
    degrees: float


def weather(
    city: City,
    day: Annotated[date, Field(description="The day, in ISO 8601.")] = date(2026, 1, 2),
    json: float = 20,
) -> Weather:
    """Return the weather of a day."""
    return Weather(day, json)


async def greet(name: str) -> str:
    """Greet a person."""
    await asyncio.sleep(0)
    return f"Hello, {name}!"


def fail(reason: str = "no reason") -> None:
    """Fail."""
    raise ValueError(reason)


def awaitable(name: str) -> Any:
    """Return what is awaited."""
    return greet(name)


def test_the_schema_comes_from_the_signature() -> None:
    (tool,) = own(weather)
    assert (tool.name, tool.info.title) == ("weather", "weather")
    assert tool.info.description == "Return the weather of a day."
    assert tool.info.schema["required"] == ["city"]
    assert tool.info.schema["additionalProperties"] is False
    assert tool.info.schema["properties"] == {
        "city": {"$ref": "#/$defs/City"},
        "day": {
            "type": "string",
            "format": "date",
            "description": "The day, in ISO 8601.",
            "default": "2026-01-02",
        },
        "json": {"type": "number", "default": 20},
    }
    assert tool.info.raw["inputSchema"] == tool.info.input_schema
    assert (tool.info.hints, tool.info.annotations) == ({}, {})
    assert tool.info.server == {"name": "own"}
    assert own(lambda_ := fail)[0].renamed("a b").name == "a_b"
    assert repr(own(fail)) == "[<own tool fail>]"
    assert lambda_ is fail


def price(amount: Decimal, range_: tuple[int, str], many: list[str]) -> str:
    """Tell a price."""
    return f"{Decimal(amount)} {range_} {many}"


def test_interfaces_of_models_accept_the_schema() -> None:
    (tool,) = own(price)
    properties = tool.info.schema["properties"]
    assert "(?" not in json.dumps(properties["amount"])
    assert {part["type"] for part in properties["amount"]["anyOf"]} == {
        "number",
        "string",
    }
    assert properties["range_"]["items"] == {}
    assert len(properties["range_"]["prefixItems"]) == 2
    assert properties["many"]["items"] == {"type": "string"}


def test_a_function_runs_with_values_of_its_types() -> None:
    (tool,) = own(weather)
    arguments = {"city": {"name": "Rome"}, "day": "2026-05-01"}
    for answer in (tool.answer(arguments), asyncio.run(tool.answer_async(arguments))):
        assert answer.value == Weather(date(2026, 5, 1), 20)
        assert json.loads(answer.text) == {"day": "2026-05-01", "degrees": 20}
        assert answer.result is not None
        assert answer.result.structured == json.loads(answer.text)
    wrong = tool.answer({"day": "soon", "extra": 1})
    assert all(path in wrong.text for path in ("/city", "/day", "/extra"))
    assert asyncio.run(tool.answer_async({})).is_error


@pytest.mark.parametrize("function", [greet, awaitable])
def test_an_async_function_runs_from_anywhere(function: Any) -> None:
    (tool,) = own(function)
    assert tool.answer({"name": "Ada"}).text == "Hello, Ada!"
    assert asyncio.run(tool.answer_async({"name": "Ada"})).text == "Hello, Ada!"


def test_an_exception_is_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    (tool,) = own(fail)
    for answer in (tool.answer({}), asyncio.run(tool.answer_async({}))):
        assert (answer.text, answer.is_error) == ("ValueError: no reason", True)
    assert "Traceback" in caplog.text


def test_a_tool_that_failed_is_a_failure() -> None:
    content = [{"type": "text", "text": "no such task"}]

    def finish_task() -> ToolResult:
        return ToolResult.from_wire({"content": content, "isError": True})

    (tool,) = own(finish_task)
    for answer in (tool.answer({}), asyncio.run(tool.answer_async({}))):
        assert (answer.is_error, answer.text) == (True, "no such task")


def test_values_without_json_become_text() -> None:
    def odd() -> Any:
        return [math.inf, {1: object}]

    (tool,) = own(odd)
    assert json.loads(tool.answer({}).text)[0] == "Infinity"


def test_hooks_decide_on_own_functions_too() -> None:
    (tool,) = own(fail)
    denied = tool.asking(lambda _tool, _arguments: False)
    assert "not approved" in denied.answer({}).text
    assert "not approved" in asyncio.run(denied.answer_async({})).text
    replaced = tool.asking(lambda _tool, _arguments: Replace({"reason": "x"}))
    assert replaced.answer({}).text == "ValueError: x"


def unnamed(*values: int) -> None:
    """Take values without names."""


def unknown(value: socket.socket) -> None:  # type: ignore[name-defined] # noqa: F821
    """Take a value of a type that does not exist."""


NAMELESS: Any = partial(greet, "Ada")


NO_TOOLS: list[tuple[Any, str]] = [
    (NAMELESS, "functions with a name"),
    (7, "functions with a name, and got 7"),
    (unnamed, "takes arguments without a name"),
    (unknown, "no JSON Schema describes the parameters of unknown: NameError"),
]


@pytest.mark.parametrize(("function", "text"), NO_TOOLS)
def test_what_is_no_tool_is_an_error(function: Any, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        own(function)


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return one call of a chat completion."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": name, "type": "function", "function": function}


@pytest.mark.parametrize("package", ["fw_todo", "fw_catalog"])
def test_own_functions_stand_beside_tools(packages: Path, package: str) -> None:
    """Also where each package has a runtime of its own."""
    module, todo = import_module(package), import_module("fw_todo")
    fake = Fake("fw_todo", DONE)
    tools = todo.toolset(todo.Client(fake), include="complete_task")
    box = module.Toolbox(tools, module.own(greet, fail))
    openai = import_module(f"{package}.openai")
    offered = openai.tools(box)
    assert [tool["function"]["name"] for tool in offered] == [
        "complete_task",
        "greet",
        "fail",
    ]
    calls = [call("greet", {"name": "Ada"}), call("complete_task", ONE)]
    message = {"tool_calls": [*calls, call("fail", {}), call("web_search", {})]}
    answers = openai.run_tool_calls(box, message, leave_unknown=True)
    texts = [answer["content"] for answer in answers]
    assert texts[0] == "Hello, Ada!"
    assert json.loads(texts[1])["title"] == "t"
    assert texts[2:] == ["ValueError: no reason"]
    asyncio.run(box.close_async())
    box.close()
    own_alone = module.Toolbox(module.own(greet))
    with own_alone:
        assert own_alone.unreachable == {}
    asyncio.run(own_alone.connect_async())


@pytest.mark.parametrize("module", ["langchain", "agents", "pydantic_ai"])
def test_frameworks_take_own_functions(todo: Any, module: str) -> None:
    libraries = {"langchain": "langchain_core"}
    pytest.importorskip(libraries.get(module, module), reason="no frameworks")
    target = import_module(f"fw_todo.{module}")
    if module == "langchain":
        (tool,) = target.langchain_tools(todo.own(greet))
        assert tool.invoke({"name": "Ada"}) == "Hello, Ada!"
    elif module == "agents":
        (tool,) = target.agents_tools(todo.own(greet))
        awaited = tool.on_invoke_tool(None, '{"name": "Ada"}')
        assert asyncio.run(awaited) == "Hello, Ada!"
    else:
        toolset = target.pydantic_ai_toolset(todo.own(greet))
        assert list(toolset.tools) == ["greet"]
