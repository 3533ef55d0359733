# Copied by mcp-bindgen. Do not edit.
"""A server's program: its start, the threads that serve its pipes, its end."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import IO, TYPE_CHECKING, Any, cast

from .. import limits
from ..errors import LimitError, TransportError, printable
from ..protocol.inbox import LISTENER, Inbox
from ..protocol.messages import (
    answered,
    encode,
    is_response,
    parse_message,
    refusal,
)
from ..protocol.wire import SessionLostError
from .printed_text import PrintedText
from .program_input import ProgramInput

if TYPE_CHECKING:
    from ..protocol.steps import Box
    from .command import Command

__all__ = ["Program"]


class Program:
    """One run of the server's program, and the threads that serve its pipes.

    The rule: it counts as ended as soon as its stdin or stdout is closed or the process
    is gone. The first thread that sees this informs all who wait, and ends the rest of
    it, children included.
    """

    def __init__(self, command: Command) -> None:
        self._inbox = Inbox()
        self._stderr = b""
        self._text = PrintedText()
        self._killed = False
        line = command.line()
        try:
            self._process = subprocess.Popen(
                line,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=command.env,
                cwd=command.cwd,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:  # ValueError: a null character
            refusal = command.refusal(error)
        else:
            stdin = cast("IO[bytes]", self._process.stdin)
            self._input = ProgramInput(stdin, self._inbox)
            works = (
                (self._write, None),
                (self._read, self._process.stdout),
                (self._read_stderr, self._process.stderr),
                (self._wait, None),
            )
            self._threads = [
                threading.Thread(target=work, args=(pipe,), daemon=True)
                for work, pipe in works
            ]
            for thread in self._threads:
                thread.start()
            return
        raise refusal

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether no more messages can be sent or received."""
        return self._inbox.ended

    @property
    def only_text(self) -> str:
        """The text of a program that has printed nothing else for a while, or ""."""
        since = self._text.since
        late = since is not None and time.monotonic() - since > limits.TEXT_SECONDS
        return self._text.last_lines() if late and not self._text.spoke else ""

    def ask(self, number: int, body: bytes) -> Box:
        """Send a request; return the box for its messages.

        Raises:
            SessionLostError: The program has ended; nothing was sent.
        """
        box = self._inbox.expect(number)
        self._input.put(number, body)
        return box

    def claim(self, number: int) -> bool:
        """Take a request that is not sent; it is there once, to send or to give up."""
        return self._input.claim(number)

    def overhear(self) -> Box:
        """Return the box for messages that belong to no call."""
        return self._inbox.expect(LISTENER)

    def drop(self, number: int) -> None:
        """Forget a request; its answer, if it comes, is thrown away."""
        self.claim(number)
        for message in self._inbox.drop(number):
            self.refuse(message)

    def tell(self, body: bytes) -> None:
        """Send one message; do not wait for a program that does not read."""
        self._input.put(None, body)

    # The threads

    def _write(self, _: None) -> None:
        try:
            self._input.serve()
        except OSError:
            self._broken("the server's program closed its stdin")
        self._input.close()

    def _read(self, pipe: RawIOBase) -> None:
        with suppress(OSError, ValueError), BufferedReader(pipe) as lines:
            if (end := self._serve(lines)) is not None:
                self._finish(end)
                return
        self._broken("the server's program closed its stdout")

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), limits.CHUNK):
                self._stderr = (self._stderr + chunk)[-limits.STDERR :]
            pipe.close()

    def _wait(self, _: None) -> None:
        code = self._process.wait()
        # Its last output is still in the pipes; but a child of its own may hold
        # these open for ever.
        for thread in self._threads[1:3]:
            thread.join(limits.LAST_OUTPUT)
        self._finish(
            SessionLostError(
                f"the server's program ended (exit code {code})", transient=True
            )
        )

    def _broken(self, reason: str) -> None:
        """End a program that has closed a pipe, unless it is about to end by itself."""
        try:
            self._process.wait(limits.LAST_OUTPUT)
        except subprocess.TimeoutExpired:
            self._finish(SessionLostError(reason, transient=True))

    def _finish(self, end: TransportError) -> None:
        """Inform all who wait of the end, and end the program; once."""
        self._kill()
        if threading.current_thread() is not self._threads[2]:
            self._threads[2].join(limits.LAST_OUTPUT)
        if lines := self._stderr.decode("utf-8", "replace").splitlines():
            words = (
                f"\n  {printable(line.rstrip())}"
                for line in lines[-limits.STDERR_LINES :]
            )
            end.message += "; the last that it printed:" + "".join(words)
        elif text := self._text.last_lines():
            end.message += f"; it printed:{text}"
        self._inbox.end(end)
        self._input.end()

    # The program's output

    def _serve(self, lines: IO[bytes]) -> TransportError | None:
        """Deliver the program's messages, until it stops or prints too much text."""
        while line := lines.readline(limits.BODY):
            if len(line) == limits.BODY:
                return LimitError(f"a line of more than {limits.BODY} bytes")
            try:
                message = parse_message(line)
            except TransportError as error:
                if not line.strip() or self._inbox.blame(answered(line), error):
                    continue
                if not self._text.add(line):
                    text = self._text.last_lines()
                    return LimitError(
                        f"the server's program prints text, which is not MCP:{text}",
                        hint="check the command; a server prints MCP alone on stdout",
                    )
            else:
                self._text.note_message()
                if not self._inbox.deliver(message):
                    self.refuse(message)
        return None

    def refuse(self, message: dict[str, Any]) -> None:
        """Answer a request of the server that has no handler."""
        if "id" in message and not is_response(message):
            self.tell(encode(refusal(message)))

    # Its end

    def _kill(self) -> None:
        """End the program and all that it started, at once; once."""
        killed, self._killed = self._killed, True
        if killed:
            return
        if hasattr(os, "killpg"):
            self._signal(signal.SIGKILL)
        else:
            kill = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
            subprocess.run(kill, capture_output=True, check=False)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def close(self, seconds: float = limits.STOP) -> None:
        """Wait for the program's own end, then ask it to end, then kill it.

        Args:
            seconds: The time for each of these steps.
        """
        self._input.end()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        if self._process.returncode is None and hasattr(os, "killpg"):
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._kill()
        for thread in self._threads:
            thread.join(seconds)

    def leave(self) -> None:
        """Leave the program to the parent of this forked process."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()  # else the program would never see its end
