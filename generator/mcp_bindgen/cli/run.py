"""Runs generate jobs: skips current packages, makes, writes or compares the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from dataclasses import replace as with_
from itertools import tee
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import (
    Beginning,
    Begun,
    begin,
    differences,
    refuse_emptied,
    show_files,
    write_changelog,
)
from mcp_bindgen.cli.executors import chosen
from mcp_bindgen.cli.jobs import in_file
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.meter import Meter
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date
from mcp_bindgen.pipeline.up_to_date import Summary
from mcp_bindgen.write import write as output
from mcp_bindgen.write.manifest import FIRST_VERSION, MANIFEST, with_version
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.generate import Package
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["Done", "Options", "run", "run_each"]

_CANNOT = 2


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
        diff: Whether to show the changes of files line by line.
        shows: Whether to begin with what changes for the users of packages.
        allow_empty: Whether a package may lose all its tools, and a glob match none.
        changelog: The file that gets what changed for the users of packages.
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
    shows: bool = True
    allow_empty: bool = False
    changelog: Path | None = None
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
    begun: list[Begun] = []
    for job in jobs:
        try:
            summary = _summary_if_current(job, options)
        except BindgenError as error:
            codes.append(_failed(job, in_file(job.file, error)))
            continue
        if summary is None:
            begun.append(begin(job, _how(options)))
        else:
            screen.detail(f"generating {job.folder.name}: nothing has changed")
            code = _show_summary(job, summary, 0)
            codes.append(Done(job.folder, 0 if options.sync else code))
    try:
        made = _make([each.job for each in begun], options) if begun else []
    finally:
        options.meter.clear()
    if options.changelog and not options.check:
        pairs = zip(begun, made, strict=True)
        written = [each for each, done in pairs if done.code != _CANNOT]
        write_changelog(options.changelog, written)
    codes += made
    failed = sum(done.code == _CANNOT for done in codes)
    if failed and len(jobs) > 1:
        screen.summary(f"{failed:,} of {len(jobs):,} recordings failed")
    return codes


def _how(options: Options) -> Beginning:
    """Return how to begin a job: a comparison prints its result, a run only says it."""
    is_result = options.check and not options.sync
    return Beginning(options.shows, is_result=is_result, bumps=options.sync)


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
    with chosen(jobs, options.executor, options.workers, options.meter) as executor:
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


def _finish(job: Job, package: Package, options: Options) -> Done:
    """Write a package, or compare it with its folder, and show the summary."""
    from mcp_bindgen.pipeline.report import summary as notes

    counted = len(package.files), len(package.catalog.tools), notes(package.catalog)
    summary = Summary(*counted, package.problems)
    try:
        if not options.allow_empty:
            refuse_emptied(job, package)
        package = with_(package, files=_versioned(job, package))
        if options.check:
            options.meter.clear()
            return _compare(job, package, summary, options)
        return _write(job, package, summary, options)
    except BindgenError as error:
        options.meter.clear()
        return _failed(job, error)


def _versioned(job: Job, package: Package) -> Mapping[str, str]:
    """Return the files of a package with the version that it has, or has now."""
    version = job.stands.version
    is_first = version == FIRST_VERSION
    return package.files if is_first else with_version(package.files, version)


def _compare(job: Job, package: Package, summary: Summary, options: Options) -> Done:
    difference = differences(package.files, job.folder, diff=options.diff)
    screen.problems(summary.problems, str(job.file))
    if options.diff or not options.sync:
        show_files(difference)
    state = "is out of date" if difference else "is up to date"
    screen.summary(f"{_counted(job, summary)}, {job.folder} {state}")
    problems = bool(summary.problems) and not options.sync
    return Done(job.folder, int(bool(difference) or problems), int(bool(difference)))


def _write(job: Job, package: Package, summary: Summary, options: Options) -> Done:
    from mcp_bindgen.render.frameworks import missing_frameworks

    options.meter.show(f"{package.name}: writing {summary.files:,} files")
    difference: list[str] = []
    if options.diff:
        difference = differences(package.files, job.folder, diff=True)
    changes = output.write(package.files, job.folder)
    options.meter.clear()
    show_files(difference)
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
