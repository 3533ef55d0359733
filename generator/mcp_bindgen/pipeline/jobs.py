"""One package to make, as a record that may go to another process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.write.existing import NOTHING, ExistingPackage

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.pipeline.tool_cache import ToolCache

__all__ = ["Job"]


@dataclass(frozen=True, slots=True)
class Job:
    """One package to make: its recording, its folder and its settings.

    Attributes:
        file: The recording.
        folder: The folder of the package; its name is the import name.
        settings: The settings of the package.
        cache: Tools of earlier runs, None to ignore them.
        data: The bytes of the recording, once they are read.
        existing: The package in the folder; `NOTHING` before the folder is read.
        policy: The policy file of its settings, None without one.
    """

    file: Path
    folder: Path
    settings: Settings = DEFAULTS
    cache: ToolCache | None = None
    data: bytes = b""
    existing: ExistingPackage = NOTHING
    policy: Path | None = None
