"""The pieces of source that speak of a whole package: its names, where they live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.python.expressions import identifier, literal, statement
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
from mcp_bindgen.render.tool_module import import_from, import_order

if TYPE_CHECKING:
    from mcp_bindgen.schema.ir import Catalog, Tool

__all__ = ["FILTERS"]

_ERRORS = (
    *("AuthError", "DeadlineError", "InvalidArgumentsError", "LimitError", "McpError"),
    *("ProtocolError", "ToolNotFoundError", "TransportError"),
)
_RUNTIME = {
    "_runtime.errors": _ERRORS,
    "_runtime.results": ("ToolError", "ToolResult", "UnexpectedResultError"),
    "_runtime.validation.scalars": ("MISSING",),
}
_OWN = {
    "client": ("AsyncClient", "Client"),
    "info": ("TOOLS", "ToolInfo", "destructive", "read_only", "tool_info"),
    "names": ("Tool",),
    "toolbox": (
        *("DeniedError", "Deny", "Replace", "Toolbox", "approve_destructive"),
        "toolset",
    ),
}


def tool_names(tool: Tool) -> list[PyName]:
    """Return what the package offers of one tool."""
    result = [tool.result] if tool.result is not None else []
    asynchronous = PyName(f"{tool.function}_async")
    return [tool.arguments.name, *result, tool.function, asynchronous]


def table(catalog: Catalog) -> dict[str, list[str]]:
    """Return module to public names, both sorted."""
    rows: dict[str, list[str]] = {
        module: list(members) for module, members in (_RUNTIME | _OWN).items()
    }
    for tool in catalog.tools:
        rows[f"tools.{tool.function}"] = [*tool_names(tool)]
    return {module: sorted(rows[module], key=import_order) for module in sorted(rows)}


def public_names(catalog: Catalog) -> list[PyName]:
    """Return everything that the package exports, sorted."""
    found = (name for names in table(catalog).values() for name in names)
    return [PyName(name) for name in sorted(found, key=import_order)]


def package_imports(catalog: Catalog) -> list[Code]:
    """Return the imports that type checkers read."""
    return [
        import_from(f".{module}", members, 4)
        for module, members in table(catalog).items()
    ]


def package_table(_catalog: Catalog) -> list[Code]:
    """Return the rows of the table of modules and their names, but for the tools'."""
    margin = " " * 12
    lines: list[Code] = []
    for module, members in sorted((_RUNTIME | _OWN).items()):
        one = f"{margin}{lit(module)}: [{', '.join(lit(name) for name in members)}],"
        if len(one) <= WIDTH:
            lines.append(Code(one))
            continue
        inner = "".join(f"{margin}    {lit(name)},\n" for name in members)
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
    return [
        import_from(
            f".tools.{tool.function}", [tool.function, f"{tool.function}_async"], 4
        )
        for tool in catalog.tools
    ]


def method(tool: Tool, suffix: str) -> Code:
    """Return the line that shows type checkers a method of a client."""
    function = identifier(PyName(f"{tool.function}{suffix}"))
    return statement(f"{tool.function} = ", function, "", 8)


def member(tool: Tool) -> Code:
    """Return a tool's member of the enumeration of tools."""
    return statement(f"{tool.member} = ", literal(tool.wire.text), "", 4)


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
