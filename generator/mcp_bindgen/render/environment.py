"""Makes the Jinja environments of targets and of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["environment_of"]


def environment_of(
    folder: Path, finalize: Callable[[Any], Any], *, autoescape: bool, ours: bool = True
) -> Environment:
    """Return an environment without globals; a name that is not set is an error.

    Args:
        folder: The folder of the templates.
        finalize: Refuses the values that no expression may print.
        autoescape: Whether expressions are escaped as HTML.
        ours: Whether the templates do not change while this process runs.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        finalize=finalize,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=not ours,
    )
    environment.globals.clear()
    return environment
