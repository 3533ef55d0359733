"""A server as a child process that speaks on stdin and stdout."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, TypeVar

import anyio
import anyio.to_thread

from .errors import ClosedError, ConfigError, LimitError, TransportError, shown
from .flow import Awaiting, Blocking, Flow, drive, drive_async
from .rpc import Reply, is_response, parse_message, parse_reply, refusal, encode

T = TypeVar("T")
Box = SimpleQueue[dict[str, Any] | TransportError]

_LINE = 32 * 1024 * 1024
_JUNK = 100
_STDERR_LINES = 20
_STDERR_LINE = 500
_STOP = 2.0
_PROBE = 10.0
# What a program needs to run at all; secrets come only by env=.
_ENV = (
    "HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL TMPDIR APPDATA HOMEDRIVE HOMEPATH "
    "LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME "
    "USERPROFILE"
).split()


class Command:
    """What to run, and where.

    Raises:
        ConfigError: If there is no such program.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str] | None,
        cwd: str | Path | None,
    ) -> None:
        if isinstance(command, str) or not command:
            raise ConfigError("the command is no list of a program and its arguments")
        own = {name: os.environ[name] for name in _ENV if name in os.environ}
        self.env = {**own, **(env or {})}
        self.cwd = cwd
        self.name = shown(Path(command[0]).name, 100)
        program = shutil.which(command[0], path=self.env.get("PATH"))
        if program is None:
            raise ConfigError(
                f"there is no program {self.name!r}", hint="give its whole path"
            )
        self.line = [program, *command[1:]]


class Child:
    """One run of the server's program, and the threads that serve its pipes."""

    def __init__(self, command: Command) -> None:
        self._boxes: dict[int, Box] = {}
        self._guard = threading.Lock()
        self._end: TransportError | None = None
        self._errors: deque[str] = deque(maxlen=_STDERR_LINES)
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            self._process = subprocess.Popen(
                command.line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=command.env,
                cwd=command.cwd,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            reason = error.strerror
        else:
            pipes = self._process
            assert pipes.stdin and pipes.stdout and pipes.stderr
            self._threads = [
                threading.Thread(target=work, args=(pipe,), daemon=True)
                for work, pipe in (
                    (self._write, pipes.stdin),
                    (self._drain, pipes.stderr),
                    (self._read, pipes.stdout),
                )
            ]
            for thread in self._threads:
                thread.start()
            return
        raise TransportError(
            f"the program does not start: {reason}", outcome="not sent"
        )

    @property
    def ended(self) -> bool:
        """Whether the server is gone."""
        return self._end is not None

    def box(self, number: int) -> Box:
        """Return where the messages for a request will be put."""
        box: Box = SimpleQueue()
        with self._guard:
            if self._end is not None:
                raise TransportError(
                    self._end.message, outcome="not sent", transient=True
                )
            self._boxes[number] = box
        return box

    def drop(self, number: int) -> None:
        """Forget a request; its answer, if it comes, is thrown away."""
        with self._guard:
            self._boxes.pop(number, None)

    def send(self, body: bytes) -> None:
        """Send one message, some time soon."""
        self._outgoing.put(body)

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while (body := self._outgoing.get()) is not None:
                pipe.write(body + b"\n")
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _drain(self, pipe: IO[bytes]) -> None:
        for line in iter(lambda: pipe.readline(_STDERR_LINE), b""):
            self._errors.append(shown(line.decode("utf-8", "replace").rstrip(), 500))
        pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        end: TransportError | None = None
        junk = 0
        while end is None and (line := pipe.readline(_LINE)):
            if len(line) == _LINE:
                end = LimitError(f"a line of more than {_LINE} bytes")
                break
            try:
                message = parse_message(line)
            except TransportError:
                junk += 1 if line.strip() else 0
                if junk > _JUNK:
                    end = LimitError("the server's program prints what is not MCP")
            else:
                self._deliver(message)
        if end is not None:
            self.kill()
        pipe.close()
        self._process.wait()
        self._threads[1].join(_STOP)
        if end is None:
            end = TransportError(
                f"the server's program ended (exit code {self._process.returncode})",
                transient=True,
            )
        if self._errors:
            end.message += "; its last words:\n  " + "\n  ".join(self._errors)
        self._finish(end)

    def _finish(self, end: TransportError) -> None:
        with self._guard:
            self._end = end
            boxes, self._boxes = self._boxes, {}
        for box in boxes.values():
            box.put(end)
        self._outgoing.put(None)

    def _deliver(self, message: dict[str, Any]) -> None:
        given = message.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        with self._guard:
            if is_response(message):
                box = self._boxes.get(_number(message.get("id")))
            elif "id" in message:
                box = next(iter(self._boxes.values()), None)
            else:
                token = _number(params.get("progressToken"))
                box = self._boxes.get(token) or next(iter(self._boxes.values()), None)
        if box is not None:
            box.put(message)
        elif "method" in message and "id" in message:
            self.send(encode(refusal(message)))

    def kill(self) -> None:
        """End the program and whatever it started, at once."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            kill = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
            subprocess.run(kill, capture_output=True, check=False)

    def close(self) -> None:
        """Let the program end by itself, and end it if it does not."""
        self._outgoing.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP)
        if self._process.returncode is None and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP)
        self.kill()
        for thread in self._threads:
            thread.join(_STOP)


def _number(value: object) -> int:
    return value if type(value) is int else -1


class Pipes:
    """MCP over stdin and stdout, one JSON text a line."""

    http = False

    def exchange(
        self,
        number: int,
        body: bytes,
        headers: Mapping[str, str],
        listen: Callable[[dict[str, Any]], Flow[None]],
    ) -> Flow[Reply]:
        """Send one request and return the answer."""
        probe = b'"method":"server/discover"' in body
        yield lambda io: io.send(number, body)
        while True:
            message: dict[str, Any] = yield lambda io: io.receive(
                _PROBE if probe else None
            )
            if is_response(message):
                return parse_reply(message, number)
            yield from listen(message)

    def notify(self, body: bytes, headers: Mapping[str, str]) -> Flow[None]:
        """Send one message that gets no answer."""
        yield lambda io: io.tell(body)

    def hang_up(self, headers: Mapping[str, str]) -> Flow[None]:
        """Do nothing: closing stdin ends the session."""
        yield from ()


class _Line:
    """The requests of one call, on whichever child runs now."""

    def __init__(self, door: _Door) -> None:
        self._door = door
        self._child: Child | None = None
        self._number = -1
        self._box: Box = SimpleQueue()

    def start(self, number: int, body: bytes) -> None:
        self.stop()
        self._child = self._door.child()
        self._box = self._child.box(number)
        self._number = number
        self._child.send(body)

    def take(self, seconds: float | None) -> dict[str, Any]:
        message = self._box.get(timeout=seconds)
        if isinstance(message, TransportError):
            raise type(message)(message.message, transient=message.transient)
        return message

    def tell(self, body: bytes) -> None:
        if self._child is not None:
            self._child.send(body)

    def stop(self) -> None:
        if self._child is not None:
            self._child.drop(self._number)
            # Whoever still waits on the box, in a thread of its own, wakes up.
            self._box.put(TransportError("given up"))


class _Door:
    """Holds the child process: started at the first call, again when it died."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._child: Child | None = None
        self._closed = False
        self._guard = threading.Lock()

    def child(self) -> Child:
        with self._guard:
            if self._closed:
                raise ClosedError("the client is closed", outcome="not sent")
            if self._child is None:
                self._child = Child(self._command)
            elif self._child.ended:
                ended, self._child = self._child, None
                ended.box(-1)  # raises: a new process needs a new handshake
            return self._child

    def shut(self) -> None:
        with self._guard:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.close()


class _Io(Blocking, _Line):
    def __init__(self, door: StdioDoor, timeout: float | None) -> None:
        Blocking.__init__(self, door.mutex, timeout)
        _Line.__init__(self, door)

    def send(self, number: int, body: bytes) -> None:
        self.start(number, body)
        self.sent = True

    def receive(self, most: float | None) -> dict[str, Any]:
        left = self.remaining()
        brief = most is not None and (left is None or most < left)
        try:
            return self.take(most if brief else left)
        except Empty:
            pass
        if brief:
            raise TransportError("no answer to the probe", verdict=True)
        self.remaining()
        raise TransportError("no answer")


class StdioDoor(_Door):
    """Carries out flows on a child process, from any thread."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.mutex = threading.Lock()

    def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _Io(self, timeout)
        try:
            return drive(flow, io)
        finally:
            io.stop()

    def close(self) -> None:
        """End the process."""
        self.shut()


class _AsyncIo(Awaiting, _Line):
    def __init__(self, door: AsyncStdioDoor) -> None:
        Awaiting.__init__(self, door.mutex)
        _Line.__init__(self, door)
        self._threads = door.threads

    async def send(self, number: int, body: bytes) -> None:
        self.start(number, body)
        self.sent = True

    async def tell(self, body: bytes) -> None:
        if self._child is not None:
            self._child.send(body)

    async def receive(self, most: float | None) -> dict[str, Any]:
        try:
            return await anyio.to_thread.run_sync(
                self.take, most, abandon_on_cancel=True, limiter=self._threads
            )
        except Empty:
            pass
        raise TransportError("no answer to the probe", verdict=True)


class AsyncStdioDoor(_Door):
    """The same for tasks; a thread waits for each of them."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.mutex = anyio.Lock()
        self.threads = anyio.CapacityLimiter(math.inf)

    async def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _AsyncIo(self)
        try:
            return await drive_async(flow, io, timeout)
        finally:
            io.stop()

    async def close(self) -> None:
        """End the process."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.shut)
