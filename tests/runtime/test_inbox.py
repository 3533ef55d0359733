"""Messages reach the call that they are for, also where several come at once."""

from __future__ import annotations

import threading
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock, patch

import pytest
from mcp_bindgen.runtime.errors import TransportError
from mcp_bindgen.runtime.protocol.inbox import LISTENER, Inbox
from mcp_bindgen.runtime.transport import program_owner

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


def test_a_message_goes_to_the_listener_where_its_call_ends_meanwhile() -> None:
    inbox = Inbox()
    listener, box = inbox.expect(LISTENER), inbox.expect(1)
    put, others = box.put, list[Any]()
    giving_up = threading.Thread(target=lambda: others.extend(inbox.drop(1)))

    def late(message: Any) -> None:
        if not giving_up.ident:
            giving_up.start()
            giving_up.join(0.2)  # it has its time, and must not be done
        put(message)

    with patch.object(box, "put", late):
        assert inbox.deliver(NOTICE)
        giving_up.join(10)
    assert content(listener) == [NOTICE]
    assert others == []


def test_a_forgotten_call_may_end_in_the_middle_of_another() -> None:
    inbox = Inbox()
    box = inbox.expect(1)
    inbox.expect(2)
    # As the collector of garbage does, which may come at any moment.
    box.ring = partial(inbox.drop, 2)
    delivery = threading.Thread(target=inbox.deliver, args=[answer(1)], daemon=True)
    delivery.start()
    delivery.join(10)
    assert not delivery.is_alive()
    assert content(box) == [answer(1)]
    assert not inbox.deliver(answer(2))


def test_a_forgotten_call_may_give_up_a_program_while_another_starts_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forgotten, started = Mock(), Mock(ended=False)

    def start(_: object) -> Mock:
        owner.give_up(forgotten)  # as the collector of garbage does
        return started

    monkeypatch.setattr(program_owner, "Program", start)
    owner, programs = program_owner.ProgramOwner(Mock()), list[Any]()

    def take() -> None:
        programs.append(owner.program(start=True))

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    thread.join(10)
    assert programs == [started]
    owner.shut()
    assert forgotten.close.called


def test_a_request_with_an_answer_waits_no_more() -> None:
    inbox = Inbox()
    box = inbox.expect(1)
    assert inbox.waiting == 1
    assert inbox.deliver(answer(1))
    assert inbox.waiting == 0
    assert not inbox.blame(None, END)
    assert not inbox.deliver(answer(1))  # a second answer is for nobody
    assert content(box) == [answer(1)]


@pytest.mark.parametrize("number", [None, "1", True, 2.5, 7])
def test_an_answer_to_nothing_is_for_nobody(number: object) -> None:
    inbox = Inbox()
    box = inbox.expect(1)
    assert not inbox.deliver({"id": number, "result": {}})
    assert content(box) == []
