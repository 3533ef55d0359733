# Copied by mcp-bindgen. Do not edit.
"""The handle of an agent's owner: the mode, revocations, approvals, events."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

from ...errors import FAILURE, ConfigError, printable
from .approvals import Approval, Scope
from .grants import Grants

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .approvals import PendingApproval

__all__ = ["Supervisor"]

_log = logging.getLogger(__name__.partition("._runtime")[0])


class Supervisor:
    """Changes the decisions of policies while clients run; clients have no way to it.

    Args:
        mode: The mode at the start; None for that of `Policy.load`.
        on_event: Called with events: a mapping with the key "event" (connected,
            reconnected, unreachable, drifted or denied) and facts.

    Example:
        supervisor = Supervisor()
        policy = Policy.load("policies/catalog.toml", supervisor=supervisor)
        supervisor.switch("ALERT")
    """

    def __init__(
        self,
        mode: str | None = None,
        on_event: Callable[[Mapping[str, Any]], object] | None = None,
    ) -> None:
        self._mode = mode
        self._modes: set[str] | None = None
        self._on_event = on_event
        self._revoked: dict[str | None, str] = {}
        self.revocations = 0
        self._lock = threading.Lock()
        self.grants = Grants()

    @property
    def mode(self) -> str:
        """The mode of the moment."""
        return self._mode or ""

    def attach(self, modes: Sequence[str], mode: str | None) -> None:
        """Note the modes of a policy that obeys this supervisor.

        Args:
            modes: The modes of the policy, in its order.
            mode: The mode that the policy was loaded with, or None.

        Raises:
            ConfigError: The policy has no such mode, or the supervisor has another.
        """
        with self._lock:
            known = {*modes} if self._modes is None else self._modes & {*modes}
            wanted = [each for each in (self._mode, mode) if each is not None]
            for each in wanted or modes[:1]:
                if each not in known:
                    raise _no_mode(each, modes)
            chosen = wanted[0] if wanted else modes[0]
            if mode not in (None, chosen):
                raise ConfigError(
                    f"expected mode {printable(chosen, 80)}, which the supervisor has;"
                    f" got {printable(mode, 80)}",
                    hint="leave out mode=, or call supervisor.switch",
                )
            self._modes, self._mode = known, chosen

    def switch(self, mode: str) -> None:
        """Change the mode; calls that are not sent yet are decided again.

        Raises:
            ConfigError: No policy has such a mode.
        """
        with self._lock:
            if self._modes is not None and mode not in self._modes:
                raise _no_mode(mode, sorted(self._modes))
            self._mode = mode

    def revoke(self, tool: str | None = None, reason: str = "revoked") -> None:
        """Deny a tool from now on, or all of them; all approvals are void.

        Args:
            tool: Wire name of the tool; None for all.
            reason: Why, for people and models.
        """
        self._revoked[tool] = reason
        self.revocations += 1
        self.grants.clear()

    def restore(self, tool: str | None = None) -> None:
        """Take back a revocation."""
        self._revoked.pop(tool, None)

    def revocation(self, tool: str | None) -> str | None:
        """Return why a tool is revoked, None where it is not."""
        return self._revoked.get(None, self._revoked.get(tool))

    def grant(
        self, pending: PendingApproval, *, by: str = "", scope: Scope = "once"
    ) -> None:
        """Approve a call that raised `ApprovalRequired`; the next such call is made.

        The call is decided again when it is made: by the mode, the policy and the
        review of that moment.

        Args:
            pending: `error.pending`, or `PendingApproval.from_json(text)`.
            by: Who approves, for the audit log.
            scope: "once", "arguments" or "session"; see `Approval`.

        Raises:
            ConfigError: It was approved before, or is too late.
        """
        self.grants.add(pending, Approval(scope, by))

    def notify(self, event: str, **facts: object) -> None:
        """Tell the owner of an event; a failure of `on_event` is logged."""
        if self._on_event is None:
            return
        try:
            self._on_event({"event": event, **facts})
        except FAILURE as error:
            _log.warning("on_event failed: %s", type(error).__name__)


def _no_mode(mode: str, modes: Sequence[str]) -> ConfigError:
    return ConfigError(
        f"the policy has no mode {printable(mode, 80)}",
        hint=f"one of {', '.join(modes)}",
    )
