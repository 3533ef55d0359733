"""See which calls reach a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer


def arrives(server: CountingServer, call: Callable[[], object], shop: Any) -> bool:
    """Make a call; tell whether it reached the server."""
    before = len(server.calls)
    try:
        call()
    except shop.McpError:
        assert len(server.calls) == before
        return False
    return len(server.calls) == before + 1
