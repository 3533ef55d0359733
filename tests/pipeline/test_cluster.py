"""A Dask cluster: workers of other versions, workers that end, none at all."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import distributed
import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import cluster

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A worker of Dask in a process of its own, where a line changed what it has of ours.
WORKER = """
import asyncio, sys
import distributed
import mcp_bindgen.pipeline.cache, mcp_bindgen.pipeline.cluster
{change}
async def work():
    async with distributed.Worker({address!r}, nthreads=1, dashboard=False) as worker:
        await worker.finished()
asyncio.run(work())
"""
SCHEDULER = """
import asyncio
import distributed
async def schedule():
    options = {"host": "127.0.0.1", "port": 0, "dashboard": False}
    async with distributed.Scheduler(**options) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(schedule())
"""
CHANGES = {
    "renamed": "del mcp_bindgen.pipeline.cache.ours",
    "signature": "mcp_bindgen.pipeline.cache.ours = lambda folder: '1'",
    "another": "mcp_bindgen.pipeline.cache.ours = lambda: '1'",
    "broken": "mcp_bindgen.pipeline.cache.ours = lambda: exec('1 +')",
}
CHANGES["none"] = (
    "for name in [m for m in sys.modules if m.startswith('mcp_bindgen')]:"
    " sys.modules[name] = None"
)


class Workers:
    """The workers of a scheduler, each a process.

    Attributes:
        address: The scheduler.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, change: str = "") -> subprocess.Popen[bytes]:
        code = WORKER.format(change=change, address=self.address)
        started = subprocess.Popen([sys.executable, "-c", code])
        self.running.append(started)
        return started

    def stop(self) -> None:
        for each in self.running:
            each.kill()
            each.wait()


@pytest.fixture
def workers() -> Iterator[Workers]:
    command = [sys.executable, "-c", SCHEDULER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as scheduler:
        assert scheduler.stdout is not None
        running = Workers(scheduler.stdout.readline().strip())
        yield running
        running.stop()
        scheduler.kill()


def same_items(items: Sequence[int]) -> list[int]:
    return [*items]


@pytest.mark.parametrize("change", CHANGES)
def test_a_worker_with_other_code_is_refused_before_the_work(
    workers: Workers, change: str
) -> None:
    workers.start(CHANGES[change])
    with (
        pytest.raises(BindgenError) as refused,
        cluster.dask(workers.address) as executor,
    ):
        list(executor.map(same_items, [1], 1))
    (problem,) = refused.value.problems
    wrong = "no" if change == "none" else "another version of Python or of"
    assert problem.message.startswith("the worker tcp://")
    assert problem.message.endswith(f" has {wrong} mcp-bindgen")
    assert problem.hint.startswith("install the same version")


def test_a_cluster_without_workers_is_refused(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        pytest.raises(BindgenError, match="has no workers") as refused,
        cluster.dask(workers.address),
    ):
        pass
    assert "dask worker" in refused.value.problems[0].hint


def end(names: Sequence[str]) -> list[str]:
    """End this worker, in its first call alone."""
    with Path(names[0]).open("a", encoding="utf-8") as calls:
        calls.write(".")
        is_first = calls.tell() == 1
    if is_first:
        os.kill(os.getpid(), signal.SIGKILL)
    return [*names]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing else kills like this")
def test_a_worker_that_is_killed_leaves_its_work_to_others(
    workers: Workers, tmp_path: Path
) -> None:
    name = str(tmp_path / "calls")
    both = [workers.start(), workers.start()]
    with cluster.dask(workers.address) as executor:
        assert list(executor.map(end, [name], 1)) == [name]
    assert [each.poll() for each in both].count(-signal.SIGKILL) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="nothing else kills like this")
def test_a_cluster_that_loses_all_its_workers_ends_the_command(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers.start()
    with cluster.dask(workers.address) as executor:
        monkeypatch.setattr(cluster, "PATIENCE", 0.5)
        with pytest.raises(BindgenError, match="lost all its workers"):
            list(executor.map(end, [str(tmp_path / "calls")], 1))


def wait_for_ever(items: Sequence[int]) -> list[int]:
    threading.Event().wait()
    return [*items]


def test_a_scheduler_that_does_not_come_back_ends_the_command_with_one_line(
    workers: Workers,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def lost(client: object) -> None:
        # As Dask does on the way to its error.
        for name in ("distributed.client", "tornado.application"):
            logging.getLogger(name).error("Failed to reconnect")
        raise OSError(f"{client} has no scheduler")

    workers.start()
    with cluster.dask(workers.address) as executor:
        monkeypatch.setattr(distributed.Client, "nthreads", lost)
        with pytest.raises(BindgenError, match="the Dask cluster ended its work"):
            list(executor.map(wait_for_ever, [1], 1))
    assert "Failed to reconnect" not in capfd.readouterr().err


def test_a_later_worker_with_other_code_is_refused(workers: Workers) -> None:
    first = workers.start()
    with cluster.dask(workers.address) as executor:
        workers.start(CHANGES["none"])
        first.kill()
        with pytest.raises(BindgenError, match="on a worker: "):
            list(executor.map(same_items, [1], 1))
