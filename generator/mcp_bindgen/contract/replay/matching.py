"""Finds the recorded answer of a call; names the nearest call where there is none."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from mcp_bindgen.hidden import one_line
from mcp_bindgen.json_writer import canonical_text
from mcp_bindgen.recording.secrets import mask
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Nearest", "key_of", "mismatch", "nearest", "record_command", "without"]

_HIDDEN = "***"
# Names of secrets. A `key` or a `session` of an answer is often harmless.
_SECRET_NAME = re.compile(
    r"(?i)passw|secret|credential|authorization|cookie|(api|private|access).?key"
    r"|(access|refresh|auth|bearer|id).?token|^token$"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_CALL_LENGTH = 300  # characters of a call that a message repeats


def without(value: Any, secrets: Sequence[str] = ()) -> Any:
    """Return a JSON value with *** in place of secrets.

    Secret is a text under a name such as `api_key`, the rest of `Bearer ...`, and each
    of some values.

    Example: `without({"token": "abc"}) == {"token": "***"}`.
    """
    if _is_object(value):
        return {
            name: (
                _HIDDEN
                if isinstance(inner, str) and inner and _SECRET_NAME.search(name)
                else without(inner, secrets)
            )
            for name, inner in value.items()
        }
    if _is_array(value):
        return [without(inner, secrets) for inner in value]
    if isinstance(value, str):
        return _BEARER.sub(rf"\1 {_HIDDEN}", mask(value, secrets))
    return value


def key_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a text that is the same for equal calls, in any order of arguments."""
    return canonical_text([tool, without(dict(arguments))])


class Nearest(NamedTuple):
    """The recorded call that is most like another one.

    Attributes:
        arguments: Its arguments.
        differences: A line for each member that differs, by JSON pointer.
    """

    arguments: dict[str, Any]
    differences: tuple[str, ...]


def nearest(
    calls: Iterable[Mapping[str, Any]], tool: str, arguments: Mapping[str, Any]
) -> Nearest | None:
    """Return the most similar recorded call of a tool, None without any."""
    hidden = without(dict(arguments))
    candidates = [
        Nearest(known, tuple(_differences(known, hidden, "")))
        for known in (
            without(members(call.get("arguments")))
            for call in calls
            if call.get("name") == tool
        )
    ]
    return min(candidates, key=lambda each: len(each.differences), default=None)


def mismatch(
    calls: Iterable[Mapping[str, Any]],
    tool: str,
    arguments: Mapping[str, Any],
    command: str,
) -> str:
    """Return a message about a call that is not recorded.

    Args:
        calls: The recorded calls.
        tool: The tool that was called.
        arguments: The arguments that it was called with.
        command: Records the call.
    """
    lines = [f"no recorded call of {tool} has the arguments {_brief(arguments)}"]
    near = nearest(calls, tool, arguments)
    if near is None:
        lines.append(f"there is no recorded call of {tool}")
    else:
        lines.append(f"the nearest one has {_brief(near.arguments)}")
        lines += [f"  {line}" for line in near.differences[:10]]
    lines.append(f"hint: record it with {command}")
    return "\n".join(map(one_line, lines))


def record_command(target: str, tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the command that records a call; its words are safe to copy."""
    text = canonical_text(without(dict(arguments)))
    words = ["--call", tool, text, "-o", target]
    return f"mcp-bindgen record SERVER {shlex.join(words)}"


def _differences(old: Any, new: Any, pointer: str) -> Iterator[str]:
    """Yield a line for each value that differs."""
    if _is_object(old) and _is_object(new):
        for name in sorted({*old, *new}):
            at = child(pointer, name)
            if name not in new:
                yield f"{at}: recorded {_brief(old[name])}, and is not there now"
            elif name not in old:
                yield f"{at}: not recorded, and is {_brief(new[name])} now"
            else:
                yield from _differences(old[name], new[name], at)
    elif canonical_text(old) != canonical_text(new):
        yield f"{pointer}: recorded {_brief(old)}, is {_brief(new)} now"


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _brief(value: Any) -> str:
    text = canonical_text(without(value))
    return text if len(text) <= _CALL_LENGTH else f"{text[:_CALL_LENGTH]}..."
