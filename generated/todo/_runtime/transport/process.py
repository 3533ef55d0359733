# Copied by mcp-bindgen. Do not edit.
"""A server's program: its start, the threads that serve its pipes, its end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any

from ..errors import ConfigError, LimitError, TransportError, shown
from ..protocol.messages import encode, is_response, parse_message, refusal
from ..strict_json import elements, members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Box", "Child", "Command"]

Box = SimpleQueue[dict[str, Any] | TransportError]

_LINE = 32 * 1024 * 1024
_LOOKED_AT = 1024 * 1024
_JUNK = 100
_CHUNK = 65_536
_SAID = 10_000  # the last bytes of stderr, which errors show
_SAID_LINES = 20
_STOP = 2.0
# What a program needs to run at all; secrets come only by env=.
_ENV = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR"),
    *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "SYSTEMDRIVE"),
    *("PROCESSOR_ARCHITECTURE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
)


class Command:
    """What to run, and where.

    Raises:
        ConfigError: If the command is no list of texts.
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
        self._command = command

    def line(self) -> list[str]:
        """Return the command with the path of its program, which may come later.

        Raises:
            ConfigError: There is no such program now.
        """
        program = shutil.which(self._command[0], path=self.env.get("PATH"))
        if program is None:
            hint = "give its whole path"
            raise ConfigError(f"there is no program {self.name!r}", hint=hint)
        return [program, *self._command[1:]]


class Child:
    """One run of the server's program, and the threads that serve its pipes."""

    def __init__(self, command: Command) -> None:
        self._boxes: dict[int, Box] = {}
        self._guard = threading.Lock()
        self._end: TransportError | None = None
        self._said = b""
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            self._process = subprocess.Popen(
                command.line(),
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
            self._threads = [
                threading.Thread(target=work, args=(pipe,), daemon=True)
                for work, pipe in (
                    (self._write, self._process.stdin),
                    (self._drain, self._process.stderr),
                    (self._read, self._process.stdout),
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
        """Whether the program is gone."""
        return self._end is not None

    def ask(self, number: int, body: bytes) -> Box:
        """Send a request; return where the messages for it will be put."""
        box: Box = SimpleQueue()
        with self._guard:
            if self._end is not None:
                why = self._end.message
                raise TransportError(why, outcome="not sent", transient=True)
            self._boxes[number] = box
        self.tell(body)
        return box

    def drop(self, number: int) -> None:
        """Forget a request; its answer, if it comes, is thrown away."""
        with self._guard:
            self._boxes.pop(number, None)

    def tell(self, body: bytes) -> None:
        """Send one message; a program that does not read holds nobody up."""
        self._outgoing.put(body)

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError):
            while (body := self._outgoing.get()) is not None:
                pipe.write(body + b"\n")
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _drain(self, pipe: IO[bytes]) -> None:
        while chunk := os.read(pipe.fileno(), _CHUNK):
            self._said = (self._said + chunk)[-_SAID:]
        pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        end = self._serve(pipe)
        if end is not None:
            self._kill()
        pipe.close()
        self._process.wait()
        self._threads[1].join(_STOP)
        if end is None:
            code = self._process.returncode
            end = TransportError(f"the server's program ended (exit code {code})")
        if lines := self._said.decode("utf-8", "replace").splitlines():
            words = (f"\n  {shown(line.rstrip())}" for line in lines[-_SAID_LINES:])
            end.message += "; its last words:" + "".join(words)
        with self._guard:
            self._end = end
            boxes, self._boxes = self._boxes, {}
        for box in boxes.values():
            box.put(end)
        self._outgoing.put(None)

    def _serve(self, pipe: IO[bytes]) -> TransportError | None:
        """Hand out what the program writes, until it stops or writes nonsense."""
        junk = 0
        while line := pipe.readline(_LINE):
            if len(line) == _LINE:
                return LimitError(f"a line of more than {_LINE} bytes")
            try:
                message = parse_message(line)
            except TransportError as error:
                junk += bool(line.strip()) and not self._blame(line, error)
                if junk > _JUNK:
                    return LimitError("the server's program prints what is not MCP")
            else:
                self._deliver(message)
        return None

    def _deliver(self, message: dict[str, Any]) -> None:
        token = members(message.get("params")).get("progressToken")
        number = message.get("id") if is_response(message) else token
        with self._guard:
            box = self._boxes.get(number) if type(number) is int else None
            if box is None and not is_response(message):
                box = next(iter(self._boxes.values()), None)
        if box is not None:
            box.put(message)
        elif not is_response(message) and "id" in message:
            self.tell(encode(refusal(message)))

    def _blame(self, line: bytes, error: TransportError) -> bool:
        """Tell those who wait for a malformed answer; all, if it says not for whom."""
        asked = _answered(line)
        with self._guard:
            wanted = set(self._boxes) if asked is None else asked & self._boxes.keys()
            boxes = [self._boxes[number] for number in wanted]
        for box in boxes:
            box.put(error)
        return bool(boxes)

    def _kill(self) -> None:
        """End the program and whatever it started, at once."""
        if hasattr(os, "killpg"):
            self._signal(signal.SIGKILL)
        else:
            kill = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
            subprocess.run(kill, capture_output=True, check=False)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def close(self) -> None:
        """Let the program end by itself, then ask it to, then end it."""
        self._outgoing.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP)
        if self._process.returncode is None and hasattr(os, "killpg"):
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP)
        self._kill()
        for thread in self._threads:
            thread.join(_STOP)


def _answered(line: bytes) -> set[int] | None:
    """Return the requests that a malformed line answers, None where nobody knows.

    Logs and notifications are nobody's answer, whatever they look like.
    """
    try:
        found = json.loads(line[:_LOOKED_AT])  # part of a longer one is no JSON
    except (RecursionError, ValueError):
        ids, is_answer = set[int](), line.lstrip()[:1] in (b"{", b"[")
    else:
        told = map(members, elements(found) or [found])
        answers = [message for message in told if is_response(message)]
        ids = {a["id"] for a in answers if type(a.get("id")) is int}
        is_answer = bool(answers)
    return None if is_answer and not ids and b'"jsonrpc"' in line else ids
