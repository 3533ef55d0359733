"""Executors in other processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import ours
from mcp_bindgen.pipeline.executor import batches

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor as Futures
    from concurrent.futures import Future

    from mcp_bindgen.pipeline.executor import Executor

__all__ = ["DASK", "Pool", "cores", "dask", "processes"]

DASK = "dask:"
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
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)  # A worker would wait for ever for work from a parent that is gone.


@contextmanager
def dask(
    address: str, waiting: Callable[[], None] = lambda: None
) -> Generator[Executor]:
    """Yield an executor on a Dask cluster whose workers have mcp-bindgen, too.

    Args:
        address: Address of its scheduler, as tcp://host:8786.
        waiting: As for `processes`.

    Raises:
        BindgenError: Dask is not installed here, no scheduler answers or goes on to
            answer, its workers end, or they have no mcp-bindgen or another one.
    """
    try:
        distributed: Any = import_module("distributed")  # an extra that few have
    except ImportError as error:
        hint = "pip install 'mcp-bindgen[dask]'"
        raise BindgenError(Problem("", "Dask is not installed", hint)) from error
    # Its own log has tracebacks where a cluster ends; ours is one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    lost = (distributed.scheduler.KilledWorker, distributed.CancelledError, OSError)
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        hint = "write it as --executor dask:tcp://HOST:PORT"
        problem = Problem("", f"no Dask scheduler at {address}", hint)
        raise BindgenError(problem) from error
    with client:
        try:
            workers = max(1, len(client.scheduler_info()["workers"]))
            yield Pool(client.get_executor(), 4 * workers, waiting, ours(), lost)
        except ModuleNotFoundError as error:
            hint = "install mcp-bindgen on the workers"
            raise BindgenError(Problem("", f"on a worker: {error}", hint)) from error


@dataclass(frozen=True, slots=True)
class Pool:
    """Sends batches to an executor of `concurrent.futures`, a few ahead.

    Attributes:
        futures: The executor.
        ahead: The number of batches under way; later items are not taken yet.
        waiting: As for `processes`.
        version: The result that `ours` must have on a worker, "" for any.
        lost: The errors of a cluster whose scheduler or workers ended.
    """

    futures: Futures
    ahead: int
    waiting: Callable[[], None]
    version: str = ""
    lost: tuple[type[BaseException], ...] = ()

    def map(
        self, function: Callable[[Sequence[T]], list[R]], items: Iterable[T], batch: int
    ) -> Iterator[R]:
        """Yield the results of batches in order (see `Executor.map`)."""
        if self.version:
            function = partial(_same_version, self.version, function)
        pending: deque[Future[list[R]]] = deque()
        for part in batches(items, batch):
            pending.append(self.futures.submit(function, part))
            if len(pending) >= self.ahead:
                yield from self._first(pending)
        while pending:
            yield from self._first(pending)

    def _first(self, pending: deque[Future[list[R]]]) -> list[R]:
        while wait([pending[0]], _GLANCE).not_done:
            self.waiting()
        try:
            return pending.popleft().result()
        except self.lost as error:
            hint = "look at the cluster, then run the same command"
            message = f"the Dask cluster ended its work ({type(error).__name__})"
            raise BindgenError(Problem("", message, hint)) from error


def _same_version(
    version: str, function: Callable[[Sequence[T]], list[R]], part: Sequence[T]
) -> list[R]:
    """Call a function on a worker, unless its output could differ from ours.

    Raises:
        BindgenError: The worker has another version.
    """
    if version != ours():
        message = "the worker has another version of mcp-bindgen or of Python"
        hint = "install the same on all machines, or the bytes would differ"
        raise BindgenError(Problem("", message, hint))
    return function(part)
