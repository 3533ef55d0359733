"""Reads and writes `[tool.mcp-bindgen.diff] accept` in the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_bindgen.cli import config, screen
from mcp_bindgen.contract.accepted import accept, read_accepted, stale
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.project_files import read_project

if TYPE_CHECKING:
    from mcp_bindgen.contract.accepted import Acceptance
    from mcp_bindgen.contract.summary import Compared

__all__ = ["accept_finding", "accepted", "without_accepted"]


def without_accepted(servers: list[Compared]) -> list[Compared]:
    """Return comparisons without accepted findings; name entries that cover none.

    Raises:
        BindgenError: The entries have mistakes.
    """
    entries = accepted()
    for each in stale(servers, entries):
        screen.summary(f"accept: {each} covers no finding; remove it from the settings")
    return [accept(each, entries) for each in servers]


def accepted() -> tuple[Acceptance, ...]:
    """Return the entries of the settings, () without settings.

    Raises:
        BindgenError: The entries have mistakes.
    """
    file = config.find(Path.cwd())
    if file is None:
        return ()
    table: Any = read_project(file)
    for key in ("tool", "mcp-bindgen"):
        table = table.get(key, {})
    entries, faults = read_accepted(table.get("diff", {}))
    if faults:
        listed = (Problem("", f"{file}: {why}", hint) for why, hint in faults)
        raise BindgenError(*listed)
    return entries


def accept_finding(servers: list[Compared], fingerprint: str, reason: str) -> int:
    """Write one accepted finding into the settings.

    Args:
        servers: The comparisons; one of their findings has the fingerprint.
        fingerprint: The fingerprint.
        reason: Why it is fine.

    Raises:
        BindgenError: No finding has it, or the settings cannot be changed.
    """
    from mcp_bindgen.cli import settings_file

    changes = [c for each in servers for c in each.report.changes]
    change = next((c for c in changes if c.fingerprint == fingerprint), None)
    if change is None:
        hint = "mcp-bindgen diff --all shows the fingerprints"
        message = f"no finding has the fingerprint {fingerprint[:80]!a}"
        raise BindgenError(Problem("", message, hint))
    if any(entry.fingerprint == fingerprint for entry in accepted()):
        screen.summary(f"{fingerprint} is accepted already")
        return 0
    file = settings_file.target_file()
    settings_file.update(
        file, lambda text: settings_file.with_accepted(text, fingerprint, reason)
    )
    screen.summary(f"{file}: accepted {change.rule} of {change.tool}")
    return 0
