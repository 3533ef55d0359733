"""Type-checks a program against the old and the new package, and compares the errors.

Nothing of the user's is changed: the program is copied into a folder of its own, once
with each package, and the type checker runs there.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mcp_bindgen.contract.callers_copy import copy_project, package_in, write_package
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.generate import generate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.pipeline.settings import Settings

__all__ = ["Caller", "Program", "is_named", "new_errors"]

_SECONDS = 900
_CHECKERS = {"mypy", "pyright", "basedpyright", "dmypy", "ty", "pyrefly"}
_AIMS = {"-m", "-p", "-c", "--module", "--package", "--project", "-v", "--version"}
_LINES = 3  # lines of a checker that failed
_WORDS = 300  # characters of them
# Words of a checker about a value that is read, and about one that is passed.
_READING = re.compile(r"attribute|union-attr|\[index\]|sentinel|MISSING")
_PASSING = re.compile(r"argument|call-arg|arg-type|call-overload")
# `app/jobs.py:42: error: ...` of mypy, `  /app/jobs.py:42:5 - error: ...` of pyright.
_ERROR = re.compile(
    r"^\s*(?P<file>[^:\n]+\.pyi?):(?P<line>\d+)(?::\d+)*(?::| -) error: (?P<text>.*)$",
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
    inner = package_in(program.root, program.source, program.package)
    with TemporaryDirectory(prefix="mcp-bindgen-") as folder:
        for side, data in packages.items():
            # Two folders, so that no cache takes a file of one for that of the other.
            copy = Path(folder).resolve() / side / "project"
            copy_project(program.root, program.source, inner, copy)
            write_package(generate(data, program.package, settings).files, copy / inner)
            errors[side] = _check(program, copy, copy / inner)
    added = errors["new"] - errors["old"]
    return [
        Caller(file, line, text, _cause(program, file, line, text, changes))
        for file, line, text in sorted(added)
    ]


def _check(
    program: Program, copy: Path, package: Path
) -> Counter[tuple[str, int, str]]:
    """Return the errors of the user's files: file, line and words.

    Raises:
        BindgenError: The checker does not run, or fails.
    """
    source = program.source.relative_to(program.root)
    command = _command(program, copy)
    try:
        done = subprocess.run(  # noqa: S603, the user's own command, and no shell
            command,
            cwd=copy,
            env=_environment(copy, source, package),
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
    errors, matches = Counter[tuple[str, int, str]](), [*_ERROR.finditer(stdout)]
    for match in matches:
        # A path of a file that is linked is that of the link: it is the program's, too.
        file = Path(os.path.normpath(copy / match["file"].strip()))
        if file.is_relative_to(copy) and not file.is_relative_to(package):
            path = file.relative_to(copy).as_posix()
            errors[path, int(match["line"]), match["text"].strip()] += 1
    # Checkers exit with 0 for no error and 1 for errors; anything else is a failure, as
    # are errors in a form that nobody here can read.
    if done.returncode not in {0, 1} or (done.returncode == 1 and not matches):
        words = _words(stdout + "\n" + done.stderr.decode("utf-8", "replace"))
        message = f"{command[0][:80]} failed: {words or 'it printed nothing'}"
        raise BindgenError(Problem("", message, "run it yourself in your project"))
    return errors


def _words(printed: str) -> str:
    """Return the last words of a checker on one line, its problem among them."""
    lines = [" ".join(line.split()) for line in printed.splitlines() if line.strip()]
    return "; ".join(lines[-_LINES:])[-_WORDS:]


def _command(program: Program, copy: Path) -> list[str]:
    """Return the checker with its arguments, the sources among them.

    mypy may break its lines in the settings of a project, which hides words.
    """
    command = [*program.command]
    names = [Path(word).stem for word in command]
    start = next((n for n, name in enumerate(names) if name in _CHECKERS), 0)
    arguments = command[start + 1 :]
    paths = (each for each in arguments if not each.startswith("-"))
    is_aimed = any((copy / each).exists() for each in paths)
    if not is_aimed and _AIMS.isdisjoint(arguments):
        command.append(program.source.relative_to(program.root).as_posix())
    if names[start] == "mypy":
        command[start + 1 : start + 1] = ["--no-pretty", "--hide-error-end"]
    return command


def _environment(copy: Path, source: Path, package: Path) -> dict[str, str]:
    """Return the variables of the checker: the copied sources are found first."""
    path = os.pathsep.join(
        dict.fromkeys(
            str(each)
            for each in (
                copy / source,
                package.parent,
                copy,
                os.environ.get("MYPYPATH"),
            )
            if each
        )
    )
    more = {"NO_COLOR": "1", "MYPY_FORCE_COLOR": "0"}
    # The settings of a project may name a folder of the user's for the cache.
    cache = str(copy.parents[1] / "cache")
    return {**os.environ, **more, "MYPYPATH": path, "MYPY_CACHE_DIR": cache}


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
    own, around = "".join(lines[line - 1 : line]), " ".join(lines[line - 1 : line + 3])
    words, here, near = ({*re.findall(r"\w+", each)} for each in (text, own, around))
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
        points += any(name in here for name in inner[-1:])
        named = {*re.findall(r"\w{3,}", change.message)[2:4]} - {"the", "not"}
        points += 3 * bool(named & words)
        # A value that is read is of a result, one that is passed is an argument.
        is_result = change.path.startswith("out")
        points += 3 * bool((_READING if is_result else _PASSING).search(text))
        if points > most:
            best, most = change, points
    return best
