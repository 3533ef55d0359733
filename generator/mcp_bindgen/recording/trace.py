"""Shows the messages between a client and its server, for `record --verbose`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from mcp_bindgen.runtime.protocol.steps import (
    Await,
    Head,
    Open,
    Post,
    Read,
    Receive,
    Send,
    Tell,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mcp_bindgen.runtime.protocol.steps import CommonStep
    from mcp_bindgen.runtime.transport.drive import BlockingDriver

__all__ = ["TracingDriver"]

T = TypeVar("T")
StepT = TypeVar("StepT")

_MESSAGE_LENGTH = 1_000  # characters of one message that are shown
_READ_LENGTH = 1_000_000  # characters, or bytes, that are searched for secrets


class TracingDriver(Generic[StepT]):
    """Runs flows with another driver, and shows each message that passes.

    Header fields are not shown, since they hold credentials.

    Args:
        driver: The driver that runs the flows.
        show: Gets one line for each message.
        hidden: Returns a message without secrets; it gets more than is shown, so that
            no secret is cut in two.
    """

    def __init__(
        self,
        driver: BlockingDriver[StepT],
        show: Callable[[str], None],
        hidden: Callable[[str], str],
    ) -> None:
        self._driver = driver
        self._show = show
        self._hidden = hidden

    def run(
        self, flow: Generator[StepT | CommonStep, Any, T], timeout: float | None
    ) -> T:
        """Run a flow within so many seconds."""
        return self._driver.run(self._traced(flow), timeout)

    def close(self) -> None:
        """Close connections and programs."""
        self._driver.close()

    def forked(self) -> None:
        """Leave the connections and programs of the parent process alone."""
        self._driver.forked()

    def _traced(
        self, flow: Generator[StepT | CommonStep, Any, T]
    ) -> Generator[StepT | CommonStep, Any, T]:
        """Yield the steps of a flow, and pass it their answers."""
        go: Callable[[Any], StepT | CommonStep] = flow.send
        answer: Any = None
        while True:
            try:
                step = go(answer)
            except StopIteration as stop:
                result: T = stop.value
                return result
            self._line(">", _sent(step))
            try:
                go, answer = flow.send, (yield step)
                self._line("<", _received(step, answer))
            except BaseException as error:  # noqa: BLE001, the flow decides about it
                self._line("<", f"{type(error).__name__}: {error}")
                go, answer = flow.throw, error

    def _line(self, direction: str, text: str) -> None:
        text = self._hidden(text)
        if text:
            dots = "..." if len(text) > _MESSAGE_LENGTH else ""
            self._show(f"{direction} {text[:_MESSAGE_LENGTH]}{dots}")


def _sent(step: object) -> str:
    """Return the message that a step sends, "" for none."""
    match step:
        case Open() | Post():
            path = urlsplit(step.url).path or "/"
            return f"{step.verb} {path} {_text(step.body)}".rstrip()
        case Send() | Tell():
            return _text(step.body)
        case _:
            return ""


def _received(step: object, answer: Any) -> str:
    """Return the message that came as the answer to a step, "" for none."""
    match step:
        case Open():
            head: Head = answer
            return f"HTTP {head.status} {head.headers.get('content-type', '')}".rstrip()
        case Post():
            return f"HTTP {answer}"
        case Read():
            return _text(answer)
        case Receive() | Await():
            return json.dumps(answer)[:_READ_LENGTH]
        case _:
            return ""


def _text(body: bytes) -> str:
    return body.strip()[:_READ_LENGTH].decode("utf-8", "replace")
