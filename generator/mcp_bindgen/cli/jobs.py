"""Arguments and project settings become jobs, one for each package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.jobs import Job
from mcp_bindgen.pipeline.settings import package_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp_bindgen.cli.config import Server
from mcp_bindgen.pipeline.settings import Settings

__all__ = ["configured", "for_servers", "from_files", "placed", "shortest"]


def from_files(
    paths: Sequence[Path], output: Path, name: str | None, settings: Settings
) -> tuple[list[Job], list[Problem]]:
    """Return the jobs for recordings and folders of them, and the problems of others.

    Args:
        paths: Recordings, and folders whose `*.json` files are recordings.
        output: The folder of the packages.
        name: The name of the package, None for that of the file.
        settings: What to make.

    Raises:
        BindgenError: Two packages would go to one folder, or there is no recording.
    """
    files = [file for path in paths for file in _files(path)]
    jobs: list[Job] = []
    problems: list[Problem] = []
    for file in files:
        try:
            jobs.append(_job(file, output, name, settings))
        except BindgenError as error:
            if len(files) == 1:
                raise
            problems += placed(file, error).problems
    _refuse_same_folder(jobs)
    return jobs, problems


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.glob("*.json") if file.is_file())
    if not files:
        hint = "recordings are files that end in .json"
        raise BindgenError(Problem("", f"no recording in {path}", hint))
    return files


def configured(usual: Settings) -> list[Job]:
    """Return the jobs of the servers in the project's settings.

    Args:
        usual: What to make where the settings say nothing else.

    Raises:
        BindgenError: The settings are wrong, or they name no server.
    """
    from mcp_bindgen.cli import config

    file = config.find(Path.cwd())
    servers = config.load(file) if file else ()
    if not servers:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", "nothing to generate", hint))
    return for_servers(servers, usual)


def for_servers(servers: Iterable[Server], usual: Settings) -> list[Job]:
    """Return a job for each server of the project's settings.

    Args:
        servers: The servers.
        usual: What to make where the settings say nothing else.

    Raises:
        BindgenError: Two packages would go to one folder.
    """
    jobs = [_configured(server, usual) for server in servers]
    _refuse_same_folder(jobs)
    return jobs


def _configured(server: Server, usual: Settings) -> Job:
    settings = replace(
        usual,
        targets=server.targets or usual.targets,
        include=server.include,
        exclude=server.exclude,
        http=server.http or usual.http,
        runtime=usual.runtime or server.runtime,
    )
    file, output = shortest(server.recording), shortest(server.output)
    return _job(file, output, server.name, settings)


def _job(file: Path, output: Path, name: str | None, settings: Settings) -> Job:
    return Job(
        file, output / package_name(name or file.stem, exact=bool(name)), settings
    )


def shortest(path: Path) -> Path:
    """Return a path relative to the current folder, if it is inside."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _refuse_same_folder(jobs: Sequence[Job]) -> None:
    folders: dict[Path, Path] = {}
    for job in jobs:
        first = folders.setdefault(job.folder, job.file)
        if first is not job.file:
            message = f"{first} and {job.file} would both go to {job.folder}"
            hint = "generate them one by one, with --name"
            raise BindgenError(Problem("", message, hint))


def placed(file: Path, error: BindgenError) -> BindgenError:
    """Return an error whose messages name the file that its pointers lead into."""
    placed_error = BindgenError(*(_placed(file, each) for each in error.problems))
    placed_error.__cause__ = error  # for --verbose
    return placed_error


def _placed(file: Path, problem: Problem) -> Problem:
    place = f"{file}#{problem.pointer}" if problem.pointer else str(file)
    return Problem("", f"{place}: {problem.message}", problem.hint)
