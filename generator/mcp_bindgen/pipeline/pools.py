"""An executor in other processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.executor import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor as Futures
    from concurrent.futures import Future

    from mcp_bindgen.pipeline.executor import Executor

__all__ = ["Pool", "cores", "processes"]

_GLANCE = 0.2  # seconds between two calls of `waiting`

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(
    workers: int, waiting: Callable[[], None] = lambda: None
) -> Generator[Executor]:
    """Yield an executor of processes on this machine; they start with the first item.

    Args:
        workers: How many at most.
        waiting: Called again and again while no result has come.

    Raises:
        BindgenError: A process was ended from outside.
    """
    # A forked process has all modules that are loaded here; no thread runs here yet.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(workers, context, _follow)
    try:
        yield Pool(pool, 2 * workers, waiting)
    except BrokenExecutor as error:
        hint = "it may have needed more memory than there is: try --jobs 1"
        raise BindgenError(Problem("", "a worker process was ended", hint)) from error
    except BaseException:  # Their results are no longer needed.
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _follow() -> None:
    """Leave interrupts to the process that started this one, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # all of a terminal get it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)  # A worker would wait for ever for work from a parent that is gone.


@dataclass(frozen=True, slots=True)
class Pool:
    """Sends batches to an executor of `concurrent.futures`, a few ahead.

    Attributes:
        futures: The executor.
        ahead: The number of batches under way; later items are not taken yet.
        waiting: As for `processes`.
    """

    futures: Futures
    ahead: int
    waiting: Callable[[], None]

    def map(
        self, function: Callable[[Sequence[T]], list[R]], items: Iterable[T], batch: int
    ) -> Iterator[R]:
        """Yield the results of batches in order (see `Executor.map`)."""
        pending: deque[Future[list[R]]] = deque()
        for part in batches(items, batch):
            pending.append(self.submit(function, part))
            if len(pending) >= self.ahead:
                yield from self._first(pending)
        while pending:
            yield from self._first(pending)

    def submit(
        self, function: Callable[[Sequence[T]], list[R]], part: Sequence[T]
    ) -> Future[list[R]]:
        """Return the future of a batch."""
        return self.futures.submit(function, part)

    def result(self, future: Future[list[R]]) -> list[R]:
        """Return the results of a batch that is done."""
        return future.result()

    def _first(self, pending: deque[Future[list[R]]]) -> list[R]:
        while wait([pending[0]], _GLANCE).not_done:
            self.waiting()
        return self.result(pending.popleft())
