# Copied by mcp-bindgen. Do not edit.
"""Asks the person at the terminal to approve a call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ...errors import printable
from ..approval import Deny

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .approvals import ApprovalRequest

__all__ = ["approve_on_terminal"]

_MOST = 50
_LONGEST = 1000


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
        f"{_argument_lines(request.arguments)}Call it? [y/N] "
    )
    sys.stderr.flush()
    answer = sys.stdin.readline().strip().lower()
    return answer in {"y", "yes"} or Deny("the user said no")


def _argument_lines(arguments: Mapping[str, Any]) -> str:
    """Return the lines of arguments; a long one hides no other one behind it."""
    lines = [
        f"  {printable(name, 100)}: {printable(repr(value), _LONGEST)}\n"
        for name, value in list(arguments.items())[:_MOST]
    ]
    more = len(arguments) - len(lines)
    rest = f"  ... [{more} more arguments]\n" if more else ""
    return "".join(["Arguments:\n" if lines else "No arguments.\n", *lines, rest])
