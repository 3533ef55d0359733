"""Runs the cases of a policy file: calls with their expected decisions."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.contract.policy_status import decision
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.client.policy.entry import FAMILIES
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.runtime.client.policy.entry import Document

__all__ = ["run_cases"]

_KEYS = {"tool", "arguments", "mode", "expect", "rule", "note"}
_EFFECTS = ("allow", "approve", "deny")


def run_cases(
    raw: Mapping[str, Any], document: Document, recording: Recording | None
) -> tuple[int, list[str]]:
    """Return the number of cases, and a line for each that has another decision.

    Args:
        raw: The file as TOML reads it.
        document: The same file, read and checked.
        recording: The tools that there are; None where only the file names them.

    Raises:
        BindgenError: A case is malformed, or names an unknown tool or mode.
    """
    recorded = recording.tools if recording else ()
    tools = {*members(raw.get("tools")), *(str(tool["name"]) for tool in recorded)}
    methods = {*FAMILIES, *document.methods} - {"tools/call"}
    listed: object = raw.get("cases", [])
    if not isinstance(listed, list):
        problem = Problem("", "cases: expected a list of tables", "write [[cases]]")
        raise BindgenError(problem)
    cases = [members(case) for case in elements(cast("object", listed))]
    problems = [
        Problem("", f"cases[{number}]: {reason}", hint)
        for number, case in enumerate(cases)
        for reason, hint in _faults(case, document.modes, tools, methods)
    ]
    if problems:
        raise BindgenError(*problems)
    failures: list[str] = []
    for number, case in enumerate(cases):
        mode = str(case.get("mode", document.modes[0]))
        arguments = members(case.get("arguments"))
        decided = decision(document, case["tool"], arguments, mode)
        rule = case.get("rule", decided.rule)
        if (decided.effect, decided.rule) != (case["expect"], rule):
            failures.append(
                f"cases[{number}] ({case['tool']}): expected {case['expect']}"
                f"{' by ' + str(rule) if 'rule' in case else ''}, got"
                f" {decided.effect} by {decided.rule}"
            )
    return len(cases), failures


def _faults(
    case: Mapping[str, Any],
    modes: Sequence[str],
    tools: Collection[str],
    methods: Collection[str],
) -> Iterator[tuple[str, str]]:
    """Yield the faults of a case, each with its key and a hint."""
    for key in case:
        if key not in _KEYS:
            yield f"no key {key[:80]!a}", _near(key, sorted(_KEYS))
    if not isinstance(tool := case.get("tool"), str):
        yield "tool: expected a text", 'write tool = "NAME"'
    elif tool not in tools and tool not in methods:
        yield f"tool: no tool {tool[:80]!a}", _near(tool, sorted(tools))
    if case.get("expect") not in _EFFECTS:
        wrong = f"expect: expected one of {', '.join(_EFFECTS)}"
        yield wrong, f'write expect = "{_EFFECTS[0]}"'
    if not isinstance(case.get("arguments", {}), dict):
        yield "arguments: expected a table", "write arguments = { NAME = VALUE }"
    if (mode := case.get("mode", modes[0])) not in modes:
        yield f"mode: no mode {str(mode)[:80]!a}", _near(str(mode), modes)


def _near(name: str, known: Sequence[str]) -> str:
    """Return the hint for a name that does not exist: a similar one, or all."""
    near = get_close_matches(name[:100], known, 1)
    listed = ", ".join(known) or "none"
    return f"did you mean {near[0]}?" if near else f"there are {listed}"[:500]
