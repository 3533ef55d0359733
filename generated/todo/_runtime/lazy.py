# Copied by mcp-bindgen. Do not edit.
"""Loads the members of a package on first use, with the standard library alone.

What a tool defines is found by its name, not in a table: reading one would cost each
import of a large package more than all else in it. A tool `get_item` is the module
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
        package: Name of the package, its `__name__`.
        members: Module, relative to the package, to the public names it defines; all
            others are names of tools.
    """
    home = {name: module for module, names in members.items() for name in names}

    def public() -> list[str]:
        return cast("list[str]", import_module(f"{package}._public").__all__)

    def getattr_(name: str) -> object:
        if name == "__all__":
            return public()
        module = home.get(name) or _tool(f"{package}.tools", name)
        found = vars(import_module(f"{package}.{module}")) if module else {}
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, found[name])
        return found[name]

    return getattr_, lambda: sorted(public())


def _tool(tools: str, name: str) -> str:
    """Return the module that may define a public name of a tool, "" for none."""
    if name.startswith("_") or not name.isidentifier():
        return ""
    if name[0].isupper():
        classes = _classes(tools)
        stems = (name.removesuffix(end) for end in _ENDINGS if name.endswith(end))
        return next((f"tools.{classes[stem]}" for stem in stems if stem in classes), "")
    for stem in dict.fromkeys((name, name.removesuffix("_async"))):
        try:
            import_module(f"{tools}.{stem}")
        except ModuleNotFoundError as error:
            if error.name != f"{tools}.{stem}":
                raise
        else:
            return f"tools.{stem}"
    return ""


@cache
def _classes(tools: str) -> dict[str, str]:
    """Return what the classes of each tool begin with, and its module."""
    from pkgutil import iter_modules  # only who wants a class needs it

    found = (module.name for module in iter_modules(import_module(tools).__path__))
    return {"".join(w[:1].upper() + w[1:] for w in n.split("_")): n for n in found}
