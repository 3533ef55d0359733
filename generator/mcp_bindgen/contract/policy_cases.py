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
        raise BindgenError(Problem("", "cases: expected [[cases]]"))
    cases = [members(case) for case in elements(cast("object", listed))]
    problems = [
        Problem("", f"cases[{number}]: {reason}")
        for number, case in enumerate(cases)
        for reason in _faults(case, document.modes, tools, methods)
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
) -> Iterator[str]:
    """Yield the faults of a case, each with its key."""
    strange = (key for key in case if key not in _KEYS)
    yield from (_unknown(key, sorted(_KEYS), "key") for key in strange)
    if not isinstance(tool := case.get("tool"), str):
        yield "tool: expected a text"
    elif tool not in tools and tool not in methods:
        yield f"tool: {_unknown(tool, sorted(tools), 'tool')}"
    if case.get("expect") not in _EFFECTS:
        yield f"expect: expected one of {', '.join(_EFFECTS)}"
    if not isinstance(case.get("arguments", {}), dict):
        yield "arguments: expected a table"
    if (mode := case.get("mode", modes[0])) not in modes:
        yield f"mode: {_unknown(mode, modes, 'mode')}"


def _unknown(name: object, known: Sequence[str], noun: str) -> str:
    """Return a sentence about a name that does not exist, with a similar one."""
    near = get_close_matches(str(name)[:100], known, 1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
    return f"no {noun} {str(name)[:80]!a}; {hint[:500]}"
