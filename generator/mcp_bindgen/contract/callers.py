"""Type-checks a program against the old and the new package, and compares the errors.

Nothing of the user's is changed: the program is copied into a folder of its own, once
with each package, and the type checker runs there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.generate import generate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.pipeline.settings import Settings

__all__ = ["Caller", "Program", "is_named", "new_errors"]

_SECONDS = 900
# Words of a checker about a value that is read, and about one that is passed.
_READING = re.compile(r"attribute|union-attr|\[index\]|sentinel|MISSING")
_PASSING = re.compile(r"argument|call-arg|arg-type|call-overload")
# What a type checker reads: sources, marks, and its settings.
_READ = {".py", ".pyi", ".typed", ".toml", ".ini", ".cfg", ".json"}
_SETTINGS = (
    "pyproject.toml",
    "mypy.ini",
    ".mypy.ini",
    "setup.cfg",
    "pyrightconfig.json",
)
_SKIPPED = {"__pycache__", "node_modules", "venv", "site-packages"}
# `app/jobs.py:42: error: ...` of mypy, `  /app/jobs.py:42:5 - error: ...` of pyright.
_ERROR = re.compile(
    r"^\s*(?P<file>[^:\n]+\.pyi?):(?P<line>\d+)(?::\d+)?(?::| -) error: (?P<text>.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Program:
    """The user's program, and how it is checked.

    Attributes:
        root: The folder of the project, which has the settings of the checker.
        source: The folder of the sources, in the project.
        package: The import name of the package.
        command: The type checker with its arguments.
    """

    root: Path
    source: Path
    package: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caller:
    """One line of a program that no longer passes the type checker.

    Attributes:
        file: The file, from the folder of the project.
        line: The line, from 1.
        message: The checker's words.
        change: The finding that causes it; None where no finding does.
    """

    file: str
    line: int
    message: str
    change: Change | None


def is_named(program: Program) -> bool:
    """Return whether a file of a program names the package.

    Without such a file, both packages would have the same errors, and prove nothing.
    """
    word = re.compile(rf"\b{re.escape(program.package)}\b".encode())
    files = (
        file
        for file in program.source.rglob("*.py")
        if program.package not in file.relative_to(program.source).parts
    )
    return any(word.search(file.read_bytes()) for file in files if file.is_file())


def new_errors(
    program: Program,
    packages: Mapping[str, bytes],
    settings: Settings,
    changes: Sequence[Change],
) -> list[Caller]:
    """Return the errors that only the new package causes, in the order of the lines.

    Args:
        program: The user's program.
        packages: The recordings, `old` and `new`.
        settings: How packages are generated.
        changes: The findings; each error is paired with the one that causes it.

    Raises:
        BindgenError: The checker does not run, or a recording makes no package.
    """
    errors: dict[str, Counter[tuple[str, int, str]]] = {}
    for side, data in packages.items():
        with TemporaryDirectory(prefix="mcp-bindgen-") as folder:
            copy = _copied(program, Path(folder).resolve())
            package = _package_folder(program, copy)
            _write(generate(data, program.package, settings).files, package)
            errors[side] = _check(program, copy, package)
    added = errors["new"] - errors["old"]
    return [
        Caller(file, line, text, _cause(program, file, line, text, changes))
        for file, line, text in sorted(added)
    ]


def _copied(program: Program, folder: Path) -> Path:
    """Copy the files of a project for a type checker; return the copy's root."""
    copy = folder / "project"
    source = copy / program.source.relative_to(program.root)

    def skipped(folder: str, names: list[str]) -> set[str]:
        files = {name for name in names if not (Path(folder) / name).is_dir()}
        unread = {name for name in files if Path(name).suffix not in _READ}
        hidden = {name for name in names if name.startswith(".")}
        return unread | hidden | (_SKIPPED & {*names})

    shutil.copytree(program.source, source, ignore=skipped, dirs_exist_ok=True)
    for name in _SETTINGS:
        if (program.root / name).is_file() and not (copy / name).exists():
            shutil.copy(program.root / name, copy / name)
    return copy


def _package_folder(program: Program, copy: Path) -> Path:
    """Return the path of the package in a copy: the old one, or beside the sources."""
    source = copy / program.source.relative_to(program.root)
    manifests = sorted(source.rglob("manifest.json"))
    folders = [m.parent for m in manifests if m.parent.name == program.package]
    folder = folders[0] if folders else source / program.package
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def _write(files: Mapping[str, str], package: Path) -> None:
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _check(
    program: Program, copy: Path, package: Path
) -> Counter[tuple[str, int, str]]:
    """Return the errors of the user's files: file, line and words.

    Raises:
        BindgenError: The checker does not run, or fails.
    """
    source = program.source.relative_to(program.root)
    command = [*program.command]
    if len(command) == 1:
        command.append(source.as_posix())
    try:
        done = subprocess.run(  # noqa: S603, the user's own command, and no shell
            command,
            cwd=copy,
            env=_environment(copy, source),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        hint = "install mypy or pyright, or write its command after --"
        message = f"cannot run {command[0][:80]!a}: {error}"
        raise BindgenError(Problem("", message, hint)) from error
    stdout = done.stdout.decode("utf-8", "replace")
    errors = Counter[tuple[str, int, str]]()
    for match in _ERROR.finditer(stdout):
        file = (copy / match["file"].strip()).resolve()
        if file.is_relative_to(copy) and not file.is_relative_to(package):
            path = file.relative_to(copy).as_posix()
            errors[path, int(match["line"]), match["text"].strip()] += 1
    # Checkers exit with 0 for no error and 1 for errors; anything else is a failure.
    if done.returncode not in {0, 1} or (
        done.returncode == 1 and "error" not in stdout
    ):
        words = (stdout + done.stderr.decode("utf-8", "replace")).strip()[-300:]
        message = f"{command[0][:80]} failed: {words or 'it printed nothing'}"
        raise BindgenError(Problem("", message, "run it yourself in your project"))
    return errors


def _environment(copy: Path, source: Path) -> dict[str, str]:
    """Return the variables of the checker: the copied sources are found first."""
    path = os.pathsep.join(
        [str(copy / source), str(copy), *filter(None, [os.environ.get("MYPYPATH")])]
    )
    return {**os.environ, "MYPYPATH": path, "NO_COLOR": "1", "MYPY_FORCE_COLOR": "0"}


def _cause(
    program: Program, file: str, line: int, text: str, changes: Sequence[Change]
) -> Change | None:
    """Return the finding that an error is most likely about.

    It shares names with the checker's words, or with the line of the program.
    """
    try:
        lines = (program.root / file).read_text("utf-8", "replace").split("\n")
    except OSError:
        lines = []
    around = " ".join(lines[max(line - 1, 0) : line + 3])
    words, near = ({*re.findall(r"\w+", each)} for each in (text, around))
    best, most = None, 0
    for change in changes:
        if change.source != "breaking":
            continue
        function, *inner = re.findall(r"\w+", change.symbol) or [""]
        class_ = "".join(word.capitalize() for word in function.split("_"))
        points = 4 * (function in words or any(w.startswith(class_) for w in words))
        points += 2 * (function in near or f"{function}_async" in near)
        points += 3 * any(name in words for name in inner[-1:])
        points += any(name in near for name in inner[-1:])
        points += 3 * any(w in words for w in re.findall(r"\w+", change.message)[2:4])
        # A value that is read is of a result, one that is passed is an argument.
        is_result = change.path.startswith("out")
        points += 3 * bool((_READING if is_result else _PASSING).search(text))
        if points > most:
            best, most = change, points
    return best
