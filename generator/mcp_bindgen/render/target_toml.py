"""Reads `target.toml`, in which the folder of a target describes itself."""

from __future__ import annotations

import keyword
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.python.allowlist import Allowlist, Call
from mcp_bindgen.render.exports import ENTRIES
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

__all__ = ["DESCRIPTION", "Target", "read_target"]

DESCRIPTION = "target.toml"

_ACTUAL = 80  # characters of a wrong value in a message
_HINT = "templates/README.md of mcp-bindgen shows a target of your own"


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One target as its folder describes it; it equals itself alone.

    Attributes:
        name: Its name, or the path of a user's folder.
        folder: The folder of its files.
        description: Its contents, in a few words.
        module: The module of a package that users import, or "".
        depends: Names of the targets that it builds on.
        entries: Kinds of JSON entries that its templates print.
        extra: The extra of a wheel that installs its framework, or "".
        requirement: The framework as a requirement (PEP 508), or "".
        imports: The package that its module imports, or "".
        public: Module to the names that the package offers at its root.
        library: The folder of the files that a library makes of each tool, or "".
        allowlist: The imports, calls and bases that its rendered files may have
            besides the common ones.
    """

    name: str
    folder: Path
    description: str
    module: str = ""
    depends: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    extra: str = ""
    requirement: str = ""
    imports: str = ""
    public: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    library: str = ""
    allowlist: Allowlist = field(default_factory=Allowlist)


def read_target(name: str, folder: Path) -> Target:
    """Return the target that a folder describes.

    Args:
        name: Its name, or the path as the user wrote it.
        folder: The folder.

    Raises:
        BindgenError: `target.toml` is missing, is no TOML, or has unknown keys or wrong
            values; there is one problem for each.
    """
    file = folder / DESCRIPTION
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        message = f"{folder} is no target: it has no {DESCRIPTION}"
        raise BindgenError(Problem("", message, _HINT)) from None
    except UnicodeDecodeError as error:
        message = f"{file}: expected UTF-8, got the byte {error.object[error.start]:#x}"
        raise BindgenError(Problem("", message, "save the file as UTF-8")) from None
    except (OSError, ValueError, RecursionError) as error:
        raise BindgenError(Problem("", f"{file}: {error}", _HINT)) from error
    if faults := list(_faults(table)):
        problems = (Problem("", f"{file}: {fault}", hint) for fault, hint in faults)
        raise BindgenError(*problems)
    framework = table.get("framework", {})
    return Target(
        name=name,
        folder=folder,
        description=table["description"],
        module=table.get("module", ""),
        depends=tuple(table.get("depends", ())),
        entries=tuple(table.get("entries", ())),
        extra=framework.get("extra", ""),
        requirement=framework.get("requirement", ""),
        imports=framework.get("imports", ""),
        public={m: tuple(names) for m, names in table.get("public", {}).items()},
        library=table.get("library", ""),
        allowlist=_allowlist(table.get("selfcheck", {})),
    )


def _allowlist(table: Mapping[str, Mapping[str, object]]) -> Allowlist:
    return Allowlist(
        {m: _names(names) for m, names in table.get("imports", {}).items()},
        {
            function: Call(
                tuple(map(str, elements(members(call).get("positional")))),
                _names(members(call).get("keywords")),
            )
            for function, call in table.get("calls", {}).items()
        },
        _names(table.get("bases")),
    )


def _names(value: object) -> frozenset[str]:
    return frozenset(map(str, elements(value)))


def _faults(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each mistake in a description, with a hint."""
    if "description" not in table:
        yield "it has no description", 'add a line: description = "a few words"'
    for kind in sorted(_names(table.get("entries")) - ENTRIES.keys()):
        keys_text = ", ".join(sorted(ENTRIES))
        yield f"there are no entries {kind}", f"the entries are {keys_text}"
    for section, keys in _KEYS.items():
        for key, value in members(table.get(section) if section else table).items():
            full_key = f"{section}.{key}" if section else key
            if key in keys:
                form, fits = keys[key]
                if not fits(value):
                    actual = ascii(value)[:_ACTUAL]
                    yield f"{full_key}: expected {form}, got {actual}", _HINT
                continue
            near = get_close_matches(key, keys, 1)
            keys_text = f"the keys are {', '.join(keys)}"
            yield f"there is no key {full_key}", (
                f"did you mean {near[0]}?" if near else keys_text
            )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    texts = elements(value)
    return isinstance(value, list) and all(map(_is_text, texts))


def _is_module(value: object) -> bool:
    parts = value.split(".") if isinstance(value, str) else [""]
    return value == "" or all(map(_is_name, parts))


def _is_name(value: object) -> bool:
    text = value if isinstance(value, str) else ""
    return text.isascii() and text.isidentifier() and not keyword.iskeyword(text)


def _is_public(value: object) -> bool:
    table = members(value)
    names = [name for listed in table.values() for name in elements(listed)]
    modules = all(module and _is_module(module) for module in table)
    public = all(_is_name(name) and not str(name).startswith("_") for name in names)
    return _is_table_of_lists(value) and modules and public


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_table_of_lists(value: object) -> bool:
    lists = members(value).values()
    return isinstance(value, dict) and all(map(_is_list, lists))


def _is_table_of_calls(value: object) -> bool:
    calls = members(value).values()
    return isinstance(value, dict) and all(
        _is_table_of_lists(call) and members(call).keys() <= {"positional", "keywords"}
        for call in calls
    )


_TEXT = ("a string", _is_text)
_LIST = ("a list of strings", _is_list)
_TABLE = ("a table", _is_table)
_LISTS = ("a table of lists of strings", _is_table_of_lists)
_MODULE = ("the name of a module, as a.b", _is_module)
_PUBLIC = (
    "a table of lists of strings, modules to public names of Python",
    _is_public,
)
_CALLS = ("a table of tables with positional and keywords", _is_table_of_calls)

# The keys of each table in `target.toml`, "" for the keys at its top.
_KEYS: Mapping[str, Mapping[str, tuple[str, Callable[[object], bool]]]] = {
    "": {
        "description": _TEXT,
        "library": _TEXT,
        "module": _MODULE,
        "depends": _LIST,
        "entries": _LIST,
        "framework": _TABLE,
        "public": _PUBLIC,
        "selfcheck": _TABLE,
    },
    "framework": {"extra": _TEXT, "requirement": _TEXT, "imports": _MODULE},
    "selfcheck": {"imports": _LISTS, "calls": _CALLS, "bases": _LIST},
}
