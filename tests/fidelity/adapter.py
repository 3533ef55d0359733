"""Finds the models of a tool in a generated package, for the fidelity harness."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter

__all__ = ["Check", "arguments", "results"]

Check: TypeAlias = Callable[[Any], Any]
Lookup: TypeAlias = Callable[[str, object], Check]


def arguments(package: str) -> Lookup:
    """Return how to find the model of a tool's arguments."""
    return _lookup(Path(package).resolve(), "arguments")


def results(package: str) -> Lookup:
    """Return how to find the type of a tool's result."""
    return _lookup(Path(package).resolve(), "result")


def _lookup(package: Path, role: str) -> Lookup:
    sys.path.insert(0, str(package.parent))
    tools = json.loads((package / "manifest.json").read_text())["tools"]

    def lookup(tool: str, _: object) -> Check:
        module = importlib.import_module(f"{package.name}.{tools[tool]['module']}")
        adapter = TypeAdapter[Any](getattr(module, tools[tool][role]))
        return lambda data: adapter.dump_python(
            adapter.validate_python(data), mode="json", by_alias=True
        )

    return lookup
