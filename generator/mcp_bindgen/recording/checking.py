"""Checks servers, all at once: whether they work, and differ from their recordings."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.calling import Failure, failure
from mcp_bindgen.recording.server_lists import feature_lists
from mcp_bindgen.recording.text_differences import differences
from mcp_bindgen.runtime.errors import McpError, ProtocolError
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.recording.live import LiveClient
    from mcp_bindgen.recording.source import LiveServer
    from mcp_bindgen.runtime.client.drift import Difference

__all__ = ["Check", "Working", "check_all"]

_AT_ONCE = 16
_METHOD_NOT_FOUND = -32601  # JSON-RPC 2.0, section 5.1
_FIRST_MODERN = "2026"
# Members of an entry that no program depends on.
_WORDS = ("/title", "/description", "/annotations", "/icons", "/size")
_KEYS = {"resourceTemplates": "resource_templates"}
# The other lists: the member that identifies an entry, and an entry in messages.
_NAMED = {
    "resources": ("uri", "resource"),
    "resourceTemplates": ("uriTemplate", "template"),
    "prompts": ("name", "prompt"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One server to ask.

    Attributes:
        server: The server.
        seconds: The time for all requests together.
        era: "legacy" or "modern"; "" to take the era that the server prefers.
        recorded: Its recording, None without one.
        show: Gets one line for each message, None for no one.
    """

    server: LiveServer
    seconds: float
    era: str
    recorded: Recording | None
    show: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class Working:
    """The facts of a server that works.

    Attributes:
        server: Its name and version.
        protocol: The version of the protocol.
        tools: How many tools it lists.
        milliseconds: The time of one request without work.
        drift: "none", "words" (only texts for people and models differ), "additions"
            (all recorded tools are unchanged) or "changes"; None without a
            recording.
        differences: Each difference, as a line.
        feature_counts: The numbers of resources, templates and prompts, if any.
    """

    server: Mapping[str, Any]
    protocol: str
    tools: int
    milliseconds: float
    drift: str | None
    differences: Sequence[str]
    feature_counts: Mapping[str, int]


def check_all(checks: Sequence[Check]) -> list[Working | Failure]:
    """Return the facts or the failure of each server, in their order.

    Args:
        checks: The servers; one that fails stops no other.
    """
    if not checks:
        return []
    with ThreadPoolExecutor(min(len(checks), _AT_ONCE)) as pool:
        return list(pool.map(_check, checks))


def _check(check: Check) -> Working | Failure:
    end = time.monotonic() + check.seconds
    try:
        client = check.server.client(check.seconds, check.era, check.show)
        try:
            return _working(client, check, end)
        finally:
            client.close()
    except BindgenError as error:  # A list of the server is malformed.
        return Failure("protocol", error.problems[0])
    except McpError as error:
        return failure(error, check.seconds, "the test")


def _working(client: LiveClient, check: Check, end: float) -> Working:
    client.connect()
    start = time.monotonic()
    _ping(client.with_options(timeout=max(end - start, 0.001)))
    took = time.monotonic() - start
    rest = client.with_options(timeout=max(end - time.monotonic(), 0.001))
    live = [dict(tool.raw) for tool in rest.list_tools()]
    others = feature_lists(client, end, DEFAULT)
    drift, lines = None, []
    if check.recorded is not None:
        changes = [*_differences(check.recorded, live, others)]
        lines = [str(difference) for difference in changes]
        drift = _grade([(d.pointer, d.kind) for d in changes])
    numbers = {_KEYS.get(kind, kind): len(others[kind]) for kind in others}
    numbers = {key: number for key, number in numbers.items() if number}
    info, version = client.server_info, client.protocol_version or ""
    took = round(took * 1000, 1)
    return Working(info, version, len(live), took, drift, lines, numbers)


def _differences(
    recorded: Recording, tools: list[dict[str, Any]], others: Mapping[str, list[Any]]
) -> Iterator[Difference]:
    """Yield the differences of the tools, then those of the other lists."""
    yield from differences([dict(tool) for tool in recorded.tools], tools)
    for kind, (key, noun) in _NAMED.items():
        before = [members(entry) for entry in elements(recorded.features[kind])]
        after = [members(entry) for entry in others[kind]]
        for difference in differences(before, after, key):
            yield replace(difference, tool=f"{noun} {difference.tool}")


def _ping(client: LiveClient) -> None:
    """Send a request without work; "unknown method" is an answer, too."""
    modern = (client.protocol_version or "") >= _FIRST_MODERN
    try:
        client.request("server/discover" if modern else "ping")
    except ProtocolError as error:
        if error.code != _METHOD_NOT_FOUND:
            raise


def _grade(changes: Sequence[tuple[str, str]]) -> str:
    others = [c for c in changes if not c[0].startswith(_WORDS)]
    if not changes:
        return "none"
    if not others:
        return "words"
    return "additions" if all(c == ("", "added") for c in others) else "changes"
