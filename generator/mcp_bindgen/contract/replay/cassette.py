"""Recorded calls for tests: replayed by default, recorded on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mcp_bindgen.contract.replay.matching import key_of, mismatch, without
from mcp_bindgen.recording.document import Recording
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_bindgen.contract.replay.through import Through

__all__ = ["Cassette", "CassetteError", "Mode", "tools_now"]

Mode: TypeAlias = Literal["", "once", "new", "rewrite"]
"""Replay alone; record a new cassette, its new calls, or all of it again."""


class CassetteError(AssertionError):
    """A cassette has no answer, or one of a tool that has changed."""


class Cassette:
    """Answers the calls of one test from a file, and records those that it may.

    Args:
        recording: The recording; None before there is one.
        through: Calls the real server; None to use no network.
        command: Records a call that is missing.
        secrets: Values that the file holds as ***.

    Attributes:
        misses: Messages about calls that have no answer.
    """

    def __init__(
        self,
        recording: Recording | None,
        through: Callable[[], Through] | None,
        command: str,
        secrets: Sequence[str] = (),
    ) -> None:
        self._recording = recording or Recording({}, None, ())
        self._recorded = {
            key_of(str(call["name"]), members(call.get("arguments"))): call
            for call in self._recording.calls
        }
        self._through = through
        self._command = command
        self._secrets = secrets
        self.used: set[str] = set()
        self.misses: list[str] = []

    def answer(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the recorded result of a call, in any order of calls.

        Raises:
            CassetteError: There is none, and it may not be recorded.
        """
        __tracebackhide__ = True
        masked = members(without(arguments, self._secrets))
        key = key_of(tool, masked)
        self.used.add(key)
        if (call := self._recorded.get(key)) is not None:
            return members(call.get("result"))
        if self._through is not None:
            result = self._through().result(tool, arguments)
            self._recorded[key] = {"name": tool, "result": result}
            return result
        calls = self._recording.calls
        message = mismatch(calls, tool, masked, self._command)
        self.misses.append(message)
        raise CassetteError(message)


def tools_now(cassette: Recording, package: Recording) -> Recording:
    """Return the tools of a package whose calls are in a cassette."""
    names = {str(tool["name"]) for tool in cassette.tools}
    tools = (tool for tool in package.tools if str(tool["name"]) in names)
    return Recording({}, None, tuple(tools))
