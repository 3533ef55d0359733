"""The tools of a recording as texts for readers, without files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.limits import Budget, StepsError
from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.python.literals import clean
from mcp_bindgen.render.docstrings import field_text
from mcp_bindgen.render.field_types import accepted_type
from mcp_bindgen.render.one_line import call_signature, first_sentence
from mcp_bindgen.render.sample_call import sample_call
from mcp_bindgen.schema.node import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.schema.ir import Field, Tool

__all__ = ["Described", "described", "parameter_texts"]


@dataclass(frozen=True, slots=True)
class Described:
    """A tool as texts; a resource, a resource template or a prompt looks the same.

    Attributes:
        name: Its name at the server.
        function: The name of its function.
        signature: How a program calls it; `...2` means two optional parameters.
        whole: The same with all parameters.
        summary: The first sentence of the server's description.
        description: The server's whole description.
        parameters: Each with name, wire, type, required and description.
        hints: The server's claims: "read-only", "destructive", "idempotent".
        call: A call in Python with a value for each required parameter.
        schema: Its input schema; of a tool alone.
        kind: "tool", "resource", "resource template" or "prompt".
        notes: Why a resource template cannot be inverted.
        label: The server's own name of a resource or a template, whose `name` is a URI.
    """

    name: str
    function: str
    signature: str
    whole: str
    summary: str
    description: str
    parameters: Sequence[Mapping[str, Any]]
    hints: Sequence[str]
    call: str
    schema: Mapping[str, Any]
    kind: str = "tool"
    notes: Sequence[str] = ()
    label: str = ""


def described(
    recording: Recording, settings: Settings = DEFAULTS
) -> Iterator[Described]:
    """Yield the tools that `generate` would put into a package, sorted by wire name.

    A tool of which it can make no types is left out; `generate` says why.

    Args:
        recording: The lists of the server.
        settings: The settings of the package.
    """
    deadline = Deadline(settings.limits.seconds)
    for each in plan(recording, settings):
        try:
            tool = build(each, Budget(settings.limits, deadline))
        except (SchemaError, StepsError, RecursionError):
            continue
        yield _texts(tool)


def _texts(tool: Tool) -> Described:
    return Described(
        name=tool.wire.text,
        function=str(tool.function),
        signature=call_signature(tool),
        whole=call_signature(tool, everything=True),
        summary=first_sentence(tool),
        description=clean(tool.description),
        parameters=[*map(parameter_texts, tool.parameters)],
        hints=[*_hints(tool)],
        call=str(sample_call(tool)),
        schema=tool.raw["inputSchema"],
    )


def parameter_texts(field: Field) -> dict[str, Any]:
    """Return a parameter as JSON: its names, its type, and the server's description."""
    return {
        "name": str(field.name),
        "wire": field.wire.text,
        "type": str(flat(accepted_type(field))),
        "required": field.required,
        "description": field_text(field),
    }


def _hints(tool: Tool) -> Iterator[str]:
    for claim, word in (
        (tool.read_only, "read-only"),
        (tool.destructive and not tool.read_only, "destructive"),
        (tool.idempotent, "idempotent"),
    ):
        if claim:
            yield word
