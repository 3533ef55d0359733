"""Tools as methods: a tool's module is imported when its name is first used."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["load_tool", "tool_names"]


def load_tool(
    client: type, package: str, method: str, *, blocking: bool
) -> Callable[..., Any]:
    """Import a tool's module and make its function a method of the client's class.

    Raises:
        AttributeError: If there is no such tool.
    """
    module = f"{package}.tools.{method}"
    if not method.startswith("_"):
        try:
            tool = import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise
        else:
            name = method if blocking else f"{method}_async"
            bound: Callable[..., Any] = getattr(tool, name)
            setattr(client, method, bound)
            return bound
    raise AttributeError(f"{client.__name__!r} object has no attribute {method!r}")


def tool_names(package: str) -> list[str]:
    """Return the names of a package's tools."""
    try:
        tools = import_module(f"{package}.tools")
    except ImportError:
        return []
    return [module.name for module in iter_modules(tools.__path__)]
