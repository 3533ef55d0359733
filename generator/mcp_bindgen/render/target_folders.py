"""Finds the folders of targets, built-in and of users, and their files."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.python.allowlist import COMMON, OF_FILES, Allowlist
from mcp_bindgen.render.target_toml import DESCRIPTION, Target, read_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "EACH",
    "allowlists",
    "built_in",
    "chosen",
    "is_built_in",
    "origins",
    "path_of",
    "read_again",
    "reserved",
    "sources",
    "templates_folder",
]

EACH = "__tool__"
"""Stands for a tool's function in the path of a template."""

_BASE = "python"


def chosen(names: Sequence[str]) -> tuple[Target, ...]:
    """Return targets with all that they depend on, each before its dependents.

    Example:
        `chosen(["langchain"])` gives the targets python, toolbox and langchain.

    Args:
        names: Names of built-in targets, or paths of folders.

    Raises:
        BindgenError: There is no such target, or its description is wrong.
    """
    if all(map(is_built_in, names)):
        return _chosen_built_in(tuple(names))
    return _with_dependencies(names)


@lru_cache(maxsize=64)
def _chosen_built_in(names: tuple[str, ...]) -> tuple[Target, ...]:
    return _with_dependencies(names)


def read_again(names: Iterable[str]) -> None:
    """Forget the folders of users, whose files change while a notebook runs.

    Args:
        names: The targets that are read next.
    """
    if not all(map(is_built_in, names)):
        for read in (_target, _files, _outputs, _lists):
            read.cache_clear()


def _with_dependencies(names: Sequence[str]) -> tuple[Target, ...]:
    targets: dict[Path, Target] = {}

    def add(name: str, dependents: tuple[str, ...]) -> None:
        if name in dependents:
            circle = " -> ".join((*dependents, name))
            hint = "take one of them out of the other's depends"
            wrong = f"targets depend on each other: {circle}"
            raise BindgenError(Problem("", wrong, hint))
        folder = _folder(name)
        if folder not in targets:
            target = _target(folder, name)
            for other in target.depends:
                is_beside = _is_path(other) and not is_built_in(other)
                add(str(folder / other) if is_beside else other, (*dependents, name))
            targets[folder] = target

    for name in (_BASE, *names):
        add(name, ())
    return tuple(targets.values())


def is_built_in(name: str) -> bool:
    """Return whether a target is built in, and not the path of a folder."""
    return name in _names()


def built_in() -> tuple[Target, ...]:
    """Return all built-in targets, sorted by name."""
    return tuple(_target(_folder(name), name) for name in _names())


@lru_cache(maxsize=1)
def reserved() -> frozenset[str]:
    """Return the names that built-in targets export: no tool may have them.

    All targets count, chosen or not, so that the name of a function never depends on
    the choice.
    """
    names = {target.module for target in built_in()}
    for target in built_in():
        for module, public in target.public.items():
            names |= {module, *public}
    return frozenset(names)


def sources(target: Target) -> tuple[str, ...]:
    """Return the paths of a target's files in its folder, with "/", sorted."""
    return _files(target.folder)


def path_of(source: str, function: str = EACH) -> str:
    """Return the path in a package of the file that a target's file becomes.

    Example:
        `path_of("tools/__tool__.py.jinja", "add")` gives "tools/add.py".

    Args:
        source: Path of a target's file in its folder.
        function: The function of the tool, for a file that each tool has.
    """
    return source.removesuffix(".jinja").replace(EACH, function)


def allowlists(targets: Iterable[Target], paths: Iterable[str]) -> dict[str, Allowlist]:
    """Return the allowlist of the self-check for each file of a package.

    Names that a target makes public are imported by files of the target `python`.

    Args:
        targets: The targets of the package, as `chosen` gives them.
        paths: Paths of files in the package.
    """
    common, own = _lists((*targets,))
    rules: dict[str, Allowlist] = {}
    # A file may do what the target that writes it says, and no other file may.
    for path in paths:
        rule = common
        for allowlist, fixed, patterns in own:
            if path in fixed or _matches(path, patterns):
                rule = allowlist
        rules[path] = rule | OF_FILES[path] if path in OF_FILES else rule
    return rules


class _Writer(NamedTuple):
    """What one target may write, and where.

    Attributes:
        allowlist: The names that its files may use.
        fixed: Whole paths.
        patterns: How the paths of files for each tool begin and end.
    """

    allowlist: Allowlist
    fixed: frozenset[str]
    patterns: tuple[tuple[str, str], ...]


@lru_cache(maxsize=8)
def _lists(targets: tuple[Target, ...]) -> tuple[Allowlist, tuple[_Writer, ...]]:
    """Return the allowlist of all files, and those of the targets; once for all tools.

    The files that a library makes come last: they win over those of templates.
    """
    common = COMMON
    for target in targets:
        public = {f".{m}": frozenset(names) for m, names in target.public.items()}
        common |= Allowlist(public)
    own = [_Writer(common | t.allowlist, *_outputs(t.folder)) for t in targets]
    own += [
        _Writer(common | t.allowlist, frozenset(), ((f"{t.library}/", ".py"),))
        for t in targets
        if t.library
    ]
    return common, tuple(own)


def origins(targets: Iterable[Target], paths: Iterable[str]) -> dict[str, Path]:
    """Return for each file that a user's target makes the folder of the target.

    Args:
        targets: The targets of the package, as `chosen` gives them.
        paths: Paths of files in the package.
    """
    users = [target.folder for target in targets if not is_built_in(target.name)]
    outputs = [(folder, *_outputs(folder)) for folder in users]
    return {
        path: folder
        for path in paths
        for folder, fixed, patterns in outputs
        if path in fixed or _matches(path, patterns)
    }


def _matches(path: str, patterns: Iterable[tuple[str, str]]) -> bool:
    return any(path.startswith(head) and path.endswith(tail) for head, tail in patterns)


@lru_cache(maxsize=64)
def _outputs(folder: Path) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Return the paths of a target's files in a package: some are for each tool.

    Returns:
        Whole paths; and how the paths of files for each tool begin and end.
    """
    paths = [path_of(source) for source in _files(folder)]
    split = (path.partition(EACH) for path in paths if EACH in path)
    fixed = frozenset(path for path in paths if EACH not in path)
    return fixed, tuple((head, tail) for head, _, tail in split)


def _folder(name: str) -> Path:
    """Return the folder of a target: one of ours by name, or any by path.

    Raises:
        BindgenError: There is no such folder.
    """
    if is_built_in(name):
        return templates_folder() / name
    folder = Path(name)
    with suppress(OSError):  # A name can be too long for the system.
        if _is_path(name) and folder.is_dir():
            return folder.resolve()
    names = ", ".join(_names())
    hint = f"targets are {names}, or the path of a folder, as ./{folder.name[:80]}"
    raise BindgenError(Problem("", f"no target {json.dumps(name[:200])}", hint))


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.startswith(".")


@lru_cache(maxsize=64)
def _target(folder: Path, name: str) -> Target:
    return read_target(name, folder)


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    descriptions = templates_folder().glob(f"*/{DESCRIPTION}")
    return tuple(sorted(file.parent.name for file in descriptions))


@lru_cache(maxsize=1)
def templates_folder() -> Path:
    """Return the folder of all templates, of the checkout or of the installed wheel."""
    installed = Path(__file__).parents[1] / "templates"
    checkout = Path(__file__).parents[3] / "templates"
    return installed if installed.is_dir() else checkout


@lru_cache(maxsize=64)
def _files(folder: Path) -> tuple[str, ...]:
    paths = (p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    files = (path.as_posix() for path in paths if not any(map(_is_left, path.parts)))
    return tuple(sorted(file for file in files if file != DESCRIPTION))


def _is_left(part: str) -> bool:
    """Return whether a name is that of a file of other programs, as `.DS_Store`."""
    return part == "__pycache__" or part.startswith(".")
