"""Two schemas: one that values come from, and one that must accept them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.runtime.validation.schema import SchemaChecker

if TYPE_CHECKING:
    from mcp_bindgen.contract.effort import Effort
    from mcp_bindgen.contract.shape import ShapedDocument
    from mcp_bindgen.runtime.errors import Fault

__all__ = ["Trial", "trial"]


@dataclass(frozen=True, slots=True)
class Trial:
    """A schema that values come from, and the one that must accept them.

    Attributes:
        source: The schema that values are made from.
        valid: Checks values of the source.
        target: Checks whether the other side accepts them.
        other: The schema of the other side.
        effort: The work that is left for all tools.
    """

    source: ShapedDocument
    valid: SchemaChecker
    target: SchemaChecker
    other: ShapedDocument
    effort: Effort

    def may_go_on(self, _value: object = None) -> bool:
        """Return whether the checks may take another step."""
        return self.effort.steps > 0

    def faults(self, checker: SchemaChecker, value: object) -> list[Fault]:
        """Return the faults of a value, and count the steps of the check.

        Args:
            checker: `valid` or `target`.
            value: The value.
        """
        run = checker.run()
        faults = [*checker.faults(value, run)]
        self.effort.steps -= run.steps
        return faults


def trial(
    source: ShapedDocument, target: ShapedDocument, effort: Effort
) -> Trial | None:
    """Return the search for witnesses, None where a schema cannot be checked.

    Args:
        source: The schema that values come from: the old one for arguments, the new
            one for results.
        target: The other schema.
        effort: The work that is left for all tools; it shrinks.
    """
    try:
        checkers = SchemaChecker(source.root), SchemaChecker(target.root)
    except ValueError:
        return None
    return Trial(source, *checkers, target, effort)
