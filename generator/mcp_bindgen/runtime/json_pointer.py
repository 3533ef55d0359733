"""Writes and reads JSON pointers (RFC 6901), as "/properties/a~1b/0"."""

from __future__ import annotations

__all__ = ["child", "steps"]


def child(pointer: str, *steps: object) -> str:
    """Return the pointer to a member or an element of the value at a pointer.

    Example: `child("/tools", 0, "a/b") == "/tools/0/a~1b"`.

    Args:
        pointer: The pointer to the outer value; "" is the whole document.
        steps: Keys and indices, from the outside to the inside.
    """
    for step in map(str, steps):
        if "~" in step or "/" in step:
            pointer = f"{pointer}/{step.replace('~', '~0').replace('/', '~1')}"
        else:
            pointer = f"{pointer}/{step}"
    return pointer


def steps(pointer: str) -> list[str]:
    """Return the keys and indices of a pointer, as text and without escapes.

    Example: `steps("/tools/0/a~1b") == ["tools", "0", "a/b"]`.

    Args:
        pointer: A JSON pointer; text before its first "/" is ignored.
    """
    return [
        step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]
    ]
