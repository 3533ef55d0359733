"""Typed static bindings for MCP servers.

Example:
    from mcp_bindgen import generate, write_package

    write_package(generate("recordings/catalog.json"), "src")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_bindgen.api import (
        BindgenError,
        Changes,
        Finding,
        Limits,
        Package,
        Problem,
        Recorded,
        check_package,
        generate,
        lint,
        record,
        write_package,
    )

__all__ = [
    "BindgenError",
    "Changes",
    "Finding",
    "Limits",
    "Package",
    "Problem",
    "Recorded",
    "check_package",
    "generate",
    "lint",
    "record",
    "write_package",
]


def __getattr__(name: str) -> object:
    """Load a public name on its first use, so that the command starts quickly."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("mcp_bindgen.api"), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
