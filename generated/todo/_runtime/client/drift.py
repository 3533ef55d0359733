# Copied by mcp-bindgen. Do not edit.
"""The differences that `verify()` returns, and the choice of a package's tools."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Wire: TypeAlias = Literal["breaking", "compatible", "text", "undecided"]
"""The effect of a change on this package: whether calls and results still fit."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between the server and the recording.

    Attributes:
        tool: Wire name of the tool; of others with their kind, as "prompt plan_day";
            "" for the server itself.
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
        named = " ".join(filter(None, (self.tool, self.pointer)))
        return f"{named}: {self.kind}{graded}"


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
