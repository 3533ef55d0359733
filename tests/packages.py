"""Generates packages into folders through the command, and has checkers read them."""

from __future__ import annotations

import ast
import fcntl
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import mcp_bindgen.runtime
from click.testing import CliRunner
from mcp_bindgen.cli import app

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = [
    "CASES",
    "HEADER",
    "ROOT",
    "RUNTIME",
    "Ran",
    "black",
    "generate",
    "module_command",
    "mypy",
    "mypy_options",
    "pyright",
    "ruff",
    "share_runtime",
]

ROOT = Path(__file__).resolve().parents[1]
CASES = tuple(sorted(path.parent for path in ROOT.glob("tests/cases/*/recording.json")))
HEADER = "# Copied by mcp-bindgen. Do not edit.\n"
RUNTIME = Path(mcp_bindgen.runtime.__file__).parent
"""The runtime of which packages have copies; see `share_runtime`."""


# Black's trees are cycles, and many: a fifth of its time is looking for them.
_BLACK = """
import gc
from black import patched_main
gc.disable()
patched_main()
"""


class Ran(NamedTuple):
    """How a command ended, and what it said on stderr."""

    code: int
    stderr: str


def generate(*arguments: object) -> Ran:
    """Run `mcp-bindgen generate`; any exception but the exit is a failed test."""
    result = CliRunner().invoke(app, ["generate", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stderr)


def share_runtime(folder: Path) -> None:
    """Let all packages of a folder use the runtime of the generator.

    A checker then reads it once, and lint checks it; what the packages see of it is the
    same. A file that is no copy stays; a module that no file imports goes.
    """
    for copied in sorted(folder.glob("*/_runtime/**/*.py")):
        below = Path(*copied.relative_to(folder).parts[2:])
        if (RUNTIME / below).exists():
            copy, passing_on = _copy(below)
            if copied.read_text(encoding="utf-8") == copy:
                copied.write_text(passing_on, encoding="utf-8")
    for runtime in sorted(folder.glob("*/_runtime")):
        _drop_unread(runtime)


@cache  # sixty packages have the same 200 modules
def _copy(below: Path) -> tuple[str, str]:
    """Return a module as packages copy it, and one that passes its names on."""
    source = (RUNTIME / below).read_text("utf-8")
    module = ".".join(["mcp_bindgen.runtime", *below.with_suffix("").parts])
    names = _public(ast.parse(source))
    lines = [f"from {module} import {name} as {name}\n" for name in names]
    return HEADER + source, "".join(lines)


def _drop_unread(runtime: Path) -> None:
    """Remove the modules of a `_runtime` that the other files do not import.

    A checker takes some milliseconds for each of 200, in each of many packages. One
    that imports its neighbours is no module that passes a runtime on: then all stay.
    """
    passing, others = set[Path](), set[Path]()
    for path in runtime.parent.rglob("*.py"):
        (passing if path.is_relative_to(runtime) else others).add(path)
    if any(map(_relative_imports, passing)):
        return
    read = {path for other in others for path in _relative_imports(other)}
    for path in passing - read:
        if path.name != "__init__.py":
            path.unlink()


def _relative_imports(file: Path) -> set[Path]:
    """Return the files that may be meant by the relative imports of a module."""
    imported: set[Path] = set()
    for level, module, names in _relative_names(file.read_text(encoding="utf-8")):
        module_path = file.parents[level - 1].joinpath(*module.split("."))
        imported |= {(module_path / name).with_suffix(".py") for name in names}
        imported.add(module_path.with_suffix(".py"))
    return imported


@cache
def _relative_names(source: str) -> list[tuple[int, str, list[str]]]:
    """Return the relative imports of a module: the dots, the module and its names."""
    return [
        (node.level, node.module or "", [name.name for name in node.names])
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.level
    ]


def _public(module: ast.Module) -> list[str]:
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name("__all__")], value=value):
                return cast("list[str]", ast.literal_eval(value))
            case _:
                pass
    names = [name for node in module.body for name in _names(node)]
    return [name for name in names if not name.startswith("_")]


def _names(node: ast.stmt) -> list[str]:
    """Return what a statement of a module defines."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(
            targets=[ast.Name(name)]
        ):
            return [name]
        case _:
            return []


def mypy(folder: Path, *paths: str) -> Ran:
    """Run mypy --strict over a folder, or these of it; code 0 where all is well."""
    with mypy_options() as options:
        return _run(folder, "mypy", *options, *(paths or (".",)))


@contextmanager
def mypy_options() -> Generator[tuple[str, ...]]:
    """Have the options of mypy that read the cache of lint, and make it otherwise.

    Mypy fails where two processes write to one cache: one test has it at a time.
    """
    cache = ROOT / ".mypy_cache"
    cache.mkdir(exist_ok=True)
    with (cache / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield (
            *("--strict", "--config-file=", f"--cache-dir={cache}"),
            *("--python-version=3.11", "--no-error-summary"),
        )


def pyright(folder: Path, **more: object) -> Ran:
    """Run pyright, strict, over all packages of a folder; code 0 where all is well."""
    settings: dict[str, object] = {
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "venvPath": str(Path(sys.prefix).parent),
        "venv": Path(sys.prefix).name,
    }
    config = folder / "pyrightconfig.json"
    config.write_text(json.dumps(settings | more))
    command = [sys.executable, "-m", "pyright", "-p", str(config), "--outputjson"]
    # More room for young objects: node copies them less often, an eighth of its time.
    environment = {**os.environ, "NODE_OPTIONS": "--max-semi-space-size=64"}
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment
    )
    findings = json.loads(ran.stdout)["generalDiagnostics"]
    return Ran(ran.returncode, "".join(_line(entry, folder) for entry in findings))


def _line(entry: dict[str, Any], folder: Path) -> str:
    """Return a finding of pyright as mypy would print it."""
    file = Path(entry["file"]).relative_to(folder.resolve())
    number = entry["range"]["start"]["line"] + 1
    message = " ".join(entry["message"].split())
    return f"{file}:{number}: {entry['severity']}: {message} [{entry.get('rule')}]\n"


def black(folder: Path) -> Ran:
    """Run black --check over all files of a folder but the copied runtime."""
    words = ("--check", "--quiet", "--workers", "1", "--exclude=_runtime", ".")
    return _run(folder, "black", *words)


def ruff(folder: Path) -> Ran:
    """Run ruff with its own defaults over all packages of a folder."""
    return _run(folder, "ruff", "check", "--isolated", "--no-cache", "--quiet", ".")


def module_command(module: str) -> list[str]:
    """Return the command that runs a module of Python: black, in less time."""
    return [sys.executable, *(("-c", _BLACK) if module == "black" else ("-m", module))]


def _run(folder: Path, module: str, *arguments: str) -> Ran:
    command = [*module_command(module), *arguments]
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return Ran(ran.returncode, ran.stdout + ran.stderr)


def copy_case(case: Path, folder: Path) -> list[str]:
    """Copy the recording of a case into a folder, and return its options."""
    shutil.copy(case / "recording.json", folder)
    options = case / "options.txt"
    return options.read_text().split() if options.exists() else ["--target", "python"]
