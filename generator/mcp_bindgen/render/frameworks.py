"""Finds the frameworks that a package imports and this Python does not have."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from mcp_bindgen.render.target_folders import chosen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["missing_frameworks"]


def missing_frameworks(names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each framework that is not installed here.

    A type checker reports the import of such a framework in the package.

    Args:
        names: The targets, as the user chose them.

    Raises:
        BindgenError: There is no such target, or its description is wrong.
    """
    for target in chosen(names):
        if target.imports and not _is_installed(target.imports):
            others = ",".join(name for name in names if name != target.name)
            user = f"{target.module}.py" if target.module else f"target {target.name}"
            framework = target.requirement or target.imports
            yield (
                f"{user} needs {framework}, which this Python does not have;"
                f" to leave it out: --target {others or 'python'}"
            )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # The package that holds the module is missing.
        return False
