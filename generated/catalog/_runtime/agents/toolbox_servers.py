# Copied by mcp-bindgen. Do not edit.
"""Clients of all packages that a configuration file names servers for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from ..client.config_file import prefix_of
from ..errors import ConfigError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from ..client.config_file import File
    from .toolset import AnyTool

__all__ = ["tools_of_packages"]


def tools_of_packages(
    path: File | Mapping[str, Any], packages: Iterable[ModuleType]
) -> list[AnyTool]:
    """Return the tools of packages with a client for each, which connects later.

    Args:
        path: The file that names the servers, as `Client.from_config` takes it.
        packages: Generated packages.

    Raises:
        ConfigError: The file names no server for a package, or its entry has mistakes;
            the message has a line for each.
    """
    if not isinstance(cast("object", packages), Iterable):
        raise _no_packages(packages)
    tools: list[AnyTool] = []
    faults: list[str] = []
    hint = ""
    for package in packages:
        try:
            tools += _tools(path, package)
        except ConfigError as error:
            faults.append(error.message)
            hint = error.hint or hint
        except Exception as error:  # of a package with a runtime of its own
            if type(error).__name__ != ConfigError.__name__:
                raise
            faults.append(str(error))
    if faults:
        raise ConfigError("\n".join(faults), hint=hint)
    return tools


def _no_packages(value: object) -> ConfigError:
    return ConfigError(
        f"packages: expected generated packages, got {printable(value)}",
        hint="write import catalog, and packages=[catalog]",
    )


def _tools(path: File | Mapping[str, Any], package: ModuleType) -> Iterator[AnyTool]:
    module: Any = package
    if not hasattr(module, "Client"):
        raise _no_packages(package)
    name = package.__name__.rpartition(".")[2]
    client = module.Client.from_config(path)
    yield from module.toolset(client, prefix=prefix_of(path, name))
