"""`mcp-bindgen generate`: recordings into packages, without a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from mcp_bindgen.cli import jobs as planned
from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import (
    allow_empty_option,
    diff_option,
)
from mcp_bindgen.cli.collector import without_collector
from mcp_bindgen.cli.finish import Options, as_json
from mcp_bindgen.cli.limits import limit_option, limits_from
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.policy_marks import marks_in
from mcp_bindgen.cli.run import run_each
from mcp_bindgen.cli.shared_runtimes import (
    refuse_runtime,
    runtime_notices,
    shared_runtimes,
)
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.cache import user_cache
from mcp_bindgen.pipeline.model_options import unused_options
from mcp_bindgen.pipeline.project import layout_notices
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.render.targets import HTTP, TARGETS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from mcp_bindgen.errors import Problem
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["generate", "of_dask"]

_WITHOUT_FILE = (
    "expected a FILE: without one, pyproject.toml sets -o, --name, --target, --include,"
    " --exclude, --http and --policy"
)


class _Options(TypedDict):
    """The options of the command, by the names of its parameters."""

    output: Path | None
    name: str | None
    targets: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    reports: tuple[Path, ...]
    runtime: str | None
    http: str | None
    policy: Path | None
    workers: int | None
    executor: str | None
    form: str
    limit_texts: tuple[str, ...]
    no_cache: bool
    check: bool
    diff: bool
    allow_empty: bool


def of_dask(
    _context: click.Context, _parameter: click.Parameter, executor: str | None
) -> str | None:
    """Return the value of --executor, refused unless it is `dask:ADDRESS`."""
    if executor and not executor.startswith("dask:"):
        raise click.UsageError(f"expected --executor dask:ADDRESS, got {executor}")
    return executor


@click.command(
    epilog="Example: mcp-bindgen generate recordings/catalog.json -o generated"
)
@click.argument(
    "recordings",
    nargs=-1,
    metavar="[FILE]...",
    type=click.Path(path_type=Path),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the packages, one for each FILE.",
)
@click.option("--name", help="The name of the package  [default: the name of FILE]")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAMES",
    help="The targets, separated by commas  [default: python,openai,langchain]",
)
@click.option(
    "--include", multiple=True, metavar="GLOB", help="Generate only these tools."
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out these tools.")
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A policy file: frameworks get no tool that it denies, and docstrings name"
    " risk and approval.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a report: changed names, inferred results, residual validation, and"
    " omitted tools. A file that ends in .json gets JSON, others get a table; - is"
    " standard output.",
)
@click.option(
    "--shared-runtime",
    "runtime",
    metavar="NAME",
    help="Put one runtime for all packages into a package of this name.",
)
@click.option(
    "--http",
    type=click.Choice(["httpx", "httpx2"]),
    help="The HTTP client that the package imports  [default: httpx]",
)
@click.option(
    "--jobs",
    "-j",
    "workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of processes  [default: one for each processor]",
)
@click.option(
    "--executor",
    metavar="dask:ADDRESS",
    callback=of_dask,
    help="Use a Dask cluster, for example dask:tcp://host:8786.",
)
@click.option("--no-cache", is_flag=True, help="Ignore and do not write the cache.")
@limit_option
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing, and show the changes; exit with 1 if there are any.",
)
@diff_option
@allow_empty_option
@format_option
@screen.options
def generate(recordings: tuple[Path, ...], **options: Unpack[_Options]) -> int:
    """Generate a typed package from each recording, without a network.

    FILE is a recording, or a folder of recordings. Without FILE, the command generates
    the packages of [tool.mcp-bindgen] in pyproject.toml.

    It begins with the changes of a new recording for the users of a package.
    """
    jobs, problems = _jobs(recordings, options)
    refuse_runtime(jobs)
    screen.problems(problems)
    styled = None if options["no_cache"] else user_cache()
    check, diff = options["check"], options["diff"]
    how = Options(
        options["reports"],
        None if check else styled,
        styled,
        options["workers"],
        options["executor"] or "",
        check=check,
        diff=diff,
        allow_empty=options["allow_empty"],
    )
    with without_collector():
        done = run_each(jobs, how)
    _advise(jobs)
    shared = shared_runtimes(jobs, check=check, show=check, styled=styled, diff=diff)
    code = max([*(each.code for each in done), *shared, 2 * bool(problems)])
    if options["form"] == "json":
        files = {job.folder: job.file for job in jobs}
        show_json([as_json(each, files[each.folder]) for each in done])
    return code


def _settings(options: _Options) -> Settings:
    """Return the settings of a package that has none of its own.

    Raises:
        BindgenError: A limit is wrong.
    """
    names = [part.strip() for names in options["targets"] for part in names.split(",")]
    return Settings(
        tuple(names) or TARGETS,
        options["include"],
        options["exclude"],
        options["http"] or HTTP[0],
        options["runtime"] or "",
        limits_from(options["limit_texts"], DEFAULT),
        policy=marks_in(options["policy"]),
    )


def _jobs(
    recordings: tuple[Path, ...], options: _Options
) -> tuple[list[Job], list[Problem]]:
    """Return the jobs, and the problems of recordings that get none."""
    settings, output = _settings(options), options["output"]
    if not recordings:
        own = [options["output"], options["name"], options["targets"], options["http"]]
        if any((*own, settings.include, settings.exclude, settings.policy)):
            raise click.UsageError(_WITHOUT_FILE)
        return planned.configured(settings), []
    if output is None:
        raise click.UsageError("expected -o FOLDER, the folder for the packages")
    name = options["name"]
    if name and (len(recordings) > 1 or any(p.is_dir() for p in recordings)):
        raise click.UsageError("expected one FILE with --name, got more")
    jobs, problems = planned.from_files(recordings, output, name, settings)
    if settings.policy and len(jobs) > 1:
        raise click.UsageError("expected one FILE with --policy, got more")
    return [replace(job, policy=options["policy"]) for job in jobs], problems


def _advise(jobs: Sequence[Job]) -> None:
    """Print advice: options of a style without effect, the gain of a shared runtime."""
    for output in sorted({job.folder.parent for job in jobs}):
        for sentence in layout_notices(output):
            screen.progress(sentence)
    for output, targets in sorted(
        {(j.folder.parent, j.settings.targets) for j in jobs}
    ):
        for sentence in unused_options(output, targets):
            screen.progress(sentence)
    for sentence in runtime_notices(job.folder.parent for job in jobs):
        screen.progress(sentence)
