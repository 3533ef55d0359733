"""Calls of tools from a command line, and their results as texts and files."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.recording.live import explain, kind_of_failure
from mcp_bindgen.runtime.client.policy.full_policy import FullPolicy
from mcp_bindgen.runtime.client.policy.policy import schemas_of
from mcp_bindgen.runtime.client.policy.terminal import approve_on_terminal
from mcp_bindgen.runtime.content import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from mcp_bindgen.runtime.errors import ConfigError, McpError
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.validation.schema import SchemaChecker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.recording.live import LiveClient
    from mcp_bindgen.recording.source import LiveServer
    from mcp_bindgen.runtime.results import ToolResult

__all__ = ["Answer", "Attempt", "Failure", "call", "failure", "load_policy", "tools"]

_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "text/plain": ".txt",
    "application/json": ".json",
    "application/pdf": ".pdf",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call.

    Attributes:
        text: The texts, or the structured content as JSON.
        raw: The whole result, unchanged.
        is_error: Whether the tool reports a failure.
        files: Name to bytes of the images, sounds and resources.
        faults: Where a result does not fit the output schema of its tool.
    """

    text: str
    raw: Mapping[str, Any]
    is_error: bool
    files: Mapping[str, bytes]
    faults: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why there is no result.

    Attributes:
        kind: "offline", "auth", "http", "protocol", "timeout" or "denied".
        problem: The reason in words, with a hint.
    """

    kind: str
    problem: Problem


def tools(client: LiveClient) -> list[dict[str, Any]]:
    """Return the raw tools that a server lists now.

    Raises:
        McpError: The server fails.
    """
    return [dict(tool.raw) for tool in client.list_tools()]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call to make.

    Attributes:
        server: The server.
        tool: The tool.
        seconds: The time for the call.
        era: "legacy" or "modern"; "" to take the era that the server prefers.
        prepare: Returns the arguments, and the output schema of the tool or None; it
            may ask the client for the list of tools.
        show: Gets one line for each message, None for no one.
        progress: Gets one line for each progress of the tool.
        policy: The policy of the call, None without a policy.
    """

    server: LiveServer
    tool: str
    seconds: float
    era: str
    prepare: Callable[[LiveClient], tuple[dict[str, Any], object]]
    show: Callable[[str], None] | None
    progress: Callable[[str], None]
    policy: FullPolicy | None = None


def load_policy(
    file: Path, mode: str | None, tools: Sequence[Mapping[str, Any]] | None
) -> FullPolicy:
    """Return the policy of a file; the person at the terminal may approve.

    Args:
        file: The file, TOML.
        mode: The mode, None for the first of the file.
        tools: The recorded tools, against which its entries are checked; None where
            there is no recording.

    Raises:
        BindgenError: The file cannot be read, or has mistakes.
    """

    class Policy(FullPolicy):
        @classmethod
        def _schemas(cls) -> dict[str, dict[str, Any]] | None:
            return None if tools is None else schemas_of(tools)

    try:
        return Policy.load(file, mode=mode, approve=approve_on_terminal)
    except ConfigError as error:
        raise BindgenError(Problem("", error.message, error.hint or "")) from error


def call(attempt: Attempt) -> Answer | Failure:
    """Call a tool once, and return its result or the reason why there is none."""

    def on_progress(done: float, total: float | None, message: str | None) -> None:
        parts = f"{done:g}" + (f" of {total:g}" if total else "")
        attempt.progress(" ".join(filter(None, [parts, message])))

    try:
        client = attempt.server.client(attempt.seconds, attempt.era, attempt.show)
        try:
            arguments, schema = attempt.prepare(client)
            calling = client.with_options(on_progress=on_progress)
            if attempt.policy:
                calling = calling.with_options(policy=attempt.policy)
            try:
                return _answer(calling.call_tool(attempt.tool, arguments), schema)
            except KeyboardInterrupt as error:
                error.add_note(f"interrupted; {attempt.tool} may have run")
                raise
        finally:
            client.close()
    except McpError as error:
        return failure(error, attempt.seconds, "the call")


def failure(error: McpError, seconds: float, task: str) -> Failure:
    """Return the kind and the words of an error; see `explain`."""
    return Failure(kind_of_failure(error), explain(error, seconds, task))


def _answer(result: ToolResult, schema: object) -> Answer:
    text, faults = result.text, []
    if result.has_structured:
        text = json.dumps(result.structured, indent=2, ensure_ascii=False)
    if schema is not None and not result.is_error:
        faults = [*_faults(result, members(schema))]
    files = dict(_files(result))
    return Answer(text, result.raw, result.is_error, files, faults)


def _faults(result: ToolResult, schema: dict[str, Any]) -> Iterator[str]:
    if not result.has_structured:
        yield "expected structured content, got none"
        return
    with suppress(ValueError):  # a schema that is none fits all
        checker = SchemaChecker(schema)
        yield from map(str, checker.faults(result.structured))


def _files(result: ToolResult) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each block that is no text.

    The names are ours: no text of the server names a file.
    """
    for number, block in enumerate(result.content, 1):
        if isinstance(block, TextContent):
            continue
        data = json.dumps(block.raw).encode()
        ending = ".json"
        if isinstance(block, ImageContent | AudioContent | EmbeddedResource):
            ending = _ENDINGS.get(block.mime_type or "", ".bin")
            data = _decoded(block)
        yield f"{number}{ending}", data


def _decoded(block: ImageContent | AudioContent | EmbeddedResource) -> bytes:
    if isinstance(block, EmbeddedResource) and block.text is not None:
        return block.text.encode("utf-8", "surrogatepass")
    try:
        return block.decode()
    except (McpError, ValueError):  # A text that is not base64 is saved unchanged.
        return block.data.encode("utf-8", "surrogatepass")
