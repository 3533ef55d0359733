# Copied by mcp-bindgen. Do not edit.
"""Loads the members of a package on first use, with the standard library alone.

What a tool defines is found by its name, not in a table: reading one would cost each
import of the package more than all else in it. A tool `get_item` is the module
`tools.get_item` with the functions `get_item` and `get_item_async` and the classes
`GetItemArguments` and perhaps `GetItemResult`.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["lazy"]

_ENDINGS = ("Arguments", "Result")


def lazy(
    package: str, members: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make a package's `__getattr__` and `__dir__` (PEP 562).

    Args:
        package: Name of the package, its `__name__`; its `__all__` lists what it has.
        members: Module, relative to the package, to the public names it defines; all
            others are names of tools.
    """
    home = {name: module for module, names in members.items() for name in names}

    def public() -> list[str]:
        return cast("list[str]", vars(sys.modules[package])["__all__"])

    def getattr_(name: str) -> object:
        if name not in home and name not in public():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = home.get(name) or f"tools.{_tool(f'{package}.tools', name)}"
        value: object = getattr(import_module(f"{package}.{module}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return getattr_, lambda: sorted(public())


def _tool(tools: str, name: str) -> str:
    """Return the module that defines a public name of a tool."""
    if name[0].isupper():
        stems = {name.removesuffix(ending) for ending in _ENDINGS}
        return next(_classes(tools)[stem] for stem in stems if stem in _classes(tools))
    try:
        import_module(f"{tools}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{tools}.{name}":
            raise
        return name.removesuffix("_async")
    return name


@cache
def _classes(tools: str) -> dict[str, str]:
    """Return what the classes of each tool begin with, and its module."""
    from pkgutil import iter_modules  # only who wants a class needs it

    found = (module.name for module in iter_modules(import_module(tools).__path__))
    return {"".join(w[:1].upper() + w[1:] for w in n.split("_")): n for n in found}
