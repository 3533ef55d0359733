"""A build hook of hatchling: generates the packages of the settings before a build.

In `pyproject.toml`:

    [build-system]
    requires = ["hatchling", "mcp-bindgen"]
    build-backend = "hatchling.build"

    [tool.hatch.build.hooks.mcp-bindgen]

    [tool.hatch.build.targets.wheel]
    packages = ["src/app", "src/catalog"]
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from mcp_bindgen.cli import jobs
from mcp_bindgen.cli.changed import refuse_emptied
from mcp_bindgen.cli.limits import read
from mcp_bindgen.cli.shared_runtimes import refuse_runtime, runtime_packages
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.hidden import show
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import DEFAULTS
from mcp_bindgen.write.existing import read_existing, with_existing_version
from mcp_bindgen.write.write import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.errors import Problem
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["BindgenHook", "hatch_register_build_hook"]


class BindgenHook(BuildHookInterface[BuilderConfig]):
    """Generates each server of `[tool.mcp-bindgen]` from its recording.

    It uses no network. A package that git ignores goes into the build all the same.
    """

    PLUGIN_NAME = "mcp-bindgen"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the packages, and name their files to hatchling.

        Args:
            version: The kind of the build, "standard" or "editable".
            build_data: Gets the files, under `artifacts`.
        """
        del version
        root = Path(self.root)
        try:
            folders = _generate(root)
        except BindgenError as error:
            self.app.abort("\n".join(map(_lines, error.problems)))
            return
        for folder in folders:
            path = Path(os.path.relpath(folder, root)).as_posix()
            build_data["artifacts"].append(f"/{path}/**")


def _generate(root: Path) -> list[Path]:
    """Write the packages of a project, and return their folders.

    Raises:
        BindgenError: The settings or a recording are wrong, a tool was left out, or a
            file that is not ours is in the way.
    """
    servers = jobs.servers_of(root).values()
    every = jobs.for_servers(servers, DEFAULTS)
    refuse_runtime(every)
    for job in every:
        try:
            files = _files(job)
        except BindgenError as error:
            raise jobs.in_file(job.file, error) from error
        _write(job.folder, files)
    shared = list(runtime_packages(every))
    for folder, files in shared:
        _write(folder, files)
    return [job.folder for job in every] + [folder for folder, _ in shared]


def _files(job: Job) -> Mapping[str, str]:
    """Return the files of a package, as `mcp-bindgen generate` writes them.

    Raises:
        BindgenError: A tool was left out, or the command would refuse the package.
    """
    data = read(job.file, job.settings.limits)
    package = generate(data, job.folder.name, job.settings)
    if package.problems:
        raise BindgenError(*package.problems)
    refuse_emptied(replace(job, existing=read_existing(job.folder)), package)
    return with_existing_version(package.files, job.folder)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    if problems := write(files, folder).problems:
        raise BindgenError(*problems)


def _lines(problem: Problem) -> str:
    hint = f"\n  hint: {show(problem.hint)}" if problem.hint else ""
    return f"mcp-bindgen: {show(problem.message)}{hint}"


@hookimpl
def hatch_register_build_hook() -> type[BindgenHook]:
    """Return the hook; hatchling calls this."""
    return BindgenHook
