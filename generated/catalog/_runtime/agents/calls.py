# Copied by mcp-bindgen. Do not edit.
"""Runs the calls of one message of a model: each call gets an answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

from .. import limits
from ..errors import ENDING, FAILURE, ConfigError, printable
from .answers import failed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = [
    "Arguments",
    "ModelCall",
    "answer_each",
    "answer_each_async",
    "has",
    "listed",
    "member",
    "refuse_form",
]

Arguments: TypeAlias = str | Mapping[str, Any]
"""The arguments of a call, as JSON text or as an object."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call in a message of a model.

    Attributes:
        name: The name of the tool, as the model wrote it.
        arguments: The arguments, as the model wrote them.
        id: The name that the model's API gave to the call, or None.
        message: The part of the message that holds the call.
    """

    name: str
    arguments: Arguments = field(repr=False)
    id: str | None = None
    message: object = field(default=None, repr=False)


def member(message: object, name: str) -> Any:
    """Return a member of a message, an object of a library or JSON; None without it."""
    if isinstance(message, Mapping):
        return cast("Mapping[str, Any]", message).get(name)
    return getattr(message, name, None)


def has(message: object, *names: str) -> bool:
    """Return whether a message has one of these members, with any value."""
    if isinstance(message, Mapping):
        return any(name in message for name in names)
    return any(hasattr(message, name) for name in names)


def listed(value: object, expected: str) -> Sequence[Any]:
    """Return the elements of a list in a message, none for null.

    Raises:
        ConfigError: The value is no list: calls in it would get no answer.
    """
    if value is None:
        return ()
    elements: Any = value
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        refuse_form(elements, expected)
    return cast("Sequence[Any]", elements)


def refuse_form(value: object, expected: str, hint: str = "") -> NoReturn:
    """Refuse a message of an unknown form, so that no call in it is lost in silence.

    Args:
        value: The message, or the part of it that is wrong.
        expected: The forms that are known.
        hint: What the caller can do.

    Raises:
        ConfigError: Always.
    """
    actual = f"an object of the class {type(value).__name__}"
    if isinstance(value, Mapping):
        names = ", ".join(map(str, cast("Mapping[object, object]", value)))
        actual = f"an object with {printable(names, limits.NAME_TEXT) or 'nothing'}"
    raise ConfigError(f"expected {expected}, got {actual}; no call was made", hint=hint)


def answer_each(
    calls: Sequence[ModelCall], run: Callable[[ModelCall], Any]
) -> list[tuple[ModelCall, Any]]:
    """Run calls one after the other, and return each with its `Answer`.

    A call that fails has an answer too, and the calls behind it still run: an API
    refuses a conversation in which one call has no answer. The log has a warning with
    the error of each call that a model cannot correct.

    Example:
        `answer_each(calls, lambda call: toolbox.run(call.name, call.arguments))`

    Args:
        calls: The calls, in the order of the message.
        run: Runs one call, and returns its answer or raises.

    Raises:
        BaseException: An interrupt. Its notes name the calls that have an answer, the
            call that was interrupted, and the calls that were not begun.
    """
    answered: list[tuple[ModelCall, Any]] = []
    for call in calls:
        try:
            answered.append((call, run(call)))
        except FAILURE as error:
            answered.append((call, _failed(call, error)))
        except ENDING as error:
            error.add_note(_progress(calls, len(answered)))
            raise
    return answered


async def answer_each_async(
    calls: Sequence[ModelCall], run: Callable[[ModelCall], Awaitable[Any]]
) -> list[tuple[ModelCall, Any]]:
    """Run calls in a task, one after the other; see `answer_each`."""
    answered: list[tuple[ModelCall, Any]] = []
    for call in calls:
        try:
            answered.append((call, await run(call)))
        except FAILURE as error:
            answered.append((call, _failed(call, error)))
        except ENDING as error:
            error.add_note(_progress(calls, len(answered)))
            raise
    return answered


def _failed(call: ModelCall, error: Exception) -> Any:
    _log.warning("the call %s failed: %s", _repeated(call), error)
    return failed(error)


def _progress(calls: Sequence[ModelCall], count: int) -> str:
    """Return the progress of the calls of a message: `count` have an answer."""
    parts = {
        "calls that have an answer": calls[:count],
        "interrupted, so that it may have run": calls[count : count + 1],
        "not begun": calls[count + 1 :],
    }
    return "\n".join(
        f"{text}: {', '.join(map(_repeated, part)) or 'none'}"
        for text, part in parts.items()
    )


def _repeated(call: ModelCall) -> str:
    name = printable(call.name, limits.NAME_TEXT)
    return (
        name if call.id is None else f"{name} ({printable(call.id, limits.NAME_TEXT)})"
    )
