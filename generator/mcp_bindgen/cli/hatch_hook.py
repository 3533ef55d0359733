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
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from mcp_bindgen.cli import jobs
from mcp_bindgen.cli.limits import read
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.hidden import show
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import DEFAULTS
from mcp_bindgen.write.write import write

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
            self.app.abort("\n".join(map(_line, error.problems)))
            return
        for folder in folders:
            path = Path(os.path.relpath(folder, root)).as_posix()
            build_data["artifacts"].append(f"/{path}/**")


def _generate(root: Path) -> list[Path]:
    """Write the packages of a project, and return their folders.

    Raises:
        BindgenError: The settings or a recording are wrong, a tool was left out, or a
            file of somebody else is in the way.
    """
    servers = jobs.servers_of(root).values()
    folders: list[Path] = []
    for job in jobs.for_servers(servers, DEFAULTS):
        data = read(job.file, job.settings.limits)
        package = generate(data, job.folder.name, job.settings)
        if package.problems:
            raise jobs.in_file(job.file, BindgenError(*package.problems))
        write(package.files, job.folder)
        folders.append(job.folder)
    return folders


def _line(problem: object) -> str:
    return show(f"mcp-bindgen: {problem}")


@hookimpl
def hatch_register_build_hook() -> type[BindgenHook]:
    """Return the hook; hatchling calls this."""
    return BindgenHook
