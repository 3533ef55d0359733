# Copied by mcp-bindgen. Do not edit.
"""Loads the members of a package on first use, with the standard library alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["lazy"]


def lazy(
    package: str, members: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make a package's `__getattr__` and `__dir__` (PEP 562).

    Args:
        package: Name of the package, its `__name__`.
        members: Module, relative to the package, to the public names it defines.
    """
    home = {name: module for module, names in members.items() for name in names}

    def getattr_(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(import_module(package), name, value)
        return value

    return getattr_, lambda: sorted(home)
