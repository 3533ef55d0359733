"""The packages that hold the runtime of others, as `--shared-runtime` names them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import differences, show_files
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import package_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["refuse_runtime", "runtime_packages", "shared_runtimes"]


def refuse_runtime(jobs: Sequence[Job]) -> None:
    """Refuse a name or an HTTP client that a shared runtime cannot have.

    Raises:
        BindgenError: The name cannot be imported, would hide a module, or is that of a
            package; or packages want two HTTP clients.
    """
    runtimes = {job.settings.runtime for job in jobs if job.settings.runtime}
    for runtime in runtimes:
        try:
            package_name(runtime, exact=True)
        except BindgenError as error:
            (problem,) = error.problems
            hint = problem.hint.replace("--name", "--shared-runtime")
            hint = hint.replace("name =", "shared-runtime =")
            raise BindgenError(replace(problem, hint=hint)) from None
    if runtimes & {job.folder.name for job in jobs}:
        wrong = "expected a name for --shared-runtime that no package has"
        hint = 'choose another: --shared-runtime NAME, or shared-runtime = "NAME"'
        raise BindgenError(Problem("", wrong, hint))
    if runtimes and len({job.settings.http for job in jobs}) > 1:
        wrong = "expected one HTTP client for all packages with --shared-runtime"
        raise BindgenError(Problem("", wrong, 'set one http = "httpx" for all'))


def runtime_packages(
    jobs: Sequence[Job], styled: Cache | None = None
) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield folder and files of each package that holds the runtime of others.

    Args:
        jobs: The packages that share them.
        styled: Files in a project's style, of earlier runs.
    """
    from mcp_bindgen.pipeline.shared_runtime import runtime_package

    chosen = ((job.folder, job.settings) for job in jobs if job.settings.runtime)
    runtimes = {(f.with_name(s.runtime), s.http, s.style) for f, s in chosen}
    for folder, http, style in sorted(runtimes):
        yield folder, runtime_package(folder.name, http, style, styled)


def shared_runtimes(
    jobs: Sequence[Job],
    *,
    check: bool,
    show: bool,
    styled: Cache | None,
    diff: bool = False,
) -> Iterator[int]:
    """Write or compare the packages that hold the runtime of others; yield exit codes.

    Args:
        jobs: The packages that share them.
        check: Whether to compare only.
        show: Whether to print the files that differ, which is exit code 1 then.
        styled: Files in a project's style, of earlier runs.
        diff: Whether to print the differences line by line.
    """
    from mcp_bindgen.write import write as output

    for folder, files in runtime_packages(jobs, styled):
        difference = differences(files, folder, diff=diff) if show else []
        show_files(difference)
        yield int(bool(difference))
        if not check:
            changes = output.write(files, folder)
            screen.problems(changes.problems)
            state = f"{screen.count(len(files), 'file')}, {changes.number:,} changed"
            screen.summary(f"{folder.name}: the shared runtime, {state} in {folder}")
            yield int(bool(changes.problems))
