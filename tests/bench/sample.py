"""Recordings of any size, from the tools of real servers."""

from __future__ import annotations

import json
import sys
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from mcp_bindgen.schema.node import listed, mapped

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FIRST", "write"]

FIRST = "first"
"""The name of a tool that is in every sample."""


def write(corpus: Path, number: int, file: Path) -> None:
    """Write a recording of so many tools: those of all servers in turn, repeated.

    Args:
        corpus: A folder of recordings, at any depth.
        number: How many tools.
        file: Where to.
    """
    servers = [
        listing for path in sorted(corpus.rglob("*.json")) if (listing := _of(path))
    ]
    turns = [
        (server, tool)
        for turn in zip_longest(*servers)
        for server, tool in enumerate(turn)
        if tool is not None
    ]
    if not turns:
        sys.exit(f"error: no recording with tools in {corpus}")
    tools: list[Any] = []
    for index in range(number):
        again, which = divmod(index, len(turns))
        server, tool = turns[which]
        name = f"s{server}_{again}_{tool['name']}"[:120] if index else FIRST
        tools.append({**tool, "name": name})
    file.write_text(json.dumps({"tools": tools}), "utf-8")


def _of(path: Path) -> list[Any]:
    try:
        document: Any = json.loads(path.read_text("utf-8"))
    except ValueError:
        return []
    listing = mapped(mapped(document).get("result", document))
    return listed(listing.get("tools"))
