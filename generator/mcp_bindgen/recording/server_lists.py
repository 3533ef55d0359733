"""Reads the lists of a live server, page by page, within limits."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_scan import count
from mcp_bindgen.runtime.errors import ProtocolError
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.runtime.client.client import BaseClient

__all__ = ["METHODS", "Request", "feature_lists", "limited", "list_entries", "spend"]

METHODS = {
    "tools": "tools/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "prompts": "prompts/list",
}
_CAPABILITY = {"resourceTemplates": "resources"}
_METHOD_NOT_FOUND = -32601  # JSON-RPC 2.0, section 5.1

Request: TypeAlias = "Callable[[str, Mapping[str, object]], dict[str, Any]]"
"""Sends a method with its params, and returns the result."""


def limited(client: BaseClient, end: float, limits: Limits) -> Request:
    """Return a function that sends requests until a time, and limits the answers."""
    nodes, size = limits.nodes, limits.bytes

    def request(method: str, params: Mapping[str, object]) -> dict[str, Any]:
        nonlocal nodes, size
        left = max(end - time.monotonic(), 0.001)
        result = client.with_options(timeout=left).request(method, params)
        nodes, size = spend(nodes, size, result)
        return result

    return request


def spend(nodes: int, size: int, answer: JSON) -> tuple[int, int]:
    """Return the JSON values and bytes that are left after an answer."""
    nodes -= count(answer)
    size -= len(json.dumps(answer)) if nodes >= 0 else 0
    if nodes < 0 or size < 0:
        hint = "if you trust the server, raise --limit nodes=NUMBER and bytes=NUMBER"
        wrong = "expected answers within the limits of a recording, got larger ones"
        raise BindgenError(Problem("", wrong, hint))
    return nodes, size


def feature_lists(
    client: BaseClient, end: float, limits: Limits
) -> dict[str, list[JSON]]:
    """Return a server's resources, resource templates and prompts, by their keys.

    Args:
        client: The client, which is connected.
        end: The time when it must be done, on the monotonic clock.
        limits: The limits on the lists.

    Raises:
        BindgenError: A list is malformed, or exceeds a limit.
    """
    request = limited(client, end, limits)
    kinds = [kind for kind in METHODS if kind != "tools"]
    return {kind: list_entries(client, request, kind, limits) for kind in kinds}


def list_entries(
    client: BaseClient, request: Request, kind: str, limits: Limits
) -> list[JSON]:
    """Return a list of the server, [] where it has none.

    Some servers have tools and do not declare them; some declare resources and do not
    know the method for templates.
    """
    # The list of tools comes first: a client knows the capabilities after a request.
    if kind != "tools" and _CAPABILITY.get(kind, kind) not in _declared(client):
        return []
    try:
        return _pages(request, kind, limits)
    except ProtocolError as error:
        if error.code == _METHOD_NOT_FOUND and kind not in _declared(client):
            return []
        raise


def _declared(client: BaseClient) -> Mapping[str, object]:
    return members(client.capabilities)


def _pages(request: Request, kind: str, limits: Limits) -> list[JSON]:
    """Return all entries of a list; "" is a cursor like any other."""
    method, most = METHODS[kind], "expected at most"
    entries: list[JSON] = []
    params, cursors = dict[str, object](), set[object]()
    for _ in range(limits.pages):
        result = request(method, params)
        page, cursor = result.get(kind), result.get("nextCursor")
        if not isinstance(page, list):
            raise _fault(f'expected an array "{kind}" in the answer to {method}')
        entries += page
        if len(entries) > limits.tools:
            raise _fault(f"{method}: {most} {limits.tools:,} entries", "tools")
        if cursor is None:
            return entries
        if not isinstance(cursor, str) or cursor in cursors:
            raise _fault(f"{method}: expected a new string as nextCursor")
        cursors.add(cursor)
        params = {"cursor": cursor}
    raise _fault(f"{method}: {most} {limits.pages:,} pages", "pages")


def _fault(message: str, limit: str = "") -> BindgenError:
    mistake = "this is a mistake of the server; report it to its authors"
    trusted = f"if you trust the server, raise the limit: --limit {limit}=NUMBER"
    return BindgenError(Problem("", message, trusted if limit else mistake))
