"""The tools of a recording with their names and types, without files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.limits import Budget, StepsError
from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.pipeline.settings import DEFAULTS, Settings
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.schema.node import SchemaError

if TYPE_CHECKING:
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.schema.ir import Tool

__all__ = ["described"]


def described(recording: Recording, settings: Settings = DEFAULTS) -> list[Tool]:
    """Return the tools that `generate` would put into a package, sorted by wire name.

    Args:
        recording: What the server listed.
        settings: The settings of the package.
    """
    deadline = Deadline(settings.limits.seconds)
    tools: list[Tool] = []
    for each in plan(recording, settings):
        try:
            tools.append(build(each, Budget(settings.limits, deadline)))
        except (SchemaError, StepsError, RecursionError):
            continue  # `generate` says why it leaves the tool out.
    return tools
