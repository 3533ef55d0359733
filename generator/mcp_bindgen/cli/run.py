"""Runs generate jobs: skips current packages, and makes the others."""

from __future__ import annotations

from dataclasses import replace as with_
from itertools import tee
from typing import TYPE_CHECKING

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import Beginning, Begun, begin, write_changelog
from mcp_bindgen.cli.executors import chosen
from mcp_bindgen.cli.finish import (
    CANNOT,
    Done,
    Options,
    cache_of,
    failed,
    finish,
    show_summary,
)
from mcp_bindgen.cli.jobs import in_file
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.policy_marks import refuse_unfit
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.pipeline.package import Package
    from mcp_bindgen.pipeline.up_to_date import Summary

__all__ = ["run_each"]


def run_each(jobs: Sequence[Job], options: Options) -> list[Done]:
    """Run all jobs, and return the result of each; one that fails stops no other."""
    codes: list[Done] = []
    begun: list[Begun] = []
    for job in jobs:
        try:
            summary = _summary_if_current(job, options)
        except BindgenError as error:
            codes.append(failed(job, error))
            continue
        if summary is None:
            begun.append(begin(job, _how(job, options)))
        else:
            screen.detail(f"generating {job.folder.name}: nothing has changed")
            code = show_summary(job, summary, 0)
            codes.append(Done(job.folder, 0 if options.sync else code, 0, summary))
    try:
        made = _make([each.job for each in begun], options) if begun else []
    finally:
        options.meter.clear()
    if options.changelog and not options.check:
        pairs = zip(begun, made, strict=True)
        written = [each for each, done in pairs if done.code != CANNOT]
        write_changelog(options.changelog, written)
    pairs = zip(begun, made, strict=True)
    codes += [done._replace(changes=each.changes) for each, done in pairs]
    bad = sum(done.code == CANNOT for done in codes)
    if bad and len(jobs) > 1:
        screen.summary(f"{bad:,} of {len(jobs):,} recordings failed")
    return codes


def _show_missing(jobs: Sequence[Job]) -> None:
    """Show which frameworks this Python does not have, each once for all packages."""
    from mcp_bindgen.render.frameworks import missing_frameworks

    users: dict[str, list[str]] = {}
    for job in jobs:
        for sentence in missing_frameworks(job.settings.targets):
            users.setdefault(sentence, []).append(job.folder.name)
    for sentence, names in users.items():
        packages = names[0] if len(names) == 1 else f"{len(names):,} packages"
        screen.progress(f"{packages}: {sentence}")


def _how(job: Job, options: Options) -> Beginning:
    """Return how to begin a job: a comparison prints a result, a run a message."""
    is_result = options.check and not options.sync
    return Beginning(job.folder not in options.graded, is_result=is_result)


def _summary_if_current(job: Job, options: Options) -> Summary | None:
    """Return the summary of a package that is current.

    Raises:
        BindgenError: The recording cannot be read, or does not fit the policy.
    """
    try:
        job = with_(job, data=read(job.file, job.settings.limits))
    except BindgenError as error:
        raise in_file(job.file, error) from error
    refuse_unfit(job)
    cache = cache_of(job, options)
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
                codes.append(failed(job, in_file(job.file, package)))
            else:
                codes.append(finish(job, package, options))
                packages += [package] if options.reports else []
            if len(jobs) > 1:
                options.meter.show(f"{len(codes):,} of {len(jobs):,} recordings")
    options.meter.clear()
    if not options.check:
        pairs = zip(jobs, codes, strict=True)
        _show_missing([job for job, done in pairs if done.changed])
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
    if (cache := cache_of(job, options)) and not options.executor:
        tools = ToolCache(cache, up_to_date.unedited(job.folder))
    elif options.styled and not options.executor:
        tools = ToolCache(options.styled, styled_only=True)
    try:
        data = read(job.file, job.settings.limits)
    except BindgenError:  # It was there a moment ago; an empty file is refused below.
        data = b""
    return with_(job, cache=tools, data=data)


def _report(file: Path, packages: Sequence[Package]) -> None:
    from mcp_bindgen.pipeline.report import as_json, as_table

    writer = as_json if file.suffix == ".json" else as_table
    texts = [writer(package.catalog, package.problems) for package in packages]
    if file.suffix == ".json" and len(texts) != 1:
        texts = ["[\n" + ",\n".join(texts) + "]\n"]
    save(file, "".join(texts).encode())
