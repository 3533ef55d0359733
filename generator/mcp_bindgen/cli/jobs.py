"""What `generate` was asked for, as one job for each package."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.render.targets import package_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.render.targets import Settings

__all__ = ["Job", "configured", "given", "placed", "shortest"]


@dataclass(frozen=True, slots=True)
class Job:
    """One package to be written: from which file, to which folder, and how."""

    file: Path
    place: Path
    wanted: Settings


def given(
    paths: Sequence[Path], output: Path, name: str | None, wanted: Settings
) -> tuple[list[Job], list[Problem]]:
    """Return the jobs for recordings and folders of them, and what cannot be done.

    Args:
        paths: Files, and folders whose `*.json` are meant.
        output: The folder of the packages.
        name: The name of the only package, if it is given.
        wanted: What to write.

    Raises:
        BindgenError: Two would go to one place, or there is nothing to do.
    """
    files = [file for path in paths for file in _files(path)]
    jobs: list[Job] = []
    problems: list[Problem] = []
    for file in files:
        try:
            jobs.append(_job(file, output, name, wanted))
        except BindgenError as error:
            if len(files) == 1:
                raise
            problems += placed(file, error.problems)
    _refuse_same_place(jobs)
    return jobs, problems


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.glob("*.json") if file.is_file())
    if not found:
        hint = "recordings are files that end in .json"
        raise BindgenError(Problem("", f"no recording in {path}", hint))
    return found


def configured(usual: Settings) -> list[Job]:
    """Return the jobs that the project's settings ask for.

    Args:
        usual: What to write where the settings say nothing else.

    Raises:
        BindgenError: The settings are wrong, or there are none.
    """
    from mcp_bindgen.cli import config

    file = config.find(Path.cwd())
    servers = config.load(file) if file else ()
    if not servers:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", "nothing to generate", hint))
    jobs = [_configured(server, usual) for server in servers]
    _refuse_same_place(jobs)
    return jobs


def _configured(server: Server, usual: Settings) -> Job:
    wanted = replace(
        usual,
        targets=server.targets or usual.targets,
        include=server.include,
        exclude=server.exclude,
        http=server.http or usual.http,
        runtime=usual.runtime or server.runtime,
    )
    file, output = shortest(server.recording), shortest(server.output)
    return _job(file, output, server.name, wanted)


def _job(file: Path, output: Path, name: str | None, wanted: Settings) -> Job:
    return Job(file, output / package_name(name or file.stem, exact=bool(name)), wanted)


def shortest(path: Path) -> Path:
    """Return a path as people write it who work in the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _refuse_same_place(jobs: Sequence[Job]) -> None:
    places: dict[Path, Path] = {}
    for job in jobs:
        first = places.setdefault(job.place, job.file)
        if first is not job.file:
            message = f"{first} and {job.file} would both go to {job.place}"
            hint = "generate them one by one, with --name"
            raise BindgenError(Problem("", message, hint))


def placed(file: Path, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield problems with their place in the message."""
    for problem in problems:
        place = f"{file}#{problem.pointer}" if problem.pointer else str(file)
        yield Problem("", f"{place}: {problem.message}", problem.hint)
