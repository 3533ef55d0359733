"""Imports every module of generated packages and builds every model and adapter."""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter

if TYPE_CHECKING:
    from types import CodeType

__all__ = ["compile_once", "load"]


def compile_once() -> None:
    """Compile a text once: each package has the same copy of the runtime."""
    compile_ = SourceFileLoader.source_to_code
    known: dict[object, CodeType] = {}

    def source_to_code(loader: Any, data: Any, path: Any) -> CodeType:
        code = known.get(data) or compile_(loader, data, path)
        return known.setdefault(data, code)

    setattr(SourceFileLoader, "source_to_code", source_to_code)  # noqa: B010


def load(package: str) -> int:
    """Import a package whole, and return how many models it has.

    Raises:
        Exception: Whatever a module raises.
    """
    module = importlib.import_module(package)
    # All of them: `__all__` leaves out tools whose modules do not import.
    exported = [getattr(module, name) for name in dir(module)]
    assert all(value is not None for value in exported)
    folder = Path(str(module.__file__)).parent
    return sum(_models(f"{package}.tools.{p.stem}") for p in folder.glob("tools/*.py"))


def _models(name: str) -> int:
    module = importlib.import_module(name)
    values: list[Any] = [
        getattr(module, n, None) for n in getattr(module, "__all__", ())
    ]
    models = [v for v in values if isinstance(v, type) and issubclass(v, BaseModel)]
    for model in models:
        model.model_rebuild()
    for value in values:
        if not callable(value) or isinstance(value, type):
            TypeAdapter(value).rebuild()
    return len(models)


def main() -> int:
    """Load the packages of a folder; print what is wrong and how much there is."""
    folder, *packages = sys.argv[1:]
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    compile_once()
    models = failed = 0
    for package in packages:
        try:
            models += load(package)
        except Exception:  # noqa: BLE001, all are listed before the run fails
            failed += 1
            sys.stderr.write(f"{package}: {traceback.format_exc(limit=-3)}\n")
    sys.stdout.write(json.dumps({"models": models, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
