# Copied by mcp-bindgen. Do not edit.
"""Approvals: the question to a person, the answer, and a question as data."""

from __future__ import annotations

import hashlib
import json
import secrets
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, cast

from ...errors import ConfigError
from ...json_values import elements, members
from ...strict_json import dumps, loads
from .errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .decide import Decision

__all__ = [
    "Approval",
    "ApprovalRequest",
    "ApprovalRequired",
    "PendingApproval",
    "Scope",
    "arguments_digest",
    "pending_of",
]

Scope = Literal["once", "arguments", "session"]
_SCOPES = ("once", "arguments", "session")


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A call that a person must approve.

    Attributes:
        tool: Wire name of the tool, or a method.
        arguments: A copy of the arguments, by wire name.
        server: Scheme and host of the server, or its program.
        mode: The mode of the moment.
        risk: The risk of the tool, in the words of the policy.
        rule: The rule that requires the approval.
        reason: The reason of the rule.
        note: The remark of the policy about the tool.
        principal: On whose behalf the call is made.
    """

    tool: str
    arguments: Mapping[str, Any] = field(repr=False)
    server: str
    mode: str
    risk: str
    rule: str
    reason: str
    note: str
    principal: str


@dataclass(frozen=True, slots=True)
class Approval:
    """A yes, with its scope.

    Attributes:
        scope: "once" for this call, "arguments" for calls with these arguments,
            "session" for all calls of this tool on this connection.
        by: Who approves, for the audit log.
    """

    scope: Scope = "once"
    by: str = ""

    def __post_init__(self) -> None:
        if self.scope not in _SCOPES:
            scopes = ", ".join(_SCOPES)
            raise ConfigError(f"expected a scope of {scopes}", hint="pass one of them")


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """A call that waits for an approval, as data; it holds no argument.

    Attributes:
        id: A random id; an approval of it is used once.
        server: Scheme and host of the server, or its program.
        tool: Wire name of the tool, or the method.
        digest: SHA-256 of the id and the arguments.
        policy: The digest of the policy.
        pin: The review of the tool, "" without one.
        principal: On whose behalf the call is made.
        mode: The mode in which the question came up.
        rule: The rule that requires the approval.
        reason: The reason of the rule.
        created: Seconds since 1970.
        expires: Seconds since 1970; after that, an approval is void.
    """

    id: str
    server: str
    tool: str
    digest: str
    policy: str
    pin: str
    principal: str
    mode: str
    rule: str
    reason: str
    created: float
    expires: float

    def to_json(self) -> str:
        """Return it as a JSON text, to store or to send."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the question of a text that `to_json` wrote.

        Raises:
            ConfigError: The text is something else.
        """
        try:
            value = members(loads(text.encode("utf-8", "surrogatepass")))
        except ValueError:
            value = {}
        kinds = dict.fromkeys(cls.__dataclass_fields__, str)
        numbers = ("created", "expires")
        fits = value.keys() == kinds.keys() and all(
            (
                (type(item) in (int, float) and abs(item) <= sys.float_info.max)
                if name in numbers
                else isinstance(item, str)
            )
            for name, item in value.items()
        )
        if not fits:
            raise ConfigError(
                "expected the text of PendingApproval.to_json()",
                hint="pass the text unchanged",
            )
        return cls(**value)


class ApprovalRequired(PolicyError):
    """A person must approve the call, and no approver is set; nothing was sent.

    Attributes:
        pending: The question as data: store it, have it approved with
            `Supervisor.grant`, and make the same call again.
    """

    def __init__(
        self, decision: Decision, pending: PendingApproval, decision_id: str = ""
    ) -> None:
        super().__init__(pending.tool, decision, decision_id)
        self.pending = pending
        self.hint = "Supervisor.grant(error.pending) approves it; then call again"


def arguments_digest(identity: str, arguments: Mapping[str, Any]) -> str:
    """Return the digest of arguments; the id makes it impossible to guess them."""
    text = dumps(_sorted(dict(arguments)))
    return hashlib.sha256(identity.encode() + b"\0" + text).hexdigest()


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        keyed = members(cast("object", value))
        return {key: _sorted(keyed[key]) for key in sorted(keyed)}
    if isinstance(value, list):
        return [_sorted(item) for item in elements(cast("object", value))]
    return value


def pending_of(
    call: ApprovalRequest, policy: str, pin: str, seconds: float
) -> PendingApproval:
    """Return a question as data.

    Args:
        call: The question.
        policy: The digest of the policy.
        pin: The review of the tool.
        seconds: How many seconds an approval counts.
    """
    identity, now = secrets.token_urlsafe(16), time.time()
    return PendingApproval(
        id=identity,
        server=call.server,
        tool=call.tool,
        digest=arguments_digest(identity, call.arguments),
        policy=policy,
        pin=pin,
        principal=call.principal,
        mode=call.mode,
        rule=call.rule,
        reason=call.reason,
        created=now,
        expires=now + seconds,
    )
