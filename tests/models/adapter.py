"""Finds the models of other kinds in a generated package, for the fidelity harness."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from mcp_bindgen.python.names import pascal
from pydantic import TypeAdapter

__all__ = ["Check", "models"]

Check: TypeAlias = Callable[[Any], Any]


def models(package: str) -> Callable[[str, object], Check]:
    """Return how to find the check of a tool's arguments.

    A check takes a JSON value, returns it as the model sends it, and raises an error
    where the model refuses it.
    """
    folder = Path(package).resolve()
    sys.path.insert(0, str(folder.parent))
    manifest = json.loads((folder / "manifest.json").read_text())
    kind, tools = manifest["models"]["kind"], manifest["tools"]

    def lookup(tool: str, _schema: object) -> Check:
        function = tools[tool]["function"]
        module = importlib.import_module(f"{folder.name}.models.{function}")
        class_ = getattr(module, f"{pascal(function)}Arguments")
        if kind == "msgspec":
            return lambda data: msgspec.to_builtins(msgspec.convert(data, class_))
        adapter = TypeAdapter[Any](class_)
        return lambda data: adapter.dump_python(
            adapter.validate_python(data),
            mode="json",
            by_alias=True,
            exclude_unset=True,
        )

    return lookup
