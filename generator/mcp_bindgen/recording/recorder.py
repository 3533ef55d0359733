"""Records a live server: raw answers, all pages, within a time."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.document import Recording, arrange, load
from mcp_bindgen.recording.live import LiveClient, explain
from mcp_bindgen.recording.server_lists import METHODS, limited, list_entries, spend
from mcp_bindgen.runtime.errors import McpError, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.server_lists import Request
    from mcp_bindgen.runtime.client.client import BaseClient
    from mcp_bindgen.runtime.transport.oauth.auth import OAuth

__all__ = ["Call", "Options", "Program", "Recorded", "over_http", "over_stdio"]

_RESULT_KEYS = ("content", "structuredContent", "isError")


class Call(NamedTuple):
    """A call of a tool, whose answer becomes a part of the recording.

    Attributes:
        tool: The tool's name at the server.
        arguments: The arguments, a JSON object.
    """

    tool: str
    arguments: dict[str, JSON]


class Program(NamedTuple):
    """A server that is a program.

    Attributes:
        command: The program and its arguments.
        env: Variables besides the few that every program gets, as `Client.stdio`
            takes them.
        cwd: The folder in which it runs, None for the current one.
    """

    command: Sequence[str]
    env: Mapping[str, str] = {}
    cwd: Path | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a recording.

    Attributes:
        limits: The limits on a recording.
        era: "legacy" or "modern"; None for the era that the server prefers.
        calls: Calls of tools to record.
        show: Gets one line for each message to and from the server; None shows none.
        declare: Capabilities to declare: "elicitation", "sampling", "roots".
        roots: Folders that the server may work in; they declare "roots".
        allow_empty: Whether a server without tools may replace a recording with tools.
        hidden: Returns a message without secrets, for `show`.
    """

    limits: Limits = DEFAULT
    era: str | None = None
    calls: Sequence[Call] = ()
    show: Callable[[str], None] | None = None
    declare: Sequence[str] = ()
    roots: Sequence[str] = ()
    allow_empty: bool = False
    hidden: Callable[[str], str] = str


DEFAULTS = Options()


class Recorded(NamedTuple):
    """The result of a recording.

    Attributes:
        text: The text of the file, with everything that the server listed.
        recording: The part of it that can be used.
        problems: The mistakes in the rest.
        version: The protocol version of the session.
        failed: Each call that failed: its tool, and the error or the result as JSON.
    """

    text: str
    recording: Recording
    problems: tuple[Problem, ...]
    version: str
    failed: tuple[tuple[str, JSON], ...] = ()

    def __repr__(self) -> str:
        """Return the server's name and the number of its tools."""
        name, tools = str(self.recording.server.get("name")), len(self.recording.tools)
        left_out = f", {len(self.problems)} problems" if self.problems else ""
        return f"Recorded({name[:80]!a}, {tools} tools{left_out})"


def over_http(
    url: str,
    headers: Mapping[str, str],
    seconds: float,
    options: Options = DEFAULTS,
    auth: OAuth | None = None,
) -> Recorded:
    """Record a server over HTTP.

    Example: `over_http("https://catalog.example/mcp", {}, 60).text`.

    Args:
        url: The MCP endpoint.
        headers: Header fields of every request.
        seconds: The time for the whole recording.
        options: The settings.
        auth: Signs each request; None shows none.

    Raises:
        BindgenError: The server cannot be reached, refuses, is not an MCP server, or
            exceeds the time or a limit.
    """
    # The user typed http://; a package asks for allow_http=True.
    client = partial(LiveClient.http, url, headers=headers, auth=auth, allow_http=True)
    return _record(client, seconds, options)


def over_stdio(
    program: Program, seconds: float, options: Options = DEFAULTS
) -> Recorded:
    """Record a server that is a program; it talks on its stdin and stdout.

    Args:
        program: The program.
        seconds: The time for the whole recording.
        options: The settings.

    Raises:
        BindgenError: As for `over_http`; or the program does not start, or ends.
    """
    command, env, cwd = program
    return _record(
        partial(LiveClient.stdio, command, env=env, cwd=cwd), seconds, options
    )


def _record(
    make_client: Callable[..., LiveClient], seconds: float, options: Options
) -> Recorded:
    try:
        roots = {"roots": options.roots} if options.roots else {}
        client = make_client(timeout=seconds, era=options.era, **roots)
        end = time.monotonic() + seconds
        if options.show:
            client.trace(options.show, options.hidden)
        client.declare(options.declare)
        try:
            request = limited(client, end, options.limits)
            document, version = _list_all(client, request, options.limits)
            declared: list[JSON] = [*sorted({*options.declare, *roots})]
            document |= {"declared": declared} if declared else {}
            calls, failed = _calls(request, options.calls)
            document |= {"calls": [*calls]} if calls else {}
        finally:
            with suppress(McpError):  # The recording is complete without a goodbye.
                client.close()
    except McpError as error:
        raise BindgenError(explain(error, seconds)) from error
    text = arrange(document)
    recording, problems = load(text.encode(), options.limits)
    return Recorded(text, recording, problems, version, failed)


def _list_all(
    client: BaseClient, request: Request, limits: Limits
) -> tuple[dict[str, JSON], str]:
    """Return the server's description with all its lists, and the version."""
    lists = {kind: list_entries(client, request, kind, limits) for kind in METHODS}
    document: dict[str, JSON] = {"server": dict(client.server_info), **lists}
    if client.instructions is not None:
        document["instructions"] = client.instructions
    spend(limits.nodes, limits.bytes, document)
    return document, client.protocol_version or ""


def _calls(
    request: Request, calls: Sequence[Call]
) -> tuple[list[dict[str, JSON]], tuple[tuple[str, JSON], ...]]:
    """Return calls with their answers, equal in both eras; and the failures."""
    answered: list[dict[str, JSON]] = []
    failed: list[tuple[str, JSON]] = []
    for call in calls:
        params: dict[str, JSON] = {"name": call.tool, "arguments": call.arguments}
        try:
            result = request("tools/call", params)
        except ProtocolError as error:
            failed.append((call.tool, {"code": error.code, "message": error.message}))
            continue
        answer: JSON = {key: result[key] for key in _RESULT_KEYS if key in result}
        answered.append({**params, "result": answer})
        if result.get("isError") is True:
            failed.append((call.tool, answer))
    return answered, tuple(failed)
