"""The pipe: a recording's bytes to the files of a package, read from top to bottom.

    lists     = listed(data, settings)                   what the server lists, named
    tools     = cached, or executor.map(make_tools)      types and texts of each tool
    parts     = parts_of(lists, tools)                   all of them, and the problems
    package   = assemble(parts)                          all files, self-checked

`write/write.py` writes the files. This module uses no disk and no network.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import StepsError
from mcp_bindgen.pipeline.assemble import assemble
from mcp_bindgen.pipeline.executor import HERE
from mcp_bindgen.pipeline.parts import Parts, listed, parts_of, within_limits
from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.pipeline.tool_files import make_tools
from mcp_bindgen.render.target_folders import read_again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.pipeline.executor import Executor
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.pipeline.package import Package
    from mcp_bindgen.pipeline.plan import PackedPlan
    from mcp_bindgen.pipeline.tool_cache import ToolCache
    from mcp_bindgen.pipeline.tool_files import ToolFiles

__all__ = ["generate", "try_job", "try_jobs"]

_BATCH = 25  # tools: enough to outweigh the way to another process


def generate(
    data: bytes,
    name: str,
    settings: Settings = DEFAULTS,
    executor: Executor = HERE,
    cache: ToolCache | None = None,
) -> Package:
    """Return the package for a recording: the same bytes in, the same files out.

    Args:
        data: The recording, in any format that `recording.document.load` reads.
        name: The import name of the package.
        settings: The settings of the package.
        executor: Makes the tools: in this process, in others, or on a cluster.
        cache: Tools of earlier runs.

    Raises:
        BindgenError: It is no recording, it is over a limit of the whole file, there
            is no such target, or the package does not pass our own check.

    Example:
        package = generate(Path("recordings/catalog.json").read_bytes(), "catalog")
    """
    read_again(settings.targets)
    # Only `assemble` may hold the parts: their memory is then free after rendering.
    held = [_parts(data, name, settings, executor, cache)]
    has_cached = held[0].has_cached
    try:
        return assemble(held.pop(), settings, cache)
    except (BindgenError, LookupError, ValueError):
        if not (cache and has_cached):
            raise
    # Each tool of a stranger's passed the check alone, but the package did not.
    return generate(data, name, settings, executor, replace(cache, anew=True))


def _parts(
    data: bytes,
    name: str,
    settings: Settings,
    executor: Executor,
    cache: ToolCache | None,
) -> Parts:
    """Return the parts of the package.

    Raises:
        BindgenError: It is no recording, or it is over a limit of the whole file.
    """
    lists, plans = listed(data, name, settings)
    tools = _made(plans, settings, executor, cache)
    return parts_of(lists, tools)


def _made(
    plans: Sequence[PackedPlan],
    settings: Settings,
    executor: Executor,
    cache: ToolCache | None,
) -> list[ToolFiles]:
    """Return the types and texts of each tool: from the cache, the others made now."""
    cached = cache.find(plans, settings) if cache else {}
    missing = [each for each in plans if each.rest.function not in cached]
    if cache and len(missing) <= _BATCH:
        executor = HERE
    made = executor.map(partial(make_tools, settings=settings), missing, _BATCH)
    in_order = (cached.get(each.rest.function) or next(made) for each in plans)
    try:
        tools = within_limits(in_order, settings.limits)
    except StepsError:  # an entry may name more steps than it took
        if not (cache and cached):
            raise
        return _made(plans, settings, executor, replace(cache, anew=True))
    if cache:
        cache.keep(plans, tools, settings)
    return tools


def try_job(job: Job, executor: Executor = HERE) -> Package | BindgenError:
    """Return the package of a job, or why it has none: one bad job stops no other."""
    try:
        return generate(job.data, job.folder.name, job.settings, executor, job.cache)
    except BindgenError as error:
        return error


def try_jobs(jobs: Sequence[Job]) -> list[Package | BindgenError]:
    """Run jobs in this process, for another process that waits for the packages."""
    return [try_job(job) for job in jobs]
