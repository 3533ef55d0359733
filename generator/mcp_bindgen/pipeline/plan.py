"""Plans each tool of a recording: its names, and the input of its files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.python.literals import PyName
from mcp_bindgen.python.names import allocate, pascal
from mcp_bindgen.python.reserved import TOOLS
from mcp_bindgen.render.export_names import export_names
from mcp_bindgen.render.target_folders import reserved
from mcp_bindgen.runtime.client.drift import is_chosen
from mcp_bindgen.schema.document import packed, unpacked
from mcp_bindgen.schema.infer import answer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcp_bindgen.recording.document import Recording

__all__ = [
    "PackedPlan",
    "ToolPlan",
    "chosen",
    "derived",
    "pack",
    "plan",
    "plan_last",
    "unmatched_globs",
    "unpack",
]


# Names of the packages that have resources or prompts, besides those in `TOOLS`.
_OF_FULL_CLIENTS = frozenset("""
    anthropic_messages follow gemini_contents langchain_blobs langchain_documents
    langchain_messages openai_messages prompts_as_tools read_template
    resources_as_tools
    """.split())


# The members of a tool that `outline` reads: few bytes, beside those of its schemas.
_OUTLINED = ("name", "title", "description", "annotations")


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """The input of the files of one tool, and the tool's location.

    Attributes:
        raw: The tool as the server listed it.
        function: The name of its function.
        exported: Its name for models, as `openai.json` has it.
        samples: Its recorded answers, as JSON values.
        pointer: JSON pointer to it in the file that was read.
    """

    raw: dict[str, Any]
    function: PyName
    exported: str
    samples: list[object]
    pointer: str


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """A plan whose tool is bytes: all tools as JSON would take three times the memory.

    Attributes:
        packed: The tool; equal tools have equal bytes.
        rest: The plan with those members of the tool alone that `outline` reads.
    """

    packed: bytes
    rest: ToolPlan

    def opened(self) -> ToolPlan:
        """Return the plan with its tool."""
        plan = self.rest
        shaped_by = plan.function, plan.exported, plan.samples, plan.pointer
        return ToolPlan(unpacked(self.packed), *shaped_by)


def pack(plans: Iterable[ToolPlan]) -> bytes:
    """Return plans as bytes.

    Any small object that is made while the tools are there as JSON lies among them, and
    would keep the system from the memory of thousands of them.
    """
    return packed(
        [
            (
                packed(p.raw),
                {key: p.raw[key] for key in _OUTLINED if key in p.raw},
                *(str(p.function), p.exported, p.samples, p.pointer),
            )
            for p in plans
        ]
    )


def unpack(data: bytes) -> list[PackedPlan]:
    """Return the plans that `pack` made bytes of."""
    return [
        PackedPlan(raw, ToolPlan(head, PyName(function), exported, samples, pointer))
        for raw, head, function, exported, samples, pointer in unpacked(data)
    ]


def plan(recording: Recording, settings: Settings = DEFAULTS) -> list[ToolPlan]:
    """Return the plans of the tools that the settings choose, sorted by wire name.

    Args:
        recording: The lists of the server.
        settings: The settings; `include` and `exclude` choose the tools.
    """
    listed = [
        (str(tool["name"]), tool, pointer)
        for tool, pointer in zip(recording.tools, recording.pointers, strict=True)
        if _is_chosen(tool, settings)
    ]
    wires = [wire for wire, _, _ in listed]
    taken = TOOLS | reserved()
    if recording.resources or recording.resource_templates or recording.prompts:
        taken |= _OF_FULL_CLIENTS
    functions, exported = _names(tuple(wires), taken)
    answers = _answers(recording)
    return [
        ToolPlan(tool, functions[wire], exported[wire], answers.get(wire, []), pointer)
        for wire, tool, pointer in listed
    ]


def plan_last(recording: Recording, settings: Settings) -> list[ToolPlan]:
    """Return plans as `plan`, for the last reader of a recording.

    The remembered names are strings that lie among all others of the recording, and
    would keep the system from its memory.
    """
    try:
        return plan(recording, settings)
    finally:
        _names.cache_clear()


# A command that compares a recording and then generates from it names its tools once.
@lru_cache(maxsize=1)
def _names(
    wires: tuple[str, ...], taken: frozenset[str]
) -> tuple[Mapping[str, PyName], Mapping[str, str]]:
    """Return wire name to the name of the function, and to that for models."""
    functions = allocate(wires, kind="tool", reserved=taken, derived=derived)
    return functions, export_names(wires)


def chosen(recording: Recording, settings: Settings) -> Recording:
    """Return a recording with only the tools that the settings choose."""
    tools = tuple(tool for tool in recording.tools if _is_chosen(tool, settings))
    return replace(recording, tools=tools)


def _is_chosen(tool: Mapping[str, Any], settings: Settings) -> bool:
    return is_chosen(str(tool["name"]), settings.include, settings.exclude)


def unmatched_globs(recording: Recording, settings: Settings) -> tuple[str, ...]:
    """Return the globs of the settings that match no tool of a recording.

    Args:
        recording: The lists of the server.
        settings: The settings; `include` and `exclude` are the globs.
    """
    names = [str(tool["name"]) for tool in recording.tools]
    globs = (*settings.include, *settings.exclude)
    return tuple(g for g in globs if not any(fnmatchcase(name, g) for name in names))


def _answers(recording: Recording) -> dict[str, list[object]]:
    """Return tool name to its recorded answers, those that are one JSON value."""
    values: dict[str, list[object]] = defaultdict(list)
    for call in recording.calls:
        is_value, value = answer_of(cast("dict[str, Any]", call["result"]))
        if is_value:
            values[str(call["name"])].append(value)
    return values


def derived(function: str) -> tuple[str, ...]:
    """Return all names that a package makes from the name of a function."""
    stem = pascal(function)
    return (
        function,
        f"{function}_async",
        f"{function}_tool",
        f"{stem}Arguments",
        f"{stem}Result",
        function.upper().rstrip("_"),
    )
