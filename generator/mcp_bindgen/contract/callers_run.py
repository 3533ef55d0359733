"""Runs a type checker in the copy of a program, and ends all that it starts."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcp_bindgen.contract.callers_copy import import_root
from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["Program", "Ran", "is_pyright", "last_words", "run_checker"]

_SECONDS = 900
_CHECKERS = {"mypy", "pyright", "basedpyright", "dmypy", "ty", "pyrefly"}
_AIMS = {"-m", "-p", "-c", "--module", "--package", "--project", "-v", "--version"}
# Options of mypy and pyright whose next word may be a path, and is no source.
_PATHS = (
    {"--config-file", "--cache-dir", "--custom-typeshed-dir", "--junit-xml"}
    | {"--python-executable", "--pythonpath", "--venvpath", "--venv-path"}
    | {"--typeshedpath", "-t", "--exclude", "--shadow-file"}
)
_LINES = 3  # lines of a checker that failed
_WORDS = 300  # characters of them


@dataclass(frozen=True, slots=True)
class Program:
    """The user's program, and how it is checked.

    Attributes:
        root: The folder of the project, which has the settings of the checker.
        source: The folder of the sources, in the project.
        package: The import name of the package.
        command: The type checker with its arguments.
        folder: The folder in the project where the checker runs.
    """

    root: Path
    source: Path
    package: str
    command: tuple[str, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class Ran:
    """What a type checker said.

    Attributes:
        name: Its program.
        folder: The folder where it ran.
        code: Its exit code.
        stdout: Its standard output.
        stderr: Its standard error.
    """

    name: str
    folder: Path
    code: int
    stdout: str
    stderr: str


def is_pyright(program: Program) -> bool:
    """Return whether the type checker of a program is pyright, or made of it."""
    return any("pyright" in Path(word).stem for word in program.command)


def run_checker(program: Program, copy: Path, package: Path) -> Ran:
    """Run the type checker in a copy of the project.

    Args:
        program: The user's program.
        copy: The copy of the project.
        package: The package in it.

    Raises:
        BindgenError: The checker does not run, or takes too long.
    """
    folder = copy / program.folder.relative_to(program.root)
    command = _command(program, copy, folder)
    try:
        process = subprocess.Popen(  # noqa: S603, the user's own command, and no shell
            command,
            cwd=folder,
            env=_environment(copy, program.source.relative_to(program.root), package),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise _failure(command[0], error) from error
    try:
        outputs = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise _failure(command[0], error) from error
    finally:
        # Also what it started, as by `uv run mypy`, and if the user ends the command.
        _end(process)
    texts = (output.decode("utf-8", "replace") for output in outputs)
    return Ran(command[0], folder, process.returncode, *texts)


def _failure(name: str, error: Exception) -> BindgenError:
    hint = "install mypy or pyright, or write its command after --"
    return BindgenError(Problem("", f"cannot run {name[:80]!a}: {error}", hint))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and its children, at once."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        kill = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(kill, capture_output=True, check=False)  # noqa: S603
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def last_words(printed: str) -> str:
    """Return the last words of a checker on one line, its problem among them.

    Args:
        printed: What it printed.
    """
    lines = [" ".join(line.split()) for line in printed.splitlines() if line.strip()]
    return "; ".join(lines[-_LINES:])[-_WORDS:]


def _command(program: Program, copy: Path, folder: Path) -> list[str]:
    """Return the checker with its arguments, the sources among them.

    mypy may break its lines in the settings of a project, which hides words.

    Raises:
        BindgenError: The checker is a daemon, which would go on after the command.
    """
    command = [*program.command]
    names = [Path(word).stem for word in command]
    start = next((n for n, name in enumerate(names) if name in _CHECKERS), 0)
    if names[start] == "dmypy":
        wrong = "dmypy goes on in a folder that is gone after this command"
        raise BindgenError(Problem("", wrong, "write mypy instead"))
    arguments = command[start + 1 :]
    pairs = zip(("", *arguments), arguments, strict=False)
    paths = (folder / word for before, word in pairs if before not in _PATHS)
    is_aimed = any(each.is_dir() or each.suffix in {".py", ".pyi"} for each in paths)
    if not is_aimed and _AIMS.isdisjoint(arguments):
        source = copy / program.source.relative_to(program.root)
        command.append(os.path.relpath(source, folder))
    if names[start] == "mypy":
        command[start + 1 : start + 1] = ["--no-pretty", "--hide-error-end"]
    return command


def _environment(copy: Path, source: Path, package: Path) -> dict[str, str]:
    """Return the variables of the checker: the copied sources are found first."""
    more = os.environ.get("MYPYPATH")
    modules = [import_root(each, copy) for each in (copy / source, package.parent)]
    folders = [str(each) for each in (*modules, copy)]
    path = os.pathsep.join(dict.fromkeys([*folders, *([more] if more else [])]))
    return {
        **os.environ,
        "NO_COLOR": "1",
        "MYPY_FORCE_COLOR": "0",
        "MYPYPATH": path,
        # The settings of a project may name a folder of the user's for the cache, and
        # plugins are modules of linked folders.
        "MYPY_CACHE_DIR": str(copy.parents[1] / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
