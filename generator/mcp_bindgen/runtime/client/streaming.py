"""The parts of a call as they come: progress, logs, other messages, the result."""

from __future__ import annotations

import threading
from collections import deque
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import anyio

from .. import limits
from ..errors import ENDING, ConfigError
from ..transport.drive import drive
from ..transport.loops import begin_task
from .channel import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Mapping

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


async def streamed_async(
    origin: Any,
    channel: Channel[Any],
    call: tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]],
) -> AsyncGenerator[Any]:
    """Do the same in a task."""
    method, args, kwargs = call
    function, parts, scope = _function(method), _Parts(), anyio.CancelScope()
    client, ended = _hearing(origin, parts.put, channel), anyio.Event()

    async def work() -> None:
        with scope:
            try:
                parts.put(Done(await function(client, *args, **kwargs)))
            except ENDING as error:
                parts.put(_Failed(error))
                if not isinstance(error, Exception):
                    raise
            finally:
                ended.set()

    begin_task(work)
    try:
        while True:
            part = await parts.get()
            if isinstance(part, _Failed):
                raise part.error
            yield part
            if isinstance(part, Done):
                return
    finally:
        scope.cancel()
        # The server gets the cancellation while the client is open.
        with anyio.move_on_after(limits.GRACE, shield=True):
            await ended.wait()
