"""A catalogue to files: the only module that knows Jinja and the template folders."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mcp_bindgen.deadline import Tick, never
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.python.literals import finalize, lit
from mcp_bindgen.render import docstrings as docs
from mcp_bindgen.render import exports
from mcp_bindgen.render import package_modules as package
from mcp_bindgen.render import tool_module as pieces
from mcp_bindgen.render.targets import HTTP, TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jinja2 import Template

    from mcp_bindgen.schema.ir import Catalog, Tool

__all__ = [
    "HTTP",
    "TARGETS",
    "copied_files",
    "is_ours",
    "render",
    "runtime_files",
    "tool_files",
]

_EACH = "__tool__"
_CONNECTIONS = "_runtime/transport/connections.py"
# Only packages that check what types cannot say carry the modules that do it.
_RESIDUAL = frozenset(
    f"_runtime/validation/{name}.py"
    for name in (
        *("applicators", "assertions", "backtracking", "checked", "node", "patterns"),
        *("pattern_program", "pattern_steps", "pattern_tree", "references", "schema"),
    )
)


def render(
    catalog: Catalog,
    targets: Sequence[str],
    parts: Mapping[str, str],
    tick: Tick = never,
    http: str = HTTP[0],
) -> dict[str, str]:
    """Return the files of one package: relative path with "/" to text.

    Args:
        catalog: What to write.
        targets: Names of template folders of ours, or paths of a user's own.
        parts: What `tool_files` has made of each tool.
        tick: Called before each file.
        http: The HTTP client that the package imports, one of `HTTP`.

    Raises:
        BindgenError: There is no such template folder, or HTTP client.
    """
    files = runtime_files(http)
    if not any(tool.checked for tool in catalog.tools):
        for name in _RESIDUAL & files.keys():
            del files[name]
    files["recording.json"] = catalog.recording.text
    files["py.typed"] = ""
    files.update(parts)
    for target in dict.fromkeys(("python", *targets)):
        for name, text in _render_target(catalog, target):
            files[name] = text
            tick()
    return files


def tool_files(tool: Tool, targets: Sequence[str]) -> dict[str, str]:
    """Return the files that one tool adds, as far as they depend on it alone.

    Args:
        tool: What to write.
        targets: As for `render`; the templates of a user see the catalogue as well.

    Raises:
        BindgenError: There is no such template folder.
    """
    files: dict[str, str] = {}
    for target in dict.fromkeys(("python", *targets)):
        if is_ours(target):
            folder = _folder(target)
            for name in filter(_is_each, _sources(folder)):
                files[_path(name, tool)] = _template(folder, name).render(tool=tool)
    return files


def _render_target(catalog: Catalog, target: str) -> Iterator[tuple[str, str]]:
    folder = _folder(target)
    for name in _sources(folder):
        if not name.endswith(".jinja"):
            yield name, (folder / name).read_text(encoding="utf-8")
        elif not _is_each(name):
            template = _template(folder, name)
            text = template.render(catalog=catalog, tools=catalog.tools)
            yield name.removesuffix(".jinja"), text
        elif not is_ours(target):
            template = _template(folder, name)
            for tool in catalog.tools:
                yield _path(name, tool), template.render(catalog=catalog, tool=tool)


def _is_each(name: str) -> bool:
    return _EACH in name and name.endswith(".jinja")


def _path(name: str, tool: Tool) -> str:
    return name.removesuffix(".jinja").replace(_EACH, tool.function)


@lru_cache(maxsize=16)
def _sources(folder: Path) -> tuple[str, ...]:
    files = sorted(filter(_is_source, folder.rglob("*")))
    return tuple(path.relative_to(folder).as_posix() for path in files)


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


@lru_cache(maxsize=64)
def _template(folder: Path, name: str) -> Template:
    return _environment(folder).get_template(name)


def is_ours(target: str) -> bool:
    """Tell whether a target is one of ours rather than a user's folder."""
    return target in _ours()


@lru_cache(maxsize=16)
def _environment(folder: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        finalize=finalize,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.clear()
    environment.filters.clear()
    environment.filters.update(
        docs.FILTERS | pieces.FILTERS | package.FILTERS | exports.FILTERS, lit=lit
    )
    return environment


def _folder(target: str) -> Path:
    """Return the folder of a target: one of ours by name, or any by path."""
    if is_ours(target):
        return _templates() / target
    folder = Path(target)
    if ("/" in target or "\\" in target or target.startswith(".")) and folder.is_dir():
        return folder.resolve()
    known = ", ".join(_ours())
    hint = f"targets are {known}, or the path of a folder, as ./{folder.name}"
    raise BindgenError(Problem("", f"no target {json.dumps(target)}", hint))


@lru_cache(maxsize=1)
def _ours() -> tuple[str, ...]:
    return tuple(sorted(path.name for path in _templates().iterdir() if path.is_dir()))


@lru_cache(maxsize=1)
def _templates() -> Path:
    installed = Path(str(resources.files("mcp_bindgen"))) / "templates"
    checkout = Path(__file__).parents[3] / "templates"
    return installed if installed.is_dir() else checkout


@lru_cache(maxsize=len(HTTP))
def _runtime(http: str) -> Mapping[str, str]:
    if http not in HTTP:
        hint = f"it is one of {', '.join(HTTP)}"
        raise BindgenError(Problem("", f"no HTTP client {json.dumps(http)}", hint))
    folder = Path(str(resources.files("mcp_bindgen"))) / "runtime"
    files = {
        f"_runtime/{path.relative_to(folder).as_posix()}": pieces.COPIED
        + path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    if http != HTTP[0]:  # httpx2 is httpx under another name
        only = f"\nimport {HTTP[0]}\n"
        files[_CONNECTIONS] = files[_CONNECTIONS].replace(
            only, f"\nimport {http} as {HTTP[0]}\n"
        )
    return files


def runtime_files(http: str = HTTP[0]) -> dict[str, str]:
    """Return the runtime as it stands in every package for an HTTP client."""
    return dict(_runtime(http))


def copied_files(
    targets: Sequence[str] = TARGETS, http: str = HTTP[0]
) -> dict[str, str]:
    """Return the files that stand in every package as they stand in their targets."""
    copied = {
        name: (folder / name).read_text(encoding="utf-8")
        for folder in map(_folder, ("python", *targets))
        for name in _sources(folder)
        if name.endswith(".py")
    }
    return {**copied, **_runtime(http)}
