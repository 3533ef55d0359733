# Copied by mcp-bindgen. Do not edit.
"""A policy on one connection, as a client holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .entry import Document
    from .powers import Powers
    from .state import State

__all__ = ["Guard"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Guard:
    """A policy on one connection.

    Attributes:
        document: The policy.
        powers: Who approves, who is informed.
        state: The memory of the policy for the connection.
        server: Scheme and host of the server, or its program.
        blocking: Whether calls run on threads, rather than in tasks.
    """

    document: Document = field(repr=False)
    powers: Powers = field(repr=False)
    state: State = field(repr=False)
    server: str
    blocking: bool = True
