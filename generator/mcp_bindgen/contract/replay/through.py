"""Passes calls on to a real server, and records them: secrets are masked."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.replay.answers import RefusedError
from mcp_bindgen.contract.replay.matching import key_of, without
from mcp_bindgen.json_reader import parse
from mcp_bindgen.recording.document import Recording, arrange, dump, load
from mcp_bindgen.runtime.errors import McpError, ProtocolError
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_bindgen.runtime.client.client import BaseClient

__all__ = ["Through", "only_called", "with_calls"]

_INTERNAL = -32603
_RESULT_KEYS = ("content", "structuredContent", "isError")


class Through:
    """Answers calls by a real server, and adds them to a recording.

    Args:
        client: Calls the server.
        recording: The lists of the server.
        secrets: The values that the recording must not hold.
        write: Gets the text of the recording after each new call.
        whole: Whether it has all that the server lists, or the called tools alone.
    """

    def __init__(
        self,
        client: BaseClient,
        recording: Recording,
        secrets: Sequence[str],
        write: Callable[[str], object],
        *,
        whole: bool = True,
    ) -> None:
        self._client = client
        self._recording = recording
        self._secrets = secrets
        self._write = write
        self._whole = whole
        self._guard = threading.Lock()

    def result(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the server's result, and record the call.

        Raises:
            RefusedError: The server answers with an error, or does not answer.
        """
        try:
            params = {"name": tool, "arguments": arguments}
            result = self._client.request("tools/call", params)
        except ProtocolError as error:
            raise RefusedError(error.text, error.code) from error
        except McpError as error:
            raise RefusedError(str(error), _INTERNAL) from error
        answer = {key: result[key] for key in _RESULT_KEYS if key in result}
        call = {"name": tool, "arguments": arguments, "result": answer}
        with self._guard:
            self._recording = with_calls(self._recording, [call], self._secrets)
            saved = self._recording if self._whole else only_called(self._recording)
            self._write(dump(saved))
        return answer


def only_called(recording: Recording) -> Recording:
    """Return a recording with the tools of its calls alone."""
    called = {str(call["name"]) for call in recording.calls}
    tools = tuple(tool for tool in recording.tools if str(tool["name"]) in called)
    return replace(
        recording, tools=tools, resources=(), resource_templates=(), prompts=()
    )


def with_calls(
    recording: Recording, added: Sequence[dict[str, Any]], secrets: Sequence[str] = ()
) -> Recording:
    """Return a recording with more calls; a new call replaces an equal older one."""
    masked = [without(dict(call), secrets) for call in (*recording.calls, *added)]
    calls = {
        key_of(str(call["name"]), members(call.get("arguments"))): call
        for call in masked
    }
    document = members(parse(dump(recording).encode()))
    changed, _ = load(arrange({**document, "calls": [*calls.values()]}).encode())
    return changed
