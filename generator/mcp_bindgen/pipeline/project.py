"""Reads the style of a project: its options of black, or of ruff."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.project_files import layout_table
from mcp_bindgen.python.style import OURS, Style
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

__all__ = ["layout_notices", "project_style"]

_MOST_COLUMNS = 10_000
NONE = "none"
"""The value of `format` with which files stay in our own layout."""


# Versions of Python from the oldest that our files run on.
_NEW = frozenset(f"py3{minor}" for minor in range(11, 100))
# The versions with which black reads `match`.
_WITH_MATCH = _NEW | {"py310"}


def _is_columns(value: object) -> bool:
    return type(value) is int and 1 <= value <= _MOST_COLUMNS


def _is_list(value: object) -> bool:
    if not isinstance(value, list):
        return False
    return all(isinstance(each, str) for each in cast("list[object]", value))


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


# Options of black in pyproject.toml, each with its form.
_OPTIONS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "line-length": (f"a number from 1 to {_MOST_COLUMNS:,}", _is_columns),
    "target-version": ("a list of strings", _is_list),
    "skip-string-normalization": ("true or false", _is_bool),
    "skip-magic-trailing-comma": ("true or false", _is_bool),
    "preview": ("true or false", _is_bool),
    "unstable": ("true or false", _is_bool),
    "enable-unstable-feature": ("a list of strings", _is_list),
}


def project_style(output: Path | None) -> Style:
    """Return the style in which the project of a folder has its Python files.

    It is `format` in `[tool.mcp-bindgen]`, else `[tool.black]`, else the options of
    `[tool.ruff]` that black has, too. Without any of them, it is our own layout.

    Example: `project_style(Path("src"))`.

    Args:
        output: The folder of the packages, which may be missing; None for no project.

    Raises:
        BindgenError: The file is no TOML, or an option has a wrong value.
    """
    table = layout_table(output) if output else None
    if table is None or table.value == NONE:
        return OURS
    if table.key == "tool.mcp-bindgen.format":
        return _own(table.file, table.value)
    options = members(table.value)
    if table.key == "tool.black":
        # Black also reads options as its command spells them.
        options = {n.lstrip("-").replace("_", "-"): v for n, v in options.items()}
    else:
        options = _of_ruff(options)
    style = _style(table.file, table.key, options, table.requires)
    # Versions alone change nothing in our files, which need 3.11 in any case.
    versions = {"requires-python", "target-version"}
    only = style.options().keys() <= versions
    new = all(version in _NEW for version in style.target_version)
    return OURS if only and new else style


def layout_notices(output: Path) -> tuple[str, ...]:
    """Return the reasons, as sentences, for which a project's own check may fail.

    Example: `layout_notices(Path("src"))`.

    Args:
        output: The folder of the packages, which may be missing.

    Raises:
        BindgenError: The file is no TOML, or an option has a wrong value.
    """
    table = layout_table(output)
    if table and table.key == "tool.black":
        return _of_old_black(table.file, project_style(output).target_version)
    if table and table.key in {"tool.ruff", ""}:
        return _unlike_black(table.file, members(table.value))
    return ()


def _of_old_black(file: Path, versions: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence if black reads no `match`, of which the runtime has some."""
    if not versions or _WITH_MATCH & {*versions}:
        return ()
    named = ", ".join(versions)
    sentence = (
        f"{file}: black cannot check some files with target-version {named}, since"
        " they have match statements; add py311 to target-version, or the output"
        " folder to extend-exclude of [tool.black]"
    )
    return (sentence,)


def _unlike_black(file: Path, value: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the options of ruff's formatter that black does not have, as sentences."""
    layout = members(value.get("format"))
    options = [
        f"{name} = {value!r}"
        for name, value, usual in (
            ("quote-style", layout.get("quote-style"), ("double", "preserve")),
            ("docstring-code-format", layout.get("docstring-code-format"), (False,)),
            ("indent-style", layout.get("indent-style"), ("space",)),
            ("indent-width", value.get("indent-width"), (4,)),
            ("line-ending", layout.get("line-ending"), ("auto", "lf", "native")),
            ("preview", layout.get("preview", value.get("preview")), (False,)),
        )
        if value is not None and value not in usual
    ]
    return tuple(
        f"{file}: black has no {option} of ruff; add the output folder to"
        " exclude of [tool.ruff.format]"
        for option in options
    )


def _own(file: Path, table: object) -> Style:
    """Return the style of `format` in our own settings."""
    key = "tool.mcp-bindgen.format"
    if not isinstance(table, dict):
        _refuse(file, key, f'a table, or "{NONE}"', table)
    options = cast("dict[str, Any]", table)
    for name in options:
        if name not in _OPTIONS:
            near = get_close_matches(name, _OPTIONS, 1)
            hint = f"did you mean {near[0]}?" if near else f"known: {list(_OPTIONS)}"
            message = f"{file}: {key} has an unknown key {name!a}"
            raise BindgenError(Problem("", message, hint))
    return _style(file, key, options, None)


def _of_ruff(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return ruff's options as options of black."""
    layout = members(table.get("format"))
    options: dict[str, Any] = {}
    if "line-length" in table:
        options["line-length"] = table["line-length"]
    if layout.get("quote-style") == "preserve":
        options["skip-string-normalization"] = True
    if "skip-magic-trailing-comma" in layout:
        options["skip-magic-trailing-comma"] = layout["skip-magic-trailing-comma"]
    target = table.get("target-version")
    if options and isinstance(target, str):
        options["target-version"] = [target]
    return options


def _style(
    file: Path, key: str, table: Mapping[str, object], requires: object
) -> Style:
    """Return the style that a table says.

    Raises:
        BindgenError: An option has a wrong value.
    """
    options: dict[str, Any] = {}
    for name, (form, fits) in _OPTIONS.items():
        if name in table:
            value = table[name]
            if not fits(value):
                _refuse(file, f"{key}.{name}".lstrip("."), form, value)
            options[name.replace("-", "_")] = (
                tuple(sorted(map(str, cast("list[object]", value))))
                if isinstance(value, list)
                else value
            )
    if isinstance(requires, str) and "target_version" not in options:
        options["requires_python"] = requires
    return Style(**options)


def _refuse(file: Path, key: str, form: str, value: object) -> NoReturn:
    message = f"{file}: {key}: expected {form}, got {value!a}"[:300]
    raise BindgenError(Problem("", message, 'or set format = "none"'))
