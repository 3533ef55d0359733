"""What a package is for if nobody says, and which names it must not have."""

from __future__ import annotations

import keyword
import sys

from mcp_bindgen import naming
from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["HTTP", "TARGETS", "package_name"]

TARGETS = ("python", "openai", "langchain")
HTTP = ("httpx", "httpx2")
"""The HTTP clients that a package can be made for, the default first."""

_TAKEN = frozenset({"anyio", "pydantic", *HTTP}) | sys.stdlib_module_names


def package_name(wanted: str, *, exact: bool) -> str:
    """Return the import name for a package.

    Args:
        wanted: What the user said, or the name of the recording's file.
        exact: Whether it is used as it is, or made a name first.

    Raises:
        BindgenError: It is none, or one that would hide another module.
    """
    name = wanted if exact else naming.snake(wanted, "server")
    if not name.isascii() or not name.isidentifier() or keyword.iskeyword(name):
        hint = f"try --name {naming.snake(wanted, 'server')}"
        raise BindgenError(Problem("", f"{wanted[:80]!a} is no name to import", hint))
    if name in _TAKEN:
        message = f"a package called {name} would hide the module {name}"
        raise BindgenError(Problem("", message, f"try --name {name}_mcp"))
    return name
