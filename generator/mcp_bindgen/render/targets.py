"""What can be asked of a package, and which names it must not have."""

from __future__ import annotations

import keyword
import sys
from dataclasses import dataclass

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.python import names as naming
from mcp_bindgen.python.reserved import FILES, MODULES

__all__ = ["HTTP", "TARGETS", "USUAL", "Settings", "package_name"]

TARGETS = ("python", "openai", "langchain")
HTTP = ("httpx", "httpx2")
"""The HTTP clients that a package can be made for, the default first."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to make of a recording: all of it shapes the bytes of a package.

    Attributes:
        targets: Names of our template folders, or paths of others.
        include: Globs of wire names to keep, all if there is none.
        exclude: Globs of wire names to leave out.
        http: The HTTP client that the package imports, one of `HTTP`.
        runtime: The package that holds the runtime, or "" if this one does;
            `sharing.runtime_package` gives it.
        limits: How much of everything is allowed.
    """

    targets: tuple[str, ...] = TARGETS
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    http: str = HTTP[0]
    runtime: str = ""
    limits: Limits = DEFAULT


USUAL = Settings()

_TAKEN = FILES | MODULES | sys.stdlib_module_names


def package_name(wanted: str, *, exact: bool) -> str:
    """Return the import name for a package.

    Args:
        wanted: What the user said, or the name of the recording's file.
        exact: Whether it is used as it is, or made a name first.

    Raises:
        BindgenError: It is none, or one that would hide another module.
    """
    made = naming.snake(wanted, "server")
    if keyword.iskeyword(made) or made in _TAKEN:
        made = f"{made}_mcp"
    if not exact:
        return made
    hint = f"try --name {made}, or in the settings [tool.mcp-bindgen.servers.{made}]"
    if not wanted.isascii() or not wanted.isidentifier() or keyword.iskeyword(wanted):
        raise BindgenError(Problem("", f"{wanted[:80]!a} is no name to import", hint))
    # Some systems do not tell upper case from lower.
    if (hidden := wanted.lower()) in _TAKEN:
        message = f"a package called {wanted} would hide the module {hidden}"
        if hidden in FILES:
            message = f"systems and tools of Python take {hidden} for something else"
        raise BindgenError(Problem("", message, hint))
    return wanted
