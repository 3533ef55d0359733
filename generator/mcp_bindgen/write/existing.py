"""Reads the package in a folder: its version, and the recording it was made from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import (
    FIRST_VERSION,
    MANIFEST,
    fingerprint,
    read_owned,
    read_version,
    with_version,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "NOTHING",
    "RECORDING",
    "ExistingPackage",
    "read_existing",
    "with_existing_version",
]

RECORDING = "recording.json"
"""The file of a package that holds its recording."""


@dataclass(frozen=True, slots=True)
class ExistingPackage:
    """The package in a folder; without one of ours, all values are empty.

    Attributes:
        version: Its version, or the first one.
        recording: The recording it was made from; None if it is missing or was edited.
        tools: The number of its tools.
        is_unfinished: Whether a run that wrote it was killed: its version is new
            already, its files are old or new.
    """

    version: str = FIRST_VERSION
    recording: bytes | None = None
    tools: int = 0
    is_unfinished: bool = False


NOTHING = ExistingPackage()
"""No package."""


def read_existing(folder: Path) -> ExistingPackage:
    """Return the package in a folder.

    Args:
        folder: The folder; it may be missing, or hold files of others.
    """
    try:
        data = disk.read(folder / MANIFEST)
        owned = read_owned(data)
    except (BindgenError, OSError):
        return NOTHING
    recording: bytes | None = None
    try:
        recording = disk.read(folder / RECORDING)
        if fingerprint(recording) != owned.written.get(RECORDING):
            recording = None
    except OSError:
        pass
    tools = len(members(members(json.loads(data)).get("tools")))
    version = read_version(data) or FIRST_VERSION
    return ExistingPackage(version, recording, tools, bool(owned.planned))


def with_existing_version(files: Mapping[str, str], folder: Path) -> Mapping[str, str]:
    """Return the files of a package with the version of the one that they replace.

    Args:
        files: Path to text of every file of the package.
        folder: The folder of the package.
    """
    version = read_existing(folder).version
    return files if version == FIRST_VERSION else with_version(files, version)
