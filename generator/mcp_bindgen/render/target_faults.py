"""Checks that the description of a user's target fits its files and the package."""

from __future__ import annotations

from collections import Counter
from symtable import symtable
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.render.package_modules import public_names, target_names
from mcp_bindgen.render.target_folders import is_built_in
from mcp_bindgen.render.target_toml import DESCRIPTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.render.target_toml import Target
    from mcp_bindgen.schema.ir import Catalog

__all__ = ["refuse_faulty_targets"]


def refuse_faulty_targets(
    targets: Sequence[Target], catalog: Catalog, files: Mapping[str, str]
) -> None:
    """Refuse a user's target that names modules, names or frameworks wrongly.

    Args:
        targets: All targets of the package; those of ours are not checked.
        catalog: The tools of the package.
        files: All files of the package: path to text.

    Raises:
        BindgenError: There is such a target; there is one problem for each mistake.
    """
    users = [target for target in targets if not is_built_in(target.name)]
    if not users:
        return
    names = Counter(map(str, public_names(catalog, target_names(targets))))
    problems = [
        Problem("", f"{target.folder / DESCRIPTION}: {message}", hint)
        for target in users
        for message, hint in (*_faults(target, files), *_clashes(target, names))
    ]
    if problems:
        raise BindgenError(*problems)


def _faults(target: Target, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield a message and a hint for each mistake in a description."""
    if target.library:
        hint = 'write depends = ["models"] for the models of another library'
        yield "there is no key library for targets of users", hint
    if target.module and _path(target.module) not in files:
        hint = f"add the file {_path(target.module)} to the target, or remove the key"
        yield f"module: the package has no module {target.module}", hint
    for module, names in target.public.items():
        path = _path(module)
        if path not in files:
            hint = f"add the file {path} to the target, or remove the name"
            yield f"public: the package has no module {module}", hint
            continue
        bound = _bound(files[path])
        for name in names:
            if bound is not None and name not in bound:
                hint = f"define it in {path}, or remove the name"
                yield f"public: the module {module} does not define {name}", hint
            if _path(name) in files:
                hint = "give the function or the module another name"
                yield f"public: {name} is also a module of the package", hint
    yield from _framework_faults(target)


def _clashes(target: Target, names: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield a message and a hint for each public name that the package has twice."""
    for listed in target.public.values():
        for name in listed:
            if names[name] > 1:
                hint = "give it another name; tools and other targets have names, too"
                yield f"public: the package exports {name} twice", hint


def _framework_faults(target: Target) -> Iterator[tuple[str, str]]:
    # Costs 50 ms, for the targets of users alone.
    from packaging.requirements import InvalidRequirement, Requirement  # noqa: PLC0415

    if target.extra and not target.requirement:
        hint = "name the package that the extra installs"
        yield "framework.extra: expected framework.requirement beside it", hint
    if not target.requirement:
        return
    try:
        Requirement(target.requirement)
    except InvalidRequirement:
        message = (
            f"framework.requirement: {target.requirement[:80]!a} is no requirement"
        )
        yield message, "write it as name>=1.0 (PEP 508)"


def _path(module: str) -> str:
    """Return the path in a package of a module."""
    return f"{module.replace('.', '/')}.py"


def _bound(text: str) -> set[str] | None:
    """Return the names that a module defines, None where only running it can tell."""
    try:
        symbols = symtable(text, "module", "exec").get_symbols()
    except (SyntaxError, ValueError):  # The self-check reports it, with its line.
        return None
    names = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()}
    return None if "__getattr__" in names or "import *" in text else names
