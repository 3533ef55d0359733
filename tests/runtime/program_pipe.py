"""A pipe to no program: the input of one, and what arrives there."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.protocol.inbox import Inbox
from mcp_bindgen.runtime.transport.program_input import ProgramInput

if TYPE_CHECKING:
    from collections.abc import Generator

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
        finally:
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
