"""The rules of the comparison: one table for grades, messages, `--explain` and docs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.client.verify.rules import rules as rules_of_verify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.contract.model import Grade

__all__ = ["Rule", "explain", "is_breaking", "page", "rules"]

_TABLE = Path(__file__).with_name("rules.toml")
_MEANING = {
    "breaking": "breaks",
    "compatible": "goes on",
    "text": "goes on; only words changed",
    "none": "is not concerned",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of change.

    Attributes:
        name: Its name in every format.
        wire: Its effect on a deployed package.
        wire_strict: The same by the letter of JSON Schema.
        source: Its effect on typed callers, unless the generated code says less.
        message: The sentence of a finding, with `{old}` and `{new}`.
        why: The reason of the grades.
        fix: The advice.
    """

    name: str
    wire: Grade
    wire_strict: Grade
    source: Grade
    message: str
    why: str
    fix: str


@cache
def rules() -> Mapping[str, Rule]:
    """Return every rule by its name.

    The rules that `client.verify()` has, too, have their grade and sentence there.
    """
    table: dict[str, Any] = tomllib.loads(_TABLE.read_text("utf-8"))
    shared = {name: rule._asdict() for name, rule in rules_of_verify().items()}
    every = {name: shared.get(name, {}) | own for name, own in table["rules"].items()}
    return {
        name: Rule(
            name,
            each["wire"],
            each.get("wire_strict", each["wire"]),
            each["source"],
            each["message"],
            each["why"],
            table["fixes"][each["fix"]],
        )
        for name, each in every.items()
    }


def is_breaking(rule: str) -> bool:
    """Return whether a rule breaks deployed packages."""
    return rules()[rule].wire == "breaking"


def explain(rule: Rule) -> str:
    """Return the meaning of a rule, its reason and the advice, as text for people."""
    sentence = rule.message.replace("{old}", "...").replace("{new}", "...")
    return (
        f"{rule.name}: {sentence}\n\n"
        f"wire: {rule.wire} - a deployed package {_MEANING[rule.wire]}\n"
        f"source: {rule.source} - a typed caller {_MEANING[rule.source]}\n\n"
        f"why: {rule.why}\n"
        f"fix: {rule.fix}"
    )


def page() -> str:
    """Return the page of all rules, as Markdown."""
    note = "`scripts/drift --docs` writes this page from `contract/rules.toml`."
    parts = [f"# Rules of `mcp-bindgen diff`\n\n{note}\n"]
    for rule in rules().values():
        sentence = rule.message.replace("{old}", "...").replace("{new}", "...")
        strict = ""
        if rule.wire_strict != rule.wire:
            strict = f" (by the letter of JSON Schema: {rule.wire_strict})"
        parts.append(
            f"## {rule.name}\n\n{sentence[0].upper()}{sentence[1:]}.\n\n"
            f"- Wire: {rule.wire}{strict}\n- Source: {rule.source}\n"
            f"- Why: {rule.why}\n- Fix: {rule.fix}\n"
        )
    return "\n".join(parts)
