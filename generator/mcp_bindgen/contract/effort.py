"""The work on proofs, counted in parts of values: the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.json_scan import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Effort", "Share"]

_EFFORT = 3_000_000  # parts of values that are tried for all tools
_SHARE = 500_000  # the same for one side of a tool
_UNDECIDED = 20_000  # the same for its undecided changes, beside all others
_STEPS = 16_000_000  # of checks for all tools; real servers need less than a tenth


@dataclass(slots=True)
class Effort:
    """The parts of values that may still be tried; what is hostile takes no hours.

    The values of honest tools together have far fewer.

    Attributes:
        left: The parts for all tools.
        steps: The steps of checks for all tools; a pattern may take a million.
    """

    left: int = _EFFORT
    steps: int = _STEPS

    def share(self, changes: int) -> Share:
        """Return what one of so many changes on one side may take."""
        return Share(self, _SHARE // max(changes, 1))

    @staticmethod
    def decide(changes: int) -> Share:
        """Return what one of so many undecided changes on one side may take.

        A proof decides whether it breaks: other tools may not have taken it all.
        """
        own = _UNDECIDED // max(changes, 1)
        return Share(Effort(own), own)


@dataclass(slots=True)
class Share:
    """The parts of values that are tried for one change.

    Attributes:
        effort: What is left for all.
        left: The parts.
    """

    effort: Effort
    left: int

    def within(self, values: Iterable[Any]) -> Iterator[Any]:
        """Yield values, and count their parts, while there is something left."""
        tried = iter(values)
        # A value that is not tried is not made, either.
        while min(self.left, self.effort.left) > 0:
            value = next(tried, ABSENT)
            if value is ABSENT:
                return
            number = count(value)
            self.left -= number
            self.effort.left -= number
            yield value
