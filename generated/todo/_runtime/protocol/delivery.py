# Copied by mcp-bindgen. Do not edit.
"""How far a call got: this alone decides whether it is sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..errors import Outcome

_WORST: tuple[Outcome, ...] = ("not sent", "refused", "unknown", "ran")

UNRUN: frozenset[Outcome] = frozenset({"not sent", "refused"})
"""The outcomes of a request that surely did not run."""


def is_refusal(status: int) -> bool:
    """Return whether an HTTP status turns a request down, so that it did not run."""
    return 300 <= status < 500


class Delivery:
    """How far one call got in all its attempts.

    The rule: only the request that carries the call changes this. The fate of any other
    request (a notification, a reply, a resuming GET, a handshake) says nothing about
    the call.

    Attributes:
        attempt: How far the last attempt got.
        check: Runs before each sending, and raises where the call must not be sent.
        ready: Raises if no answer can come; for one attempt.
    """

    __slots__ = ("_before", "attempt", "check", "ready")

    def __init__(self) -> None:
        self.attempt: Outcome = "not sent"
        self.check: Callable[[], None] | None = None
        self.ready: Callable[[], None] | None = None
        self._before: Outcome = "not sent"

    def again(self) -> None:
        """Begin another attempt; the outcome of the earlier ones stays."""
        self._before = self.outcome
        self.attempt = "not sent"
        self.ready = None

    def sending(self) -> None:
        """Note that from now on the server may have the request.

        Raises:
            McpError: It must not be sent any more: see `check` and `ready`.
        """
        if self.check is not None:
            self.check()
        if self.ready is not None:
            self.ready()
        self.attempt = "unknown"

    def unsent(self) -> None:
        """Note that no connection was made for the request."""
        self.attempt = "not sent"

    def answered(self, status: int) -> None:
        """Note the HTTP status of the answer."""
        if is_refusal(status):
            self.refused()

    def refused(self) -> None:
        """Note that the server turned the request down, or wants more first."""
        self.attempt = "refused"

    def ran(self) -> None:
        """Note that the answer is there."""
        self.attempt = "ran"

    @property
    def did_not_run(self) -> bool:
        """Whether the last attempt surely did not run."""
        return self.attempt in UNRUN

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all attempts, which an error may report."""
        if self.attempt == self._before:
            return self.attempt
        worse = _WORST.index(self.attempt) > _WORST.index(self._before)
        return self.attempt if worse else self._before
