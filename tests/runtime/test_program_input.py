"""Lines for a program are whole and in order, and no caller waits for its reading."""

from __future__ import annotations

import os
import random
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.protocol.inbox import LISTENER, Inbox
from mcp_bindgen.runtime.transport.program_input import ProgramInput

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

LONG = b"x" * 300_000
needs_pipes = pytest.mark.skipif(
    os.name == "nt", reason="pipes of Windows take all lines by the thread"
)


class Writer:
    """An input with its thread, and the other end of the pipe."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self.reader = os.fdopen(read, "rb")
        self.inbox = Inbox()
        self.file = write
        self.input = ProgramInput(os.fdopen(write, "wb", 0), self.inbox)
        self.errors: list[OSError] = []
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        try:
            self.input.serve()
        except OSError as error:
            self.errors.append(error)
        self.input.close()

    def wake(self) -> None:
        """Send a first line, after which callers write by themselves."""
        self.input.put(None, b"first")
        assert self.reader.readline() == b"first\n"


@contextmanager
def writing() -> Generator[Writer]:
    """Yield an input whose thread runs."""
    writer = Writer()
    yield writer
    writer.input.end()
    writer.reader.close()
    writer.thread.join(10)
    assert not writer.thread.is_alive()


@contextmanager
def writers(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> Generator[set[threading.Thread]]:
    """Yield the threads that write."""
    threads: set[threading.Thread] = set()
    write = os.write

    def noted(file: int, data: bytes) -> int:
        if file == writer.file:
            threads.add(threading.current_thread())
        return write(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", noted)
        yield threads


@needs_pipes
@pytest.mark.parametrize(
    ("waiting", "is_at_once"),
    [([1], True), ([LISTENER, 1], True), ([1, 2], False), ([], True)],
)
def test_a_caller_alone_writes_itself(
    monkeypatch: pytest.MonkeyPatch,
    waiting: list[int],
    is_at_once: bool,  # noqa: FBT001
) -> None:
    with writing() as writer:
        writer.wake()
        for number in waiting:
            writer.inbox.expect(number)
        with writers(writer, monkeypatch) as threads:
            for _ in range(100):  # the thread may still be about to write none
                writer.input.put(1, b"a")
                assert writer.reader.readline() == b"a\n"
                assert not writer.input.claim(1)
        assert (threading.current_thread() in threads) is is_at_once


def test_a_program_that_does_not_read_holds_no_caller() -> None:
    with writing() as writer:
        writer.wake()
        sent = [b"%d" % n + b"y" * 1_000 for n in range(300)]
        for number, body in enumerate(sent, 1):
            writer.input.put(number, body)
        assert writer.input.claim(300)
        lines = [writer.reader.readline() for _ in sent[1:]]
        assert lines == [body + b"\n" for body in sent[:-1]]


def test_lines_are_whole_and_in_the_order_of_each_caller() -> None:
    bodies = [b"%d", b"%d" + LONG, b"%d" + b"z" * 3_000]
    chosen = random.Random(3).choices(bodies, weights=[8, 1, 4], k=4 * 150)

    def send(first: int) -> None:
        for number in range(first, first + 150):
            writer.input.put(number, chosen[number] % number)

    with writing() as writer:
        writer.wake()
        threads = [threading.Thread(target=send, args=(n * 150,)) for n in range(4)]
        for thread in threads:
            thread.start()
        lines = [writer.reader.readline() for _ in chosen]
        for thread in threads:
            thread.join()
        numbers = [int(line.rstrip(b"\nxz")) for line in lines]
        assert sorted(numbers) == [*range(600)]
        assert [chosen[n] % n + b"\n" for n in numbers] == lines
        for first in range(0, 600, 150):
            ours = [n for n in numbers if first <= n < first + 150]
            assert ours == sorted(ours)


@needs_pipes
def test_a_line_that_comes_amid_another_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As when the collector of garbage ends a forgotten call.
    write = os.write
    amid: list[Callable[[], None]] = []

    def collecting(file: int, data: bytes) -> int:
        if file == writer.file and threading.current_thread() is not writer.thread:
            while amid:
                amid.pop()()
        return write(file, data)

    with writing() as writer:
        writer.wake()
        monkeypatch.setattr(os, "write", collecting)
        amid.append(lambda: writer.input.put(None, LONG))
        amid.append(lambda: writer.input.put(None, b"cancelled"))
        while amid:  # until the caller writes itself
            writer.input.put(1, b"a")
            assert writer.reader.readline() == b"a\n"
        assert writer.reader.readline() == b"cancelled\n"
        assert writer.reader.readline() == LONG + b"\n"


def test_a_request_that_ended_before_its_turn_leaves_no_line() -> None:
    with writing() as writer:
        writer.wake()
        writer.input.put(1, LONG)
        writer.input.put(2, b"b")
        assert writer.input.claim(2)
        assert not writer.input.claim(2)
        writer.input.put(None, b"c")
        assert writer.reader.readline() == LONG + b"\n"
        assert writer.reader.readline() == b"c\n"


@pytest.mark.skipif(os.name == "nt", reason="no poll")
@pytest.mark.parametrize("waits", [True, False])
def test_a_program_that_reads_no_more(
    monkeypatch: pytest.MonkeyPatch,
    waits: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(limits, "STDIN_LOOK", 0.02)
    with writing() as writer:
        writer.wake()
        if waits:
            writer.inbox.expect(1)
            writer.input.put(1, b"a")
            assert writer.reader.readline() == b"a\n"
        writer.thread.join(0.1)  # it looks several times
        assert writer.errors == []
        writer.reader.close()
        writer.thread.join(10 if waits else 0.2)
        assert [type(e) for e in writer.errors] == [BrokenPipeError] * waits
        writer.input.put(2, b"b")
        writer.thread.join(10)
        assert [type(e) for e in writer.errors] == [BrokenPipeError]
        assert writer.input.claim(2)


def test_after_the_end_nothing_is_written() -> None:
    with writing() as writer:
        writer.wake()
        writer.input.end()
        writer.thread.join(10)
        writer.input.put(3, b"late")
        assert writer.input.claim(3)
        assert writer.reader.read() == b""
