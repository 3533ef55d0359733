"""The record of a generated package: its files, and the parts that were left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.errors import Problem
    from mcp_bindgen.schema.ir import Catalog

__all__ = ["Package"]


@dataclass(frozen=True, slots=True)
class Package:
    """A generated package, not yet on the disk.

    Attributes:
        name: Its import name.
        files: Path, relative and with "/", to text; the manifest is one of them.
        catalog: The tools in it: their names, texts and notes. Their JSON, arguments
            and types are free once the files are made; with a target of a user's own,
            whose templates may read them, they are there.
        problems: A problem for each part that was left out, in the recording's order.
        unmatched: The globs of the settings that match no tool of the recording.
    """

    name: str
    files: Mapping[str, str]
    catalog: Catalog
    problems: tuple[Problem, ...]
    unmatched: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return its name and its size: the files would fill a notebook."""
        tools, files = len(self.catalog.tools), len(self.files)
        left_out = f", {len(self.problems)} problems" if self.problems else ""
        return f"Package({self.name!r}, {tools} tools, {files} files{left_out})"
