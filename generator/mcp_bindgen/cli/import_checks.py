"""Reads imported servers as settings before they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.cli import config, settings_file
from mcp_bindgen.cli.reach import source_of
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.pipeline.mcp_json import ImportedServer

__all__ = ["readable"]


class _AllSet(Mapping[str, str]):
    """An environment in which every variable is set: they are exported later."""

    def __getitem__(self, name: str) -> str:
        return "x"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def readable(server: ImportedServer, file: Path) -> ImportedServer:
    """Return a server, without its table where the next command could not read it.

    Args:
        server: The server as it is imported.
        file: The file of the settings.
    """
    if not server.table:
        return server
    environment = _AllSet()
    try:
        text = settings_file.with_server("", server.name, server.table)
        (parsed,) = config.parse(text, file, environment)
        source_of(parsed).expand(environment)
    except BindgenError as error:
        problems = (
            Problem("", f"{server.name}: {_reason(p, file)}", p.hint)
            for p in error.problems
        )
        return replace(server, table={}, problems=(*server.problems, *problems))
    return server


def _reason(problem: Problem, file: Path) -> str:
    return problem.message.removeprefix(f"{file}: ")
