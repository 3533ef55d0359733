"""A recording to an order for each tool: what to make, and under which names."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.python.names import allocate, pascal
from mcp_bindgen.python.reserved import TOOLS
from mcp_bindgen.recording import document as recordings
from mcp_bindgen.render.exports import export_names
from mcp_bindgen.render.target_folders import reserved
from mcp_bindgen.runtime.client.drift import is_chosen
from mcp_bindgen.schema.infer import answer_of
from mcp_bindgen.schema.ir import Catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.schema.ir import Tool

__all__ = ["Order", "catalogue", "plan"]


@dataclass(frozen=True, slots=True)
class Order:
    """All that one tool's part of a package depends on, and where the tool stands.

    Attributes:
        raw: The tool as the server listed it.
        function: Its name in Python.
        exported: Its name for models.
        samples: Values that it answered when it was recorded.
        pointer: JSON pointer to it in the file that was read.
    """

    raw: dict[str, Any]
    function: PyName
    exported: str
    samples: list[object]
    pointer: str


def plan(
    recording: Recording,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> list[Order]:
    """Return the orders for the tools that are wanted, sorted by wire name.

    Args:
        recording: What the server said.
        include: Globs of wire names to keep, all if empty.
        exclude: Globs of wire names to leave out.
    """
    chosen = [
        (str(tool["name"]), tool, pointer)
        for tool, pointer in zip(recording.tools, recording.pointers, strict=True)
        if is_chosen(str(tool["name"]), include, exclude)
    ]
    wires = [wire for wire, _, _ in chosen]
    taken = TOOLS | reserved()
    functions = allocate(wires, kind="tool", reserved=taken, derived=_derived)
    exported = export_names(wires)
    answers = _answers(recording)
    return [
        Order(tool, functions[wire], exported[wire], answers.get(wire, []), pointer)
        for wire, tool, pointer in chosen
    ]


def catalogue(
    recording: Recording, orders: Sequence[Order], tools: Sequence[Tool], package: str
) -> Catalog:
    """Return the catalogue of a package.

    Args:
        recording: What the server said.
        orders: What was wanted of it.
        tools: What could be made, in the same order.
        package: The import name of the package.
    """
    server = str(recording.server.get("name") or "server")
    wanted = replace(recording, tools=tuple(order.raw for order in orders))
    return Catalog(
        package=PyName(package),
        server=WireStr(server),
        server_title=WireStr(str(recording.server.get("title") or server)),
        version=WireStr(str(recording.server.get("version") or "")),
        digest=recordings.digest(recording),
        tools=tuple(tools),
        recording=WireStr(recordings.dump(wanted)),
    )


def _answers(recording: Recording) -> dict[str, list[object]]:
    """Return tool to the values of its recorded answers that are one JSON value."""
    values: dict[str, list[object]] = defaultdict(list)
    for call in recording.calls:
        is_value, value = answer_of(cast("dict[str, Any]", call["result"]))
        if is_value:
            values[str(call["name"])].append(value)
    return values


def _derived(function: str) -> tuple[str, ...]:
    stem = pascal(function)
    return (
        function,
        f"{function}_async",
        f"{function}_tool",
        f"{stem}Arguments",
        f"{stem}Result",
        function.upper().rstrip("_"),
    )
