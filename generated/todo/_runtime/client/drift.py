# Copied by mcp-bindgen. Do not edit.
"""Compares a server's tools with those that the package was made from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from ..json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Wire: TypeAlias = Literal["breaking", "compatible", "text", "undecided"]
"""What a change does to this package: whether its calls and results still fit."""

# Members that differ between the protocol eras, on one and the same server.
_UNSTABLE = ("_meta", "execution")


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which the server is not as recorded.

    Attributes:
        tool: Wire name of the tool; of others with their kind, as "prompt plan_day".
        pointer: JSON pointer into the tool, or "" for all of it.
        kind: "added", "removed" or "changed".
        rule: The rule, as `mcp-bindgen diff --explain RULE` explains it; "" where
            only texts were compared.
        wire: Its grade for this package; "undecided" where only `mcp-bindgen diff`
            can tell, so that callers count it as breaking.
        message: The change in one sentence, "" without a rule.

    Example:
        if any(d.wire in ("breaking", "undecided") for d in client.verify()):
            sys.exit("the server changed: generate the package again")
    """

    tool: str
    pointer: str
    kind: str
    rule: str = ""
    wire: Wire = "undecided"
    message: str = ""

    def __str__(self) -> str:
        graded = f" ({self.rule}, {self.wire})" if self.rule else ""
        return f"{self.tool}{self.pointer and ' ' + self.pointer}: {self.kind}{graded}"


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


def is_chosen(
    tool: str, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> bool:
    """Return whether a package has a tool.

    Args:
        tool: Its wire name.
        include: Globs of wire names; all tools if empty.
        exclude: Globs of wire names that are left out.
    """
    included = not include or any(fnmatchcase(tool, glob) for glob in include)
    return included and not any(fnmatchcase(tool, glob) for glob in exclude)


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
