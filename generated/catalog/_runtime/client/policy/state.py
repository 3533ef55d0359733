# Copied by mcp-bindgen. Do not edit.
"""The memory of a policy about one connection."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .pins import differs, server_matches
from .rates import Bucket

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Document, Server
    from .rates import Buckets

__all__ = ["State"]


@dataclass(eq=False)
class State:
    """The session of one connection, for one policy.

    Attributes:
        tainted: Whether a tool that reads texts of strangers has run.
        wrong_server: The reason why the server is not that of the policy, "" if it is.
        drifted: Wire names of reviewed tools that are not as reviewed.
        approved: Approvals for several calls: tool, digest of arguments or "", mode,
            and the number of revocations before.
        buckets: The calls that a rate allows to this connection alone.
    """

    tainted: bool = False
    wrong_server: str = ""
    drifted: frozenset[str] = frozenset()
    approved: set[tuple[str, str, str, int]] = field(
        default_factory=set[tuple[str, str, str, int]]
    )
    buckets: Buckets = field(default_factory=dict[tuple[str, ...], Bucket])
    _session: object = None
    _lost: bool = False
    _pinned: tuple[object, int] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def known(
        self, expected: Server, server: str, identity: tuple[str, ...] = ()
    ) -> None:
        """Note whether the server is the one of the policy."""
        self.wrong_server = server_matches(expected, server, identity)

    def met(self, session: object) -> str:
        """Note the session of a request; return the name of its event, "" for none."""
        with self._lock:
            if self._session is session:
                return ""
            event = "connected" if self._session is None else "reconnected"
            self._session, self._lost = session, False
        return event

    def lost(self) -> bool:
        """Note that the server does not answer; return whether that is new."""
        with self._lock:
            new, self._lost = not self._lost, True
        return new

    def answered(self) -> bool:
        """Note that the server answers; return whether that is new."""
        if not self._lost:
            return False
        with self._lock:
            new, self._lost = self._lost, False
        return new

    def has_pins(self, session: object, changes: int) -> bool:
        """Return whether the reviews were compared with the tools of this session.

        Args:
            session: The session.
            changes: The number of the server's notices that its tools have changed.
        """
        pinned = self._pinned
        return pinned is not None and pinned[0] is session and pinned[1] >= changes

    def pin(
        self,
        session: object,
        changes: int,
        document: Document,
        tools: Iterable[Mapping[str, Any]],
        instructions: object,
    ) -> frozenset[str]:
        """Compare the reviews with the tools of a session.

        Args:
            session: The session.
            changes: How often the server had announced changes before it listed.
            document: The policy.
            tools: The tools as the server lists them.
            instructions: The server's words to models.

        Returns:
            Wire names of tools that are not as reviewed, and were before.
        """
        changed = differs(document, tools, instructions)
        with self._lock:
            new = changed - self.drifted
            self.drifted, self._pinned = changed, (session, changes)
        return new
