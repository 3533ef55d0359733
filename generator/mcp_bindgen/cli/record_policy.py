"""The policy of the settings, for the calls that `record --call` makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.cli.jobs import shortest
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.recording.source import Source

__all__ = ["refuse_denied"]


def refuse_denied(
    source: Source, calls: Sequence[tuple[str, Mapping[str, Any]]]
) -> None:
    """Refuse calls that the policy of a server in the settings does not allow.

    Args:
        source: The server to record, whose URL or command the settings may have, too.
        calls: Wire name of each tool, and its arguments.

    Raises:
        BindgenError: Some are denied or need an approval, or the policy is wrong.
    """
    if not calls:
        return
    from mcp_bindgen.cli.call_target import policy_of
    from mcp_bindgen.cli.policy_source import read_text, recorded_for
    from mcp_bindgen.contract.policy_status import decision, document_of, is_enforced

    if (file := policy_of(source)) is None:
        return
    file = shortest(file)
    if (text := read_text(file)) is None:
        hint = "correct policy in [tool.mcp-bindgen.servers.NAME]"
        raise BindgenError(Problem("", f"there is no policy {file}", hint))
    document = document_of(text.encode(), str(file), recorded_for(file, text))
    hint = "change the policy, or use mcp-bindgen call, which asks for an approval"
    problems: list[Problem] = []
    for tool, arguments in calls:
        decided = decision(document, tool, arguments, document.modes[0])
        if decided.effect != "allow" and is_enforced(document, tool, arguments):
            reason = decided.reason or f"it {decided.effect}s the call"
            message = f"--call {tool[:80]}: {file} does not allow it: {reason}"
            problems.append(Problem("", message, hint))
    if problems:
        raise BindgenError(*problems)
