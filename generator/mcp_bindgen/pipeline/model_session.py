"""The types of `call_tool` of a session of another library, beside its models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.pipeline.formatting import by_black
from mcp_bindgen.pipeline.model_source import natural
from mcp_bindgen.python.allowlist import COMMENT
from mcp_bindgen.python.literals import lit
from mcp_bindgen.python.names import pascal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.schema.ir import Tool

__all__ = ["session_file"]

_SESSION = f"""\
{COMMENT}
\"\"\"The types of `call_tool` of a session of another library, as the SDK's.\"\"\"

from __future__ import annotations

from typing import Literal, Protocol, TypeVar{{more}}

{{imports}}
ResultT_co = TypeVar("ResultT_co", covariant=True)

class TypedSession(Protocol[ResultT_co]):
    \"\"\"A session: cast yours to `TypedSession[CallToolResult]`.\"\"\"

{{methods}}"""


def session_file(tools: Sequence[Tool], settings: Settings) -> dict[str, str]:
    """Return the module that gives `call_tool` of a session the types of the tools.

    TypedDicts alone have it: a session takes a dict, which is no object of a class. So
    it is for tools alone, too: a package without them has nothing to call.

    Args:
        tools: The tools that have models.
        settings: The kind of models, and the style of the file.
    """
    if settings.models.kind != "typeddict" or not tools:
        return {}
    modelled = [(lit(tool.wire), tool.function) for tool in tools]
    functions = sorted((f for _, f in modelled), key=natural)
    imports = "".join(f"from .{f} import {pascal(f)}Arguments\n" for f in functions)
    more, head = (", overload", "    @overload\n") if len(modelled) > 1 else ("", "")
    methods = "\n".join(
        f"{head}    async def call_tool(self, name: Literal[{wire}],"
        f" arguments: {pascal(function)}Arguments) -> ResultT_co: ...\n"
        for wire, function in modelled
    )
    text = _SESSION.format(more=more, imports=imports, methods=methods)
    return {"models/session.py": by_black(text, settings.style)}
