"""A tool that comes from the cache is outlined without its schemas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_bindgen.pipeline.plan import ToolPlan, pack, unpack
from mcp_bindgen.pipeline.tool import outline
from mcp_bindgen.python.literals import PyName

# All members that a server may list.
TOOL: dict[str, Any] = {
    "name": "find",
    "title": "Find it",
    "description": "Find a thing.\n\nAnd more.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "annotations": {
        "title": "Another title",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
    "icons": [{"src": "https://icons.test/a.png"}],
    "execution": {"taskSupport": "optional"},
    "_meta": {"x/y": 1},
}


def test_a_packed_plan_has_all_that_the_outline_reads() -> None:
    for left_out in (None, "title", "description", "annotations"):
        raw = {key: value for key, value in TOOL.items() if key != left_out}
        plan = ToolPlan(raw, PyName("find"), "find", [], "/tools/0")
        (packed,) = unpack(pack([plan]))
        assert packed.opened() == plan
        assert replace(outline(packed.rest), raw=raw) == outline(plan)
