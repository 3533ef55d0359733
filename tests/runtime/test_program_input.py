"""Lines for a program are whole and in order, and no caller waits for its reading."""

from __future__ import annotations

import os
import random
import select
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.protocol.inbox import LISTENER, Inbox
from mcp_bindgen.runtime.transport import program_input

from tests.runtime.program_pipe import LONG, needs_pipes, writing

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.runtime.program_pipe import Writer


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
@pytest.mark.parametrize("missing", ["late", "early"])
def test_no_poll(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    # As eventlet leaves the system.
    if missing == "early":
        code = "import select; del select.poll; from {0} import {1}; print({1})"
        code = code.format(program_input.__name__, "_AT_ONCE")
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout == "0\n"
        monkeypatch.setattr(program_input, "_AT_ONCE", 0)
        monkeypatch.setattr(program_input, "_poll", None)
    monkeypatch.delattr(select, "poll")
    with writing() as writer:
        writer.wake()
        for number in range(3):
            writer.input.put(number, LONG)
            writer.input.put(None, b"c")
        for _ in range(3):
            assert writer.reader.readline() == LONG + b"\n"
            assert writer.reader.readline() == b"c\n"


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


@needs_pipes
def test_nothing_is_written_to_a_closed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its number may belong to another file then.
    write, ends = os.write, threading.Event()

    def slow(file: int, data: bytes) -> int:
        if threading.current_thread() is not writer.thread:
            ends.set()
            writer.input.end()
            writer.thread.join(0.1)  # it has time to close
        return write(file, data)

    with writing() as writer:
        writer.wake()
        monkeypatch.setattr(os, "write", slow)
        while not ends.is_set():  # until the caller writes itself
            writer.input.put(1, b"a")
            assert writer.reader.readline() == b"a\n"
        writer.thread.join(10)
        writer.input.put(2, b"b")
        assert writer.input.claim(2)


@needs_pipes
def test_a_thread_without_work_waits_without_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "STDIN_LOOK", 0.01)
    with writing() as writer, writers(writer, monkeypatch) as threads:
        writer.wake()
        for _ in range(100):  # on a machine that has much to do, it waits late
            writer.thread.join(0.05)
            threads.clear()
            writer.input.put(1, b"a")
            assert writer.reader.readline() == b"a\n"
            if threads == {writer.thread}:  # it was woken: it does not look
                return
    pytest.fail("the thread looks for ever")


@needs_pipes
def test_a_call_that_comes_as_the_looks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    number = vars(Inbox)["waiting"].fget

    def ask() -> None:
        writer.inbox.expect(1)
        writer.input.put(1, b"a")

    def waiting(inbox: Inbox) -> int:
        before: int = number(inbox)
        looks.append(before)
        if len(looks) == 3:  # the first look is of a pipe in use
            caller.start()
            caller.join(0.1)  # it has time to write
        return before

    monkeypatch.setattr(limits, "STDIN_LOOK", 0.02)
    with writing() as writer:
        caller = threading.Thread(target=ask)
        monkeypatch.setattr(Inbox, "waiting", property(waiting))
        writer.wake()
        assert writer.reader.readline() == b"a\n"
        caller.join()
        writer.reader.close()
        writer.thread.join(5)
        assert [type(e) for e in writer.errors] == [BrokenPipeError]
