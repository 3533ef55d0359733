"""Arguments and project settings become jobs, one for each package."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.cli.policy_marks import marks_in
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.jobs import Job
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.pipeline.project import project_style
from mcp_bindgen.pipeline.settings import Settings, package_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcp_bindgen.cli.config import Server

__all__ = [
    "configured",
    "for_servers",
    "from_files",
    "in_file",
    "recordings",
    "servers_of",
    "shortest",
]


def from_files(
    paths: Sequence[Path], output: Path, name: str | None, settings: Settings
) -> tuple[list[Job], list[Problem]]:
    """Return the jobs for recordings and folders of them, and the problems of others.

    Args:
        paths: Recordings, and folders whose `*.json` files are recordings.
        output: The folder of the packages.
        name: The name of the package, None for that of the file.
        settings: The settings of each package.

    Raises:
        BindgenError: Two packages would go to one folder, or there is no recording.
    """
    files = [file for path in paths for file in _files(path)]
    models = project_models(output, settings.targets)
    settings = replace(settings, style=project_style(output), models=models)
    jobs: list[Job] = []
    problems: list[Problem] = []
    for file in files:
        try:
            jobs.append(_job(file, output, name, settings))
        except BindgenError as error:
            if len(files) == 1:
                raise
            problems += in_file(file, error).problems
    folders = ((str(job.file), job.folder) for job in jobs)
    hint = "run the command for each of them alone, or rename one of the files"
    if clashes := list(_clashes(folders, hint)):
        raise BindgenError(*clashes)
    return jobs, problems


def recordings(paths: Sequence[Path]) -> list[Path]:
    """Return recordings, those in folders, or without paths those of the settings.

    Raises:
        BindgenError: A folder has none, or the settings name no server.
    """
    if paths:
        return [file for path in paths for file in _files(path)]
    servers = servers_of(Path.cwd())
    if not servers:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", "no recording to read", hint))
    return [shortest(server.recording) for server in servers.values()]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.glob("*.json") if file.is_file())
    if not files:
        hint = "recordings are files that end in .json"
        raise BindgenError(Problem("", f"no recording in {path}", hint))
    return files


def configured(defaults: Settings) -> list[Job]:
    """Return the jobs of the servers in the project's settings.

    Args:
        defaults: The default settings of a package.

    Raises:
        BindgenError: The settings are wrong, or they name no server.
    """
    servers = servers_of(Path.cwd())
    if not servers:
        hint = "name a recording, or a server in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", "nothing to generate", hint))
    return for_servers(servers.values(), defaults)


def servers_of(folder: Path, names: Iterable[str] = ()) -> dict[str, Server]:
    """Return the servers in the project's settings by name, {} without settings.

    Args:
        folder: Where the search for `pyproject.toml` begins.
        names: The names of the servers to return, () for all.

    Raises:
        BindgenError: The settings are wrong, or have no server of one of the names.
    """
    from mcp_bindgen.cli import config

    file = config.find(folder)
    servers = {server.key: server for server in config.load(file)} if file else {}
    unknown = [name[:80] for name in names if name not in servers]
    if unknown:
        raise BindgenError(*(_no_server(name, servers) for name in unknown))
    return {name: servers[name] for name in names or servers}


def _no_server(name: str, servers: Iterable[str]) -> Problem:
    near = get_close_matches(name, servers, 1)
    listed = ", ".join(servers)
    hint = f"servers are {listed}" if listed else "add one with mcp-bindgen add"
    hint = f"did you mean {near[0]}?" if near else hint
    return Problem("", f"no server {name!a} in the settings", hint)


def for_servers(
    servers: Iterable[Server], defaults: Settings, *, check_targets: bool = False
) -> list[Job]:
    """Return a job for each server of the project's settings, in their order.

    Args:
        servers: The servers.
        defaults: The default settings of a package.
        check_targets: Whether to read the descriptions of the targets now, which takes
            70 ms, and not when a package is generated.

    Raises:
        BindgenError: The settings are wrong; there is one problem for each mistake in
            any of the servers.
    """
    jobs: list[Job] = []
    problems: list[Problem] = []
    folders: list[tuple[str, Path]] = []
    for server in servers:
        table = f"[tool.mcp-bindgen.servers.{server.key}]"
        jobs.append(_configured(server, defaults))
        folders.append((table, jobs[-1].folder))
        if check_targets:
            problems += _faulty_targets(jobs[-1], table)
        problems += _without_recording(server, table)
    problems += _clashes(folders, "write package = NAME in one of them")
    if problems:
        raise BindgenError(*problems)
    return jobs


def _configured(server: Server, defaults: Settings) -> Job:
    policy = server.policy and shortest(server.policy)
    settings = replace(
        defaults,
        targets=server.targets or defaults.targets,
        include=server.include,
        exclude=server.exclude,
        http=server.http or defaults.http,
        runtime=defaults.runtime or server.runtime,
        policy=marks_in(policy),
    )
    file, output = shortest(server.recording), shortest(server.output)
    models = project_models(output, settings.targets)
    settings = replace(settings, style=project_style(output), models=models)
    return replace(_job(file, output, server.name, settings), policy=policy)


def _faulty_targets(job: Job, table: str) -> Iterator[Problem]:
    """Yield the problems of targets that do not exist or are described wrongly."""
    from mcp_bindgen.render.target_folders import chosen

    for target in job.settings.targets:
        try:
            chosen([target])
        except BindgenError as error:
            for problem in error.problems:
                yield Problem("", f"{table}: {problem.message}", problem.hint)


def _without_recording(server: Server, table: str) -> Iterator[Problem]:
    """Yield a problem where a server can neither be recorded nor was recorded."""
    if not (server.url or server.command or server.recording.exists()):
        file = shortest(server.recording)
        message = f"{table} has no url and no command, and there is no file {file}"
        hint = "add a url or a command to record the server, or put a recording there"
        yield Problem("", message, hint)


def _job(file: Path, output: Path, name: str | None, settings: Settings) -> Job:
    return Job(
        file, output / package_name(name or file.stem, exact=bool(name)), settings
    )


def shortest(path: Path) -> Path:
    """Return a path relative to the current folder, if it is inside."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _clashes(folders: Iterable[tuple[str, Path]], hint: str) -> Iterator[Problem]:
    """Yield a problem for each source whose folder is that of an earlier source."""
    sources: dict[Path, str] = {}
    for source, folder in folders:
        if folder in sources:
            message = f"{sources[folder]} and {source} would both go to {folder}"
            yield Problem("", message, hint)
        sources.setdefault(folder, source)


def in_file(file: Path, error: BindgenError) -> BindgenError:
    """Return an error whose messages name the file that its pointers lead into."""
    named = BindgenError(*(_in_file(file, each) for each in error.problems))
    named.__cause__ = error  # for --verbose
    return named


def _in_file(file: Path, problem: Problem) -> Problem:
    location = f"{file}#{problem.pointer}" if problem.pointer else str(file)
    return Problem("", f"{location}: {problem.message}", problem.hint)
