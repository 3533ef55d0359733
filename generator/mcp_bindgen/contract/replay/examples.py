"""Makes arguments of each tool that its input schema accepts, for examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.replay.generated import arguments_of
from mcp_bindgen.recording.document import load
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits

__all__ = ["example_arguments"]


def example_arguments(data: bytes, limits: Limits) -> dict[str, dict[str, Any]]:
    """Return arguments that the schema of a tool accepts, by its wire name.

    A tool without known arguments is left out.

    Args:
        data: The recording.
        limits: The limits on it.

    Raises:
        BindgenError: It is no recording, or over a limit.
    """
    recording, _ = load(data, limits)
    pairs = (
        (str(tool["name"]), arguments_of(mapped(tool["inputSchema"])))
        for tool in recording.tools
    )
    return {name: arguments for name, arguments in pairs if arguments is not ABSENT}
