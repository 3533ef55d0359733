"""Tools that run as tasks are called as ordinary functions, in both eras."""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    ConfigError,
    DeadlineError,
    McpError,
    ProtocolError,
    TransportError,
)
from mcp_bindgen.runtime.results import TaskCancelledError
from mcp_bindgen.runtime.validation.models import Model

from tests.runtime.asking import AskingServer, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.runtime.conftest import Driver

FORM: dict[str, Any] = {
    "message": "which?",
    "requestedSchema": {"type": "object", "properties": {}},
}
QUESTION: dict[str, Any] = {"method": "elicitation/create", "params": FORM}


class TaskServer(AskingServer):
    """A server whose one tool runs as a task.

    Attributes:
        end: How the task goes on: "completed", "asks", "failed", "cancelled", "never",
            "at once", "no id".
        support: What the tool says of tasks.
        pause: The milliseconds that it asks the client to wait.
        said: The text of the result.
    """

    def __init__(self, *, modern: bool = False) -> None:
        super().__init__(modern=modern)
        self.end, self.support, self.looks = "completed", "required", 0
        self.said = "done"
        self.pause = 10
        if modern:
            self.offers["extensions"] = {"io.modelcontextprotocol/tasks": {}}
        else:
            self.offers["tasks"] = {"requests": {"tools": {"call": {}}}, "list": {}}

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        """Return what answers a request."""
        method, params = message["method"], message.get("params", {})
        if method == "tools/list":
            tool = {"name": "slow", "inputSchema": {"type": "object"}}
            self.tools = [{**tool, "execution": {"taskSupport": self.support}}]
        if method == "tools/call":
            if self.end == "at once" or not (self.modern or "task" in params):
                return text(self.said)
            identity: dict[str, Any] = (
                {} if self.end == "no id" else {"taskId": "task-1"}
            )
            state = {**identity, "status": "working", "statusMessage": "one"}
            kind = {"resultType": "task", "pollIntervalMs": self.pause}
            legacy = {"task": {**state, "pollInterval": self.pause}}
            return {"result": {**kind, **state} if self.modern else legacy}
        if method == "tasks/get":
            task = {"taskId": "task-1", "pollInterval": self.pause}
            return {"result": {**task, **self._state()}}
        if method == "tasks/list":
            return {"result": {"tasks": [{"taskId": "task-1", "status": "working"}]}}
        if method == "tasks/result":
            return self._last(send, message)
        if method in ("tasks/update", "tasks/cancel"):
            return {"result": {}}
        return super().result(message, send)

    def _state(self) -> dict[str, Any]:
        self.looks += 1
        working = {"status": "working", "statusMessage": f"look {self.looks}"}
        if self.looks < 2 or self.end == "never":
            return {**working, "pollIntervalMs": self.pause}
        if self.end == "asks" and "tasks/update" not in self.methods():
            question: dict[str, Any] = {
                "status": "input_required",
                "inputRequests": {"q": QUESTION},
            }
            return {**question, "pollIntervalMs": self.pause}
        state: dict[str, Any] = {"status": self.end}
        if self.end == "asks":
            state = {"status": "completed"}
        if not self.modern:
            return state
        error = {"code": -32603, "message": "broken"}
        return {**state, "result": text(self.said)["result"], "error": error}

    def _last(self, send: Any, message: dict[str, Any]) -> dict[str, Any]:
        if self.end == "failed":
            return {"error": {"code": -32603, "message": "broken"}}
        if self.end == "asks":
            box = self.answers.setdefault("q", SimpleQueue())
            send({"jsonrpc": "2.0", "id": "q", **QUESTION})
            assert box.get(timeout=5)["result"]["action"] == "accept"
        del message
        return text(self.said)


@pytest.fixture(params=["legacy", "modern"])
def server(request: pytest.FixtureRequest) -> Iterator[TaskServer]:
    with TaskServer(modern=request.param == "modern") as running:
        yield running


class _Arguments(Model):
    """No arguments."""


_TOOL: Binding[Any] = Binding("slow", _Arguments, raw)


def slow(client: BaseClient, /) -> Any:
    """Call the tool, as a generated function does."""
    return client.call(_TOOL, {})


async def slow_async(client: AsyncBaseClient, /) -> Any:
    """Call the tool, as a generated function does."""
    return await client.call(_TOOL, {})


def method_of(driver: Driver, client: Any) -> Any:
    """Return the tool as a method of a client."""
    function = slow if driver.blocking else slow_async
    client = getattr(client, "client", client)
    return function.__get__(client)


def agree(_: object) -> bool:
    """Accept the defaults of a form."""
    return True


def call(driver: Driver, server: TaskServer, **options: Any) -> Any:
    """Call the tool, and return its text with the progress."""
    reports: list[Any] = []

    def hear(*facts: object) -> None:
        reports.append(facts)

    async def work(client: Any) -> Any:
        client = client.with_options(on_progress=hear)
        return (await client.call_tool("slow", {})).json()

    options = {"timeout": 10, **options}
    return driver.http(server.url, work, **options), reports


def test_a_task_is_an_ordinary_call(driver: Driver, server: TaskServer) -> None:
    result, reports = call(driver, server)
    assert result == "done"
    assert reports[:2] == [(1, None, "one"), (2, None, "look 1")]
    assert server.methods().count("tools/call") == 1
    if server.modern:
        named = dict(zip(server.methods(), server.names, strict=True))
        assert named["tasks/get"] == "task-1"
        (sent,) = (m for m in server.messages if m.get("method") == "tools/call")
        meta = sent["params"]["_meta"]
        assert "extensions" in meta["io.modelcontextprotocol/clientCapabilities"]


def test_a_pause_that_no_float_holds(driver: Driver, server: TaskServer) -> None:
    server.pause = -(10**400)
    assert call(driver, server)[0] == "done"


def test_a_task_asks(driver: Driver, server: TaskServer) -> None:
    server.end = "asks"
    assert call(driver, server, on_elicit=agree)[0] == "done"


@pytest.mark.parametrize("end", ["failed", "cancelled", "no id"])
def test_a_task_that_does_not_end_well(
    end: str, driver: Driver, server: TaskServer
) -> None:
    server.end = end
    errors: dict[str, type[McpError]] = {
        "failed": ProtocolError,
        "cancelled": TaskCancelledError,
    }
    with pytest.raises(errors.get(end, TransportError)) as caught:
        call(driver, server)
    assert caught.value.outcome == "unknown"


def test_a_call_that_is_abandoned_cancels_its_task(
    driver: Driver, server: TaskServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A busy machine may need long to tell the server.
    monkeypatch.setattr(limits, "GRACE", 60.0)
    monkeypatch.setattr(limits, "GRACE_LEAST", 60.0)
    server.end = "never"
    # On a busy machine the time may be over before the client knows of a task.
    for timeout in (0.6, 2.4, 9.6, 38.4):
        server.messages.clear()
        with pytest.raises(DeadlineError):
            call(driver, server, timeout=timeout)
        if "tasks/get" in server.methods():
            break
    assert "tasks/cancel" in server.methods()
    assert "notifications/cancelled" not in server.methods()


@pytest.mark.parametrize("support", ["optional", "forbidden", "required"])
def test_a_task_only_where_the_tool_needs_it(support: str) -> None:
    with TaskServer() as server:
        server.support = support
        with BaseClient.http(server.url) as client:
            client.call_tool("slow", {})
        (sent,) = (m for m in server.messages if m.get("method") == "tools/call")
        assert ("task" in sent["params"]) is (support == "required")


def test_no_task_where_the_server_has_none() -> None:
    with TaskServer() as server:
        server.offers.pop("tasks")
        with BaseClient.http(server.url) as client:
            assert client.call_tool("slow", {}).json() == "done"
        assert "tools/list" not in server.methods()


def test_a_handle_survives_the_client(driver: Driver, server: TaskServer) -> None:
    async def submit(client: Any) -> str:
        task = await client.submit(method_of(driver, client))
        assert task.id == "task-1"
        assert "task-1" in repr(task)
        return str(task.to_json())

    stored = driver.http(server.url, submit)

    async def work(client: Any) -> Any:
        task = client.resume_task(method_of(driver, client), stored)
        return (await task.result(10)).json()

    if driver.blocking:
        with BaseClient.http(server.url) as client:
            task = client.resume_task(slow.__get__(client), stored)
            assert task.status().status == "working"
            assert task.result(10).json() == "done"
    else:
        assert driver.http(server.url, work) == "done"


def test_a_handle_of_an_answer_at_once(server: TaskServer) -> None:
    server.end = "at once"
    with BaseClient.http(server.url) as client:
        task: Any = client.submit(slow.__get__(client))
        assert task.id is None
        again: Any = client.resume_task(slow.__get__(client), task.to_json())
        assert again.result().json() == "done"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"tool": "slow"}', '{"tool": "x", "server": "", "answer": {}}']
)
def test_a_text_that_is_no_handle(text: str) -> None:
    with TaskServer() as server, BaseClient.http(server.url) as client:
        with pytest.raises(ConfigError, match="expected the handle"):
            client.resume_task(slow.__get__(client), text)
        with pytest.raises(ConfigError, match="a tool as a method"):
            client.submit(print)


def test_a_task_is_cancelled_by_its_handle(server: TaskServer) -> None:
    server.end = "never"
    with BaseClient.http(server.url) as client:
        task: Any = client.submit(slow.__get__(client))
        with pytest.raises(DeadlineError):
            task.result(0.3)
        assert "tasks/cancel" not in server.methods()
        task.cancel()
        assert "tasks/cancel" in server.methods()
        if not server.modern:
            assert client.list_server_tasks()[0].id == "task-1"
