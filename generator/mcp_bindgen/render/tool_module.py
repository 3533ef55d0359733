"""Source text for the module of one tool: imports, fields, signatures."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.python.allowlist import IMPORTS
from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Item,
    call,
    flat,
    identifier,
    literal,
    name,
    names,
    statement,
    union,
)
from mcp_bindgen.python.literals import WIDTH, Code, PyName, WireStr, lit
from mcp_bindgen.render.field_types import (
    LIKES,
    MISSING,
    accepted_type,
    field_type,
    with_likes,
)
from mcp_bindgen.render.part_names import with_part_names
from mcp_bindgen.schema.classes import checked_type
from mcp_bindgen.schema.ir import Alias, Field, Object, Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    _Natural: TypeAlias = tuple[str | int, ...]

__all__ = ["FILTERS"]

_NUMBER = re.compile("([0-9]+)")
# Module, as a tool's module names it, to the names that are imported from it.
_MODULES = {
    f".{module}" if module.startswith(".") else module: names
    for module, names in IMPORTS.items()
}
_HOME = {member: module for module, members in _MODULES.items() for member in members}


def module_types(tool: Tool) -> list[Object | Alias]:
    """Return the types of a tool's module, in order."""
    return with_part_names(with_likes(tool))


def base(type_: Object) -> Code:
    """Return the class that a model is based on."""
    return Code(type_.base)


def declare(field: Field) -> Code:
    """Return a model's field."""
    tail = "" if field.required else " = MISSING"
    return statement(f"{field.name}: ", field_type(field), tail, 4)


def parameter(field: Field) -> Code:
    """Return a parameter of a function, with its comma."""
    type_ = accepted_type(field)
    tail = "," if field.required else " = MISSING,"
    type_ = type_ if field.required else union([type_, MISSING])
    return statement(f"{field.name}: ", type_, tail, 4)


def assign_alias(alias: Alias) -> Code:
    """Return the definition of a named type."""
    type_ = checked_type(alias.type, alias.residual)
    if not alias.recursive:
        return statement(f"{alias.name}: TypeAlias = ", type_, "", 0)
    # A string, since the type names itself. Pydantic needs the call, in which pyright
    # does not always find the name.
    text = literal(flat(type_))
    made = call("TypeAliasType", literal(str(alias.name)), text)
    for_checkers = statement(f"{alias.name}: TypeAlias = ", text, "", 4)
    run = statement(f"{alias.name} = ", made, "", 4)
    return Code(f"if TYPE_CHECKING:\n    {for_checkers}\nelse:\n    {run}")


def residual(type_: Object) -> Code:
    """Return the class variable that holds the schema of residual validation."""
    schema = type_.residual or WireStr("{}")
    return statement(
        "__residual__: ClassVar = ", call("Checked", literal(schema.text)), "", 4
    )


def binding(tool: Tool) -> Code:
    """Return the constant that ties the functions to the tool."""
    read: Expr = name("raw")
    if tool.result is not None:
        how = "inferred" if tool.returns == "inferred" else "structured"
        read = call(how, identifier(tool.result))
    items = [Item(literal(tool.wire.text)), Item(identifier(tool.arguments.name))]
    items.append(Item(read))
    if tool.read_only or tool.idempotent:
        items.append(Item(name("True"), Code("retryable=")))
    if tool.header_params:
        items.append(Item(_header_params(tool), Code("header_params=")))
    if formats := _formats(tool):
        items.append(Item(formats, Code("formats=")))
    bound = tool.return_type if tool.result is None else identifier(tool.result)
    bound = tool.return_type if tool.returns == "inferred" else bound
    made = Bracket("Binding", "()", tuple(items))
    return statement(f"_TOOL: Binding[{flat(bound)}] = ", made, "", 0)


def _formats(tool: Tool) -> Expr | None:
    """Return the formats of parameters that take more than texts, by wire name."""
    pairs = [
        Item(literal(field.format), Code(f"{lit(field.wire.text)}: "))
        for field in tool.parameters
        if field.format
    ]
    return Bracket("", "{}", tuple(pairs)) if pairs else None


def _header_params(tool: Tool) -> Expr:
    pairs = tuple(
        Item(
            Bracket("", "()", tuple(Item(literal(step.text)) for step in path)),
            Code(f"{lit(token)}: "),
        )
        for token, path in tool.header_params
    )
    return Bracket("", "{}", pairs)


def invoke(tool: Tool, client: str) -> Code:
    """Return the body of a function."""
    sent = {f.wire.text: identifier(f.name) for f in tool.parameters}
    pairs = tuple(Item(value, Code(f"{lit(key)}: ")) for key, value in sent.items())
    arguments: Expr = name("extra") if tool.extra else Bracket("", "{}", pairs)
    made = Bracket("client.call", "()", (Item(name("_TOOL")), Item(arguments)))
    awaited = client == "async"
    unwrapped = tool.returns == "unwrapped"
    head = "return await " if awaited else "return "
    if unwrapped:
        head = "result = await " if awaited else "result = "
    end = "\n    return result.result" if unwrapped else ""
    return Code(statement(head, made, "", 4) + end)


def returns(tool: Tool) -> Code:
    """Return the annotation of a function's result."""
    return statement("", tool.return_type, "", -1000)


def signature(tool: Tool, client: str) -> Code:
    """Return the line or lines of a function's signature, from its name on."""
    suffix, base = (
        ("_async", "AsyncBaseClient") if client == "async" else ("", "BaseClient")
    )
    start = "async def" if client == "async" else "def"
    head = f"{start} {tool.function}{suffix}("
    tail = f") -> {returns(tool)}:"
    listed = [f"client: {base}", "/"]
    if tool.extra:
        listed += ["*", "extra: Mapping[str, Any] = {}"]
    if not tool.parameters:
        one = f"{head}{', '.join(listed)}{tail}"
        if len(one) <= WIDTH:
            return Code(one)
    lines = [head, *(f"    {part}," for part in listed)]
    if tool.parameters:
        lines.append("    *,")
        lines += [f"    {parameter(field)}" for field in tool.parameters]
    return Code("\n".join([*lines, tail]))


def tool_imports(tool: Tool, types: Iterable[Object | Alias]) -> list[Code]:
    """Return the import statements of a tool's module.

    Args:
        tool: The tool.
        types: The types of its module.
    """
    used = {"AsyncBaseClient", "BaseClient", "Binding"}
    for type_ in types:
        if isinstance(type_, Alias):
            used |= {"TypeAlias"}
            used |= {"TYPE_CHECKING", "TypeAliasType"} if type_.recursive else set()
            used |= set(names(checked_type(type_.type, type_.residual)))
            continue
        used |= {type_.base, "ConfigDict"} if type_.closed else {type_.base}
        used |= {"Checked", "ClassVar"} if type_.residual else set()
        for field in type_.fields:
            used |= set(names(field_type(field)))
    used |= set(names(tool.return_type))
    used |= {"raw", "ToolResult"} if tool.result is None else set[str]()
    if tool.result is not None:
        used |= {"inferred" if tool.returns == "inferred" else "structured"}
    if any(not field.required for field in tool.arguments.fields):
        used |= {"MISSING"}
    used |= {LIKES[field.format] for field in tool.parameters if field.format}
    used |= {"Mapping", "Any"} if tool.extra else set[str]()
    return [*_imports(used)]


def _imports(used: Iterable[str]) -> list[Code]:
    by_module: Mapping[str, list[str]] = defaultdict(list)
    for member in used:
        if member in _HOME:
            by_module[_HOME[member]].append(member)
    groups = (
        ("collections.abc", "typing"),
        ("pydantic", "typing_extensions"),
        tuple(sorted(module for module in _MODULES if module.startswith("."))),
    )
    lines: list[Code] = []
    for group in groups:
        statements = [
            import_from(m, sorted(by_module[m], key=import_order))
            for m in group
            if by_module.get(m)
        ]
        lines += [Code(""), *statements] if lines and statements else statements
    return lines


@lru_cache(maxsize=256)  # all modules import the same few names
def import_order(member: str) -> tuple[int, _Natural, _Natural]:
    """Return the key that sorts the names of an import as ruff does, in any case."""
    kind, exact = export_order(member)
    return kind, natural(member.lower()), exact


def export_order(member: str) -> tuple[int, _Natural]:
    """Return the key that sorts `__all__` as ruff does: constants, classes, others."""
    is_constant = len(member) > 1 and member.isupper()
    return (0 if is_constant else 1 if member[0].isupper() else 2), natural(member)


@lru_cache(maxsize=4096)  # a tool's names are in several files of a package
def natural(name: str) -> _Natural:
    """Return the key that sorts `a2` before `a10`, as ruff sorts modules and names."""
    if name.replace("_", "").isalpha():  # most names; twice as fast
        return (name,)
    parts = _NUMBER.split(name)
    numbered = [int(part) if part.isdecimal() else part for part in parts]
    return tuple(numbered) if parts[1:] else (name,)


def import_from(module: str, members: Sequence[str], indent: int = 0) -> Code:
    """Return `from module import members` as black lays it out."""
    margin = " " * indent
    one = f"{margin}from {module} import {', '.join(members)}"
    if len(one) <= WIDTH:
        return Code(one)
    inner = "".join(f"{margin}    {member},\n" for member in members)
    return Code(f"{margin}from {module} import (\n{inner}{margin})")


def exported(tool: Tool) -> list[PyName]:
    """Return the public names of a tool's module, sorted."""
    own = [tool.function, PyName(f"{tool.function}_async")]
    return sorted([*(type_.name for type_ in tool.types), *own], key=export_order)


def is_alias(type_: Object | Alias) -> bool:
    """Return whether a type is a name for another rather than a class."""
    return isinstance(type_, Alias)


def seems_a_test(tool: Tool) -> bool:
    """Return whether pytest would run a tool's function as a test."""
    return tool.function.startswith("test_")


FILTERS: dict[str, Any] = {
    "exported": exported,
    "is_alias": is_alias,
    "assign_alias": assign_alias,
    "base": base,
    "binding": binding,
    "declare": declare,
    "invoke": invoke,
    "residual": residual,
    "seems_a_test": seems_a_test,
    "signature": signature,
    "tool_imports": tool_imports,
    "module_types": module_types,
}
