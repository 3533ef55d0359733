"""Imports a generated package and builds and reads everything in it."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["use"]

# Modules of the runtime that remember something of their package.
_CACHES = ("lazy", "toolinfo", "toolbox", "toolset", "approval", "bridge")


def use(folder: Path, recorded: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a package once it is imported.

    Args:
        folder: The package; what is above it must be on the path of modules.
        recorded: Wire name to input schema.
    """
    name = folder.name
    _forget(name)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    package = importlib.import_module(name)
    for member in dir(package):
        inspect.getdoc(getattr(package, member))
    tools: Any = importlib.import_module(f"{name}.names").Tool
    if {str(tool.value) for tool in tools} != set(manifest["tools"]):
        yield "the enum and the manifest name different tools"
    infos: Any = importlib.import_module(f"{name}.info").TOOLS
    for other in ("openai", "langchain", "client"):
        if (folder / f"{other}.py").exists():
            importlib.import_module(f"{name}.{other}")
    for wire, entry in manifest["tools"].items():
        module: Any = importlib.import_module(f"{name}.{entry['module']}")
        yield from _tool(wire, entry, module, recorded)
        inspect.getdoc(tools(wire))
        if infos[tools(wire)].tool != wire:
            yield f"{wire!a} is another tool in info.json"


def _forget(name: str) -> None:
    """Drop a package of that name; its runtime is the same bytes in each."""
    for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        is_folder = hasattr(sys.modules[module], "__path__")  # it knows where it was
        if is_folder or "._runtime." not in module or module.endswith(_CACHES):
            del sys.modules[module]
    importlib.invalidate_caches()


def _tool(
    wire: str, entry: dict[str, Any], module: Any, recorded: dict[str, Any]
) -> Iterator[str]:
    binding = module._TOOL
    if binding.tool != wire:
        yield f"{wire!a} would be called as {binding.tool!a}"
    for function in (entry["function"], f"{entry['function']}_async"):
        inspect.signature(getattr(module, function))
        inspect.getdoc(getattr(module, function))
    for member in module.__all__:
        value = getattr(module, member)
        if isinstance(value, type) and issubclass(value, BaseModel):
            value.model_rebuild()
            inspect.getdoc(value)
    arguments: Any = getattr(module, entry["arguments"])
    value = arguments.model_fields.items()
    wires = {key if field.alias is None else field.alias for key, field in value}
    schema = recorded.get(wire, {})
    properties: set[str] = set(schema.get("properties") or ())
    if "$ref" not in schema and not properties <= wires:
        yield f"{wire!a} lacks the properties {sorted(properties - wires)[:3]!a}"
    try:
        binding.prepare({})
        binding.prepare({next(iter(wires), "a"): "x"})
    except Exception as error:  # noqa: BLE001, any other is a finding
        if type(error).__name__ != "InvalidArgumentsError":
            why = f"{type(error).__name__}: {str(error)[:200]}"
            yield f"{wire!a}: prepare ends with {why}"
