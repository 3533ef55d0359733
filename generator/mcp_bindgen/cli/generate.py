"""`mcp-bindgen generate`: recordings into packages, without a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.limits import budget_of, limit_option, read
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.intake import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.generate import Package
    from mcp_bindgen.intake import Budget

__all__ = ["generate"]


@click.command(
    epilog="Example: mcp-bindgen generate recordings/catalog.json -o generated"
)
@click.argument(
    "recordings",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder that gets a package for each FILE.",
)
@click.option("--name", help="Name of the package  [default: that of FILE]")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAMES",
    help="What to write, with commas between  [default: python,openai,langchain]",
)
@click.option("--include", multiple=True, metavar="GLOB", help="Only these tools.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Not these tools.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what was renamed, inferred, checked twice or left out: JSON if FILE"
    " ends in .json, else a table.",
)
@click.option(
    "--shared-runtime",
    "runtime",
    metavar="NAME",
    help="Put the runtime into a package beside the others, once for all.",
)
@click.option(
    "--http",
    type=click.Choice(["httpx", "httpx2"]),
    help="The HTTP client that the package imports  [default: httpx]",
)
@limit_option
@click.option("--check", is_flag=True, help="Write nothing; show what would change.")
@screen.options
def generate(
    recordings: tuple[Path, ...],
    output: Path | None,
    name: str | None,
    targets: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    reports: tuple[Path, ...],
    runtime: str | None,
    http: str | None,
    limits: tuple[str, ...],
    *,
    check: bool,
) -> int:
    """Generate a typed package from each recording; the network is never used.

    Without FILE, those of the servers in [tool.mcp-bindgen] of pyproject.toml.
    """
    chosen = tuple(part.strip() for names in targets for part in names.split(","))
    if recordings:
        if output is None:
            raise click.UsageError("say where to: -o FOLDER")
        if name and len(recordings) > 1:
            raise click.UsageError("--name goes with one FILE")
        wanted = _Wanted(chosen, include, exclude, http or "httpx")
        jobs = [_job(file, output, name, wanted) for file in recordings]
    else:
        if output or name or targets or include or exclude or http:
            raise click.UsageError("without FILE, pyproject.toml says all but --check")
        jobs = _configured()
    _refuse_same_place(jobs)
    if runtime in {job.place.name for job in jobs}:
        raise click.UsageError("--shared-runtime needs a name that no package has")
    clients = sorted({job.wanted.http for job in jobs})
    if runtime and len(clients) > 1:
        raise click.UsageError("--shared-runtime needs one HTTP client for all")
    budget = budget_of(limits, DEFAULT)
    made = {job.place: _make(job, runtime or "", budget) for job in jobs}
    for report in reports:
        _report(report, list(made.values()))
    finish = _compare if check else _write
    folders = {place.parent for place in made} if runtime else set[Path]()
    shared = [
        _share(folder, runtime or "", clients[0], check=check)
        for folder in sorted(folders)
    ]
    return max([*(finish(made[place], place) for place in made), *shared])


def _share(folder: Path, name: str, http: str, *, check: bool) -> int:
    """Write or check the package that holds the runtime for others."""
    from mcp_bindgen import output
    from mcp_bindgen.generate import package_name
    from mcp_bindgen.sharing import runtime_package

    place = folder / package_name(name, exact=True)
    files = runtime_package(name, http)
    if check:
        difference = output.check(files, place)
        if difference:
            screen.result(difference.rstrip("\n"))
        return 1 if difference else 0
    changes = output.write(files, place)
    screen.problems(changes.problems)
    return 1 if changes.problems else 0


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to write of a recording."""

    targets: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    http: str


@dataclass(frozen=True, slots=True)
class _Job:
    """One package to be written."""

    file: Path
    place: Path
    wanted: _Wanted


def _job(file: Path, output: Path, name: str | None, wanted: _Wanted) -> _Job:
    from mcp_bindgen.generate import package_name

    place = output / package_name(name or file.stem, exact=bool(name))
    return _Job(file, place, wanted)


def _configured() -> list[_Job]:
    """Return the jobs that the project's settings ask for."""
    from mcp_bindgen import config

    file = config.find(Path.cwd())
    servers = config.load(file) if file else ()
    if not servers:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", "nothing to generate", hint))
    return [
        _job(
            _shortest(server.recording),
            _shortest(server.output),
            server.name,
            _Wanted(
                server.targets, server.include, server.exclude, server.http or "httpx"
            ),
        )
        for server in servers
    ]


def _shortest(path: Path) -> Path:
    """Return a path as people write it who work in the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _refuse_same_place(jobs: Sequence[_Job]) -> None:
    places: dict[Path, Path] = {}
    for job in jobs:
        first = places.setdefault(job.place, job.file)
        if first is not job.file:
            message = f"{first} and {job.file} would both go to {job.place}"
            hint = "generate them one by one, with --name"
            raise BindgenError(Problem("", message, hint))


def _make(job: _Job, runtime: str, budget: Budget) -> Package:
    from mcp_bindgen.generate import TARGETS
    from mcp_bindgen.generate import generate as generate_package

    file, wanted = job.file, job.wanted
    screen.detail(f"generating {job.place.name} from {file}")
    data = read(file, budget)
    try:
        package = generate_package(
            data,
            job.place.name,
            targets=wanted.targets or TARGETS,
            include=wanted.include,
            exclude=wanted.exclude,
            shared_runtime=runtime,
            http=wanted.http,
            budget=budget,
        )
    except BindgenError as error:
        raise BindgenError(*(_placed(file, why) for why in error.problems)) from error
    screen.problems(package.problems, str(file))
    return package


def _placed(file: Path, problem: Problem) -> Problem:
    place = f"{file}#{problem.pointer}" if problem.pointer else str(file)
    return Problem("", f"{place}: {problem.message}", problem.hint)


def _report(file: Path, packages: Sequence[Package]) -> None:
    from mcp_bindgen import report
    from mcp_bindgen.atomic import replace

    write = report.as_json if file.suffix == ".json" else report.as_table
    texts = [write(package.catalog, package.problems) for package in packages]
    if file.suffix == ".json" and len(texts) > 1:
        texts = ["[\n" + ",\n".join(texts) + "]\n"]
    replace(file, "".join(texts).encode())


def _compare(package: Package, place: Path) -> int:
    from mcp_bindgen.output import check

    difference = check(package.files, place)
    if difference:
        screen.result(difference.rstrip("\n"))
    state = "is out of date" if difference else "is up to date"
    screen.summary(f"{_counted(package)}, {place} {state}")
    return 1 if difference or package.problems else 0


def _write(package: Package, place: Path) -> int:
    from mcp_bindgen.output import write

    changes = write(package.files, place)
    screen.problems(changes.problems)
    for path in changes.edited:
        screen.progress(f"{place / path} had been edited by hand and was replaced")
    changed = len(changes.added) + len(changes.changed) + len(changes.removed)
    files = screen.count(len(package.files), "file")
    screen.summary(f"{_counted(package)}, {files}, {changed:,} changed in {place}")
    return 1 if package.problems or changes.problems else 0


def _counted(package: Package) -> str:
    from mcp_bindgen.report import summary

    left_out = len(package.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    notes = summary(package.catalog)
    told = f" ({notes})" if notes else ""
    tools = screen.count(len(package.catalog.tools), "tool")
    return f"{package.name}: {tools}{told}{more}"
