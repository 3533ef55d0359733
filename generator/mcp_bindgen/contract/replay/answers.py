"""The answer of each call, as a server of a recording gives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.replay.choice import CHOICE
from mcp_bindgen.contract.replay.generated import empty_value, value_of
from mcp_bindgen.contract.replay.matching import key_of, mismatch, record_command
from mcp_bindgen.errors import Problem
from mcp_bindgen.json_writer import canonical_text
from mcp_bindgen.runtime.errors import Fault
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.validation.schema import SchemaChecker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.recording.document import Recording

__all__ = ["Answers", "Options", "RefusedError", "fits", "result_in"]

"""The member of `_meta` by which a caller chooses an answer."""

_FAULTS = 20
_RESULT = {"content", "structuredContent", "isError"}


class RefusedError(Exception):
    """The call gets an error of JSON-RPC, and no result.

    Attributes:
        code: The error's code.
    """

    def __init__(self, message: str, code: int = -32602) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Options:
    """How a server of a recording answers.

    Attributes:
        file: The recording, for messages.
        seed: Another number gives other generated answers.
        strict: Whether calls that are not recorded are refused.
        fixed: The result of all calls of a tool, by its name.
        failing: The part of a tool's calls that fails, from 0 to 1, by its name.
        latency: Seconds before each answer.
    """

    file: str = "recording.json"
    seed: int = 0
    strict: bool = False
    fixed: Mapping[str, dict[str, Any]] = field(default_factory=dict[str, Any])
    failing: Mapping[str, float] = field(default_factory=dict[str, float])
    latency: float = 0.0


class Answers:
    """Answers calls from a recording; the same calls get the same answers.

    Example: `Answers(recording).result("search", {"query": "x"})`.
    """

    def __init__(self, recording: Recording, options: Options | None = None) -> None:
        self.recording = recording
        self.options = options or Options()
        self.tools = {str(tool["name"]): tool for tool in recording.tools}
        self._recorded = {
            key_of(str(call["name"]), members(call.get("arguments"))): call
            for call in recording.calls
        }
        self._checkers: dict[str, SchemaChecker | None] = {}
        # For each tool its own: calls of others do not change which of its calls fail.
        self._luck = {
            tool: Random(f"{self.options.seed} {tool}")  # noqa: S311, no secret
            for tool in self.options.failing
        }
        self.used: set[str] = set()

    def problems(self) -> Iterator[Problem]:
        """Yield a problem for each tool whose calls get no generated answer."""
        pointers = dict(zip(self.tools, self.recording.pointers, strict=False))
        for name, tool in self.tools.items():
            schema = _output_schema(tool)
            if schema is not None and value_of(schema, self.options.seed) is ABSENT:
                text = f"{name}: no value is known that fits its output schema"
                hint = f"choose its answer with --answer '{name}=FILE'"
                where = f"{pointers[name]}/outputSchema" if name in pointers else ""
                yield Problem(where, text, hint)

    def result(
        self, tool: str, arguments: dict[str, Any], choice: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the result of a call, a `CallToolResult` as JSON.

        Args:
            tool: The tool's name.
            arguments: The arguments.
            choice: The caller's choice: `{"answer": "error"}`, "empty" or "generated".

        Raises:
            RefusedError: There is no such tool.
        """
        if tool not in self.tools:
            raise RefusedError(f"Unknown tool: {tool}")
        rate = self.options.failing.get(tool)
        if rate is not None and self._luck[tool].random() < rate:
            return _failure(f"{tool}: this call fails, as --fail says")
        match choice.get("answer"):
            case "error":
                return self._error(tool)
            case "empty":
                schema = _output_schema(self.tools[tool])
                return result_of(ABSENT if schema is None else empty_value(schema), "")
            case "generated":
                return self._checked(tool, arguments) or self._generated(tool)
            case _:
                return self._usual(tool, arguments)

    def _usual(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if tool in self.options.fixed:
            return self._checked(tool, arguments) or self.options.fixed[tool]
        key = key_of(tool, arguments)
        if (call := self._recorded.get(key)) is not None:
            self.used.add(key)
            return members(call.get("result"))
        if (refusal := self._checked(tool, arguments)) is not None:
            return refusal
        if self.options.strict:
            command = record_command(self.options.file, tool, arguments)
            calls = self.recording.calls
            return _failure(mismatch(calls, tool, arguments, command))
        return self._generated(tool)

    def stale(self) -> list[dict[str, Any]]:
        """Return the recorded calls that were not made."""
        unused = self._recorded.keys() - self.used
        return [dict(self._recorded[key]) for key in sorted(unused)]

    def _checked(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Return the refusal of arguments that do not fit; None where they do."""
        if tool not in self._checkers:
            self._checkers[tool] = _checker(self.tools[tool].get("inputSchema"))
        checker = self._checkers[tool]
        faults = [] if checker is None else [*checker.faults(arguments)][:_FAULTS]
        if not faults:
            return None
        listed = [_line(fault) for fault in faults]
        failure = _failure("\n".join([f"{tool}: the arguments do not fit", *listed]))
        keys = ("path", "rule", "message", "actual")
        facts = [{key: getattr(fault, key) for key in keys} for fault in faults]
        return {**failure, "_meta": {CHOICE: {"faults": facts}}}

    def _generated(self, tool: str) -> dict[str, Any]:
        schema = _output_schema(self.tools[tool])
        if schema is None:
            return result_of(ABSENT, f"a generated answer of {tool}")
        value = value_of(schema, self.options.seed)
        if value is ABSENT:
            return _failure(f"{tool}: no value is known that fits its output schema")
        return result_of(value, "")

    def _error(self, tool: str) -> dict[str, Any]:
        """Return the recorded failure of a tool, else a made one."""
        for call in self.recording.calls:
            result = members(call.get("result"))
            if call["name"] == tool and result.get("isError") is True:
                return result
        return _failure(f"{tool}: this call fails, as its caller chose")


def fits(tool: Mapping[str, Any], result: Mapping[str, Any]) -> list[Fault]:
    """Return the faults of a result against the output schema of its tool."""
    checker = _checker(tool.get("outputSchema"))
    if checker is None or result.get("isError") is True:
        return []
    if "structuredContent" not in result:
        return [Fault("", "required", "expected structured content, got none")]
    return [*checker.faults(result["structuredContent"])][:_FAULTS]


def result_in(value: Any) -> dict[str, Any]:
    """Return the result that a file holds: a whole one, or its structured value."""
    whole = members(value)
    return whole if whole.keys() & _RESULT else result_of(value, "")


def result_of(value: Any, text: str) -> dict[str, Any]:
    """Return the result that holds a value, `ABSENT` for a text alone."""
    if value is ABSENT:
        content = [{"type": "text", "text": text}] if text else []
        return {"content": content, "isError": False}
    content = [{"type": "text", "text": canonical_text(value)}]
    return {"content": content, "structuredContent": value, "isError": False}


def _output_schema(tool: Mapping[str, Any]) -> dict[str, Any] | None:
    schema = tool.get("outputSchema")
    return None if schema is None else members(schema)


def _failure(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _checker(schema: object) -> SchemaChecker | None:
    try:
        return None if schema is None else SchemaChecker(schema)
    except ValueError:  # an unreadable schema refuses nothing
        return None


def _line(fault: Fault) -> str:
    where = fault.path or "the arguments"
    got = f", got {fault.actual}" if fault.actual else ""
    return f"{where}: {fault.rule}: {fault.message}{got}"
