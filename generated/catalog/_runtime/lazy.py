# Copied by mcp-bindgen. Do not edit.
"""Loads the members of a package on first use, with the standard library alone.

The names of a tool's definitions follow from its own name, without a table: reading one
would cost each import of a large package more than all other steps. A tool `get_item`
is the module
`tools.get_item` with the functions `get_item` and `get_item_async` and the classes
`GetItemArguments` and perhaps `GetItemResult`.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

__all__ = ["lazy", "read_json", "tool_module", "tool_names"]

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
        """Return all public names, sorted; no tool is imported for it."""
        return sorted({*home}.union(*_names_of_tools(package).values()))

    def importable() -> list[str]:
        """Return all public names but those of tools whose modules do not import.

        One of them would make `from package import *` fail for all.
        """
        broken = {
            name
            for function, names in _names_of_tools(package).items()
            if not _imports(f"{package}.tools.{function}")
            for name in names
        }
        return [name for name in public() if name not in broken]

    def getattr_(name: str) -> object:
        if name == "__all__":
            return importable()
        module = home.get(name) or _tool(f"{package}.tools", name)
        values = vars(import_module(f"{package}.{module}")) if module else {}
        if name not in values:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, values[name])
        return values[name]

    return getattr_, public


def _names_of_tools(package: str) -> dict[str, set[str]]:
    """Return the public names of each tool, by the name of its function."""
    return {
        tool["function"]: {
            *(tool["function"], f"{tool['function']}_async", tool["arguments"]),
            *([tool["result"]] if tool["result"] else []),
        }
        for tool in read_json(package, "manifest.json")["tools"].values()
    }


# The errors of a module that is damaged, or whose types the installed Pydantic refuses.
_IMPORT_FAULTS = (
    *(AttributeError, ImportError, LookupError, NameError),
    *(RuntimeError, SyntaxError, TypeError, ValueError),
)


def _imports(module: str) -> bool:
    """Import a module; return whether that works, else warn with the reason."""
    try:
        import_module(module)
    except _IMPORT_FAULTS as error:
        from warnings import warn

        text = f"{module} is left out: {type(error).__name__}: {error}"
        warn(text, RuntimeWarning, stacklevel=4)
        return False
    return True


def _tool(tools: str, name: str) -> str:
    """Return the module that may define a public name of a tool, "" for none."""
    if name[:1].isupper():
        classes = _classes(tools)
        stems = (name.removesuffix(end) for end in _ENDINGS if name.endswith(end))
        return next((f"tools.{classes[stem]}" for stem in stems if stem in classes), "")
    functions = (name, name.removesuffix("_async"))
    return next((f"tools.{f}" for f in functions if tool_module(tools, f)), "")


def tool_module(tools: str, name: str) -> ModuleType | None:
    """Import the module of a tool; return None where there is no such tool.

    Args:
        tools: Name of the package that holds the modules.
        name: Name of the module.
    """
    if name.startswith("_") or not name.isidentifier():
        return None
    module = f"{tools}.{name}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        is_ours = f"{module}.".startswith(f"{error.name}.")
        if error.name is None or not is_ours:
            raise
    except ImportError:
        raise
    except Exception as error:
        from .errors import UnusableToolError  # most packages never need it

        raise UnusableToolError(name, error) from error
    return None


def tool_names(tools: str) -> list[str]:
    """Return the names of a package's tools."""
    from pkgutil import iter_modules  # most who import a package never ask

    try:
        package = import_module(tools)
    except ImportError:  # a client of no package
        return []
    return [module.name for module in iter_modules(package.__path__)]


def read_json(package: str, file: str) -> dict[str, Any]:
    """Return the JSON object in a file of a package."""
    import json  # late: programs that read no such file need no JSON
    from importlib.resources import files

    value: dict[str, Any] = json.loads(files(package).joinpath(file).read_text("utf-8"))
    return value


@cache
def _classes(tools: str) -> dict[str, str]:
    """Return the beginning of the class names of each tool, and its module."""
    names = tool_names(tools)
    return {"".join(w[:1].upper() + w[1:] for w in n.split("_")): n for n in names}
