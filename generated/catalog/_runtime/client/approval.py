# Copied by mcp-bindgen. Do not edit.
"""Asks a program or a person before a call: allow, deny, or change the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..errors import ConfigError, McpError, printable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from .binding import Binding

__all__ = [
    "BeforeCall",
    "DeniedError",
    "Deny",
    "HookAnswer",
    "Replace",
    "approved",
    "approved_async",
    "ask_on_terminal",
    "requested_call",
]


@dataclass(frozen=True, slots=True)
class Deny:
    """The call is not made; a model gets the reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replace:
    """The call is made with these arguments instead, by wire name."""

    arguments: Mapping[str, object] = field(repr=False)


HookAnswer: TypeAlias = bool | Deny | Replace
"""True allows, False denies."""

if TYPE_CHECKING:
    BeforeCall: TypeAlias = Callable[
        [str, Mapping[str, Any]], HookAnswer | Awaitable[HookAnswer]
    ]
    """Takes the wire name of a tool and the arguments that would be sent."""
else:
    BeforeCall = Any


class DeniedError(McpError):
    """The call was not approved; nothing was sent.

    Attributes:
        reason: The reason, in the words of the hook.
    """

    def __init__(self, tool: str, reason: str) -> None:
        words = f": {printable(reason)}" if reason else ""
        super().__init__(f"the call was not approved{words}")
        self.tool = tool
        self.reason = reason


def approved(
    hooks: Sequence[BeforeCall],
    tool: str,
    arguments: Mapping[str, Any],
    binding: Binding[Any] | None = None,
) -> dict[str, Any]:
    """Return the arguments to send after all hooks have allowed the call.

    Args:
        hooks: They decide in this order; each gets the arguments that the one before
            it allowed. The first denial ends the call.
        tool: Wire name of the tool.
        arguments: The arguments that would be sent, by wire name.
        binding: Checks the replaced arguments.

    Raises:
        DeniedError: A hook denies the call, or does not decide.
        ConfigError: A hook is async and the client is not.
        InvalidArgumentsError: A hook's own arguments do not fit the tool.
    """
    allowed = dict(arguments)
    for hook in hooks:
        decision = hook(tool, dict(allowed))
        if isawaitable(decision):
            getattr(decision, "close", bool)()
            raise ConfigError(
                "an async before_call needs an async client",
                hint="pass a plain function, or make an AsyncClient",
            )
        allowed = _obeyed(decision, tool, allowed, binding)
    return allowed


async def approved_async(
    hooks: Sequence[BeforeCall],
    tool: str,
    arguments: Mapping[str, Any],
    binding: Binding[Any] | None = None,
) -> dict[str, Any]:
    """Return the arguments as `approved` does, in a task; hooks may be async."""
    allowed = dict(arguments)
    for hook in hooks:
        decision = hook(tool, dict(allowed))
        decision = await decision if isawaitable(decision) else decision
        allowed = _obeyed(decision, tool, allowed, binding)
    return allowed


def requested_call(params: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the tool and the arguments of a raw `tools/call` request.

    Args:
        params: The params of the request.

    Raises:
        ConfigError: Hooks cannot decide: it names no tool, or its arguments are no
            object.
    """
    tool, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, Mapping):
        raise ConfigError(
            "expected the params of tools/call to be a name and an object of arguments,"
            " so that before_call can decide",
            hint='pass {"name": ..., "arguments": {...}}',
        )
    return tool, cast("Mapping[str, Any]", arguments)


def _obeyed(
    decision: object,
    tool: str,
    arguments: dict[str, Any],
    binding: Binding[Any] | None,
) -> dict[str, Any]:
    if isinstance(decision, Replace):
        replaced = decision.arguments
        if not isinstance(cast("object", replaced), Mapping):
            raise DeniedError(tool, "the hook's arguments are no object")
        return dict(replaced) if binding is None else binding.prepare(replaced)
    if decision is True:
        return arguments
    # A hook that returns nothing allows nothing.
    raise DeniedError(tool, str(getattr(decision, "reason", "")))


def ask_on_terminal(tool: str, arguments: Mapping[str, Any]) -> HookAnswer:
    """Ask the person at the terminal; anything but y or yes denies."""
    call = f"{printable(tool, 200)} with {printable(dict(arguments))}"
    answer = input(f"{call}\nCall it? [y/N] ")
    return answer.strip().lower() in ("y", "yes") or Deny("the user said no")
