# Copied by mcp-bindgen. Do not edit.
"""Finds the class that reads policy files for a package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .policy.policy import BasePolicy

__all__ = ["policy_of"]


def policy_of(package: str) -> type[BasePolicy]:
    """Return the class that reads policy files for the tools of a package.

    Example: `policy_of("shop").load("policies/shop.toml")`.

    Args:
        package: The import name of the package.
    """
    from .policy.policy import BasePolicy  # most programs have no policy

    module = import_module(f"{package}.policy")
    kind: type[BasePolicy] = getattr(module, "Policy", BasePolicy)
    return kind
