"""One pass of `sync`: records servers, generates their packages, counts the changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.executors import opened
from mcp_bindgen.cli.finish import Done, Options
from mcp_bindgen.cli.jobs import for_servers, shortest
from mcp_bindgen.cli.reach import SECONDS, reached, source_of
from mcp_bindgen.cli.record_server import Saved, store
from mcp_bindgen.cli.run import run_each
from mcp_bindgen.cli.shared_runtimes import refuse_runtime, shared_runtimes
from mcp_bindgen.deadline import stopped_after
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import user_cache
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.recording.at_once import Task
    from mcp_bindgen.recording.recorder import Recorded

__all__ = ["CANNOT", "How", "Synced", "sync_all"]

CANNOT = 2


@dataclass(frozen=True, slots=True)
class How:
    """How to sync.

    Attributes:
        limits: The limits of recordings.
        timeout: The time to record one server, in seconds; None for that of the
            settings, or 60.
        at_once: How many servers are recorded at the same time.
        executor: `dask:ADDRESS` for the packages, or "" for this machine.
        offline: Whether to take the recordings as they are.
        missing: Whether to record only servers that have no recording.
        check: Whether to compare only.
        diff: Whether to show the changes of packages as a diff.
        allow_empty: Whether a recording and a package may lose all their tools, and a
            glob match none.
        changelog: The file that gets the changes; None for that of the settings.
    """

    limits: Limits
    timeout: float | None = None
    at_once: int = 8
    executor: str = ""
    offline: bool = False
    missing: bool = False
    check: bool = False
    diff: bool = False
    allow_empty: bool = False
    changelog: Path | None = None


@dataclass(frozen=True, slots=True)
class Synced:
    """The result of one server, or of the shared runtime.

    Attributes:
        name: Its name in the settings.
        state: "new", "changed", "current" or "failed".
        grade: The worst change since the recording that was replaced, or that of the
            package, or "".
        bump: The part of a version that the changes ask for, or "".
        changed: How many files of the package differ from before.
        folder: The package.
    """

    name: str
    state: str
    grade: str
    bump: str
    changed: int
    folder: str

    @property
    def code(self) -> int:
        """The exit code of a command that does nothing else."""
        return {"current": 0, "failed": CANNOT}.get(self.state, 1)


def sync_all(servers: Sequence[Server], how: How) -> list[Synced]:
    """Record servers, generate their packages, and return the results by name.

    A server that fails keeps its package, and the others continue.

    Args:
        servers: The servers of the settings.
        how: How to sync.

    Raises:
        BindgenError: The settings have a mistake; then no server is recorded.
    """
    jobs = for_servers(servers, Settings(limits=how.limits), check_targets=True)
    refuse_runtime(jobs)
    by_key = {server.key: job for server, job in zip(servers, jobs, strict=True)}
    fresh = {key for key, job in by_key.items() if not job.folder.is_dir()}
    options = _options(how, servers[0].changelog)
    results: list[Synced] = []
    good: list[Job] = []
    with opened(how.executor, options.meter) as cluster:  # once for all batches
        options = replace(options, executor=cluster or "")
        for batch in _recorded(servers, how):
            ready = {key: by_key[key] for key, saved in batch if _is_ready(saved, how)}
            # Where a new recording is as the old one, its package may still be older.
            graded = frozenset(by_key[key].folder for key, s in batch if s.compared)
            ran = run_each([*ready.values()], replace(options, graded=graded))
            done = {each.folder: each for each in ran}
            good += ready.values()
            results += [
                _synced(key, saved, done.get(by_key[key].folder), by_key[key], fresh)
                for key, saved in batch
            ]
    results += _runtimes(good, how, options)
    return sorted(results, key=lambda each: each.name)


def _options(how: How, changelog: Path | None) -> Options:
    """Return how to generate the packages."""
    cache = user_cache()
    return Options(
        cache=None if how.check else cache,
        styled=cache,
        check=how.check,
        sync=True,
        diff=how.diff,
        allow_empty=how.allow_empty,
        changelog=how.changelog or changelog,
    )


def _is_ready(saved: Saved, how: How) -> bool:
    """Return whether to look at a package: one of a stale recording is stale, too."""
    return saved.code != CANNOT and not (how.check and saved.changed)


def _runtimes(jobs: Sequence[Job], how: How, options: Options) -> Iterator[Synced]:
    """Write or compare the shared runtime; yield it where it changed."""
    codes = shared_runtimes(
        jobs, check=how.check, show=how.diff, styled=options.styled, diff=True
    )
    runtime = next((job.settings.runtime for job in jobs if job.settings.runtime), "")
    if max(codes, default=0) and runtime:
        yield Synced(runtime, "changed", "", "", 1, runtime)


def _synced(
    key: str, saved: Saved, done: Done | None, job: Job, fresh: set[str]
) -> Synced:
    changed = done.changed if done else 0
    failed = saved.code == CANNOT or (done is not None and done.code == CANNOT)
    state = "changed" if saved.changed or changed else "current"
    state = "new" if key in fresh and state == "changed" else state
    grade = bump = ""
    if compared := saved.compared or (done.changes if done else None):
        from mcp_bindgen.contract.summary import total

        together = total([compared])
        grade, bump = together.grade, together.bump
    state = "failed" if failed else state
    return Synced(key, state, grade, bump, changed, str(job.folder))


def _recorded(servers: Sequence[Server], how: How) -> Iterator[list[tuple[str, Saved]]]:
    """Yield the servers with the results of their recordings, as they come."""
    from mcp_bindgen.recording.at_once import record_all

    unchanged = Saved(0, changed=False)
    live = [server for server in servers if _is_recorded(server, how)]
    rest = [(s.key, unchanged) for s in servers if s not in live]
    tasks: list[Task] = []
    lines: list[str] = []
    for server in live:
        try:
            tasks.append(_task(server, how, lines))
        except BindgenError as error:
            rest.append((server.key, _failed(server.key, error)))
    if rest:
        yield rest
    files = {server.key: shortest(server.recording) for server in live}
    if tasks:
        names = ", ".join(task.key for task in tasks)
        screen.detail(f"recording {names}")
    with stopped_after(how.limits.seconds * max(len(tasks), 1)):
        for batch in record_all(tasks, how.at_once):
            while lines:
                screen.detail(lines.pop(0))
            yield [
                (task.key, _stored(task, result, files[task.key], how))
                for task, result in batch
            ]


def _stored(task: Task, result: Recorded | BindgenError, file: Path, how: How) -> Saved:
    """Write or compare one recording; show a failure, and go on."""
    try:
        if isinstance(result, BindgenError):
            raise result
        return store(result, file, task.options, check=how.check)
    except BindgenError as error:
        return _failed(task.key, error)


def _is_recorded(server: Server, how: How) -> bool:
    """Return whether a server is to be recorded now."""
    if how.offline or not (server.url or server.command):
        return False
    return not (how.missing and server.recording.is_file())


def _task(server: Server, how: How, lines: list[str]) -> Task:
    """Return the recording to make.

    Raises:
        BindgenError: A variable is not set, or a header is malformed.
    """
    from mcp_bindgen.recording.at_once import Task
    from mcp_bindgen.recording.recorder import Options as RecordOptions

    era, declare = server.era or None, server.declare
    options = RecordOptions(
        limits=how.limits, era=era, declare=declare, allow_empty=how.allow_empty
    )
    if screen.is_verbose():
        options = replace(options, show=partial(_append, lines, server.key))
    seconds = how.timeout or server.timeout or SECONDS
    return Task(server.key, reached(source_of(server)), seconds, options)


def _append(lines: list[str], key: str, line: str) -> None:
    lines.append(f"{key}: {line}")


def _failed(key: str, error: BindgenError) -> Saved:
    screen.problems(
        Problem("", f"{key}: {problem.message}", problem.hint)
        for problem in error.problems
    )
    return Saved(CANNOT, changed=False)


def as_json(results: Sequence[Synced]) -> list[dict[str, Any]]:
    """Return results for programs."""
    return [
        {
            "name": each.name,
            "state": each.state,
            "grade": each.grade or None,
            "bump": each.bump or None,
            "files": each.changed,
            "folder": each.folder,
        }
        for each in results
    ]
