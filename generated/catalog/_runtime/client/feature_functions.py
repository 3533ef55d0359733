# Copied by mcp-bindgen. Do not edit.
"""Finds the functions of resource templates and prompts by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lazy import tool_module

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["feature", "features"]


def features(package: str) -> dict[str, ModuleType]:
    """Return the functions of resource templates and prompts, each with its module.

    Those of a tool come first: they are looked for before these.
    """
    functions: dict[str, ModuleType] = {}
    for module in ("resources", "prompts"):
        if (functions_module := tool_module(package, module)) is not None:
            listed: list[str] = getattr(functions_module, "__all__", [])
            functions |= {
                name.removesuffix("_async"): functions_module
                for name in listed
                if name.endswith("_async") and name.removesuffix("_async") in listed
            }
    return functions


def feature(home: type, package: str, name: str, suffix: str) -> Any:
    """Return the function of a template or a prompt; from now on the class has it."""
    module = None if name.startswith("_") else features(package).get(name)
    if module is None:
        return None
    function = getattr(module, name + suffix)
    setattr(home, name, function)
    return function
