"""The changes between two recordings, on the pages of the catalogue."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.render.site_pages import Change as PageChange

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.render.site_pages import ServerPage

__all__ = ["with_changes"]


def with_changes(
    page: ServerPage, old: bytes, new: bytes, settings: Settings, limits: Limits
) -> ServerPage:
    """Return the pages of a server with the changes since an older recording.

    Args:
        page: The pages of the new recording.
        old: The bytes of the old recording.
        new: The bytes of the new recording.
        settings: Their `include` and `exclude` choose the tools that count.
        limits: The limits of the generator.

    Raises:
        BindgenError: One of them is no recording, or over a limit.
    """
    report = compare_recordings(old, new, settings, limits)
    by_tool = defaultdict[str, list[PageChange]](list)
    for change in report.changes:
        by_tool[change.tool].append(_on_page(change))
    tools = tuple(
        replace(tool, changes=tuple(by_tool.pop(tool.wire, ()))) for tool in page.tools
    )
    rest = tuple(change for listed in by_tool.values() for change in listed)
    return replace(page, tools=tools, changes=rest)


def _on_page(change: Change) -> PageChange:
    return PageChange(change.grade, change.rule, change.symbol, change.message)
