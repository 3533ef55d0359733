# Copied by mcp-bindgen. Do not edit.
"""The parts of a call as they come: progress, logs, other messages, the result."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import anyio

from .. import limits
from ..errors import ENDING, ConfigError
from ..transport.drive import drive
from ..transport.loops import begin_task, running_loop, soon_in
from .channel import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from ..protocol.steps import Flow
    from ..transport.exchange import BlockingExchange

__all__ = ["Done", "Log", "Notice", "Progress", "streamed", "streamed_async"]

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is; the texts are the server's, and not yet safe for a terminal.

    Attributes:
        progress: A number that grows.
        total: The number at the end, where the server knows it.
        message: The server's words, or None.
    """

    progress: Any
    total: Any
    message: Any


@dataclass(frozen=True, slots=True)
class Log:
    """A log message of the server.

    Attributes:
        level: "debug", "info", "notice", "warning", "error", ...
        logger: The logger's name, or None.
        data: Any JSON value.
    """

    level: Any
    logger: Any
    data: Any


@dataclass(frozen=True, slots=True)
class Notice:
    """Any other notification meanwhile, such as partial content.

    Attributes:
        method: Its method.
        params: Its params.
    """

    method: str
    params: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done(Generic[R_co]):
    """The last part.

    Attributes:
        result: The typed result of the call.
    """

    result: R_co


@dataclass(frozen=True, slots=True)
class _Failed:
    error: BaseException


class _Cutting:
    """A driver for one stream, which can end its call."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._exchange: BlockingExchange[Any] | None = None

    def run(self, flow: Flow[Any, R], timeout: float | None) -> R:
        """Run a flow within so many seconds."""
        self._exchange = exchange = self._driver.exchange(timeout)
        return drive(flow, exchange)

    def cut(self) -> None:
        """End the call that runs."""
        if self._exchange is not None:
            self._exchange.cut()

    def close(self) -> None:
        """Leave the connections to the client."""

    def forked(self) -> None:
        """Do nothing: the driver of the client leaves its connections."""


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    function: Callable[..., Any] | None = getattr(method, "__func__", None)
    if function is None:
        raise ConfigError(
            "expected a tool as a method of the client",
            hint="pass client.tool, and the arguments of the call behind it",
        )
    return function


def _hearing(client: Any, put: Callable[[object], None], channel: Channel[Any]) -> Any:
    """Return the client on another channel, whose messages go to a function."""

    def on_progress(progress: object, total: object, message: object) -> None:
        put(Progress(progress, total, message))

    def on_log(level: object, logger: object, data: object) -> None:
        put(Log(level, logger, data))

    def on_notice(method: str, params: Mapping[str, Any]) -> None:
        put(Notice(method, params))

    other = client.with_options(
        on_progress=on_progress, on_log=on_log, on_notice=on_notice
    )
    vars(other)["_transport"] = channel
    return other


def streamed(
    origin: Any,
    channel: Channel[Any],
    call: tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]],
) -> Generator[Any]:
    """Make a call on a thread, and yield its parts; closing this cancels it.

    Args:
        origin: The client.
        channel: The channel of the client.
        call: The tool as a method, and the arguments.
    """
    method, args, kwargs = call
    function, parts = _function(method), SimpleQueue[Any]()
    cutting = _Cutting(channel.driver)
    own = Channel(channel.session, cutting, channel.server, hide=channel.hide)
    client = _hearing(origin, parts.put, own)

    def work() -> None:
        try:
            parts.put(Done(function(client, *args, **kwargs)))
        except ENDING as error:  # the consumer's thread raises it
            parts.put(_Failed(error))

    run = partial(copy_context().run, work)
    thread = threading.Thread(target=run, name="mcp-bindgen stream", daemon=True)
    thread.start()
    try:
        while True:
            part = parts.get()
            if isinstance(part, _Failed):
                raise part.error
            yield part
            if isinstance(part, Done):
                return
    finally:
        cutting.cut()
        # The server gets the cancellation while the client is open.
        thread.join(limits.GRACE)


class _Parts:
    """The unread parts of an async call: a queue of one event loop."""

    def __init__(self) -> None:
        self._unread = deque[Any]()
        self._arrived = anyio.Event()

    def put(self, part: object) -> None:
        """Add a part, and wake the reader."""
        self._unread.append(part)
        self._arrived.set()

    async def get(self) -> Any:
        """Wait for the next part."""
        while not self._unread:
            self._arrived = anyio.Event()
            await self._arrived.wait()
        return self._unread.popleft()


class _AsyncStream(AsyncGenerator[Any]):
    """The parts of a call in a task; one that nobody reads any more ends its call.

    An async generator would do the same on asyncio; trio warns where nobody closes it.

    Args:
        begin: Begins the call, and returns its parts and how to end it.
    """

    def __init__(self, begin: Callable[[], _Running]) -> None:
        self._begin = begin
        self._running: _Running | None = None
        self._closed = False

    async def asend(self, _value: object) -> Any:
        """Return the next part."""
        if self._closed:
            raise StopAsyncIteration
        running = self._running = self._running or self._begin()
        try:
            part = await running.parts.get()
        except BaseException:
            await self.aclose()
            raise
        self._closed = isinstance(part, Done | _Failed)
        if isinstance(part, _Failed):
            raise part.error
        return part

    async def athrow(self, kind: Any, value: Any = None, trace: Any = None, /) -> Any:
        """Cancel the call, and raise an exception."""
        del trace
        await self.aclose()
        raise kind if value is None else value

    async def aclose(self) -> None:
        """Cancel the call."""
        self._closed = True
        if self._running is not None:
            self._running.scope.cancel()
            # The server gets the cancellation while the client is open.
            with anyio.move_on_after(limits.GRACE, shield=True):
                await self._running.ended.wait()

    def __del__(self) -> None:
        running: _Running | None = vars(self).get("_running")
        if running is not None and not running.ended.is_set():
            soon_in(running.loop, running.scope.cancel)


class _Running(NamedTuple):
    """A call in a task of its own; it does not hold the stream of its parts."""

    parts: _Parts
    scope: anyio.CancelScope
    ended: anyio.Event
    loop: object


def streamed_async(
    origin: Any,
    channel: Channel[Any],
    call: tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]],
) -> AsyncGenerator[Any]:
    """Make a call in a task, and yield its parts; see `streamed`."""
    method, args, kwargs = call

    def begin() -> _Running:
        function = _function(method)
        running = _Running(_Parts(), anyio.CancelScope(), anyio.Event(), running_loop())
        client = _hearing(origin, running.parts.put, channel)

        async def work() -> None:
            with running.scope:
                try:
                    running.parts.put(Done(await function(client, *args, **kwargs)))
                except ENDING as error:
                    running.parts.put(_Failed(error))
                    if not isinstance(error, Exception):
                        raise
                finally:
                    running.ended.set()

        begin_task(work)
        return running

    return _AsyncStream(begin)
