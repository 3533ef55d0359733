"""Asks before a call, as a program or a person wants: allow it, deny it, replace it."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import ConfigError, McpError, shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .binding import Binding

__all__ = [
    "BeforeCall",
    "Decision",
    "DeniedError",
    "Deny",
    "Replace",
    "ask_on_terminal",
    "obeyed",
]


@dataclass(frozen=True, slots=True)
class Deny:
    """The call is not made; a model is told the reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replace:
    """The call is made with these arguments instead, by wire name."""

    arguments: Mapping[str, object] = field(repr=False)


Decision: TypeAlias = bool | Deny | Replace
"""True allows, False denies."""

if TYPE_CHECKING:
    BeforeCall: TypeAlias = Callable[
        [str, Mapping[str, Any]], Decision | Awaitable[Decision]
    ]
    """Takes the wire name of a tool and the arguments that would be sent."""
else:
    BeforeCall = Any


class DeniedError(McpError):
    """The call was not approved; nothing was sent.

    Attributes:
        reason: Why, in the words of whoever denied it.
    """

    def __init__(self, tool: str, reason: str) -> None:
        told = f": {shown(reason)}" if reason else ""
        super().__init__(f"the call was not approved{told}")
        self.tool = tool
        self.reason = reason


def obeyed(
    decision: object,
    tool: str,
    arguments: dict[str, Any],
    binding: Binding[Any] | None = None,
) -> dict[str, Any]:
    """Return the arguments to send, as a hook has it.

    Args:
        decision: What the hook gave.
        tool: Wire name of the tool.
        arguments: What would be sent.
        binding: Checks arguments that the hook gives instead.

    Raises:
        DeniedError: The hook denies the call, or does not decide.
        ConfigError: The hook is async and the client is not.
        InvalidArgumentsError: The hook's own arguments do not fit.
    """
    if isawaitable(decision):
        getattr(decision, "close", bool)()
        raise ConfigError("an async before_call needs an async client")
    if isinstance(decision, Replace):
        given = decision.arguments
        return dict(given) if binding is None else binding.prepare(given)
    if decision is True:
        return arguments
    # A hook that forgets to answer has not allowed anything.
    raise DeniedError(tool, str(getattr(decision, "reason", "")))


def ask_on_terminal(tool: str, arguments: Mapping[str, Any]) -> Decision:
    """Ask the person at the terminal; anything but y or yes denies."""
    asked = f"{shown(tool, 200)} with {shown(dict(arguments))}"
    answer = input(f"{asked}\nCall it? [y/N] ")
    return answer.strip().lower() in ("y", "yes") or Deny("the user said no")
