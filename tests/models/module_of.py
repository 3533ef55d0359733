"""Makes the module with the models of one tool, without a package around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.pipeline.plan import ToolPlan
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.pipeline.tool_files import make_tool
from mcp_bindgen.python.literals import PyName
from mcp_bindgen.python.style import OURS, Style

if TYPE_CHECKING:
    from mcp_bindgen.python.model_kinds import ModelSettings

__all__ = ["module_of"]


def module_of(tool: dict[str, Any], models: ModelSettings, style: Style = OURS) -> str:
    """Return the module with the models of a tool, "" where it has none."""
    plan = ToolPlan(tool, PyName("find"), "find", [], "")
    settings = Settings(("models",), style=style, models=models)
    return make_tool(plan, settings, Deadline(600)).files.get("models/find.py", "")
