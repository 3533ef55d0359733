"""Chooses where packages are made: in this process, in others, or on a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.cli.meter import Meter
    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["chosen", "opened"]

# Bytes of recordings; for fewer, the start of a process costs more than it saves.
_WORTH_A_PROCESS = 300_000


def opened(cluster: str, meter: Meter) -> AbstractContextManager[Executor | None]:
    """Return the executor of a cluster for several runs, None without a cluster.

    Args:
        cluster: `dask:ADDRESS`, or "" for this machine.
        meter: Shows the progress.
    """
    return _cluster(cluster, meter) if cluster else nullcontext(None)


def chosen(
    jobs: Sequence[Job], cluster: str | Executor, workers: int | None, meter: Meter
) -> AbstractContextManager[Executor]:
    """Return the executor of the jobs: this process, unless others are worth it.

    Args:
        jobs: The jobs.
        cluster: `dask:ADDRESS`, or its open executor, or "" for this machine.
        workers: Processes at once, None for one for each processor.
        meter: Shows the progress.
    """
    # `generate` before processes are forked, so that they need not import it.
    from mcp_bindgen.pipeline import executor, generate

    del generate
    if not isinstance(cluster, str):
        return nullcontext(cluster)
    if cluster:
        return _cluster(cluster, meter)
    is_small = workers is None and sum(map(_size, jobs)) < _WORTH_A_PROCESS
    if workers == 1 or is_small:
        return nullcontext(executor.HERE)
    from mcp_bindgen.pipeline import pools

    number = workers or pools.cores()
    if number == 1:
        return nullcontext(executor.HERE)
    return pools.processes(number, meter.remind)


def _cluster(name: str, meter: Meter) -> AbstractContextManager[Executor]:
    from mcp_bindgen.pipeline.cluster import DASK, dask

    return dask(name.removeprefix(DASK), meter.remind)


def _size(job: Job) -> int:
    with suppress(OSError):
        return job.file.stat().st_size
    return 0
