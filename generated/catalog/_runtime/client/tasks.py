# Copied by mcp-bindgen. Do not edit.
"""Handles of calls that a server answers later; they survive the process."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import ConfigError, printable
from ..json_values import members
from ..protocol.request import READS, Request
from ..protocol.tasks import followed, is_task, task_id
from ..results import ToolResult
from ..strict_json import StrictJsonError, loads
from .answers import accepted
from .methods import no_method, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ..protocol.steps import Flow
    from .binding import Binding
    from .channel import Channel
    from .policy.guard import Guard
    from .root import CallOptions

__all__ = [
    "AsyncTask",
    "Task",
    "TaskStatus",
    "resumed",
    "statuses",
]

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TaskStatus:
    """The status of a task.

    Attributes:
        id: The task's id.
        status: "working", "input_required", "completed", "failed" or "cancelled".
        message: The server's own words about it, or "".
    """

    id: str
    status: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class _Handle(Generic[R]):
    """One call and its task.

    The requests about a task belong to its call: policies decide about the call alone,
    and clean its result.

    Attributes:
        observed: Watches a request, from its method.
        channel: The session and the driver of the client.
        options: Those of the client's calls.
        method: The tool as a method of the client.
        binding: The tool of the call.
        answer: The server's answer: the task, or at once the result.
        begun: The moment when the call was sent, as `time.monotonic` tells it.
    """

    observed: Callable[[str], AbstractContextManager[None]]
    channel: Channel[Any]
    options: CallOptions
    method: Callable[..., Any]
    binding: Binding[Any]
    answer: Mapping[str, Any]
    begun: float

    @property
    def id(self) -> str | None:
        """The task's id; None where the server answered at once."""
        return task_id(self.answer) if is_task(self.answer) else None

    def __repr__(self) -> str:
        state = "answered" if self.id is None else printable(self.id, 100)
        return f"{type(self).__name__}({printable(self.tool, 100)!r}, {state})"

    @property
    def tool(self) -> str:
        """The tool's name on the wire."""
        return self.binding.tool

    def to_json(self) -> str:
        """Return the handle as a text, for `client.resume_task(client.tool, text)`.

        It holds no credentials. A person who has it and may use the server can read the
        result.
        """
        facts = {"tool": self.tool, "server": self.channel.server}
        begun = time.time() - (time.monotonic() - self.begun)
        return json.dumps({**facts, "begun": begun, "answer": dict(self.answer)})

    def _followed(
        self, seconds: float | None
    ) -> tuple[Flow[Any, dict[str, Any]], float | None]:
        """Return the flow that waits for the result, and its seconds."""
        options = self.options
        request = Request("tools/call", {}, options.on_progress, options.on_log)
        flow = followed(self.channel.session, request, self.answer, cancels=False)
        if not options.guards:
            return flow, seconds
        from .policy.readings import read

        return read(options.guards, self.tool, flow, seconds, self.begun)

    def _request(self, method: str) -> Flow[Any, dict[str, Any]]:
        """Return the flow of a request about the task."""
        request = Request(method, {"taskId": self.id}, retryable=method in READS)
        return self.channel.session.request(request)

    def _typed(self, raw: Mapping[str, Any]) -> R:
        result = accepted(self.binding, ToolResult.from_wire(raw))
        typed: R = result_of(self.method, result)
        return typed


class Task(_Handle[R]):
    """A call that the server answers later.

    Example: `task = client.submit(client.report, year=2026); task.result(600)`.
    """

    __slots__ = ()

    def result(self, timeout: float | None = None) -> R:
        """Wait for the result, typed as that of the call.

        Args:
            timeout: Seconds; None for no limit. After them, the task continues.

        Raises:
            DeadlineError: The time is over.
            ToolError: The tool reports a failure.
            TaskCancelledError: The server has cancelled it.
            ProtocolError: It failed, or the server knows it no more.
        """
        if self.id is None:
            return self._typed(self.answer)
        flow, seconds = self._followed(timeout)
        with self.observed("tasks/result"):
            return self._typed(self.channel.driver.run(flow, seconds))

    def status(self) -> TaskStatus:
        """Return the present status of the task."""
        if self.id is None:
            return TaskStatus("", "completed", "")
        return _status(self._run("tasks/get"))

    def cancel(self) -> None:
        """Ask the server to cancel the task; it may complete nevertheless."""
        if self.id is not None:
            self._run("tasks/cancel")

    def _run(self, method: str) -> dict[str, Any]:
        with self.observed(method):
            flow, run = self._request(method), self.channel.driver.run
            raw: dict[str, Any] = run(flow, self.options.timeout)
            return raw


class AsyncTask(_Handle[R]):
    """A call of an `AsyncClient` that the server answers later; see `Task`."""

    __slots__ = ()

    async def result(self, timeout: float | None = None) -> R:
        """Wait for the result, typed as that of the call; see `Task.result`."""
        if self.id is None:
            return self._typed(self.answer)
        flow, seconds = self._followed(timeout)
        with self.observed("tasks/result"):
            return self._typed(await self.channel.driver.run(flow, seconds))

    async def status(self) -> TaskStatus:
        """Return the present status of the task."""
        if self.id is None:
            return TaskStatus("", "completed", "")
        return _status(await self._run("tasks/get"))

    async def cancel(self) -> None:
        """Ask the server to cancel the task; it may complete nevertheless."""
        if self.id is not None:
            await self._run("tasks/cancel")

    async def _run(self, method: str) -> dict[str, Any]:
        with self.observed(method):
            flow, run = self._request(method), self.channel.driver.run
            raw: dict[str, Any] = await run(flow, self.options.timeout)
            return raw


def _status(raw: Mapping[str, Any]) -> TaskStatus:
    message = printable(raw.get("statusMessage") or "")
    return TaskStatus(str(raw.get("taskId")), printable(raw.get("status")), message)


def statuses(listed: Iterable[Mapping[str, Any]]) -> list[TaskStatus]:
    """Return the entries of `tasks/list`."""
    return [_status(raw) for raw in listed]


def resumed(
    method: Callable[..., Any], server: str, text: str, guards: Sequence[Guard]
) -> tuple[Callable[..., Any], Binding[Any], Mapping[str, Any], float]:
    """Return the method, the tool, the answer and the begin of a text's handle.

    Args:
        method: The tool as a method of the client; its arguments do not matter.
        server: The client's server.
        text: The result of `to_json`.
        guards: The policies of the client.

    Raises:
        ConfigError: It is no such text, or one of another tool or server.
        PolicyError: It holds the result of a tool that a policy denies.
    """
    home = getattr(getattr(method, "__func__", None), "__globals__", {})
    binding: Binding[Any] | None = home.get("_TOOL")
    if binding is None:
        raise no_method()
    try:
        whole = members(loads(text.encode("utf-8", "surrogatepass")))
    except StrictJsonError:
        whole = {}
    answer = members(whole.get("answer"))
    if not answer or (whole.get("tool"), whole.get("server")) != (binding.tool, server):
        raise ConfigError(
            f"expected the handle of a call of {printable(binding.tool, 200)} at"
            f" {server}",
            hint="pass what task.to_json() gave, and the same tool and server",
        )
    if guards and not is_task(answer):
        from .policy.readings import answer_of

        answer = answer_of(guards, binding.tool, answer)
    return method, binding, answer, _begun(whole.get("begun"))


def _begun(moment: object) -> float:
    """Return the begin of a task of another process, on the clock of this one.

    A clock that went back, or no moment, makes it begin now.
    """
    elapsed = time.time() - moment if isinstance(moment, float) else 0.0
    return time.monotonic() - max(elapsed, 0.0)
