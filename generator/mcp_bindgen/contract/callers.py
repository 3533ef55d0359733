"""Type-checks a program against the old and the new package, and compares the errors.

Nothing of the user's is changed: the program is copied into a folder of its own, once
with each package, and the type checker runs there.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mcp_bindgen.contract.callers_copy import (
    copy_project,
    package_in,
    read_files,
    write_package,
)
from mcp_bindgen.contract.callers_run import (
    Program,
    is_pyright,
    last_words,
    run_checker,
)
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.generate import generate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.pipeline.settings import Settings

__all__ = ["Caller", "Program", "cause_of", "is_named", "new_errors"]

# Words of a checker about a value that is read, and about one that is passed.
_READING = re.compile(r"attribute|union-attr|\[index\]|sentinel|MISSING")
_PASSING = re.compile(r"[Aa]rgument|parameter named|call-arg|arg-type|call-overload")
# `app/jobs.py:42: error: ...` of mypy, `  /app/jobs.py:42:5 - error: ...` of pyright.
_ERROR = re.compile(
    r"^\s*(?P<file>(?:[A-Za-z]:)?[^:\n]+\.pyi?):(?P<line>\d+)(?::\d+)*(?::| -)"
    r" error: (?P<text>.*)$",
    re.MULTILINE,
)


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
        for file in read_files(program.source)
        if program.package not in file.relative_to(program.source).parts
    )
    return any(word.search(file.read_bytes()) for file in files)


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
            files = generate(data, program.package, settings).files
            write_package(files, copy / inner)
            # pyright reads no MYPYPATH: it would take the user's own package where an
            # editable install leads to it. The folder of the project comes before.
            top = copy / program.package
            if is_pyright(program) and not os.path.lexists(top):
                write_package(files, top)
            errors[side] = _check(program, copy, copy / inner)
    added = errors["new"] - errors["old"]
    return [
        Caller(file, line, text, cause_of(program, file, line, text, changes))
        for file, line, text in sorted(added)
    ]


def _check(
    program: Program, copy: Path, package: Path
) -> Counter[tuple[str, int, str]]:
    """Return the errors of the user's files: file, line and words.

    Raises:
        BindgenError: The checker does not run, or fails.
    """
    ran = run_checker(program, copy, package)
    errors, matches = Counter[tuple[str, int, str]](), [*_ERROR.finditer(ran.stdout)]
    # A path of a linked folder is that of the link, or of what it leads to.
    roots = copy, program.root.resolve()
    for match in matches:
        file = Path(os.path.normpath(ran.folder / match["file"].strip()))
        root = next((each for each in roots if file.is_relative_to(each)), None)
        own = package, copy / program.package
        if root and not any(file.is_relative_to(each) for each in own):
            path = file.relative_to(root).as_posix()
            errors[path, int(match["line"]), match["text"].strip()] += 1
    # Checkers exit with 0 for no error and 1 for errors; anything else is a failure, as
    # are errors in a form that nobody here can read.
    if ran.code not in {0, 1} or (ran.code == 1 and not matches):
        words = last_words(ran.stdout + "\n" + ran.stderr)
        message = f"{ran.name[:80]} failed: {words or 'it printed nothing'}"
        raise BindgenError(Problem("", message, "run it yourself in your project"))
    return errors


def cause_of(
    program: Program, file: str, line: int, text: str, changes: Sequence[Change]
) -> Change | None:
    """Return the finding that an error is most likely about.

    It shares names with the checker's words, or with the line of the program.

    Args:
        program: The user's program.
        file: The file of the error, in the project.
        line: Its line.
        text: The words of the checker.
        changes: The findings.
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
        points += 3 * bool(_named(change) & words)
        # A value that is read is of a result, one that is passed is an argument.
        is_result = change.path.startswith("out")
        points += 3 * bool((_READING if is_result else _PASSING).search(text))
        if points > most:
            best, most = change, points
    return best


def _named(change: Change) -> set[str]:
    """Return the names that a finding says; other sentences hold mere words."""
    if not change.rule.startswith("PYTHON_"):
        return set()
    return {*re.findall(r"\w{3,}", change.message)[2:4]} - {"the", "not"}
