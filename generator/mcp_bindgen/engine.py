"""Spreads work over the processes of this machine, or over a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Executor

    from mcp_bindgen.chunks import Spread

__all__ = ["DASK", "cores", "dask", "processes"]

DASK = "dask:"


def cores() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(jobs: int) -> Generator[Spread]:
    """Start processes on this machine, as soon as there is work.

    Args:
        jobs: How many at most.

    Raises:
        BindgenError: One of them was ended from outside.
    """
    # What is loaded here need not be loaded there; nothing else runs here meanwhile.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(jobs, context, _leave_interrupts)
    try:
        yield _spread(pool, 2 * jobs)
    except BrokenExecutor as error:
        hint = "it may have needed more memory than there is: try --jobs 1"
        raise BindgenError(Problem("", "a worker process was ended", hint)) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def dask(address: str) -> Generator[Spread]:
    """Use the workers of a Dask cluster; mcp-bindgen is installed there too.

    Args:
        address: That of its scheduler, as tcp://host:8786.

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
            yield _spread(client.get_executor(), 4 * workers)
        except ModuleNotFoundError as error:
            hint = "install mcp-bindgen on the workers"
            raise BindgenError(Problem("", f"on a worker: {error}", hint)) from error


def _spread(executor: Executor, ahead: int) -> Spread:
    """Return a function that calls another with each of some arguments, in `executor`.

    Args:
        executor: Where to.
        ahead: Calls that are under way at once; more arguments are not even made.
    """

    def spread(
        function: Callable[..., Any], given: Iterable[tuple[Any, ...]]
    ) -> Iterator[Any]:
        pending: deque[Any] = deque()
        for arguments in given:
            pending.append(executor.submit(function, *arguments))
            if len(pending) >= ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()

    return spread
