# Copied by mcp-bindgen. Do not edit.
"""Steps: the requests of protocol logic to a driver, each with its answer's type.

A flow is a generator of steps. The driver carries out each of them, on a thread or in
a task, and sends the answer back; `match` with `assert_never` shows a type checker that
no step is missing.

    head = yield from Open("POST", url, headers, body, delivery)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..errors import TransportError
    from .delivery import Delivery

T = TypeVar("T")

LockName: TypeAlias = Literal["session", "token"]
"""The work that one call at a time does: open the session, renew the token."""


class Box:
    """Where the messages for one request arrive, and the error that ends the wait.

    Attributes:
        ring: Wakes up a task that waits; threads wait in `get`.
    """

    def __init__(self) -> None:
        self._messages: SimpleQueue[dict[str, Any] | TransportError] = SimpleQueue()
        self.ring: Callable[[], object] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no message is there."""
        return self._messages.empty()

    def put(self, message: dict[str, Any] | TransportError) -> None:
        """Put a message into the box; it has room for any number."""
        self._messages.put(message)
        if self.ring is not None:
            self.ring()

    def get(self, timeout: float | None) -> dict[str, Any] | TransportError:
        """Wait in a thread for the next message, so many seconds.

        Raises:
            Empty: None came.
        """
        return self._messages.get(timeout=timeout)

    def get_nowait(self) -> dict[str, Any] | TransportError:
        """Return the next message.

        Raises:
            Empty: None is there.
        """
        return self._messages.get_nowait()


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """One thing to do, whose answer is a T."""

    def __iter__(self) -> Generator[Self, T, T]:
        return (yield self)


# Steps of every transport


@dataclass(frozen=True, slots=True)
class Sleep(Step[bool]):
    """Wait; return False at once if the deadline comes first.

    Attributes:
        waited: Seconds of earlier waits for the same; a call without a deadline does
            not wait longer than `limits.PAUSE_MOST` in all.
    """

    seconds: float
    waited: float = 0.0


@dataclass(frozen=True, slots=True)
class Lock(Step[None]):
    """Wait until no other call has this lock, and take it."""

    name: LockName


@dataclass(frozen=True, slots=True)
class Unlock(Step[None]):
    """Give a lock back; a call that ends gives back all its locks.

    Attributes:
        failed: Whether the work under the lock was not finished.
    """

    name: LockName
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Ask(Step[Any]):
    """Call a function of the user; its exception comes as a `CallbackError`."""

    function: Callable[..., Any]
    arguments: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside(Step[None]):
    """Run a flow beside the calls, without a deadline, until it or the client ends.

    Its errors reach no caller: the flow handles them.
    """

    flow: Generator[Any, Any, None]


CommonStep: TypeAlias = Sleep | Lock | Unlock | Ask | Beside


# Steps over HTTP


@dataclass(frozen=True, slots=True)
class Head:
    """Status and header fields of a response; its body is still to be read."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Open(Step[Head]):
    """Send a request and wait for the head of its response.

    Attributes:
        delivery: The call that the request carries; None for any other request.
        lasting: Whether the response may be silent for as long as the session lasts.
    """

    verb: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    delivery: Delivery | None
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Read(Step[bytes]):
    """Read more of the response's body; b"" at its end.

    Attributes:
        seconds: The time to wait, within the deadline; None for all of it.
    """

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Drain(Step[None]):
    """Wait a moment for the end of a stream that has given its answer."""


@dataclass(frozen=True, slots=True)
class Post(Step[int]):
    """Send a request beside the open one, and return its status."""

    verb: str
    url: str
    headers: Mapping[str, str]
    body: bytes


class Incoming(Protocol):
    """Takes the stream of a session, whose messages are for any of its calls."""

    def feed(self, chunk: bytes, /) -> Iterable[Post]:
        """Take bytes that arrived; return the answers to send.

        Raises:
            TransportError: The stream breaks a limit; it is read no further.
        """
        ...

    def end(self, error: TransportError, /) -> None:
        """Note that no further bytes come."""
        ...

    def refuse_calls(self) -> None:
        """Make new calls open another session; those that wait continue to wait."""
        ...

    @property
    def idle(self) -> bool:
        """Whether no call waits for a message."""
        ...


@dataclass(frozen=True, slots=True)
class Subscribe(Step[None]):
    """Read the open response beside the calls, until it or the client ends."""

    incoming: Incoming


@dataclass(frozen=True, slots=True)
class Await(Step["dict[str, Any]"]):
    """Wait for a message in a box; raise an error that is there instead."""

    box: Box


HttpStep: TypeAlias = Open | Read | Drain | Post | Subscribe | Await | CommonStep


# Steps over stdio


@dataclass(frozen=True, slots=True)
class Send(Step[None]):
    """Send a request to the program.

    Attributes:
        delivery: The call that the request carries. None for one that opens the
            session: then the program is started where none runs.
    """

    number: int
    body: bytes
    delivery: Delivery | None


@dataclass(frozen=True, slots=True)
class Receive(Step["dict[str, Any]"]):
    """Wait for a message to the request that was sent.

    Attributes:
        seconds: The time to wait, within the deadline; None for all of it.
    """

    seconds: float | None


@dataclass(frozen=True, slots=True)
class Tell(Step[None]):
    """Send a message that gets no answer."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Overhear(Step[None]):
    """Wait, with `Receive`, for messages that are for no call of the moment."""


StdioStep: TypeAlias = Send | Receive | Tell | Overhear | CommonStep

StepT = TypeVar("StepT")
Flow: TypeAlias = Generator[StepT | CommonStep, Any, T]
"""Logic that yields steps of one transport and returns a T."""


class CallbackError(Exception):
    """Carries an exception of a user's function past our own handlers.

    An error of the user's code, also one of our own classes that another client
    raised, says nothing about this call.
    """

    def __init__(self, original: Exception) -> None:
        super().__init__(original)
        self.original = original
