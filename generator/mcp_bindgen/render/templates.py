"""Renders the templates of targets to the files of a package."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError, Undefined

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.python.literals import finalize, lit
from mcp_bindgen.render import (
    agent_skill,
    completion_module,
    docstrings,
    exports,
    feature_modules,
    package_modules,
    tool_module,
)
from mcp_bindgen.render.environment import environment_of
from mcp_bindgen.render.runtime_files import needed, runtime_files
from mcp_bindgen.render.target_faults import refuse_faulty_targets
from mcp_bindgen.render.target_folders import (
    EACH,
    chosen,
    is_built_in,
    path_of,
    sources,
)
from mcp_bindgen.render.targets import HTTP, TARGETS
from mcp_bindgen.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from jinja2 import Environment

    from mcp_bindgen.render.target_toml import Target
    from mcp_bindgen.schema.ir import Catalog, Tool

__all__ = ["copied_files", "offered", "render", "tool_files"]

_TEMPLATE = ".jinja"
# Targets that show all tools, since no model reads them.
_WHOLE = frozenset({"python", "models"})
_HINT = "correct the template: print values with | json, | lit, or | text | json"
_OWN_PATHS = frozenset({"_runtime", "manifest.json"})
_TEMPLATE_ERRORS = (
    *(ArithmeticError, AttributeError, LookupError, OSError, RecursionError),
    *(TemplateError, TypeError, ValueError),
)


def render(
    catalog: Catalog,
    targets: Sequence[str],
    parts: Mapping[str, str],
    http: str = HTTP[0],
) -> Texts:
    """Return the files of one package: relative path with "/" to text.

    Args:
        catalog: All tools of the package.
        targets: Names of built-in targets, or paths of folders.
        parts: The files that `tool_files` makes of each tool.
        http: The HTTP client that the package imports, one of `HTTP`.

    Raises:
        BindgenError: There is no such target, or no such HTTP client; or a user's
            template is wrong.
    """
    recording = catalog.recording.text
    files = Texts.of({"recording.json": recording, "py.typed": ""}, parts)
    listed = chosen(targets)
    if catalog.package in {target.imports for target in listed}:
        message = (
            f"a package called {catalog.package} would hide what its target imports"
        )
        hint = "give the package another name (--name, or package in the settings)"
        raise BindgenError(Problem("", message, hint))
    public = package_modules.target_names(listed)
    for target in listed:
        made = list(_package_files(target, catalog, public))
        if not is_built_in(target.name):
            _refuse_same_paths(target, made, files)
        files |= dict(made)
    modules = (text for path, text in files.items() if path.endswith(".py"))
    files |= needed(modules, http)
    refuse_faulty_targets(listed, catalog, files)
    return files


def tool_files(tool: Tool, targets: Sequence[str]) -> dict[str, str]:
    """Return the files that one tool adds to a package, of built-in targets only.

    Templates of a user's target see the whole catalogue, so that `render` makes them.

    Args:
        tool: The tool.
        targets: As for `render`.

    Raises:
        BindgenError: There is no such target.
    """
    return {
        path_of(source, tool.function): _text(target, source, {"tool": tool})
        for target in chosen(targets)
        if is_built_in(target.name) and (target.name in _WHOLE or not _denied(tool))
        for source in sources(target)
        if _is_each(source)
    }


def offered(target: str, catalog: Catalog) -> Catalog:
    """Return a catalogue without the tools that a policy denies.

    Models and frameworks do not learn of them; programs see all tools.

    Args:
        target: The name of the target that shows the tools.
        catalog: All tools of the package.
    """
    if target in _WHOLE:
        return catalog
    return replace(catalog, tools=tuple(t for t in catalog.tools if not _denied(t)))


def _denied(tool: Tool) -> bool:
    return tool.policy is not None and tool.policy.denied


def copied_files(
    targets: Sequence[str] = TARGETS, http: str = HTTP[0]
) -> dict[str, str]:
    """Return the Python files of a package that are copies: path to text.

    Args:
        targets: As for `render`.
        http: As for `render`.

    Raises:
        BindgenError: There is no such target, or no such HTTP client.
    """
    copied = {
        source: _copy(target, source)
        for target in chosen(targets)
        for source in sources(target)
        if source.endswith(".py")
    }
    return {**copied, **runtime_files(http)}


def _package_files(
    target: Target, catalog: Catalog, public: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files that a target makes of all tools together."""
    catalog = offered(target.name, catalog)
    variables = {"catalog": catalog, "tools": catalog.tools, "public": public}
    for source in sources(target):
        if not source.endswith(_TEMPLATE):
            yield source, _copy(target, source)
        elif not _is_each(source):
            text = _text(target, source, variables)
            if text or not is_built_in(target.name):  # some servers have no prompts
                yield path_of(source), text
        elif not is_built_in(target.name):
            for tool in catalog.tools:
                text = _text(target, source, {"catalog": catalog, "tool": tool})
                yield path_of(source, tool.function), text


def _refuse_same_paths(
    target: Target, made: Sequence[tuple[str, str]], others: Mapping[str, str]
) -> None:
    """Refuse files of a user's target that would replace other files of the package.

    Raises:
        BindgenError: There are some; the problems name all of them.
    """
    hint = "give the file of the target another name"
    both = [path for path, text in made if text != others.get(path, text)]
    both += [path for path, _ in made if path.split("/")[0] in _OWN_PATHS]
    both += [path for path, n in Counter(path for path, _ in made).items() if n > 1]
    if both:
        problems = (f"{target.folder}: the package has another {p}" for p in both)
        raise BindgenError(*(Problem("", problem, hint) for problem in problems))


def _is_each(source: str) -> bool:
    return EACH in source and source.endswith(_TEMPLATE)


def _copy(target: Target, source: str) -> str:
    """Return the text of a file that is copied.

    Raises:
        BindgenError: It cannot be read, or is no UTF-8.
    """
    file = target.folder / source
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        hint = "a target has files of text in UTF-8; remove this one"
        raise BindgenError(Problem("", f"{file}: {error}", hint)) from error


def _text(target: Target, source: str, variables: Mapping[str, object]) -> str:
    """Return the text of a rendered template.

    Raises:
        BindgenError: A template of a user is wrong.
    """
    ours = is_built_in(target.name)
    environment = _environment(target.folder, ours=ours)
    if ours:
        return environment.get_template(source).render(variables)
    try:
        return environment.get_template(source).render(variables)
    except _TEMPLATE_ERRORS as error:
        file = target.folder / source
        line = getattr(error, "lineno", None) or _line(error, file)
        location = f"{file}:{line}" if line else file
        raise BindgenError(Problem("", f"{location}: {error}", _HINT)) from error


def _line(error: BaseException, file: Path) -> int | None:
    """Return the line of a template that an error comes from."""
    frames = reversed(extract_tb(error.__traceback__))
    return next((each.lineno for each in frames if each.filename == str(file)), None)


def _defined(function: Callable[..., object]) -> Callable[..., Any]:
    """Return a filter that says the name of a value that is not defined."""

    def checked(value: object, *others: object) -> object:
        if isinstance(value, Undefined):
            str(value)  # raises UndefinedError, which has the name
        return function(value, *others)

    return checked


def _as_it_is(function: Callable[..., object]) -> Callable[..., Any]:
    return function


@lru_cache(maxsize=16)
def _environment(folder: Path, *, ours: bool) -> Environment:
    filters: dict[str, Any] = {"lit": lit}
    for module in (
        docstrings,
        tool_module,
        package_modules,
        exports,
        feature_modules,
        completion_module,
        agent_skill,
    ):
        filters |= module.FILTERS
    defined = _as_it_is if ours else _defined
    environment = environment_of(folder, defined(finalize), autoescape=False, ours=ours)
    environment.filters.clear()
    environment.filters.update({name: defined(f) for name, f in filters.items()})
    return environment
