"""What type checkers take for a text or a number is one: it is sent as plain JSON."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from enum import Enum, IntEnum, StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import pytest
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.results import ToolResult
from mcp_bindgen.runtime.validation.checked import Checked
from mcp_bindgen.runtime.validation.models import Model, to_json
from mcp_bindgen.runtime.validation.scalars import (
    MISSING,
    Integer,
    Number,
    OneOf,
    String,
)
from pydantic import Field

if TYPE_CHECKING:
    from collections.abc import Mapping


class Colour(StrEnum):
    """A text."""

    RED = "red"


class Shade(str, Enum):  # noqa: UP042
    """A text, as before Python 3.11."""

    RED = "red"

    def __str__(self) -> str:
        """Return another text than the value."""
        return "shade"


class Level(IntEnum):
    """A number."""

    HIGH = 3


class Text(str):
    """A text with a class of its own."""

    __slots__ = ()


class Metres(float):
    """A number with a class of its own."""

    __slots__ = ()


class Row(list[Any]):
    """A list with a class of its own."""


class Table(dict[str, Any]):
    """A dict with a class of its own."""


class Inner(Model):
    text: String


class Arguments(Model):
    any: Any = None
    text: Annotated[String, Field(pattern="^r")] = "r"
    whole: Integer = 1
    number: Number = 1
    listed: Annotated[Literal["red", 3], OneOf("red", 3)] = 3
    row: list[Inner] | MISSING = MISSING
    table: dict[str, Integer] | MISSING = MISSING


class Ruled(Arguments):
    __residual__: ClassVar = Checked(
        '{"properties":{"text":{"enum":["red"]},"whole":{"const":3},'
        '"number":{"minimum":3},"row":{"minItems":1},"table":{"minProperties":1},'
        '"listed":{"type":["string","integer"]},"any":{"type":"string"}}}'
    )


VALUES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    *(
        ({"text": red, "listed": red, "any": red}, dict.fromkeys(NAMES, "red"))
        for NAMES in [("text", "listed", "any")]
        for red in (Colour.RED, Shade.RED, Text("red"))
    ),
    (
        {"whole": Level.HIGH, "number": Level.HIGH, "listed": Level.HIGH},
        {"whole": 3, "number": 3, "listed": 3},
    ),
    ({"number": Metres(3.5)}, {"number": 3.5}),
    ({"row": Row([Inner(text=Colour.RED)])}, {"row": [{"text": "red"}]}),
    ({"table": Table(a=Level.HIGH)}, {"table": {"a": 3}}),
    ({"table": OrderedDict(a=3)}, {"table": {"a": 3}}),
]


@pytest.mark.parametrize("model", [Arguments, Ruled])
@pytest.mark.parametrize(("values", "sent"), VALUES)
def test_what_checkers_take_is_sent(
    model: type[Model], values: dict[str, Any], sent: dict[str, Any]
) -> None:
    wire = Binding("tool", model, raw).prepare(values)
    assert json.dumps(wire) == json.dumps(sent)
    assert {type(v) for v in wire.values()} <= {str, int, float, list, dict}
    assert json.loads(model(**values).model_dump_json(exclude_unset=True)) == sent


def test_an_enum_of_no_text_stays_as_it_is() -> None:
    other = Enum("other", "A")
    assert to_json([other.A]) == [other.A]


class Recorder:
    """A transport of a user's own."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def call_tool(self, _name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Note the arguments."""
        self.calls.append(dict(arguments))
        return ToolResult.from_wire({"content": []})

    def close(self) -> None:
        """Do nothing."""


class AsyncRecorder:
    """The same for tasks."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    async def call_tool(
        self, _name: str, arguments: Mapping[str, Any], /
    ) -> ToolResult:
        """Note the arguments."""
        self.calls.append(dict(arguments))
        return ToolResult.from_wire({"content": []})

    async def close(self) -> None:
        """Do nothing."""


NO_JSON: list[Any] = [
    float("nan"),
    float("inf"),
    {1: "a"},
    {None: "a"},
    [{"a": {2.5: 1}}],
    "\ud800",
    {"\udfff": 1},
    b"bytes",
    {1, 2},
]


@pytest.mark.parametrize("value", NO_JSON, ids=ascii)
def test_a_transport_gets_what_http_would(value: Any) -> None:
    tool, arguments = Binding("tool", Arguments, raw), {"any": value}
    own, slow = Recorder(), AsyncRecorder()
    client, awaited = BaseClient(own), AsyncBaseClient(slow)
    with pytest.raises(InvalidArgumentsError):
        client.call(tool, arguments)
    with pytest.raises(InvalidArgumentsError):
        client.call_tool("tool", arguments)
    with pytest.raises(InvalidArgumentsError):
        asyncio.run(awaited.call(tool, arguments))
    with pytest.raises(InvalidArgumentsError):
        asyncio.run(awaited.call_tool("tool", arguments))
    assert own.calls == slow.calls == []


def test_a_transport_gets_plain_json() -> None:
    own = Recorder()
    client = BaseClient(own)
    client.call_tool("tool", {"a": (1, Colour.RED), "b": Table(x=Level.HIGH)})
    assert own.calls == [{"a": [1, "red"], "b": {"x": 3}}]
    assert type(own.calls[0]["a"][1]) is str
