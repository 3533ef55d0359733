"""The runtime in a package: the modules that its files import, and no others."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.render.targets import HTTP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["needed", "runtime_files"]

COPIED: Final = "# Copied by mcp-bindgen. Do not edit.\n"
_ROOT = "_runtime"
_CONNECTIONS = f"{_ROOT}/transport/connections.py"
# An import within the runtime: its dots, its module, and the names that it takes. It
# begins with a plain text and not with `^`: Python looks for a text thirty times as
# fast.
_INSIDE = re.compile(r"from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)")
# An import from any other file of a package.
_OUTSIDE = re.compile(rf"from \.+{_ROOT}\b\.?([\w.]*) import (\([^)]*\)|[^\n]*)")


def runtime_files(http: str = HTTP[0]) -> dict[str, str]:
    """Return all files of the runtime: path in a package to text.

    Args:
        http: The HTTP client that the package imports, one of `HTTP`.

    Raises:
        BindgenError: There is no such HTTP client.
    """
    return dict(_runtime(http))


def needed(texts: Iterable[str], http: str = HTTP[0]) -> dict[str, str]:
    """Return the files of the runtime that files of a package import.

    Args:
        texts: The other modules of the package.
        http: The HTTP client that the package imports, one of `HTTP`.

    Raises:
        BindgenError: There is no such HTTP client.
    """
    files = _runtime(http)
    roots = {match for text in texts for match in _OUTSIDE.findall(text)}
    pending = [p for module, names in sorted(roots) for p in _both(module, names)]
    paths: set[str] = set()
    while pending:
        path = pending.pop()
        if path in files and path not in paths:
            paths.add(path)
            pending += _imported(path)
    return {path: files[path] for path in files if path in paths}


@lru_cache(maxsize=256)
def _imported(path: str) -> tuple[str, ...]:
    """Return the files that a module of the runtime needs; some may not exist."""
    return tuple(_imports(path, _runtime(HTTP[0])[path]))


def _imports(path: str, text: str) -> Iterator[str]:
    *folders, _ = path.split("/")
    for number in range(1, len(folders) + 1):
        yield _path([*folders[1:number], "__init__"])
    for dots, module, names in _INSIDE.findall(text):
        home = folders[1 : len(folders) - len(dots) + 1]
        yield from _both(".".join([*home, module] if module else home), names)


def _both(module: str, names: str) -> Iterator[str]:
    """Yield the paths of a module, and of all names in it that may be modules."""
    steps = module.split(".") if module else []
    yield _path(steps)
    # `from ..transport import http_io` takes a module, not a name of a module.
    yield from (_path([*steps, name]) for name in re.findall(r"\w+", names))


def _path(steps: Iterable[str]) -> str:
    return f"{'/'.join((_ROOT, *steps))}.py"


@lru_cache(maxsize=len(HTTP))
def _runtime(http: str) -> Mapping[str, str]:
    if http not in HTTP:
        hint = f"it is one of {', '.join(HTTP)}"
        raise BindgenError(Problem("", f"no HTTP client {json.dumps(http)}", hint))
    folder = Path(__file__).parents[1] / "runtime"
    files = {
        f"{_ROOT}/{path.relative_to(folder).as_posix()}": COPIED
        + path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    if http != HTTP[0]:  # httpx2 is httpx under another name
        only = f"\nimport {HTTP[0]}\n"
        files[_CONNECTIONS] = files[_CONNECTIONS].replace(
            only, f"\nimport {http} as {HTTP[0]}\n"
        )
    return files
