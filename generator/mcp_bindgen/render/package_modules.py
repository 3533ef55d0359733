"""Source text for the modules of a whole package: public names, clients."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.expressions import constant, identifier, statement
from mcp_bindgen.python.literals import (
    WIDTH,
    Code,
    PyName,
    WireStr,
    clean,
    docstring,
    lit,
    wrap,
)
from mcp_bindgen.render.feature_modules import feature_names
from mcp_bindgen.render.tool_module import (
    export_order,
    import_from,
    import_order,
    natural,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_bindgen.render.target_toml import Target
    from mcp_bindgen.schema.ir import Catalog, Feature, Tool

__all__ = ["FILTERS", "target_names"]


def tool_names(tool: Tool) -> list[PyName]:
    """Return the names that the package exports for one tool."""
    result = [tool.result] if tool.result is not None else []
    asynchronous = PyName(f"{tool.function}_async")
    return [tool.arguments.name, *result, tool.function, asynchronous]


def target_names(targets: Iterable[Target]) -> dict[str, list[str]]:
    """Return the public names of a package, except those of its tools.

    Returns:
        Module, relative to the package, to its names, both sorted.
    """
    table: dict[str, set[str]] = defaultdict(set)
    for target in targets:
        for module, names in target.public.items():
            table[module].update(names)
    return {m: sorted(table[m], key=import_order) for m in sorted(table, key=natural)}


def with_features(
    public: Mapping[str, Sequence[str]], catalog: Catalog
) -> dict[str, Sequence[str]]:
    """Return module to public names, with those of resources and prompts, sorted."""
    table = {**public, **feature_names(catalog)}
    return {module: table[module] for module in sorted(table, key=natural)}


def public_table(
    catalog: Catalog, public: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """Return module to all its public names; the modules are sorted.

    Args:
        catalog: The tools of the package.
        public: The names that `target_names` gives.
    """
    table = with_features(public, catalog)
    table |= {f"tools.{tool.function}": tool_names(tool) for tool in catalog.tools}
    return {module: table[module] for module in sorted(table, key=natural)}


def public_names(catalog: Catalog, public: Mapping[str, Sequence[str]]) -> list[PyName]:
    """Return everything that the package exports, sorted."""
    names = chain.from_iterable(public_table(catalog, public).values())
    return [PyName(name) for name in sorted(names, key=export_order)]


def package_imports(
    catalog: Catalog, public: Mapping[str, Sequence[str]]
) -> list[Code]:
    """Return the imports of all public names, for type checkers."""
    return [
        import_from(f".{module}", sorted(names, key=import_order))
        for module, names in public_table(catalog, public).items()
    ]


def package_table(public: Mapping[str, Sequence[str]], catalog: Catalog) -> list[Code]:
    """Return the rows of the table of modules and their names."""
    public = with_features(public, catalog)
    margin = " " * 12
    lines: list[Code] = []
    for module, names in public.items():
        one = f"{margin}{lit(module)}: [{', '.join(map(lit, names))}],"
        if len(one) <= WIDTH:
            lines.append(Code(one))
            continue
        inner = "".join(f"{margin}    {lit(name)},\n" for name in names)
        lines.append(Code(f"{margin}{lit(module)}: [\n{inner}{margin}],"))
    return lines


def package_doc(catalog: Catalog) -> Code:
    """Return the docstring of the package."""
    title = clean(catalog.server_title).replace("\n", " ")
    return docstring(wrap(f"Typed bindings for the MCP server {title}.", 0, lead=6), 0)


def client_doc(catalog: Catalog, how: str) -> Code:
    """Return the docstring of a client class."""
    title = clean(WireStr(catalog.server_title.text)).replace("\n", " ")
    return docstring(wrap(f"The MCP server {title}, {how}.", 4, lead=6), 4)


def client_imports(catalog: Catalog) -> list[Code]:
    """Return the imports that show type checkers the methods of the clients."""
    functions = {tool.function: f".tools.{tool.function}" for tool in catalog.tools}
    imports = [
        import_from(f".{module}", [n for f in listed for n in _both(f.function)], 4)
        for module, listed in (
            ("prompts", sorted(catalog.prompts, key=_by_function)),
            ("resources", sorted(catalog.templates, key=_by_function)),
        )
        if listed
    ]
    return imports + [
        import_from(functions[function], [function, f"{function}_async"], 4)
        for function in sorted(functions, key=natural)
    ]


def _by_function(feature: Feature) -> tuple[str | int, ...]:
    return natural(feature.function)


def _both(function: str) -> tuple[str, str]:
    return function, f"{function}_async"


def method(tool: Tool | Feature, suffix: str) -> Code:
    """Return the line that shows type checkers a method of a client."""
    function = identifier(PyName(f"{tool.function}{suffix}"))
    return statement(f"{tool.function} = ", function, "", 8)


def member(tool: Tool | Feature) -> Code:
    """Return the member of an enumeration for a tool, a resource or a prompt."""
    return statement(f"{tool.member} = ", constant(tool.wire), "", 4)


FILTERS: dict[str, Any] = {
    "client_doc": client_doc,
    "client_imports": client_imports,
    "member": member,
    "method": method,
    "package_doc": package_doc,
    "package_imports": package_imports,
    "package_table": package_table,
    "public_names": public_names,
}
