"""Spreads work over the processes of this machine, or over a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from mcp_bindgen.pipeline.chunks import Spread

__all__ = ["DASK", "cores", "dask", "processes"]

DASK = "dask:"
_GLANCE = 0.2  # seconds


def _rest() -> None:
    """Do nothing while there is nothing to do."""


def cores() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(jobs: int, idle: Callable[[], None] = _rest) -> Generator[Spread]:
    """Start processes on this machine, as soon as there is work.

    Args:
        jobs: How many at most.
        idle: Called again and again while nothing is done.

    Raises:
        BindgenError: One of them was ended from outside.
    """
    # What is loaded here need not be loaded there; nothing else runs here meanwhile.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(jobs, context, _follow)
    try:
        yield _spread(pool, 2 * jobs, idle)
    except BrokenExecutor as error:
        hint = "it may have needed more memory than there is: try --jobs 1"
        raise BindgenError(Problem("", "a worker process was ended", hint)) from error
    except BaseException:  # Nobody wants any more what they are making.
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
        os._exit(1)  # Workers wait for work that nobody will send them any more.


@contextmanager
def dask(address: str, idle: Callable[[], None] = _rest) -> Generator[Spread]:
    """Use the workers of a Dask cluster; mcp-bindgen is installed there too.

    Args:
        address: That of its scheduler, as tcp://host:8786.
        idle: As for `processes`.

    Raises:
        BindgenError: Dask is not installed here, or there is no scheduler, or its
            workers have no mcp-bindgen.
    """
    try:
        distributed: Any = import_module("distributed")  # an extra that few have
    except ImportError as error:
        hint = "pip install 'mcp-bindgen[dask]'"
        raise BindgenError(Problem("", "Dask is not installed", hint)) from error
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        hint = "write it as --executor dask:tcp://HOST:PORT"
        problem = Problem("", f"no Dask scheduler at {address}", hint)
        raise BindgenError(problem) from error
    with client:
        try:
            workers = max(1, len(client.scheduler_info()["workers"]))
            yield _spread(client.get_executor(), 4 * workers, idle)
        except ModuleNotFoundError as error:
            hint = "install mcp-bindgen on the workers"
            raise BindgenError(Problem("", f"on a worker: {error}", hint)) from error


def _spread(executor: Executor, ahead: int, idle: Callable[[], None]) -> Spread:
    """Return a function that calls another with each of some arguments, in `executor`.

    Args:
        executor: Where to.
        ahead: Calls that are under way at once; more arguments are not even made.
        idle: As for `processes`.
    """

    def first(pending: deque[Future[Any]]) -> Any:
        while wait([pending[0]], _GLANCE).not_done:
            idle()
        return pending.popleft().result()

    def spread(
        function: Callable[..., Any], given: Iterable[tuple[Any, ...]]
    ) -> Iterator[Any]:
        pending: deque[Future[Any]] = deque()
        for arguments in given:
            pending.append(executor.submit(function, *arguments))
            if len(pending) >= ahead:
                yield first(pending)
        while pending:
            yield first(pending)

    return spread
