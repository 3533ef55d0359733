"""The type of options that are a time in seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from typing import Any

__all__ = ["Seconds"]


class Seconds(click.FloatRange):
    """A number of seconds in a range; `nan` and `inf` are in none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds that an option gives.

        Args:
            value: The text of the option, or its default.
            param: The option.
            ctx: The command.

        Raises:
            click.BadParameter: It is no number, or out of the range.
        """
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"expected a number of seconds, got {seconds}", param, ctx)
        return float(seconds)
