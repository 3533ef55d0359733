"""The parts without input or output: JSON, events, messages, results, flows."""

from __future__ import annotations

import itertools
import json
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.runtime.content import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    UnknownContent,
)
from mcp_bindgen.runtime.errors import LimitError, TransportError
from mcp_bindgen.runtime.protocol import headers
from mcp_bindgen.runtime.protocol import messages as rpc
from mcp_bindgen.runtime.protocol.http_requests import HttpRequests
from mcp_bindgen.runtime.protocol.request import Negotiated, Request, SessionSettings
from mcp_bindgen.runtime.protocol.session import Session
from mcp_bindgen.runtime.protocol.sse import Event, Splitter
from mcp_bindgen.runtime.protocol.steps import (
    CommonStep,
    Flow,
    Head,
    HttpStep,
    Open,
    Sleep,
)
from mcp_bindgen.runtime.protocol.streamable_http import StreamableHttp
from mcp_bindgen.runtime.results import ToolResult
from mcp_bindgen.runtime.strict_json import StrictJsonError, dumps, loads
from mcp_bindgen.runtime.transport.drive import drive_async
from mcp_bindgen.runtime.transport.exchange import AsyncExchange
from mcp_bindgen.runtime.transport.waiting import Turns

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\u00e9"), inner),
    max_leaves=20,
)


@given(JSON)
def test_json_there_and_back(value: Any) -> None:
    assert loads(dumps(value)) == value
    assert loads(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "-Infinity",
        "1e999",
        "-1e-999",
        "[1,]",
        "",
        "\ufeff1",
        '{"a":1,"a":2}',
        '"\\ud800"',
    ],
)
def test_json_that_is_refused(text: str) -> None:
    with pytest.raises(StrictJsonError):
        loads(text.encode())


def test_json_under_limits() -> None:
    assert loads(b"9" * 4300) == int("9" * 4300)
    for bad in (b"9" * 4301, b"0." + b"1" * 5000, b"[" * 201 + b"]" * 201, b"\xff"):
        with pytest.raises(StrictJsonError):
            loads(bad)
    assert loads(b"[" * 199 + b"]" * 199)
    wide = [{"a": [n]} for n in range(1000)]
    assert loads(dumps(wide)) == wide
    assert loads(b'"\\ud83d\\ude00"') == "\U0001f600"
    assert loads(b"0.0e-999") == 0.0
    many = b"0," * 1_000_001
    with pytest.raises(StrictJsonError, match="more than 1,000,000 values"):
        loads(b"[" + many + b"0]")
    assert loads(b'"' + many + b'"') == many.decode()  # marks in a text are none


STREAM = (
    b"\xef\xbb\xbf: hello\r\nid: 1\ndata: a\ndata:b\r\n\r\nretry: 20\r\revent: x\n"
    b"data\n\nid\n\n:only a comment\n\ndata: \xe2\x80\xa8\xc2\x85\n\ndata: unfinished"
)
EVENTS = [
    Event("", b"a\nb", id="1"),
    Event("", b"", retry=0.02),
    Event("x", b""),
    Event("", b"", id=""),
    Event("", b"\xe2\x80\xa8\xc2\x85"),
]


@given(st.lists(st.integers(0, len(STREAM)), max_size=10))
def test_events_do_not_depend_on_chunks(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    splitter = Splitter(1000)
    events = [
        event
        for start, end in itertools.pairwise(places)
        for event in splitter.feed(STREAM[start:end])
    ]
    assert events == EVENTS


def test_events_under_limits() -> None:
    with pytest.raises(LimitError):
        list(Splitter(10).feed(b"data: 12345678901"))
    with pytest.raises(LimitError):
        list(Splitter(10).feed(b"data: 123\n" * 3))
    assert list(Splitter(10).feed(b": 12345\n" * 1000)) == []


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("plain text", "plain text"),
        ("", ""),
        (" edge", "=?base64?IGVkZ2U=?="),
        ("caf\u00e9", "=?base64?Y2Fmw6k=?="),
        ("a\r\nb", "=?base64?YQ0KYg==?="),
        ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
        (True, "true"),
        (False, "false"),
        (5, "5"),
        (None, None),
        ([], None),
    ],
)
def test_header_values(value: object, header: str | None) -> None:
    assert headers.header_text(value) == header


def test_headers_of_a_modern_call() -> None:
    wire = StreamableHttp("https://x/", {}, None)
    link: Negotiated[HttpStep] = Negotiated("2026-07-28", {}, wire)
    arguments = {"a": {"b": "x"}, "c": None, "d": 1}
    params = {"name": "t", "arguments": arguments}
    message = {"method": "tools/call", "params": params}
    fields = headers.request_headers(
        link, message, {"Ab": ("a", "b"), "C": ("c",), "D": ("d", "e"), "F": ("f",)}
    )
    assert fields == {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "t",
        "mcp-param-Ab": "x",
    }


def leaf(token: object, kind: object = "string") -> dict[str, object]:
    """Return a property that is repeated in a header."""
    return {"type": kind, "x-mcp-header": token}


@pytest.mark.parametrize(
    "schema",
    [
        leaf("A"),
        {"properties": {"a": leaf("A", "number")}},
        {"properties": {"a": leaf("A", ["string", "null"])}},
        {"properties": {"a": leaf("")}},
        {"properties": {"a": leaf("a b")}},
        {"properties": {"a": leaf(1)}},
        {"properties": {"a": leaf("A"), "b": leaf("a")}},
        {"properties": {"a": {"items": leaf("A")}}},
        {"anyOf": [{"properties": {"a": leaf("A")}}]},
        {"$defs": {"a": {"properties": {"a": leaf("A")}}}},
        {"patternProperties": {"a": leaf("A")}},
    ],
)
def test_header_annotations_that_are_wrong(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="x-mcp-header"):
        headers.header_params(schema)


def test_header_annotations() -> None:
    inner = {"properties": {"b": leaf("B", "integer")}}
    named = {"type": "string", "default": {"x-mcp-header": "data"}}
    schema = {"properties": {"a": leaf("A"), "n": inner, "x-mcp-header": named}}
    assert headers.header_params(schema) == {"A": ("a",), "B": ("n", "b")}
    assert headers.header_params(schema=True) == {}


def test_what_a_result_holds() -> None:
    raw: dict[str, Any] = {
        "content": [
            {"type": "text", "text": "[1,"},
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "x:y", "name": "n"},
            {"type": "resource", "resource": {"uri": "x:y", "blob": "aGk="}},
            {"type": "resource", "resource": {"uri": "x:y", "text": "t"}},
            {"type": "text", "text": "2]"},
            {"type": "video"},
            {"type": "text"},
            {},
        ],
        "structuredContent": None,
        "_meta": {"k": 1},
    }
    result = ToolResult.from_wire(raw)
    kinds = [type(block) for block in result.content]
    assert kinds == [
        *(TextContent, ImageContent, AudioContent, ResourceLink),
        *(EmbeddedResource, EmbeddedResource, TextContent),
        *(UnknownContent, UnknownContent, UnknownContent),
    ]
    for block in result.content:
        if isinstance(block, (ImageContent, AudioContent)):
            assert block.decode() == b"hi"
            with pytest.raises(LimitError):
                block.decode(1)
        if isinstance(block, EmbeddedResource):
            assert block.decode() == (block.text or "hi").encode()
    assert result.json() == [1, 2]
    assert result.has_structured
    assert result.structured is None
    assert result.meta == {"k": 1}
    assert result.raw is raw
    assert "structured=None" in repr(result)
    assert not ToolResult.from_wire({}).has_structured
    with pytest.raises(ValueError, match="no JSON"):
        _ = ToolResult.from_wire({}).json()


def test_an_answer_without_result_or_error() -> None:
    with pytest.raises(TransportError):
        rpc.Reply(None).unwrap()


def test_a_token_that_another_call_has_renewed() -> None:
    requests: Any = HttpRequests("https://x/", {}, lambda: "stale")
    requests._token = "Bearer stale"
    flow = requests.open(Open("POST", "https://x/", {}, b"{}", None))
    assert flow.send(None).headers["authorization"] == "Bearer stale"
    requests._token = "Bearer newer"
    assert flow.send(Head(401, {})).headers["authorization"] == "Bearer newer"
    flow.close()


def test_a_call_that_is_dropped() -> None:
    wire = StreamableHttp("https://x/", {}, None)
    session: Session[HttpStep] = Session(wire, SessionSettings({}))
    session.negotiated = Negotiated("2025-11-25", {}, wire)
    flow = session.request(Request("tools/list"))
    next(flow)
    flow.close()


class Sleeper(AsyncExchange[CommonStep]):
    """An exchange that can only wait."""

    async def perform(self, step: CommonStep) -> object:
        return await self.common(step)

    def begin(self, flow: object) -> None:
        raise AssertionError(flow)


def test_a_flow_cannot_swallow_a_cancellation() -> None:
    async def main() -> None:
        exchange = Sleeper(Turns(), None)
        with anyio.CancelScope() as scope:
            scope.cancel()
            await drive_async(stubborn(), exchange)
        assert scope.cancelled_caught

    def stubborn() -> Flow[CommonStep, None]:
        try:
            yield Sleep(10)
        except BaseException:  # noqa: BLE001  # the point of the test
            return

    anyio.run(main)
