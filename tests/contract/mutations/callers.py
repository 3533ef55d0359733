"""Writes a program that uses all of a generated tool, with every type spelled out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_bindgen.contract.python_types import atoms, classes_of, show_type
from mcp_bindgen.limits import DEFAULT, Budget
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.contract.python_types import Classes, PyType
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.schema.ir import Field


JSON = "float | str | Sequence[Any] | Mapping[str, Any] | BaseModel | None"


def caller(plan: ToolPlan, package: str) -> str:
    """Return a module that calls a tool in each way and reads all of its result.

    Args:
        plan: The tool, as the program's author knows it.
        package: The package that the module imports.
    """
    tool = build(plan, Budget(DEFAULT))
    classes = classes_of(tool)
    result = show_type(atoms(tool.return_type, classes))
    types = [result, *(_type(field, classes) for field in tool.arguments.fields)]
    inputs, outputs = (
        _reached(texts, classes) for texts in (types[1:], [result, str(tool.result)])
    )
    names = [str(tool.function), *sorted({*inputs, *outputs})]
    lines = [
        "from collections.abc import Mapping, Sequence",
        f"from typing import Any, Literal\nfrom {package} import MISSING, Client",
        *(["from " + package + " import ToolResult"] if "raw" in tool.returns else []),
        *(f"from {package}.tools.{tool.function} import {name}" for name in names),
        "from pydantic import BaseModel",
        *_calls(str(tool.function), tool.arguments, result, classes, "client"),
    ]
    for name in sorted(inputs):
        lines += _calls(name, inputs[name], name, classes, "")
    for name in sorted(outputs):
        lines += _reads(name, outputs[name], classes)
    return "\n".join(lines) + "\n"


def _type(field: Field, classes: Classes) -> str:
    return show_type(atoms(field.type, classes))


def _reached(types: list[str], classes: Classes) -> dict[str, Object]:
    """Return the classes that types name, and those that their fields name."""
    reached: dict[str, Object] = {}
    while types:
        for name in re.findall(r"\w+", types.pop()):
            class_ = classes.get(name)
            if isinstance(class_, Object) and name not in reached:
                reached[name] = class_
                types += [_type(field, classes) for field in class_.fields]
    return reached


def _calls(
    name: str, made: Object, result: str, classes: Classes, first: str
) -> Iterator[str]:
    """Yield calls with all arguments, and with those that are required.

    Lists and dicts are written where they are passed, as people do.
    """
    for number, fields in enumerate(
        (made.fields, [field for field in made.fields if field.required])
    ):
        typed = [f"{first}: Client"] * bool(first)
        passed = [first] * bool(first)
        for field in fields:
            type_, wrap, _ = _inner(atoms(field.type, classes))
            typed.append(f"{field.name}: {show_type(type_)}")
            passed.append(f"{field.name}={wrap.format(field.name)}")
        yield f"def call_{name}_{number}({', '.join(typed)}) -> {result}:"
        yield f"    return {name}({', '.join(passed)})"


def _reads(name: str, read: Object, classes: Classes) -> Iterator[str]:
    """Yield a function that reads each field; of lists and dicts, an element."""
    yield f"def read_{name}(value: {name}) -> None:"
    for field in read.fields:
        type_, _, at = _inner(atoms(field.type, classes))
        if field.required:
            declared = show_type(type_)
            # Any value of JSON; to a variable of type Any, MISSING could go as well.
            declared = JSON if declared == "Any" else declared
            yield f"    {field.name}_: {declared} = value.{field.name}{at}"
        else:
            # Readers do not change what they read, so elements may become narrower.
            whole = _type(field, classes).replace("list[", "Sequence[")
            whole = whole.replace("dict[", "Mapping[")
            yield f"    {field.name}_: {whole} | MISSING = value.{field.name}"
    yield "    print(value)"
    yield from _returns(name, read, classes)


def _returns(name: str, read: Object, classes: Classes) -> Iterator[str]:
    """Yield functions that return what a field holds, and what is inside of it."""
    for field in read.fields:
        lines = [f"    held_0 = value.{field.name}"]
        lines += ["    assert held_0 is not MISSING"] * (not field.required)
        head = f"get_{name}_{field.name}{{}}(value: {name})"
        yield from _levels(head, atoms(field.type, classes), lines)


def _levels(
    head: str, type_: PyType, lines: list[str], depth: int = 0
) -> Iterator[str]:
    """Yield a function for each level of lists and dicts; none may return Any."""
    declared = show_type(type_).replace("list[", "Sequence[")
    declared = declared.replace("dict[", "Mapping[")
    held, inside = f"held_{depth}", f"held_{depth + 1}"
    if declared != "Any":
        yield f"def {head.format('')} -> {declared}:"
        yield from [*lines, f"    return {held}"]
    for kind, element in (("list", "copy()[0]"), ("dict", 'copy()["k"]')):
        inner = [atom.inner for atom in type_ if atom.kind == kind]
        if len(inner) == 1:
            check = [f"    assert isinstance({held}, {kind})"] * (len(type_) > 1)
            deeper = [*lines, *check, f"    {inside} = {held}.{element}"]
            deeper_head = head.replace("{}", f"_{kind}{{}}")
            yield from _levels(deeper_head, inner[0], deeper, depth + 1)


def _inner(type_: PyType) -> tuple[PyType, str, str]:
    """Return the type inside of lists and dicts, how to wrap it and to reach it."""
    wrap, at = "{0}", ""
    while len(type_) == 1 and (atom := next(iter(type_))).kind in {"list", "dict"}:
        is_list = atom.kind == "list"
        wrap = wrap.replace("{0}", "[{0}]" if is_list else '{{"k": {0}}}')
        at += ".copy()[0]" if is_list else '["k"]'
        type_ = atom.inner
    return type_, wrap, at
