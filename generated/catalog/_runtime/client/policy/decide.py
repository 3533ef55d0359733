# Copied by mcp-bindgen. Do not edit.
"""Decides about one call: a pure function of the policy, the mode and the call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...errors import FAILURE
from .constraints import texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Constraint, Document, Effect, Entry, When

__all__ = ["ALLOWED", "Decision", "counts", "decide", "never"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer of a policy to one call.

    Attributes:
        effect: "allow", "approve" (a person decides) or "deny".
        rule: The rule that decided, as a key of the file: "tools.X.modes".
        reason: Why, without any value of an argument.
        allowed: The values that are allowed, or "".
    """

    effect: Effect
    rule: str
    reason: str = ""
    allowed: str = ""


_BESIDE_THE_FILE = ("supervisor", "decide")
_REVIEWED = ("tools.", "resources.", "prompts.")
ALLOWED = Decision("allow", "")


def counts(entry: Entry, decision: Decision) -> bool:
    """Return whether a decision is more than a line in the log.

    A file with `enforce = "log"` is on trial; the owner's other words are not.
    """
    return entry.enforced or decision.rule in _BESIDE_THE_FILE


def decide(
    document: Document,
    entry: Entry,
    mode: str,
    arguments: Mapping[str, Any],
    *,
    tainted: bool = False,
) -> Decision:
    """Return the decision about a call: deny before approve before allow.

    A rule that fails by itself denies.

    Args:
        document: The policy.
        entry: The entry of the tool or method.
        mode: The mode of the moment.
        arguments: The arguments as the server would read them.
        tainted: Whether texts of strangers were read in this session.
    """
    try:
        if denial := _not_now(document, entry, mode):
            return denial
        if entry.twin is not None and (name := entry.twin(arguments)):
            return _respelled(entry, name)
        held: list[When] = []
        if entry.whens:
            held = [when for when, holds in entry.whens if holds(arguments)]
            if denial := _denial_of(held, mode):
                return denial
        for constraint, check in entry.constraints:
            if fault := check(arguments):
                return _not_so(entry, constraint, fault)
        if entry.secrets and _holds_secret(entry, arguments):
            reason = "an argument holds a text like a secret"
            return Decision("deny", f"{entry.key}.secrets", reason)
        return _approval(entry, held, mode, tainted=tainted)
    except FAILURE as error:
        reason = f"the rule failed: {type(error).__name__}"
        return Decision("deny", entry.key, reason)


def _not_now(document: Document, entry: Entry, mode: str) -> Decision | None:
    """Return the denial of each call: never, in this mode, or before a review."""
    if entry.effect == "deny":
        return never(entry)
    if mode not in entry.modes:
        return _wrong_mode(f"{entry.key}.modes", mode, entry.modes)
    if document.unreviewed or entry.reviewed or not entry.key.startswith(_REVIEWED):
        return None
    allowed = 'after `mcp-bindgen policy review`, or with unreviewed = "allow"'
    subject = entry.key.partition(".")[0].removesuffix("s")
    reason = f"the {subject} is not reviewed"
    return Decision("deny", f"{entry.key}.reviewed", reason, allowed)


def _respelled(entry: Entry, name: str) -> Decision:
    """Return the denial for two spellings of one argument."""
    reason = f"an argument is spelled as {name}, but for upper and lower case"
    return Decision("deny", f"{entry.key}.arguments.{name}", reason, f"{name} alone")


def _denial_of(whens: Iterable[When], mode: str) -> Decision | None:
    """Return the first denial of the conditions that hold for a call."""
    for when in whens:
        if when.deny:
            return Decision("deny", when.rule, "such a call is denied")
        if when.modes is not None and mode not in when.modes:
            return _wrong_mode(f"{when.rule}.modes", mode, when.modes)
    return None


def _not_so(entry: Entry, constraint: Constraint, fault: str) -> Decision:
    """Return the denial for an argument that the entry does not allow."""
    rule = f"{entry.key}.arguments.{constraint.pointer}"
    reason = f"the argument {constraint.pointer}: {fault}"
    return Decision("deny", rule, reason, constraint.expected)


def never(entry: Entry) -> Decision | None:
    """Return the denial of a tool or method that never runs, None where it may."""
    if entry.effect != "deny":
        return None
    listed = not entry.key.startswith("default.")
    reason = "the entry denies it" if listed else "the policy has no entry for it"
    return Decision("deny", entry.key, entry.reason or reason)


def _approval(
    entry: Entry, held: Iterable[When], mode: str, *, tainted: bool
) -> Decision:
    """Return whether a person must approve a call that no rule denies."""
    key = entry.key
    if entry.effect == "approve" or mode in entry.approval:
        return Decision("approve", f"{key}.approval", "a person must approve it")
    for when in held:
        if mode in when.approval:
            rule = f"{when.rule}.approval"
            return Decision("approve", rule, "a person must approve such a call")
    if tainted and entry.sends_out:
        reason = "texts of strangers were read, and the tool sends something out"
        return Decision("approve", f"{key}.sends_out", reason)
    return _allowed(key)


@lru_cache(maxsize=10_000)
def _allowed(key: str) -> Decision:
    return Decision("allow", key)


def _wrong_mode(rule: str, mode: str, modes: Iterable[str]) -> Decision:
    allowed = f"in the modes {', '.join(sorted(modes))}" if modes else ""
    return Decision("deny", rule, f"it does not run in the mode {mode}", allowed)


def _holds_secret(entry: Entry, arguments: Mapping[str, Any]) -> bool:
    return any(matches(text) for text in texts(arguments) for matches in entry.secrets)
