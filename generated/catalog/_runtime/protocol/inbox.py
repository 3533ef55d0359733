# Copied by mcp-bindgen. Do not edit.
"""The requests of one session that wait for answers, on one stream of messages."""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Empty
from typing import TYPE_CHECKING, Any

from ..errors import TransportError
from ..json_values import members
from .messages import META, is_response
from .steps import Box
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["LISTENER", "Inbox"]

LISTENER = 0
"""In place of a request's number: for messages while no request waits."""


class Inbox:
    """Has a box for each request that waits; calls of any thread share it.

    The rule: only the call that waits takes messages from its box, and after the end
    every box holds an answer or the error that says why there is none.
    """

    def __init__(self) -> None:
        self._boxes: dict[int, Box] = {}
        # Boxes with an answer that its call has not taken: no other message goes there.
        self._answered: dict[int, Box] = {}
        # The collector of garbage may end a forgotten call in the middle of another.
        self._guard = threading.RLock()
        self._end: TransportError | None = None
        self._closed = False

    @property
    def ended(self) -> bool:
        """Whether no message comes any more."""
        return self._end is not None

    @property
    def waiting(self) -> int:
        """The number of requests that wait for answers."""
        return len(self._boxes) - (LISTENER in self._boxes)

    def expect(self, number: int) -> Box:
        """Return the box for the messages of a request that is about to be sent.

        Raises:
            SessionLostError: No message comes any more.
        """
        box = Box()
        with self._guard:
            if self._closed and self._end is None:
                raise SessionLostError("the server ended the session", transient=True)
            self.check()
            self._boxes[number] = box
        return box

    def check(self) -> None:
        """Check that messages still come.

        Raises:
            SessionLostError: No message comes any more.
        """
        if self._end is not None:
            raise SessionLostError(self._end.message, transient=True)

    def drop(self, number: int) -> list[dict[str, Any]]:
        """Forget a request; return the messages that only it had.

        A call may be given up before it has read what the server asks.
        """
        with self._guard:
            answered = self._answered.pop(number, None)
            box = self._boxes.pop(number, answered)
        if box is None or (answered is not None and box.is_empty):
            return []  # the usual end of a call
        left: list[dict[str, Any]] = []
        with suppress(Empty):
            while True:
                message = box.get_nowait()
                if not isinstance(message, TransportError):
                    left.append(message)
        # A thread of a call that was cancelled may still wait: it wakes up.
        box.put(TransportError("given up"))
        return [message for message in left if not self.deliver(message)]

    def deliver(self, message: dict[str, Any]) -> bool:
        """Put a message in the box of its call; return whether there is one.

        A ping is for no call: the call may be over before it looks.
        """
        response = is_response(message)
        if response:
            number = message.get("id")
        elif message.get("method") == "ping":
            return False
        else:
            params = members(message.get("params"))
            subscription = members(params.get("_meta")).get(META + "subscriptionId")
            number = params.get("progressToken", subscription)
        with self._guard:
            box = None
            if type(number) is int:
                box = self._boxes.get(number)
                if box is not None and response:
                    self._boxes.pop(number, None)
                    self._answered[number] = box
            if box is None and not response:
                # The last request is the likeliest: earlier ones may be subscriptions.
                box = self._boxes.get(max(self._boxes, default=LISTENER))
            if box is not None:
                # Here, since a call that is given up looks once for what it leaves.
                box.put(message)
        return box is not None

    def blame(self, numbers: AbstractSet[int] | None, error: TransportError) -> bool:
        """Put an error in the boxes of some requests; return whether any waits.

        Args:
            numbers: The requests; None for all.
            error: The reason why no answer comes.
        """
        with self._guard:
            boxes = [
                box
                for number, box in self._boxes.items()
                if numbers is None or number in numbers
            ]
        for box in boxes:
            box.put(error)
        return bool(boxes)

    def close(self) -> None:
        """Take no further requests; those that wait continue to wait."""
        self._closed = True

    def end(self, error: TransportError) -> None:
        """Put an error in all boxes, and take no more messages; the first one wins."""
        with self._guard:
            if self._end is not None:
                return
            self._end = error
            boxes, self._boxes = self._boxes, {}
        for box in boxes.values():
            box.put(error)
