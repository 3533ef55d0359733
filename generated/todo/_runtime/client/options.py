# Copied by mcp-bindgen. Do not edit.
"""Checks the options of a client: for its session, and for each of its calls."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from types import EllipsisType
from typing import TYPE_CHECKING, Any, cast

from .. import limits
from ..errors import ConfigError, printable
from .root import CallOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..protocol.request import SessionSettings
    from .approval import BeforeCall
    from .policy.guard import Guard
    from .policy.policy import BasePolicy
    from .root import Handler
    from .server_options import ServerOptions

__all__ = [
    "added",
    "call_options",
    "changed",
    "checked_timeout",
    "ping_method",
    "seconds_of",
    "session_settings",
    "with_policy",
]

_LONGEST_SECONDS = 1000  # FastMCP counts seconds, other hosts milliseconds

LEVELS = (
    *("debug", "info", "notice", "warning", "error"),
    *("critical", "alert", "emergency"),
)
"""The levels of log messages (RFC 5424, 6.2.1)."""

_PINNED = {"legacy": "2025-11-25", "modern": "2026-07-28"}


def call_options(
    package: str, timeout: float | None, timeouts: Mapping[str, float] | None
) -> CallOptions:
    """Return the options of a new client's calls.

    Args:
        package: The package of the client, for the names of its tools.
        timeout: Seconds for a whole call with its retries; None for no limit.
        timeouts: Other seconds for single tools, by wire name.

    Raises:
        ConfigError: If one of them is not a positive number, or there is no such tool.
    """
    return CallOptions(checked_timeout(timeout), _singles(package, timeouts or {}))


def _singles(package: str, timeouts: Mapping[str, float]) -> dict[str, float]:
    """Return the times for single tools.

    Raises:
        ConfigError: If one of them is not a positive number, or there is no such tool.
    """
    for seconds in timeouts.values():
        checked_timeout(seconds)
    if timeouts:
        from .known_tools import refuse_unknown

        refuse_unknown(package, timeouts, "timeouts")
    return dict(timeouts)


def changed(package: str, options: CallOptions, **values: Any) -> CallOptions:
    """Return options of calls with other values; those that are ... stay.

    Args:
        package: As for `call_options`.
        options: The options.
        values: Name of an option to its value.

    Raises:
        ConfigError: A timeout is not a positive number or of no tool, the level is
            none, or there are both a bar and a function for progress.
    """
    new = {name: value for name, value in values.items() if value is not ...}
    if "progress" in new:
        new |= _bars(new.pop("progress"), new.get("on_progress"))
    level = new.get("log_level")
    if level is not None and level not in LEVELS:
        raise ConfigError(
            f"expected a log level, got {printable(level, 50)}",
            hint=f"pass one of {', '.join(LEVELS)}",
        )
    checked_timeout(new.get("timeout"))
    if "timeouts" in new:
        new["timeouts"] = _singles(package, new["timeouts"])
    if "timeout" in new:
        new["listen"] = new["timeout"]
    return replace(options, **new)


def _bars(progress: object, handler: Handler | None) -> dict[str, Any]:
    if not progress:
        return {"on_progress": handler, "bars": None}
    if handler is not None:
        raise ConfigError(
            "expected progress=True or on_progress, got both",
            hint="a bar of your own is a function that you pass as on_progress",
        )
    from .progress import ProgressBars

    bars = ProgressBars()
    return {"on_progress": bars, "bars": bars}


def added(
    hooks: tuple[BeforeCall, ...], hook: BeforeCall | EllipsisType | None
) -> tuple[BeforeCall, ...] | EllipsisType:
    """Return hooks with one more behind them; none at all where it is None."""
    if isinstance(hook, EllipsisType):
        return hook
    return () if hook is None else (*hooks, hook)


def session_settings(
    package: str, era: str | None, retries: int, answers: ServerOptions
) -> SessionSettings:
    """Return the settings of a session.

    Args:
        package: The name that the server sees.
        era: "legacy", "modern", a protocol version, or None to negotiate one.
        retries: How often a call is repeated, if that is safe.
        answers: The answers to requests of the server.

    Raises:
        ConfigError: There is no such option or era, or a root is none.
        TypeError: There is no such option.
    """
    from ..protocol.request import SessionSettings

    settings = SessionSettings(
        client={"name": package, "version": "0"},
        version=_pinned(era) if era else None,
        retries=retries,
    )
    if not answers:
        return settings
    from .answering import answering

    return answering(settings, answers)


def _pinned(era: str) -> str:
    """Return the version of the protocol that an era means; a version means itself."""
    version = _PINNED.get(era, era)
    if not (version[:4].isdecimal() and version[4:5] == "-"):
        raise ConfigError(
            f"era: expected legacy, modern or a protocol version, got {era[:80]!a}",
            hint='write "legacy" or "modern", or leave it out to find out',
        )
    return version


def with_policy(
    guards: tuple[Guard, ...],
    policy: BasePolicy | EllipsisType,
    transport: object,
    server: str,
) -> tuple[Guard, ...]:
    """Return the policies of a client with one more.

    Args:
        guards: The policies that it has.
        policy: One more; ... for none.
        transport: The connection.
        server: Scheme and host of the server, or its program.

    Raises:
        ConfigError: It is no policy: nothing takes a policy from a client.
    """
    if isinstance(policy, EllipsisType):
        return guards
    guard: object = getattr(policy, "guard", None)
    if not callable(guard):
        raise ConfigError(
            f"policy: expected a Policy, got {type(policy).__name__}; the policy of a"
            " client cannot be removed",
            hint='pass policy=Policy.load("policies/name.toml")',
        )
    return (*guards, policy.guard(transport, server))


def ping_method(version: str | None) -> str:
    """Return the method that only shows that a server answers.

    MCP 2026-07-28 has no `ping`; there each server answers `server/discover`.
    """
    return "ping" if (version or "") < _PINNED["modern"] else "server/discover"


def checked_timeout(timeout: float | None) -> float | None:
    """Return the seconds for a call, or None for no limit.

    Raises:
        ConfigError: If they are not a positive number.
    """
    number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if timeout is None or (number and 0 < timeout <= limits.TIMEOUT_MOST):
        return timeout
    raise ConfigError(
        f"timeout: expected more than 0 and at most {limits.TIMEOUT_MOST:,} seconds, "
        f"got {_number(timeout)}",
        hint="write a number of seconds, as in timeout=30",
    )


def seconds_of(setting: object) -> float | None:
    """Return the seconds that a configuration file sets, also as a text.

    Raises:
        ConfigError: As for `checked_timeout`.
    """
    if isinstance(setting, str):
        with suppress(ValueError):
            setting = float(setting)
    if isinstance(setting, int | float) and setting > _LONGEST_SECONDS:
        setting /= 1000
    return checked_timeout(cast("float", setting))


def _number(timeout: object) -> str:
    """Return a wrong number for a message, however many digits it has."""
    if isinstance(timeout, int) and abs(timeout) > limits.TIMEOUT_MOST:
        return "a larger number" if timeout > 0 else "a negative number"
    return printable(timeout, 50)
