"""Records many servers, some of them at once; a slow one delays no other."""

from __future__ import annotations

from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.recording.recorder import Options, Recorded
    from mcp_bindgen.recording.source import LiveServer

__all__ = ["Task", "record_all"]


_GLANCE = 0.2  # seconds between two looks for a signal


@dataclass(frozen=True, slots=True)
class Task:
    """One server to record.

    Attributes:
        key: Its name in the settings.
        server: The server.
        seconds: The time for its whole recording.
        options: The settings of the recording.
    """

    key: str
    server: LiveServer
    seconds: float
    options: Options


Result: TypeAlias = "tuple[Task, Recorded | BindgenError]"


def record_all(tasks: Sequence[Task], at_once: int) -> Iterator[list[Result]]:
    """Yield the results as they come, those that are ready together in one list.

    Args:
        tasks: The servers; a server that fails stops no other.
        at_once: How many are recorded at the same time.
    """
    waiting, results = SimpleQueue[Task](), SimpleQueue[Result]()
    for task in tasks:
        waiting.put(task)
    for _ in range(min(at_once, len(tasks))):
        # An interrupt ends the command at once, not after the slowest server.
        Thread(target=_work, args=(waiting, results), daemon=True).start()
    missing = len(tasks)
    while missing:
        try:  # Another thread may get a signal; this one sees it when it runs again.
            first = results.get(timeout=_GLANCE)
        except Empty:
            continue
        batch = [first, *_ready(results)]
        missing -= len(batch)
        yield batch


def _ready(queue: SimpleQueue[Any]) -> Iterator[Any]:
    """Yield the present items of a queue, without waiting."""
    while True:
        try:
            yield queue.get_nowait()
        except Empty:
            return


def _work(waiting: SimpleQueue[Task], results: SimpleQueue[Result]) -> None:
    for task in _ready(waiting):
        try:
            results.put((task, task.server.record(task.seconds, task.options)))
        except BindgenError as error:
            results.put((task, error))
        except BaseException as error:  # the reader waits for a result of each task
            results.put((task, _bug(error)))
            raise


def _bug(error: BaseException) -> BindgenError:
    message = f"this is a bug in mcp-bindgen ({type(error).__name__})"
    return BindgenError(Problem("", message, "report the traceback above"))
