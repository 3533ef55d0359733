"""Finds the path to the objects of each class in a tool's arguments or result."""

from __future__ import annotations

import json
import re
from collections import deque
from typing import TYPE_CHECKING

from mcp_bindgen.python.expressions import Expr, Name, Union
from mcp_bindgen.schema.ir import Object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.python.literals import WireStr
    from mcp_bindgen.schema.ir import Alias, Tool

__all__ = ["class_paths", "reached"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,59}")
_PATH_LENGTH = 76  # characters of a path, so that it fits on one line
_MOST_READ = 60  # characters of a name
# Generic types, and the step from a value to its elements.
_STEPS = {"list": "[]", "tuple": "[]", "dict": ".*"}


def class_paths(tool: Tool) -> dict[str, tuple[str, str]]:
    """Return for each class of a tool the path to its objects, nearest first.

    Example:
        `{"Owner": ("hits[].owners[]", "result")}`. The path of the whole is "".

    Args:
        tool: The tool with its types.

    Returns:
        Name of the class to a path, and "arguments" or "result".
    """
    roots = [(str(tool.arguments.name), "arguments")]
    if tool.result is not None:
        roots.append((str(tool.result), "result"))
    paths: dict[str, tuple[str, str]] = {}
    for root, role in roots:
        for name, steps in reached(tool, root).items():
            paths.setdefault(name, (_joined(steps), role))
    # A class that no type uses any more: residual validation took its place.
    names = (str(type_.name) for type_ in tool.types)
    return dict.fromkeys(names, ("", "arguments")) | paths


def reached(tool: Tool, root: str) -> dict[str, tuple[str, ...]]:
    """Return the types that a type holds, itself too, with the steps to each.

    Args:
        tool: The tool with its types.
        root: Name of the type.
    """
    types = {str(type_.name): type_ for type_ in tool.types}
    steps_to: dict[str, tuple[str, ...]] = {root: ()} if root in types else {}
    pending = deque(steps_to)
    while pending:
        name = pending.popleft()
        for inner, more in _held(types[name]):
            if inner in types and inner not in steps_to:
                steps_to[inner] = (*steps_to[name], *more)
                pending.append(inner)
    return steps_to


def _held(type_: Object | Alias) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names in a type's definition, each with the steps to it."""
    if isinstance(type_, Object):
        for field in type_.fields:
            yield from _names(field.type, (_step(field.wire),))
        return
    yield from _names(type_.type, ())


def _names(expr: Expr, steps: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(expr, Name):
        yield expr.code, steps
    elif isinstance(expr, Union):
        for member in expr.members:
            yield from _names(member, steps)
    elif expr.head == "Annotated":
        yield from _names(expr.items[0].expr, steps)
    elif expr.head in _STEPS:
        for item in expr.items:
            yield from _names(item.expr, (*steps, _STEPS[expr.head]))


def _step(wire: WireStr) -> str:
    """Return the step to a member: its name, as JSON where that is no plain word."""
    if _PLAIN.fullmatch(wire.text):
        return f".{wire.text}"
    cut = "..." if len(wire.text) > _MOST_READ else ""
    quoted = json.dumps(f"{wire.text[:_MOST_READ]}{cut}").replace("`", "\\u0060")
    return f"[{quoted}]" if len(quoted) + 2 <= _PATH_LENGTH else "[...]"


def _joined(steps: tuple[str, ...]) -> str:
    """Return a path; of a long one, its end."""
    number = 0
    while sum(map(len, steps[number:])) > _PATH_LENGTH:
        number += 1
    path = "".join(steps[number:])
    path = path.removeprefix(".")
    return f"...{path}" if number else path
