# Copied by mcp-bindgen. Do not edit.
"""The tools that a package knows; names of others are mistakes."""

from __future__ import annotations

from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ..errors import ConfigError, printable
from ..lazy import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["refuse_unknown"]


def refuse_unknown(package: str, names: Iterable[str], argument: str) -> None:
    """Refuse wire names that no tool of a package has; a client of none knows no tools.

    Args:
        package: The package.
        names: The names.
        argument: The argument that has them, for the message.

    Raises:
        ConfigError: There is no such tool.
    """
    known: list[str] | None = None
    with suppress(ImportError, OSError):
        known = [*read_json(package, "info.json")]
    for name in names:
        if known is not None and name not in known:
            near = get_close_matches(str(name)[:80], known, 1)
            hint = f"did you mean {printable(near[0])}?" if near else ""
            wrong = f"{argument}: there is no tool {printable(name, 80)}"
            raise ConfigError(wrong, hint=hint or "the names are the values of Tool")
