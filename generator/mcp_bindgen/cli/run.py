"""Does the jobs of `generate`: recalls, makes, writes or compares, and tells."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.jobs import placed
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.meter import Meter
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline import up_to_date as latest
from mcp_bindgen.pipeline.cache import Cache, key
from mcp_bindgen.pipeline.up_to_date import Told
from mcp_bindgen.write import write as output
from mcp_bindgen.write.manifest import MANIFEST
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.cli.jobs import Job
    from mcp_bindgen.pipeline.cached import Outcome, Request
    from mcp_bindgen.pipeline.chunks import Spread

__all__ = ["Options", "run"]

_CANNOT = 2
# Bytes of recordings; below, starting a process costs more than it saves.
_WORTH_A_PROCESS = 300_000


@dataclass(frozen=True, slots=True)
class Options:
    """How jobs are to be done.

    Attributes:
        reports: Files that get a report.
        cache: Where to keep what was made, if anywhere.
        workers: Processes at once, or None for all processors.
        executor: The engine that makes packages, "" for processes.
        check: Whether to compare rather than to write.
        meter: Shows how far it is.
    """

    reports: tuple[Path, ...]
    cache: Cache | None
    workers: int | None
    executor: str
    check: bool
    meter: Meter = field(default_factory=Meter)


def run(jobs: Sequence[Job], options: Options) -> int:
    """Do all jobs; one that cannot be done does not stop the others.

    Returns:
        The highest exit code that one of them stands for.
    """
    codes: list[int] = []
    rest: list[Job] = []
    for job in jobs:
        try:
            told = _recalled(job, options)
        except BindgenError as error:
            codes.append(_failed(error))
            continue
        if told is None:
            rest.append(job)
        else:
            screen.detail(f"generating {job.place.name}: all is as it was")
            codes.append(_tell(job, told, 0))
    try:
        codes += _work(rest, options) if rest else []
    finally:
        options.meter.clear()
    failed = codes.count(_CANNOT)
    if failed and len(jobs) > 1:
        screen.summary(f"{failed:,} of {len(jobs):,} recordings failed")
    return max(codes, default=0)


def _work(jobs: Sequence[Job], options: Options) -> list[int]:
    codes: list[int] = []
    reports: list[Mapping[str, str]] = []
    with _engine(jobs, options) as spread:
        for number, (job, outcome) in enumerate(_made(jobs, options, spread), 1):
            try:
                codes.append(_end(job, outcome, options))
            except BindgenError as error:
                options.meter.clear()
                codes.append(_failed(error))
            else:
                reports.append(outcome.reports)
            if len(jobs) > 1:
                options.meter.tell(f"{number:,} of {len(jobs):,} recordings")
    for file in options.reports if reports else ():
        _report(file, [found[_kind(file)] for found in reports])
    return codes


def _failed(error: BindgenError) -> int:
    screen.failure(error, *error.problems)
    return _CANNOT


def _made(
    jobs: Sequence[Job], options: Options, spread: Spread
) -> Iterator[tuple[Job, Outcome]]:
    """Yield each job with what came of it, in order."""
    from mcp_bindgen.pipeline.cached import produce
    from mcp_bindgen.pipeline.chunks import in_chunks, in_turn

    if len(jobs) > 1 and spread is not in_turn:
        options.meter.tell(f"0 of {len(jobs):,} recordings")
        given = (_given(job, options) for job in jobs)
        yield from zip(jobs, spread(produce, given), strict=True)
        return
    for job in jobs:

        def tell(done: int, total: int, name: str = job.place.name) -> None:
            options.meter.tell(f"{name}: {done:,} of {total:,} tools")

        yield job, produce(*_given(job, options), in_chunks(spread, tell))


def _given(job: Job, options: Options) -> tuple[bytes, Request]:
    """Return what `produce` needs for a job."""
    from mcp_bindgen.pipeline.cached import Request

    cache = _cache(job, options)
    request = Request(
        name=job.place.name,
        wanted=job.wanted,
        reports=tuple({_kind(file) for file in options.reports}),
        cache=None if options.executor else cache,
        slot=f"{_slot(job)}.parts",
        known=latest.standing(job.place) if cache else {},
    )
    screen.detail(f"generating {request.name} from {job.file}")
    try:
        return read(job.file, job.wanted.limits), request
    except BindgenError:  # It was there a moment ago; what nothing holds is refused.
        return b"", request


def _engine(jobs: Sequence[Job], options: Options) -> AbstractContextManager[Spread]:
    """Return where the work is done: here, if that is the fastest."""
    # Loaded here, processes need not load it.
    from mcp_bindgen.pipeline import chunks
    from mcp_bindgen.pipeline import executors as engine

    if options.executor:
        address = options.executor.removeprefix(engine.DASK)
        return engine.dask(address, options.meter.remind)
    workers = options.workers or engine.cores()
    size = sum(map(_size, jobs))
    if workers == 1 or (size < _WORTH_A_PROCESS and options.workers is None):
        return nullcontext(chunks.in_turn)
    return engine.processes(workers, options.meter.remind)


def _size(job: Job) -> int:
    with suppress(OSError):
        return job.file.stat().st_size
    return 0


def _end(job: Job, outcome: Outcome, options: Options) -> int:
    """Write or compare what was made, and tell of it.

    Raises:
        BindgenError: Nothing could be made, or written.
    """
    if outcome.failure:
        raise BindgenError(*placed(job.file, outcome.failure))
    told = Told(len(outcome.files), outcome.tools, outcome.notes, outcome.problems)
    if options.check:
        options.meter.clear()
        return _compare(job, outcome, told)
    options.meter.tell(f"{job.place.name}: writing {told.files:,} files")
    changes = output.write(outcome.files, job.place)
    options.meter.clear()
    if cache := _cache(job, options):
        # Not of the file, in which another recording may stand by now.
        digest, manifest = outcome.digest, outcome.files[MANIFEST]
        if not changes.problems:
            latest.keep(cache, f"{_slot(job)}.told", digest, manifest, told)
    screen.problems(changes.problems)
    for path in changes.edited:
        screen.progress(f"{job.place / path} had been edited by hand and was replaced")
    return max(_tell(job, told, changes.number), bool(changes.problems))


def _compare(job: Job, outcome: Outcome, told: Told) -> int:
    difference = output.check(outcome.files, job.place)
    screen.problems(told.problems, str(job.file))
    if difference:
        screen.result(difference.rstrip("\n"))
    state = "is out of date" if difference else "is up to date"
    screen.summary(f"{_counted(job, told)}, {job.place} {state}")
    return 1 if difference or told.problems else 0


def _tell(job: Job, told: Told, changed: int) -> int:
    screen.problems(told.problems, str(job.file))
    files = screen.count(told.files, "file")
    state = f"{files}, {changed:,} changed in {job.place}"
    screen.summary(f"{_counted(job, told)}, {state}")
    return 1 if told.problems else 0


def _counted(job: Job, told: Told) -> str:
    left_out = len(told.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    notes = f" ({told.notes})" if told.notes else ""
    return f"{job.place.name}: {screen.count(told.tools, 'tool')}{notes}{more}"


def _recalled(job: Job, options: Options) -> Told | None:
    """Return what was told of a job, if its package stands as it was written then.

    Raises:
        BindgenError: Its recording cannot be read.
    """
    digest, cache = _digest(job), _cache(job, options)
    if cache is None or options.reports:
        return None
    return latest.recall(cache, f"{_slot(job)}.told", digest, job.place)


def _digest(job: Job) -> str:
    """Return one hash of all that a package is made of.

    Raises:
        BindgenError: The recording cannot be read.
    """
    data = read(job.file, job.wanted.limits)
    return latest.digest_of(data, job.place.name, job.wanted)


def _slot(job: Job) -> str:
    """Return under which name a package's entries are kept: its place, its targets."""
    return key(str(job.place.absolute()), job.wanted.targets)[:32]


def _cache(job: Job, options: Options) -> Cache | None:
    """Return the cache, None where a target is a user's folder, which may change."""
    return options.cache if all(map(str.isidentifier, job.wanted.targets)) else None


def _kind(file: Path) -> str:
    return "json" if file.suffix == ".json" else "table"


def _report(file: Path, texts: Sequence[str]) -> None:
    if _kind(file) == "json" and len(texts) != 1:
        texts = ["[\n" + ",\n".join(texts) + "]\n"]
    save(file, "".join(texts).encode())
