"""Calls and errors that come in the middle of a message to a program."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.transport import program_input
from mcp_bindgen.runtime.transport.program_input import ProgramInput

from tests.runtime.program_pipe import LONG, needs_pipes, writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runtime.program_pipe import Writer


def interrupting(
    monkeypatch: pytest.MonkeyPatch,
    writer: Writer,
    moment: str,
    act: Callable[[], None],
) -> list[str]:
    """Act once in the middle of a message that its caller writes; return what is left.

    As when the collector ends a forgotten call, or as the handler of a signal.
    """
    write, claim, left = os.write, ProgramInput.claim, [moment]

    def at(now: str) -> None:
        if left == [now] and threading.current_thread() is not writer.thread:
            left.clear()
            act()

    def claiming(program: ProgramInput, number: int) -> bool:
        claimed = claim(program, number)
        at("before")
        return claimed

    def writes(file: int, data: bytes) -> int:
        count = write(file, data)
        at("after")
        return count

    monkeypatch.setattr(ProgramInput, "claim", claiming)
    monkeypatch.setattr(os, "write", writes)
    return left


@needs_pipes
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_call_amid_another_gets_its_answer(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    lines: list[bytes] = []

    def call() -> None:
        writer.input.put(2, b"b")
        while b"b\n" not in lines:
            lines.append(writer.reader.readline())

    with writing() as writer:
        writer.wake()
        left = interrupting(monkeypatch, writer, moment, call)
        count = 0
        while left:  # until the caller writes itself
            writer.input.put(1, b"a")
            count += 1
            while lines.count(b"a\n") < count:
                lines.append(writer.reader.readline())
        assert lines[-2:] == (
            [b"b\n", b"a\n"] if moment == "before" else [b"a\n", b"b\n"]
        )


@needs_pipes
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_long_line_amid_another_is_whole(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    is_full, goes_on = threading.Event(), threading.Event()

    def waits(_: object) -> None:
        is_full.set()
        goes_on.wait(10)

    with writing() as writer:
        writer.wake()
        texts: list[bytes] = []

        def send() -> None:
            texts.clear()
            writer.input.put(None, LONG)
            assert is_full.wait(10)
            texts.append(os.read(writer.reader.fileno(), 20_000))  # there is room

        monkeypatch.setattr(program_input, "_wait_for_room", waits)
        left = interrupting(monkeypatch, writer, moment, send)
        while left:
            writer.input.put(1, b"a")
            if left:
                assert writer.reader.readline() == b"a\n"
        goes_on.set()
        lines = [LONG + b"\n", b"a\n"]
        text = b"".join(lines if moment == "before" else reversed(lines))
        assert texts[0] + writer.reader.read(len(text) - len(texts[0])) == text


@needs_pipes
@pytest.mark.parametrize("error", [TimeoutError(), BrokenPipeError(32, "its own")])
def test_an_error_of_a_handler_sends_no_line_again(
    monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def handler() -> None:
        raise error

    with writing() as writer:
        writer.wake()
        left = interrupting(monkeypatch, writer, "after", handler)
        raised: list[OSError] = []
        while left:
            try:
                writer.input.put(1, b"a")
            except OSError as caught:
                raised.append(caught)
            else:
                assert writer.reader.readline() == b"a\n"
        assert raised == [error]
        assert not writer.input.claim(1)
        writer.input.put(2, b"b")
        assert [writer.reader.readline() for _ in range(2)] == [b"a\n", b"b\n"]
