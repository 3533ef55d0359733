"""The text of a policy file: its first lines, and the entries of new tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.policy_risk import MODES, risk_of
from mcp_bindgen.python.literals import WireStr, clean
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["entry_text", "feature_text", "file_text", "toml_key", "toml_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LINE = 100
_FOUR_DIGITS = 0xFFFF
_HINTS = {
    "readOnlyHint": ("read-only", "not read-only"),
    "destructiveHint": ("destructive", "not destructive"),
    "idempotentHint": ("idempotent", "not idempotent"),
    "openWorldHint": ("open world", "closed world"),
}
_LOW = {
    "resources": "reading changes nothing",
    "prompts": "a prompt returns text only",
}
_DENIED = "The policy denied it before it had this entry; remove deny to allow it."

_BEGIN = """\
# The policy of {title}: which tools may run, when, and who must approve.
# Edit it: everything in it stays when `mcp-bindgen policy` adds entries.
# What is not listed is denied. docs/policy.md explains each key.
format = "mcp-bindgen-policy/1"
modes = ["NORMAL", "DEGRADED", "ALERT"]
# Entries count before they are reviewed. Remove this line once all are reviewed.
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


def file_text(
    about: Mapping[str, Any], server: Mapping[str, str | Sequence[str]]
) -> str:
    """Return the text of a new policy file, without any tool.

    Args:
        about: The server's description of itself.
        server: The keys of `[server]`: texts, and lists of texts.
    """
    title = _line(about.get("title") or about.get("name") or "") or "a server"
    lines = [f"{key} = {_value(value)}\n" for key, value in server.items() if value]
    return _BEGIN.format(title=title, server="".join(lines))


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
    comments = (
        title,
        first if first != title else "",
        f"The server claims: {', '.join(claims)}." if claims else "",
        f"Suggested risk: {risk.level}, since {risk.reason}.",
    )
    return _entry("tools", str(tool.get("name")), comments, risk.level)


def feature_text(kind: str, name: str, entry: Mapping[str, Any], *, deny: bool) -> str:
    """Return the entry of a resource, a template or a prompt without a review.

    Args:
        kind: "resources" or "prompts".
        name: Its URI, its template or its wire name.
        entry: It as the server lists it.
        deny: Whether the entry denies, until a person takes that out.
    """
    first = entry["all"][0] if "all" in entry else entry
    title = _line(first.get("title") or first.get("name") or "")
    about = _line(str(first.get("description") or "").strip().partition("\n")[0])
    media = _line(first.get("mimeType") or "")
    comments = (
        title if title != name else "",
        about if about != title else "",
        f"The server claims: {media}." if media else "",
        "It is for each URI of the template." if "uriTemplate" in first else "",
        f"Suggested risk: low, since {_LOW[kind]}.",
        _DENIED if deny else "",
    )
    return _entry(kind, name, comments, "low", "deny = true\n" if deny else "")


def _entry(
    kind: str, name: str, comments: Iterable[str], risk: str, denial: str = ""
) -> str:
    """Return the text of an entry; an empty comment is left out."""
    modes = ", ".join(f'"{mode}"' for mode in MODES[risk])
    return "".join(
        (
            f"\n[{kind}.{toml_key(name)}]\n",
            *(f"# {comment}\n" for comment in comments if comment),
            denial,
            f'risk = "{risk}"\n',
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
