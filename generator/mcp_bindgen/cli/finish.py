"""Ends one generate job: writes or compares its package, and shows the summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from dataclasses import replace as with_
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import differences, refuse_emptied, show_files
from mcp_bindgen.cli.meter import Meter
from mcp_bindgen.cli.output import problems_json
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date
from mcp_bindgen.pipeline.up_to_date import Summary
from mcp_bindgen.write import write as output
from mcp_bindgen.write.manifest import FIRST_VERSION, MANIFEST, with_version
from mcp_bindgen.write.plan import NONE_KNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.contract.summary import Compared
    from mcp_bindgen.errors import Problem
    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.pipeline.package import Package

__all__ = [
    "CANNOT",
    "Done",
    "Options",
    "as_json",
    "cache_of",
    "failed",
    "finish",
    "show_summary",
]

CANNOT = 2
_MOST_EDITED = 20


@dataclass(frozen=True, slots=True)
class Options:
    """How to run jobs.

    Attributes:
        reports: Files that get a report.
        cache: Results of earlier runs, None to ignore them.
        styled: Copied files in a project's style, of earlier runs.
        workers: Processes at once, None for one for each processor.
        executor: `dask:ADDRESS`, or its open executor, or "" for processes of this
            machine.
        check: Whether to compare packages with their folders instead of writing them.
        sync: Whether a change is exit code 1.
        diff: Whether to show the changes of files line by line.
        graded: Folders of packages whose changes for users are on the screen already.
        allow_empty: Whether a package may lose all its tools, and a glob match none.
        changelog: The file that gets the changes for the users of packages.
        meter: Shows the progress on a terminal.
    """

    reports: tuple[Path, ...] = ()
    cache: Cache | None = None
    styled: Cache | None = None
    workers: int | None = None
    executor: str | Executor = ""
    check: bool = False
    sync: bool = False
    diff: bool = False
    graded: frozenset[Path] = frozenset()
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
        summary: The contents of the package, None if the job failed.
        problems: The reasons why it failed.
        changes: The changes for the users of the package; None for none.
    """

    folder: Path
    code: int
    changed: int = 0
    summary: Summary | None = None
    problems: tuple[Problem, ...] = ()
    changes: Compared | None = None


def finish(job: Job, package: Package, options: Options) -> Done:
    """Write a package, or compare it with its folder, and show the summary."""
    from mcp_bindgen.pipeline.report import summary as notes

    counted = len(package.files), len(package.catalog.tools), notes(package.catalog)
    summary = Summary(*counted, package.problems, package.catalog.feature_counts)
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
        return failed(job, error)


def _versioned(job: Job, package: Package) -> Mapping[str, str]:
    """Return the files of a package with the version that its job has set."""
    version = job.existing.version
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
    code, changed = int(bool(difference) or problems), int(bool(difference))
    return Done(job.folder, code, changed, summary)


def _write(job: Job, package: Package, summary: Summary, options: Options) -> Done:
    options.meter.show(f"{package.name}: writing {summary.files:,} files")
    difference: list[str] = []
    if options.diff:
        difference = differences(package.files, job.folder, diff=True)
    known = job.cache.checked if job.cache else NONE_KNOWN
    changes = output.write(package.files, job.folder, known)
    options.meter.clear()
    show_files(difference)
    cache = cache_of(job, options)
    if cache and not changes.problems:
        # With the data that was used: by now the file may hold another recording.
        up_to_date.keep(cache, job, package.files[MANIFEST], summary)
    screen.problems(changes.problems)
    _show_edited(job, changes.edited)
    code = max(show_summary(job, summary, changes.number), int(bool(changes.problems)))
    code = int(bool(changes.number)) if options.sync else code
    return Done(job.folder, code, changes.number, summary)


def _show_edited(job: Job, paths: Sequence[str]) -> None:
    """Print which edits are gone, at most 20: a formatter may have edited all files."""
    for path in paths[:_MOST_EDITED]:
        screen.progress(f"{job.folder / path} had been edited by hand and was replaced")
    if (more := len(paths) - _MOST_EDITED) > 0:
        sentence = f"{more:,} more files in {job.folder} had been edited or laid out"
        screen.progress(f"{sentence} in another style, and were replaced")


def show_summary(job: Job, summary: Summary, changed: int) -> int:
    """Show the summary of a job; return 1 if a part was left out."""
    screen.problems(summary.problems, str(job.file))
    files = screen.count(summary.files, "file")
    state = f"{files}, {changed:,} changed in {job.folder}"
    screen.summary(f"{_counted(job, summary)}, {state}")
    return 1 if summary.problems else 0


def _counted(job: Job, summary: Summary) -> str:
    problems = len(summary.problems)
    more = f", {screen.count(problems, 'problem')}" if problems else ""
    notes = f" ({summary.notes})" if summary.notes else ""
    contents = screen.contents(summary.tools, summary.others)
    return f"{job.folder.name}: {contents}{notes}{more}"


def failed(job: Job, error: BindgenError) -> Done:
    """Show why a job failed, and return its result."""
    screen.problems(error.problems)
    return Done(job.folder, CANNOT, problems=tuple(error.problems))


def cache_of(job: Job, options: Options) -> Cache | None:
    """Return the cache, None where a target is a user's folder, which may change."""
    return options.cache if all(map(str.isidentifier, job.settings.targets)) else None


def as_json(done: Done, recording: Path) -> dict[str, Any]:
    """Return the result of a job, for programs.

    Args:
        done: The result.
        recording: The file of its recording.
    """
    summary = done.summary
    problems = summary.problems if summary else done.problems
    return {
        "package": done.folder.name,
        "folder": str(done.folder),
        "recording": str(recording),
        "tools": summary.tools if summary else None,
        **(summary.others if summary else {}),
        "files": summary.files if summary else None,
        "changed": done.changed,
        "code": done.code,
        "problems": problems_json(problems),
    }
