# Copied by mcp-bindgen. Do not edit.
"""Requests of the server; a policy decides about them as about calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import McpError
from ...protocol.steps import Ask
from .asking import approver_answer, approver_answer_async
from .constraints import texts
from .decide import Decision
from .permit import Permit
from .snapshot import private_copy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .approvals import ApprovalRequest
    from .guard import Guard

__all__ = ["RequestPassage"]


class RequestPassage:
    """One request of the server on its way to the handler, under one policy.

    Args:
        guard: The policy.
        method: The method of the request.
        params: Its params, as the server sent them.
    """

    def __init__(self, guard: Guard, method: str, params: Mapping[str, Any]) -> None:
        self._guard = guard
        self._permit = Permit(guard, method, private_copy(method, params))
        self._question: ApprovalRequest | None = None

    def begin(self) -> McpError | Ask | None:
        """Return the reason to deny it, or the question to a person, or None."""
        try:
            self._question = self._permit.question()
        except McpError as error:
            return error
        approve, question = self._guard.powers.approve, self._question
        if question is None or approve is None:
            return self._checked()
        ask = approver_answer if self._guard.blocking else approver_answer_async
        seconds = self._guard.powers.approval_seconds
        return Ask(partial(ask, approve, question, seconds))

    def answered(self, answer: object) -> McpError | None:
        """Take the answer of the person; return why the request is denied."""
        if self._question is None:  # nobody was asked
            return None
        try:
            self._permit.answered(self._question, answer)
        except McpError as error:
            return error
        return self._checked()

    def _checked(self) -> McpError | None:
        try:
            self._permit.check(None)
            self._permit.use()
        except McpError as error:
            return error
        return None

    def ended(self, result: object) -> McpError | None:
        """Take the handler's result; return why it must not be sent.

        The mode may have changed meanwhile, and the answer may hold a secret.
        """
        denial = self._checked() or self._secret(result)
        if denial is not None:
            self._permit.failed(denial)
            return denial
        self._permit.recorder.answered(result)
        return None

    def _secret(self, result: object) -> McpError | None:
        entry = self._permit.entry
        held = any(matches(text) for text in texts(result) for matches in entry.secrets)
        if not held or not entry.enforced:
            return None
        reason = "the answer holds a text like a secret"
        return self._permit.denial(Decision("deny", f"{entry.key}.secrets", reason))

    def failed(self, error: BaseException) -> None:
        """Note that the handler failed."""
        self._permit.failed(error)
