"""Runs the cases of a policy file: calls with their expected decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.policy_status import decision
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.runtime.client.policy.entry import Document

__all__ = ["run_cases"]

_KEYS = {"tool", "arguments", "mode", "expect", "rule", "note"}
_EFFECTS = ("allow", "approve", "deny")


def run_cases(raw: Mapping[str, Any], document: Document) -> tuple[int, list[str]]:
    """Return the number of cases, and a line for each that has another decision.

    Args:
        raw: The file as TOML reads it.
        document: The same file, read and checked.

    Raises:
        BindgenError: A case is malformed.
    """
    cases = [members(case) for case in elements(raw.get("cases"))]
    problems = [p for number, case in enumerate(cases) for p in _faults(number, case)]
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


def _faults(number: int, case: Mapping[str, Any]) -> list[Problem]:
    location = f"cases[{number}]"
    checks = (
        (isinstance(case.get("tool"), str), "tool: expected a text"),
        (case.get("expect") in _EFFECTS, f"expect: expected one of {_EFFECTS}"),
        (isinstance(case.get("arguments", {}), dict), "arguments: expected a table"),
        (not case.keys() - _KEYS, f"unknown key; known: {', '.join(sorted(_KEYS))}"),
    )
    return [Problem("", f"{location}: {reason}") for fine, reason in checks if not fine]
