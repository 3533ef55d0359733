"""The settings of one package, and its import name."""

from __future__ import annotations

import keyword
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.python import names as naming
from mcp_bindgen.python.model_kinds import MODELS, ModelSettings
from mcp_bindgen.python.reserved import FILES, MODULES
from mcp_bindgen.python.style import OURS, Style
from mcp_bindgen.render.targets import HTTP, TARGETS

if TYPE_CHECKING:
    from mcp_bindgen.pipeline.policy_marks import PolicyMarks

__all__ = ["DEFAULTS", "Settings", "package_name"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one package; the bytes of its files depend on all of them.

    Attributes:
        targets: Names of built-in targets, or paths of folders.
        include: Globs of the tools to generate, by wire name; () for all.
        exclude: Globs of the tools to leave out, by wire name.
        http: The HTTP client that the package imports, one of `HTTP`.
        runtime: The package that holds the shared runtime (`runtime_package` in
            `pipeline/shared_runtime.py` makes it), "" where each package has its own.
        limits: The limits on the recording and on the work.
        models: The models of the target `models`.
        style: The layout of Python files; our own needs no formatter.
        policy: The marks of the owner's policy, None without a policy.
    """

    targets: tuple[str, ...] = TARGETS
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    http: str = HTTP[0]
    runtime: str = ""
    limits: Limits = DEFAULT
    style: Style = OURS
    models: ModelSettings = MODELS
    policy: PolicyMarks | None = None


DEFAULTS = Settings()

_RESERVED = FILES | MODULES | sys.stdlib_module_names


def package_name(text: str, *, exact: bool) -> str:
    """Return the import name of a package.

    Example: `package_name("my-server.v2", exact=False) == "my_server_v2"`.

    Args:
        text: The name that the user chose, or the name of the recording's file.
        exact: Whether to refuse a text that is no import name; else one is made of it.

    Raises:
        BindgenError: The exact name cannot be imported, or would hide another module.
    """
    made = naming.snake(text, "server")
    if keyword.iskeyword(made) or made in _RESERVED:
        made = f"{made}_mcp"
    if not exact:
        return made
    hint = f'choose another: --name {made}, or name = "{made}" in the settings'
    if not text.isascii() or not text.isidentifier() or keyword.iskeyword(text):
        message = f"expected a name that Python can import, got {text[:80]!a}"
        raise BindgenError(Problem("", message, hint))
    # Some systems do not distinguish upper case from lower.
    if (lower := text.lower()) in _RESERVED:
        message = f"a package with the name {text} would hide the module {lower}"
        if lower in FILES:
            message = f"operating systems and tools of Python reserve the name {lower}"
        raise BindgenError(Problem("", message, hint))
    return text
