"""The text of a policy file: its first lines, and the entries of new tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.policy_risk import MODES, risk_of
from mcp_bindgen.python.literals import WireStr, clean
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["entry_text", "file_text", "toml_key", "toml_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LINE = 100
_FOUR_DIGITS = 0xFFFF
_HINTS = {
    "readOnlyHint": ("read-only", "not read-only"),
    "destructiveHint": ("destructive", "not destructive"),
    "idempotentHint": ("idempotent", "not idempotent"),
    "openWorldHint": ("open world", "closed world"),
}

_BEGIN = """\
# The policy of {title}: which tools may run, when, and who must approve.
# Edit it: everything in it stays when `mcp-bindgen policy` adds tools.
# What is not listed is denied. docs/policy.md explains each key.
format = "mcp-bindgen-policy/1"
modes = ["NORMAL", "DEGRADED", "ALERT"]
# Tools that nobody has reviewed may run. Take this out once all tools are reviewed.
unreviewed = "allow"

[server]
{server}
[default]
tools = "deny"
resources = "deny"
prompts = "deny"
completion = "deny"
sampling = "deny"
elicitation = "deny"
roots = "deny"
methods = "deny"
"""


def file_text(title: str, server: Mapping[str, str | Sequence[str]]) -> str:
    """Return the text of a new policy file, without any tool.

    Args:
        title: The server's name for people.
        server: The keys of `[server]`: texts, and lists of texts.
    """
    lines = [f"{key} = {_value(value)}\n" for key, value in server.items() if value]
    return _BEGIN.format(title=_line(title) or "a server", server="".join(lines))


def entry_text(tool: Mapping[str, Any]) -> str:
    """Return the entry of a tool without a review.

    Args:
        tool: The tool as its server lists it.
    """
    risk = risk_of(tool)
    hints = members(tool.get("annotations"))
    title = _line(tool.get("title") or hints.get("title") or "")
    first = _line(str(tool.get("description") or "").strip().partition("\n")[0])
    claims = [
        words[0] if hints[key] is True else words[1]
        for key, words in _HINTS.items()
        if isinstance(hints.get(key), bool)
    ]
    comments = [
        *([title] if title else []),
        *([first] if first and first != title else []),
        *([f"The server claims: {', '.join(claims)}."] if claims else []),
        f"Suggested risk: {risk.level}, since {risk.reason}.",
    ]
    modes = ", ".join(f'"{mode}"' for mode in MODES[risk.level])
    return "".join(
        (
            f"\n[tools.{toml_key(str(tool.get('name')))}]\n",
            *(f"# {comment}\n" for comment in comments),
            f'risk = "{risk.level}"\n',
            f"modes = [{modes}]\n",
            'approval = "never"\n',
            'reviewed = ""\n',
        )
    )


def _line(text: object) -> str:
    """Return text of a server as one line for a comment."""
    plain = " ".join(clean(WireStr(str(text))).split())
    return plain if len(plain) <= _LINE else f"{plain[:_LINE].rstrip()}..."


def toml_key(key: str) -> str:
    """Return a key as TOML writes it."""
    return key if _BARE.fullmatch(key) else toml_text(key)


def toml_text(text: str) -> str:
    """Return a text as a basic string of TOML, in ASCII."""
    return f'"{"".join(map(_character, text))}"'


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if " " <= character <= "~":
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code <= _FOUR_DIGITS else f"\\U{code:08X}"


def _value(value: str | Sequence[str]) -> str:
    if isinstance(value, str):
        return toml_text(value)
    return f"[{', '.join(map(toml_text, value))}]"
