"""An executor on a Dask cluster whose workers have this version of mcp-bindgen, too."""

from __future__ import annotations

import logging
import pickle
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import ours
from mcp_bindgen.pipeline.pools import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from concurrent.futures import Future

    from mcp_bindgen.pipeline.executor import Executor

__all__ = ["DASK", "ClusterPool", "dask"]

DASK = "dask:"
# Seconds for a first worker to come, for all to say their version, and until the work
# of a cluster that has lost all its workers is given up.
PATIENCE = 60.0
_BETWEEN = 2.0  # seconds between two counts of the workers
# Dask gives each of these a level and a handler of its own. They write tracebacks where
# a cluster ends; ours is one line.
_LOGS = ("distributed", "distributed.client", "tornado", "tornado.application")
_SILENT = logging.CRITICAL + 1
_INSTALL = "install the same version of mcp-bindgen and of Python on all machines"

# Workers get our code as a text, and the work as bytes: Dask ends the connection to a
# worker that cannot unpickle a function, as one of another version, and tries again
# for ever.
_VERSION = "__import__('mcp_bindgen.pipeline.cache', fromlist=['ours']).ours()"
_WORK = f"__import__('pickle').loads(work)() if {_VERSION} == version else None"

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def dask(
    address: str, waiting: Callable[[], None] = lambda: None
) -> Generator[Executor]:
    """Yield an executor on a Dask cluster.

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
    for name in _LOGS:
        logging.getLogger(name).setLevel(_SILENT)
    lost = (distributed.scheduler.KilledWorker, distributed.CancelledError, OSError)
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        hint = "write it as --executor dask:tcp://HOST:PORT"
        problem = Problem("", f"no Dask scheduler at {address}", hint)
        raise BindgenError(problem) from error
    with client:
        number = _ready_workers(client, address)
        watched = _Watched(client, waiting, lost)
        yield ClusterPool(client.get_executor(), 4 * number, watched, ours(), lost)


def _ready_workers(client: Any, address: str) -> int:
    """Return how many workers there are, all with our version.

    Raises:
        BindgenError: There is none, one does not answer, or has no such version.
    """
    demand = client.submit(len, (), pure=False)  # for a cluster that grows with it
    try:
        client.wait_for_workers(1, PATIENCE)
    except TimeoutError as error:
        message = f"the Dask cluster at {address} has no workers"
        hint = f"start one: dask worker {address}"
        raise BindgenError(Problem("", message, hint)) from error
    del demand

    async def versions() -> Any:
        return await client.run(eval, _VERSION, on_error="return")

    try:
        answers: dict[str, object] = client.sync(versions, callback_timeout=PATIENCE)
    except OSError as error:  # also a timeout
        message = f"a worker of the Dask cluster at {address} does not answer"
        hint = "look at the cluster, then run the same command"
        raise BindgenError(Problem("", message, hint)) from error
    _refuse_others(answers)
    return max(1, len(answers))


def _refuse_others(answers: Mapping[str, object]) -> None:
    """Refuse a cluster where a worker has no mcp-bindgen, or another version.

    Raises:
        BindgenError: There is such a worker.
    """
    others = {worker: a for worker, a in sorted(answers.items()) if a != ours()}
    for worker, answer in others.items():
        is_missing = isinstance(answer, ModuleNotFoundError)
        wrong = "no" if is_missing else "another version of Python or of"
        message = f"the worker {worker} has {wrong} mcp-bindgen"
        if len(others) > 1:
            message += f"; {len(others):,} of {len(answers):,} workers differ from here"
        raise BindgenError(Problem("", message, f"{_INSTALL}, or the bytes differ"))


@dataclass(slots=True)
class _Watched:
    """Is called while no result comes, and counts the workers now and then.

    Attributes:
        client: The client of the cluster.
        waiting: As for `processes`.
        lost: The errors of a cluster whose scheduler or workers ended.
        gone: Since when there are no workers, None where there are some.
        due: When the workers are counted again.
    """

    client: Any
    waiting: Callable[[], None]
    lost: tuple[type[BaseException], ...]
    gone: float | None = None
    due: float = 0

    def __call__(self) -> None:
        """Show that the work goes on.

        Raises:
            BindgenError: The cluster has no workers, and gets none, or its scheduler
                ended.
        """
        self.waiting()
        now = time.monotonic()
        if now < self.due:
            return
        self.due = now + _BETWEEN
        try:
            workers = self.client.nthreads()
        except self.lost as error:  # after half a minute, in which none came back
            raise _ended(error) from error
        if workers:
            self.gone = None
        elif self.gone is None:
            self.gone = now
        elif now > self.gone + PATIENCE:
            message = "the Dask cluster lost all its workers"
            hint = "look at the cluster, then run the same command"
            raise BindgenError(Problem("", message, hint))


@dataclass(frozen=True, slots=True)
class ClusterPool(Pool):
    """Sends batches to a cluster, whose later workers may have another version.

    Attributes:
        version: The version of mcp-bindgen here (see `ours`).
        lost: The errors of a cluster whose scheduler or workers ended.
    """

    version: str
    lost: tuple[type[BaseException], ...]

    def submit(
        self, function: Callable[[Sequence[T]], list[R]], part: Sequence[T]
    ) -> Future[list[R]]:
        """Return the future of a batch, sent as a text and bytes."""
        work = pickle.dumps(partial(function, part))
        names = {"version": self.version, "work": work}
        future: Future[Any] = self.futures.submit(eval, _WORK, names)
        return future

    def result(self, future: Future[list[R]]) -> list[R]:
        """Return the results of a batch that is done.

        Raises:
            BindgenError: The cluster ended, or the worker has another version.
        """
        try:
            results: Any = future.result()
        except self.lost as error:
            raise _ended(error) from error
        except (ImportError, SyntaxError) as error:
            problem = Problem("", f"on a worker: {error}", _INSTALL)
            raise BindgenError(problem) from error
        if results is None:
            message = "the worker has another version of mcp-bindgen or of Python"
            raise BindgenError(Problem("", message, f"{_INSTALL}, or the bytes differ"))
        return cast("list[R]", results)


def _ended(error: BaseException) -> BindgenError:
    message = f"the Dask cluster ended its work ({type(error).__name__})"
    hint = "look at the cluster, then run the same command"
    return BindgenError(Problem("", message, hint))
