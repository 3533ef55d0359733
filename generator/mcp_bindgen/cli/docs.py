"""`mcp-bindgen docs`: a catalogue of tools as static pages, for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import jobs as planned
from mcp_bindgen.cli import screen
from mcp_bindgen.cli.limits import limit_option, limits_from, read
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.render.site_pages import ServerPage
    from mcp_bindgen.write.write import Changes

__all__ = ["docs"]


@click.command(epilog="Example: mcp-bindgen docs recordings/catalog.json -o site")
@click.argument("names", nargs=-1, metavar="[RECORDING|NAME]...")
@click.option(
    "-o",
    "--output",
    default="site",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the pages; it is made if it is missing.",
)
@click.option("--title", default="Tools", show_default=True, help="The title.")
@click.option(
    "--since",
    metavar="FOLDER|git:REV",
    help="Show the changes since older recordings of the same names.",
)
@limit_option
@format_option
@screen.options
def docs(
    names: tuple[str, ...],
    output: Path,
    title: str,
    since: str | None,
    limit_texts: tuple[str, ...],
    form: str,
) -> int:
    """Make a catalogue of tools: static pages with a search, for people.

    RECORDING is a file or a folder of recordings, NAME a server of the settings;
    without both, the command takes all servers of the settings. The pages load nothing
    from a network. Open OUTPUT/index.html in a browser, or put the folder on any web
    server.
    """
    limits = limits_from(limit_texts, DEFAULT)
    pages, problems = _pages(_jobs(names, limits), since, limits)
    if not pages:
        raise BindgenError(*problems)
    changes = _write(pages, title, since or "", output)
    screen.problems([*problems, *changes.problems])
    index = str(output / "index.html")
    tools = sum(len(page.tools) for page in pages)
    if form == "json":
        show_json({"index": index, "tools": tools, "changed": changes.number})
    else:
        screen.result(index)
    servers = screen.count(len(pages), "server")
    number = screen.count(changes.number, "file")
    screen.summary(f"{screen.count(tools, 'tool')} of {servers}, {number} changed")
    return int(bool(problems or changes.problems))


def _pages(
    jobs: Iterable[Job], since: str | None, limits: Limits
) -> tuple[list[ServerPage], list[Problem]]:
    """Return the pages of each recording, and the problems of all of them."""
    pages: list[ServerPage] = []
    problems: list[Problem] = []
    for job in jobs:
        try:
            page, refused = _page(job, since, limits)
        except BindgenError as error:
            problems += planned.in_file(job.file, error).problems
        else:
            pages.append(page)
            if refused:
                problems += planned.in_file(job.file, BindgenError(*refused)).problems
    return pages, problems


def _write(
    pages: Sequence[ServerPage], title: str, since: str, output: Path
) -> Changes:
    """Write the pages and their manifest.

    Raises:
        BindgenError: A file cannot be written, or is not ours.
    """
    from mcp_bindgen.pipeline.versions import version
    from mcp_bindgen.render.site import site_files
    from mcp_bindgen.write.manifest import MANIFEST, manifest_text
    from mcp_bindgen.write.write import write

    files = site_files(pages, title, since)
    files[MANIFEST] = manifest_text(files, version("mcp-bindgen"), {})
    return write(files, output)


def _jobs(names: tuple[str, ...], limits: Limits) -> Iterator[Job]:
    """Yield a job for each recording: of the settings, or of files and folders.

    Raises:
        BindgenError: There are no settings, or two packages have one name.
    """
    from mcp_bindgen.pipeline.settings import DEFAULTS

    settings = replace(DEFAULTS, limits=limits)
    if not names:
        yield from planned.configured(settings)
        return
    paths = [Path(name) for name in names if _is_path(name)]
    others = [name for name in names if not _is_path(name)]
    if others:
        servers = planned.servers_of(Path.cwd(), others)
        yield from planned.for_servers(servers.values(), settings)
    if paths:
        jobs, problems = planned.from_files(paths, Path(), None, settings)
        screen.problems(problems)
        yield from jobs


def _is_path(name: str) -> bool:
    return name.endswith(".json") or "/" in name or Path(name).exists()


def _page(
    job: Job, since: str | None, limits: Limits
) -> tuple[ServerPage, list[Problem]]:
    """Return the pages of one recording, with its changes.

    Raises:
        BindgenError: A recording cannot be read.
    """
    from mcp_bindgen.cli.docs_changes import with_changes
    from mcp_bindgen.contract.inputs import older
    from mcp_bindgen.contract.replay.examples import example_arguments
    from mcp_bindgen.pipeline.site import server_page

    data = read(job.file, limits)
    arguments = example_arguments(data, limits)
    page, problems = server_page(data, job.folder.name, job.settings, arguments)
    if since:
        before = older(since, job.file, limits)
        page = with_changes(page, before, data, job.settings, limits)
    return page, problems
