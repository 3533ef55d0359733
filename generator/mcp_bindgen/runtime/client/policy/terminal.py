"""Asks the person at the terminal to approve a call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...errors import printable
from ..approval import Deny

if TYPE_CHECKING:
    from .approvals import ApprovalRequest

__all__ = ["approve_on_terminal"]


def approve_on_terminal(request: ApprovalRequest) -> bool | Deny:
    """Ask the person at the terminal; no terminal, or another word than yes, denies.

    Example: `Policy.load("policies/catalog.toml", approve=approve_on_terminal)`.

    Args:
        request: The call.
    """
    if not sys.stdin or not sys.stdin.isatty():
        return Deny("there is no terminal to ask at")
    note = f"\nNote: {printable(request.note)}" if request.note else ""
    sys.stderr.write(
        f"{printable(request.tool, 200)} on {printable(request.server, 200)}"
        f" ({request.risk} risk, mode {request.mode}):"
        f" {printable(request.reason)}{note}\n"
        f"Arguments: {printable(dict(request.arguments), 2000)}\nCall it? [y/N] "
    )
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().lower()
    return answer in {"y", "yes"} or Deny("the user said no")
