"""Messages reach the call that they are for, also where several come at once."""

from __future__ import annotations

from queue import Empty
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.errors import TransportError
from mcp_bindgen.runtime.protocol.inbox import LISTENER, Inbox

if TYPE_CHECKING:
    from mcp_bindgen.runtime.protocol.steps import Box

END = TransportError("the program has ended")
NOTICE: dict[str, Any] = {"method": "notifications/resources/updated", "params": {}}


def answer(number: int) -> dict[str, Any]:
    return {"id": number, "result": {}}


def content(box: Box) -> list[Any]:
    """Return all that is in a box."""
    messages: list[Any] = []
    try:
        while True:
            messages.append(box.get_nowait())
    except Empty:
        return messages


def test_a_notice_behind_an_answer_is_not_lost_with_the_end() -> None:
    inbox = Inbox()
    listener, box = inbox.expect(LISTENER), inbox.expect(1)
    # All of it comes before the call takes its answer.
    assert inbox.deliver(NOTICE)
    assert inbox.deliver(answer(1))
    assert inbox.deliver(NOTICE)
    inbox.end(END)
    assert content(box) == [NOTICE, answer(1)]
    assert inbox.drop(1) == []
    assert content(listener) == [NOTICE, END]


def test_a_call_that_ends_early_leaves_its_messages_to_the_others() -> None:
    inbox = Inbox()
    listener, box = inbox.expect(LISTENER), inbox.expect(1)
    assert inbox.deliver(NOTICE)
    assert inbox.deliver(answer(1))
    assert inbox.drop(1) == [answer(1)]
    assert content(listener) == [NOTICE]
    (error,) = content(box)
    assert isinstance(error, TransportError)


def test_a_request_with_an_answer_waits_no_more() -> None:
    inbox = Inbox()
    box = inbox.expect(1)
    assert not inbox.empty
    assert inbox.deliver(answer(1))
    assert inbox.empty
    assert not inbox.blame(None, END)
    assert not inbox.deliver(answer(1))  # a second answer is for nobody
    assert content(box) == [answer(1)]


@pytest.mark.parametrize("number", [None, "1", True, 2.5, 7])
def test_an_answer_to_nothing_is_for_nobody(number: object) -> None:
    inbox = Inbox()
    box = inbox.expect(1)
    assert not inbox.deliver({"id": number, "result": {}})
    assert content(box) == []
