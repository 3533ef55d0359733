"""A server in memory that counts the calls that reach it, and its client."""

from __future__ import annotations

import asyncio
import json
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.runtime.client.answering import answering
from mcp_bindgen.runtime.client.channel import Channel
from mcp_bindgen.runtime.protocol.request import SessionSettings
from mcp_bindgen.runtime.protocol.session import Session
from mcp_bindgen.runtime.protocol.stdio import StdioWire
from mcp_bindgen.runtime.protocol.steps import (
    Ask,
    CallbackError,
    Receive,
    Send,
    Sleep,
    Tell,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mcp_bindgen.runtime.client.server_options import ServerOptions

__all__ = [
    "RECORDING",
    "TOOLS",
    "AsyncCountingServer",
    "CountingServer",
    "policy_text",
]


def _tool(name: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": f"{name}.", "inputSchema": schema}


TEXT: dict[str, Any] = {"type": "string"}
TOOLS = [
    _tool("delete_item", id={"type": "integer"}, force={"type": "boolean"}),
    _tool("fetch_page", url=TEXT),
    _tool(
        "list_items",
        size={"type": "integer"},
        page={"type": "integer", "minimum": 1},
        query=TEXT,
        path=TEXT,
        like={},
    ),
    _tool(
        "manage_item",
        action={"type": "string", "enum": ["show", "delete"]},
        nested={"type": "object", "properties": {"paths": {"type": "array"}}},
    ),
    _tool("send_mail", to=TEXT, body=TEXT),
]
RECORDING = json.dumps({"tools": TOOLS}).encode()


class CountingServer:
    """Runs flows of a blocking client, and answers their messages.

    Attributes:
        calls: Name and arguments of each `tools/call` that arrived.
        methods: The methods of all other requests.
        tools: What it lists.
        before: Runs before each message is answered.
        result: The result of each call.
        answers: The answers to the server's requests.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.methods: list[str] = []
        self.tools: list[dict[str, Any]] = TOOLS
        self.before: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
        self.result: dict[str, Any] = {"content": [{"type": "text", "text": "{}"}]}
        self.answers: list[dict[str, Any]] = []
        self.errors: list[dict[str, Any]] = []
        self._queue: list[dict[str, Any]] = []

    def client(self, kind: Any, server: str = "counting", **more: Any) -> Any:
        """Return a client of a package whose messages come here."""
        bare = SessionSettings({"name": "t", "version": "0"}, "2025-11-25")
        settings = answering(bare, cast("ServerOptions", more))
        session: Session[Any] = Session(StdioWire(), settings)
        return kind(Channel(session, self, server))

    def run(self, flow: Generator[Any, Any, Any], seconds: float | None) -> Any:
        """Run a flow to its end."""
        self.timeout = seconds
        go: Any = flow.send
        value: Any = None
        while True:
            try:
                step = go(value)
            except StopIteration as stop:
                return stop.value
            except CallbackError as error:
                raise error.original from None
            go, value = flow.send, self._perform(step)

    def _perform(self, step: Any) -> Any:
        if isinstance(step, Send):
            if step.delivery is not None:
                step.delivery.sending()
            self._answer(json.loads(step.body))
        if isinstance(step, Tell):
            self._answer(json.loads(step.body))
        if isinstance(step, Receive):
            return self._queue.pop(0)
        if isinstance(step, Ask):
            return step.function(*step.arguments)
        return True if isinstance(step, Sleep) else None

    def _answer(self, message: dict[str, Any]) -> None:
        if "method" not in message or "id" not in message:
            self.answers += [message] if "method" not in message else []
            return
        if self.before is not None:
            self._queue += self.before(message)
        method, params = message["method"], message.get("params", {})
        result: dict[str, Any] = {}
        if method == "initialize":
            info = {"name": "counting", "version": "1"}
            result = {"protocolVersion": "2025-11-25", "capabilities": {}}
            result["serverInfo"] = info
        elif method == "tools/list":
            result = {"tools": self.tools}
        elif method == "tools/call":
            self.calls.append((params["name"], params.get("arguments")))
            result = self.result
        else:
            self.methods.append(method)
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        ended = self.errors.pop(0) if self.errors else {"result": result}
        self._queue.append({**answer, **ended})

    def close(self) -> Any:
        """Do nothing."""

    def forked(self) -> None:
        """Do nothing."""


class AsyncCountingServer(CountingServer):
    """The same for clients in tasks: other tasks run between two steps of a flow."""

    async def run(self, flow: Generator[Any, Any, Any], seconds: float | None) -> Any:
        """Run a flow to its end."""
        self.timeout = seconds
        go: Any = flow.send
        value: Any = None
        while True:
            try:
                step = go(value)
            except StopIteration as stop:
                return stop.value
            except CallbackError as error:
                raise error.original from None
            await asyncio.sleep(0)
            go, value = flow.send, self._perform(step)
            if isawaitable(value):
                value = await value

    async def close(self) -> None:
        """Do nothing."""


def policy_text(tools: str, begin: str = "") -> str:
    """Return a policy file with these entries."""
    allow = "" if "unreviewed" in begin else 'unreviewed = "allow"'
    return f'format = "mcp-bindgen-policy/1"\n{allow}\n{begin}\n{tools}\n'
