# Copied by mcp-bindgen. Do not edit.
"""Approvals that were granted as data: for one call, or for one connection."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import ConfigError
from .approvals import arguments_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .approvals import Approval, PendingApproval

__all__ = ["Grant", "Grants"]

_CLOCK_SLACK = 60.0


@dataclass(frozen=True, slots=True)
class Grant:
    """An approval that waits for its call.

    Attributes:
        pending: The question.
        approval: The answer.
        until: The moment on the monotonic clock at which it ends, since the clock of
            the system may go back.
    """

    pending: PendingApproval
    approval: Approval
    until: float

    def fits(self, call: PendingApproval, arguments: Mapping[str, Any]) -> bool:
        """Return whether it approves a call.

        Args:
            call: The question that the call would ask now.
            arguments: Its arguments.
        """
        ours = self.pending
        now = time.time()
        same = all(
            getattr(ours, name) == getattr(call, name)
            for name in ("server", "tool", "policy", "pin", "principal")
        )
        in_time = ours.created - _CLOCK_SLACK <= now < ours.expires
        # A text may say more than the policy that asks now.
        longer = ours.expires - ours.created > call.expires - call.created + 1
        if not same or not in_time or longer or time.monotonic() >= self.until:
            return False
        if self.approval.scope != "once" and ours.mode != call.mode:
            return False  # Several calls were approved for that mode alone.
        whole_tool = self.approval.scope == "session"
        return whole_tool or ours.digest == arguments_digest(ours.id, arguments)


class Grants:
    """The approvals that were granted as data.

    One with scope "once" serves one call, the others serve one connection.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._grants: dict[str, Grant] = {}
        self._used = set[str]()
        self._owners: dict[str, object] = {}

    def add(self, pending: PendingApproval, approval: Approval) -> None:
        """Note an approval.

        Raises:
            ConfigError: It was noted before, or is too late.
        """
        left = pending.expires - time.time()
        if left <= 0:
            raise ConfigError("the approval comes too late", hint="make the call again")
        grant = Grant(pending, approval, time.monotonic() + left)
        with self._lock:
            if pending.id in self._used or pending.id in self._grants:
                raise ConfigError(
                    "this question was approved before", hint="ask for a new approval"
                )
            self._grants[pending.id] = grant

    def find(
        self, call: PendingApproval, arguments: Mapping[str, Any], connection: object
    ) -> Grant | None:
        """Return an approval of a call, None where there is none."""
        with self._lock:
            grants = [
                grant
                for identity, grant in self._grants.items()
                if self._owners.get(identity, connection) is connection
            ]
        return next((grant for grant in grants if grant.fits(call, arguments)), None)

    def take(self, grant: Grant, connection: object) -> bool:
        """Use an approval; return whether this call may.

        Args:
            grant: The approval.
            connection: The connection of the call; an approval of several calls
                belongs to the connection that uses it first.
        """
        with self._lock:
            identity = grant.pending.id
            if grant.approval.scope != "once":
                owner = self._owners.setdefault(identity, connection)
                return identity in self._grants and owner is connection
            self._used.add(identity)
            return self._grants.pop(identity, None) is not None

    def clear(self) -> None:
        """Forget all approvals."""
        with self._lock:
            self._used |= {*self._grants}
            self._grants.clear()
            self._owners.clear()
