"""A live server becomes a recording: raw answers, all pages, within a time."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_reader import JSON, count
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.document import Recording, arrange, load
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    ConfigError,
    DeadlineError,
    McpError,
    ProtocolError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp_bindgen.limits import Limits

__all__ = ["Call", "Options", "Recorded", "over_http", "over_stdio"]

_METHODS = {
    "tools": "tools/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "prompts": "prompts/list",
}
_CAPABILITY = {"resourceTemplates": "resources"}
_UNKNOWN_METHOD = -32601
Ask: TypeAlias = "Callable[[str, Mapping[str, object]], dict[str, Any]]"
_ANSWER = ("content", "structuredContent", "isError")


class Call(NamedTuple):
    """A tool to call while recording.

    Attributes:
        tool: Its name.
        arguments: A JSON object.
    """

    tool: str
    arguments: dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Options:
    """What a recording is seldom given.

    Attributes:
        limits: How much of everything is allowed.
        era: "legacy" or "modern" instead of what the server prefers.
        calls: Tools to call, whose answers are kept.
    """

    limits: Limits = DEFAULT
    era: str | None = None
    calls: Sequence[Call] = ()


DEFAULTS = Options()


class Recorded(NamedTuple):
    """What a server said.

    Attributes:
        text: The canonical text, with everything that the server listed.
        recording: What can be used of it.
        problems: What is wrong with the rest.
        version: The protocol version that was spoken.
    """

    text: str
    recording: Recording
    problems: tuple[Problem, ...]
    version: str


def over_http(
    url: str,
    headers: Mapping[str, str],
    seconds: float,
    options: Options = DEFAULTS,
) -> Recorded:
    """Record a server over Streamable HTTP.

    Args:
        url: The MCP endpoint.
        headers: Header fields for every request.
        seconds: The time for everything together.
        options: What is seldom given.

    Raises:
        BindgenError: The server cannot be reached, refuses, is no MCP server, or takes
            too long or says too much.
    """

    def connect() -> BaseClient:
        # Whoever types http:// means it; bindings ask for their own consent.
        return BaseClient.http(
            url, headers=headers, timeout=seconds, era=options.era, allow_http=True
        )

    return _record(connect, seconds, options)


def over_stdio(
    command: Sequence[str],
    environment: Mapping[str, str],
    seconds: float,
    options: Options = DEFAULTS,
) -> Recorded:
    """Record a server that is a program speaking on stdin and stdout.

    Args:
        command: The program and its arguments.
        environment: Its environment.
        seconds: The time for everything together.
        options: What is seldom given.

    Raises:
        BindgenError: As for `over_http`; or there is no such program, or it ends.
    """

    def connect() -> BaseClient:
        return BaseClient.stdio(
            command, env=environment, timeout=seconds, era=options.era
        )

    return _record(connect, seconds, options)


def _record(
    connect: Callable[[], BaseClient], seconds: float, options: Options
) -> Recorded:
    end = time.monotonic() + seconds
    try:
        client = connect()
        try:
            ask = _asking(client, end, options.limits)
            document, version = _ask(client, ask, options.limits)
            answers: list[JSON] = [_call(ask, call) for call in options.calls]
            document |= {"calls": answers} if answers else {}
        finally:
            with suppress(McpError):  # All is said; how it ends is no matter.
                client.close()
    except McpError as error:
        raise BindgenError(_explain(error, seconds)) from error
    text = arrange(document)
    recording, problems = load(text.encode(), options.limits)
    return Recorded(text, recording, problems, version)


def _asking(client: BaseClient, end: float, limits: Limits) -> Ask:
    """Return what sends requests while there is time, and room for the answers."""
    nodes, size = limits.nodes, limits.bytes

    def ask(method: str, params: Mapping[str, object]) -> dict[str, Any]:
        nonlocal nodes, size
        left = max(end - time.monotonic(), 0.001)
        result = client.with_options(timeout=left).request(method, params)
        nodes, size = _less(nodes, size, result)
        return result

    return ask


def _less(nodes: int, size: int, value: JSON) -> tuple[int, int]:
    """Return how many JSON values and bytes are left after one that was received."""
    nodes -= count(value)
    size -= len(json.dumps(value)) if nodes >= 0 else 0
    if nodes < 0 or size < 0:
        raise _fault("the server gives more than a recording may hold")
    return nodes, size


def _ask(client: BaseClient, ask: Ask, limits: Limits) -> tuple[dict[str, JSON], str]:
    lists = {kind: _offered(client, ask, kind, limits) for kind in _METHODS}
    document: dict[str, JSON] = {"server": dict(client.server_info), **lists}
    if client.instructions is not None:
        document["instructions"] = client.instructions
    _less(limits.nodes, limits.bytes, document)
    return document, client.protocol_version or ""


def _call(ask: Ask, call: Call) -> JSON:
    """Return a call with its answer, without what differs between protocol eras."""
    kept: dict[str, JSON] = {"name": call.tool, "arguments": call.arguments}
    result = ask("tools/call", kept)
    kept["result"] = {key: result[key] for key in _ANSWER if key in result}
    return kept


def _offered(client: BaseClient, ask: Ask, kind: str, limits: Limits) -> list[JSON]:
    """Return a list, empty where the server has none.

    Some servers have tools and do not declare them, or declare resources and know no
    templates.
    """
    if kind != "tools" and _CAPABILITY.get(kind, kind) not in _declared(client):
        return []
    try:
        return _pages(ask, kind, limits)
    except ProtocolError as error:
        if error.code == _UNKNOWN_METHOD and kind not in _declared(client):
            return []
        raise


def _declared(client: BaseClient) -> Mapping[str, Any]:
    told: object = client.capabilities
    return client.capabilities if isinstance(told, dict) else {}


def _pages(ask: Ask, kind: str, limits: Limits) -> list[JSON]:
    """Return all entries of a list; an empty cursor is a cursor like any other."""
    method = _METHODS[kind]
    entries: list[JSON] = []
    params, seen = dict[str, object](), set[object]()
    for _ in range(limits.pages):
        result = ask(method, params)
        page, cursor = result.get(kind), result.get("nextCursor")
        if not isinstance(page, list):
            raise _fault(f'the answer to {method} has no list "{kind}"')
        entries += page
        if len(entries) > limits.tools:
            raise _fault(f"{method} gives more than a recording may hold")
        if cursor is None:
            return entries
        if not isinstance(cursor, str) or cursor in seen:
            raise _fault(f"{method} repeats a page, or its cursor is no string")
        seen.add(cursor)
        params = {"cursor": cursor}
    raise _fault(f"{method} has more than {limits.pages:,} pages")


def _explain(error: McpError, seconds: float) -> Problem:
    """Return one line on what happened, and what to do about it."""
    where = f" ({error.server})" if error.server else ""
    # Of the last words of a program that died, the last line says most.
    first, *rest = error.message.splitlines() or [""]
    said = " ".join([first, *(line.strip() for line in rest[-1:])])
    if isinstance(error, DeadlineError):
        message = f"the server was not done within {seconds:g} seconds"
        return Problem("", message + where, "give it longer: --timeout SECONDS")
    if isinstance(error, AuthError):
        hint = "pass --header 'Authorization: Bearer ${TOKEN}' with a valid token"
        return Problem("", said + where, hint)
    hint = "is this an MCP server?"
    if isinstance(error, ConfigError):
        hint = "see mcp-bindgen record --help"
    return Problem("", said + where, error.hint or hint)


def _fault(message: str) -> BindgenError:
    return BindgenError(Problem("", message, "this is a fault of the server"))
