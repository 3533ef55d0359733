"""A caller's choice about its call: the member `mcp-bindgen` of `_meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime.errors import printable
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CHOICE", "Choice", "choice_of"]

CHOICE = "mcp-bindgen"
ANSWERS = ("error", "empty", "generated")
_MOST_DELAY, _MOST_STEPS = 600, 1_000


class Choice(NamedTuple):
    """The choice of a caller.

    Attributes:
        answer: One of `ANSWERS`, "" for the usual answer.
        delay: Seconds before the answer, None for those of the server.
        progress: The number of messages about progress before it.
    """

    answer: str = ""
    delay: float | None = None
    progress: int = 0


def choice_of(meta: Mapping[str, Any]) -> Choice:
    """Return the choice in the `_meta` of a call.

    Raises:
        ValueError: It is none; the text has its location and what is expected.
    """
    value = meta.get(CHOICE, {})
    if not isinstance(value, dict):
        raise _wrong("", "an object", value)
    chosen = members(meta.get(CHOICE))
    for name, value in chosen.items():
        if name not in Choice._fields:
            raise _wrong(f"/{name}", f"one of {', '.join(Choice._fields)}", name)
        if name == "answer" and value not in ANSWERS:
            raise _wrong("/answer", f"one of {', '.join(ANSWERS)}", value)
        if name == "delay" and not _within(value, (int, float), _MOST_DELAY):
            raise _wrong("/delay", f"seconds from 0 to {_MOST_DELAY}", value)
        if name == "progress" and not _within(value, int, _MOST_STEPS):
            raise _wrong("/progress", f"a whole number from 0 to {_MOST_STEPS}", value)
    return Choice(**chosen)


def _within(value: object, kinds: Any, most: int) -> bool:
    number: Any = value
    return (
        isinstance(value, kinds)
        and not isinstance(value, bool)
        and bool(0 <= number <= most)
    )


def _wrong(pointer: str, expected: str, value: object) -> ValueError:
    where = printable(f"/_meta/{CHOICE}{pointer}", 80)
    return ValueError(f"{where}: expected {expected}, got {printable(value, 50)}")
