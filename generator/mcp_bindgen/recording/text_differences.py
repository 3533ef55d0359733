"""Finds the texts in which entries of two recordings differ, without rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.runtime.client.drift import Difference
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["changes", "differences"]

# Members that differ between the protocol eras, on one and the same server.
_UNSTABLE = ("_meta", "execution")


def differences(
    recorded: Sequence[dict[str, Any]],
    live: Sequence[dict[str, Any]],
    key: str = "name",
) -> list[Difference]:
    """Return each text that differs between live and recorded tools, sorted, no rules.

    Args:
        recorded: The entries of a recording.
        live: The entries that the server lists.
        key: The member that identifies an entry.
    """
    before, after = (
        {str(entry.get(key)): entry for entry in entries}
        for entries in (recorded, live)
    )
    every = {
        Difference(name, pointer, kind)
        for name in {*before, *after}
        for pointer, kind in _compare(
            _stable(before.get(name)), _stable(after.get(name))
        )
    }
    return sorted(every, key=lambda d: (d.tool, d.pointer))


def changes(before: object, after: object) -> list[tuple[str, str]]:
    """Return pointer and kind of each difference of two JSON values, sorted."""
    return sorted(_compare(before, after))


def _stable(tool: dict[str, Any] | None) -> dict[str, Any] | None:
    return tool and {key: tool[key] for key in tool if key not in _UNSTABLE}


def _compare(before: Any, after: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(before, dict) and isinstance(after, dict):
        old = cast("dict[str, Any]", before)
        new = cast("dict[str, Any]", after)
        for key in {*old, *new}:
            inner = child(pointer, key)
            if key not in new:
                yield inner, "removed"
            elif key not in old:
                yield inner, "added"
            else:
                yield from _compare(old[key], new[key], inner)
    elif before is None or after is None:
        if before is not after:
            yield pointer, "added" if before is None else "removed"
    elif json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True):
        yield pointer, "changed"
