"""Runs generate jobs: skips current packages, makes, writes or compares the others."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from dataclasses import replace as with_
from itertools import tee
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import in_file
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.meter import Meter
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date
from mcp_bindgen.pipeline.up_to_date import Summary
from mcp_bindgen.write import write as output
from mcp_bindgen.write.manifest import MANIFEST
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.generate import Package
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["Done", "Options", "run", "run_each"]

_CANNOT = 2
# Bytes of recordings; for fewer, the start of a process costs more than it saves.
_WORTH_A_PROCESS = 300_000


@dataclass(frozen=True, slots=True)
class Options:
    """How to run jobs.

    Attributes:
        reports: Files that get a report.
        cache: Results of earlier runs, None to ignore them.
        styled: Copied files in a project's style, of earlier runs.
        workers: Processes at once, None for one for each processor.
        executor: `dask:ADDRESS`, or "" for processes of this machine.
        check: Whether to compare packages with their folders instead of writing them.
        sync: Whether a change is exit code 1.
        diff: Whether to show the changes as a diff.
        meter: Shows the progress on a terminal.
    """

    reports: tuple[Path, ...] = ()
    cache: Cache | None = None
    styled: Cache | None = None
    workers: int | None = None
    executor: str = ""
    check: bool = False
    sync: bool = False
    diff: bool = False
    meter: Meter = field(default_factory=Meter)


class Done(NamedTuple):
    """The result of one job.

    Attributes:
        folder: The folder of the package.
        code: 0, 1 (a tool was left out, or the package is out of date or was changed by
            a sync) or 2 (the job failed).
        changed: How many files differ from before.
    """

    folder: Path
    code: int
    changed: int = 0


def run(jobs: Sequence[Job], options: Options) -> int:
    """Run all jobs, and return the highest exit code; see `run_each`."""
    return max((done.code for done in run_each(jobs, options)), default=0)


def run_each(jobs: Sequence[Job], options: Options) -> list[Done]:
    """Run all jobs, and return the result of each; one that fails stops no other."""
    codes: list[Done] = []
    stale: list[Job] = []
    for job in jobs:
        try:
            summary = _summary_if_current(job, options)
        except BindgenError as error:
            codes.append(_failed(job, in_file(job.file, error)))
            continue
        if summary is None:
            stale.append(job)
        else:
            screen.detail(f"generating {job.folder.name}: nothing has changed")
            code = _show_summary(job, summary, 0)
            codes.append(Done(job.folder, 0 if options.sync else code))
    try:
        codes += _make(stale, options) if stale else []
    finally:
        options.meter.clear()
    failed = sum(done.code == _CANNOT for done in codes)
    if failed and len(jobs) > 1:
        screen.summary(f"{failed:,} of {len(jobs):,} recordings failed")
    return codes


def _summary_if_current(job: Job, options: Options) -> Summary | None:
    """Return the summary of a package that is current.

    Raises:
        BindgenError: The recording cannot be read.
    """
    job = with_(job, data=read(job.file, job.settings.limits))
    cache = _cache(job, options)
    if cache is None or options.reports:
        return None
    return up_to_date.recall(cache, job)


def _make(jobs: Sequence[Job], options: Options) -> list[Done]:
    """Make packages, write or compare them, and write the reports."""
    codes: list[Done] = []
    packages: list[Package] = []
    with _executor(jobs, options) as executor:
        for job, package in _packages(jobs, options, executor):
            if isinstance(package, BindgenError):
                options.meter.clear()
                codes.append(_failed(job, in_file(job.file, package)))
            else:
                codes.append(_finish(job, package, options))
                packages += [package] if options.reports else []
            if len(jobs) > 1:
                options.meter.show(f"{len(codes):,} of {len(jobs):,} recordings")
    for file in options.reports if packages else ():
        _report(file, packages)
    return codes


def _packages(
    jobs: Sequence[Job], options: Options, executor: Executor
) -> Iterator[tuple[Job, Package | BindgenError]]:
    """Yield each job, with its data, and its package, in order."""
    from mcp_bindgen.pipeline.executor import HERE
    from mcp_bindgen.pipeline.generate import try_job, try_jobs

    loaded = (_loaded(job, options) for job in jobs)
    if len(jobs) > 1 and executor is not HERE:  # Each package is made in one process.
        options.meter.show(f"0 of {len(jobs):,} recordings")
        waiting, sent = tee(loaded)  # Jobs that are under way keep their data.
        yield from zip(waiting, executor.map(try_jobs, sent, 1), strict=True)
        return
    for job in loaded:  # The tools of each package are spread over all processes.
        yield job, try_job(job, options.meter.watch(executor, job.folder.name))


def _loaded(job: Job, options: Options) -> Job:
    """Return a job with its data, for another process."""
    from mcp_bindgen.pipeline.tool_cache import ToolCache

    screen.detail(f"generating {job.folder.name} from {job.file}")
    tools = None
    if (cache := _cache(job, options)) and not options.executor:
        tools = ToolCache(cache, up_to_date.standing(job.folder))
    elif options.styled and not options.executor:
        tools = ToolCache(options.styled, styled_only=True)
    try:
        data = read(job.file, job.settings.limits)
    except BindgenError:  # It was there a moment ago; an empty file is refused below.
        data = b""
    return with_(job, cache=tools, data=data)


def _executor(
    jobs: Sequence[Job], options: Options
) -> AbstractContextManager[Executor]:
    """Return the executor of the jobs: this process, unless others are worth it."""
    # Imported before processes are forked, so that they need not import it.
    from mcp_bindgen.pipeline import executor, generate, pools

    del generate
    if options.executor:
        address = options.executor.removeprefix(pools.DASK)
        return pools.dask(address, options.meter.remind)
    workers = options.workers or pools.cores()
    size = sum(map(_size, jobs))
    if workers == 1 or (size < _WORTH_A_PROCESS and options.workers is None):
        return nullcontext(executor.HERE)
    return pools.processes(workers, options.meter.remind)


def _size(job: Job) -> int:
    with suppress(OSError):
        return job.file.stat().st_size
    return 0


def _finish(job: Job, package: Package, options: Options) -> Done:
    """Write a package, or compare it with its folder, and show the summary."""
    from mcp_bindgen.pipeline.report import summary as notes

    counted = len(package.files), len(package.catalog.tools), notes(package.catalog)
    summary = Summary(*counted, package.problems)
    try:
        if options.check:
            options.meter.clear()
            return _compare(job, package, summary, options)
        return _write(job, package, summary, options)
    except BindgenError as error:
        options.meter.clear()
        return _failed(job, error)


def _compare(job: Job, package: Package, summary: Summary, options: Options) -> Done:
    difference = output.check(package.files, job.folder)
    screen.problems(summary.problems, str(job.file))
    if difference and options.diff:
        screen.result(difference.rstrip("\n"))
    state = "is out of date" if difference else "is up to date"
    screen.summary(f"{_counted(job, summary)}, {job.folder} {state}")
    problems = bool(summary.problems) and not options.sync
    return Done(job.folder, int(bool(difference) or problems), int(bool(difference)))


def _write(job: Job, package: Package, summary: Summary, options: Options) -> Done:
    from mcp_bindgen.render.frameworks import missing_frameworks

    options.meter.show(f"{package.name}: writing {summary.files:,} files")
    difference = output.check(package.files, job.folder) if options.diff else ""
    changes = output.write(package.files, job.folder)
    options.meter.clear()
    if difference:
        screen.result(difference.rstrip("\n"))
    cache = _cache(job, options)
    if cache and not changes.problems:
        # With the data that was used: by now the file may hold another recording.
        up_to_date.keep(cache, job, package.files[MANIFEST], summary)
    screen.problems(changes.problems)
    for sentence in missing_frameworks(job.settings.targets) if changes.number else ():
        screen.progress(f"{package.name}: {sentence}")
    for path in changes.edited:
        screen.progress(f"{job.folder / path} had been edited by hand and was replaced")
    code = max(_show_summary(job, summary, changes.number), int(bool(changes.problems)))
    code = int(bool(changes.number)) if options.sync else code
    return Done(job.folder, code, changes.number)


def _show_summary(job: Job, summary: Summary, changed: int) -> int:
    screen.problems(summary.problems, str(job.file))
    files = screen.count(summary.files, "file")
    state = f"{files}, {changed:,} changed in {job.folder}"
    screen.summary(f"{_counted(job, summary)}, {state}")
    return 1 if summary.problems else 0


def _counted(job: Job, summary: Summary) -> str:
    problems = len(summary.problems)
    more = f", {screen.count(problems, 'problem')}" if problems else ""
    notes = f" ({summary.notes})" if summary.notes else ""
    return f"{job.folder.name}: {screen.count(summary.tools, 'tool')}{notes}{more}"


def _failed(job: Job, error: BindgenError) -> Done:
    screen.problems(error.problems)
    return Done(job.folder, _CANNOT)


def _cache(job: Job, options: Options) -> Cache | None:
    """Return the cache, None where a target is a user's folder, which may change."""
    return options.cache if all(map(str.isidentifier, job.settings.targets)) else None


def _report(file: Path, packages: Sequence[Package]) -> None:
    from mcp_bindgen.pipeline.report import as_json, as_table

    writer = as_json if file.suffix == ".json" else as_table
    texts = [writer(package.catalog, package.problems) for package in packages]
    if file.suffix == ".json" and len(texts) != 1:
        texts = ["[\n" + ",\n".join(texts) + "]\n"]
    save(file, "".join(texts).encode())
