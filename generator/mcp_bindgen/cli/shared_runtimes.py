"""The packages that hold the runtime of others, as `--shared-runtime` names them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.changed import differences, show_files
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import package_name
from mcp_bindgen.write.files import read
from mcp_bindgen.write.manifest import MANIFEST, read_owned, read_runtime

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.jobs import Job

__all__ = [
    "refuse_runtime",
    "runtime_notices",
    "runtime_packages",
    "shared_runtimes",
]


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
    if both := sorted(runtimes & {job.folder.name for job in jobs}):
        wrong = (
            f"expected a name for --shared-runtime that no package has, got {both[0]}"
        )
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


def runtime_notices(folders: Iterable[Path]) -> Iterator[str]:
    """Yield sentences about runtimes that packages could share, or share no longer.

    Args:
        folders: Folders of packages.
    """
    for folder in sorted({*folders}):
        runtimes = _runtimes_in(folder)
        copies = [*runtimes.values()].count("")
        if copies > 1:
            yield (
                f"{copies:,} packages in {folder} have a copy of the runtime each; with"
                " --shared-runtime NAME, or shared-runtime in the settings, they share"
                " one: one McpError then catches the errors of all, and five packages"
                " are imported in half the time (pydantic and httpx not counted)"
            )
        used = {runtime for name, runtime in runtimes.items() if name != runtime}
        for name in sorted(
            {name for name in runtimes if name == runtimes[name]} - used
        ):
            yield f"no package in {folder} uses {name} any more: remove {folder / name}"


def _runtimes_in(folder: Path) -> Mapping[str, str]:
    """Return the name of each package in a folder, with that of its shared runtime.

    Returns:
        Package to runtime, "" for a package with a copy of its own; {} for less than
        two packages. The shared runtime is a package, too, and has its own name.
    """
    manifests = sorted(folder.glob(f"*/{MANIFEST}"))
    runtimes: dict[str, str] = {}
    for manifest in manifests if len(manifests) > 1 else ():
        try:
            data = read(manifest)
            read_owned(data)
        except (BindgenError, OSError):  # of another program
            continue
        runtimes[manifest.parent.name] = read_runtime(data)
    return runtimes
