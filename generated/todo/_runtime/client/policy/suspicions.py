# Copied by mcp-bindgen. Do not edit.
"""The patterns of texts that attack models, and of texts that hide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .hidden import HIDDEN, first_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UNSEEN", "suspicions"]

_SHORTEST = 12  # characters of the shortest text that can be an attack
_ORDER = r"\b(?:do not|don't|never|must not|should not)\s+(?:{verbs})\s+{rest}"
_USER = r"(?:the |your |any )?(?:user|human|person|operator|customer)s?\b"
_TO_USER = rf"{_USER}\s*(?:about|of (?:this|it)|that you|what you|why|[.,;!]|$)"
_KEYS = "|".join(
    (
        *(
            r"\.ssh/",
            r"id_(?:rsa|ed25519)\b(?!\.pub)",
            r"\.aws/credentials",
            r"\.netrc",
        ),
        *(
            r"\.pgpass",
            "/etc/(?:passwd|shadow)",
            r"\.kube/config",
            r"\.git-credentials",
        ),
        *(
            r"\.cursor/mcp\.json",
            r"claude_desktop_config",
            r"wallet\.dat",
            "seed phrase",
        ),
        *(r"private keys?\b", r"\.env file"),
    )
)
_TAKE = "read|send|pass|include|attach|paste|copy|upload|provide|give|append|cat"
_CHAT = "conversation history|chat history|system prompt|previous messages"

# The texts are a stranger's: no pattern may backtrack without a bound.
_PATTERNS: dict[str, tuple[str, ...]] = {
    "commands": (
        (
            r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,25}\b(?:previous|prior|"
            r"above|earlier|preceding|existing|system)\b[^.\n]{0,25}"
            r"\b(?:instruction|prompt|message|rule|guideline|direction|context)"
        ),
        r"\b(?:ignore|disregard|forget) (?:all|everything|anything) (?:you|above)",
        r"\byou are (?:now|no longer) (?:an?|in|the|bound)\b",
        r"\b(?:new|real|actual|updated) (?:system )?(?:instructions|prompt)\s*:",
        r"<\s*+/?\s*+(?:important|system|inst)\s*+>|\[/?INST\]|<\|[a-z_]{1,40}\|>",
        r"(?m:^[ \t]{0,8}(?:#{1,4} ?)?(?:system|assistant) ?: ?\S)",
    ),
    "secrecy": (
        _ORDER.format(
            verbs="mention|reveal|disclose|show",
            rest=r"(?:this|these|it|that you|any of)\b",
        ),
        _ORDER.format(verbs="tell|inform|notify|alert|warn", rest=_TO_USER),
        rf"\bwithout\s+(?:telling|informing|notifying|alerting|warning)\s+{_USER}",
        rf"\b(?:hide|conceal|keep)\b[^.\n]{{0,30}}\bfrom {_USER}",
    ),
    "secrets": (
        rf"\b(?:{_TAKE})\b[^.\n]{{0,60}}(?:{_KEYS})",
        rf"(?:{_KEYS})[^.\n]{{0,40}}\bas (?:the |an? |`)?(?:value|argument|\w+`|param)",
        rf"\b(?:pass|include|send|put|attach)\b[^.\n]{{0,40}}\b(?:{_CHAT})",
    ),
    "other-tools": (
        (
            r"\b(?:before|after|instead of|whenever)\s++(?:you\s++)?(?:us(?:e|ing)|"
            r"call(?:ing)?|invok(?:e|ing)|run(?:ning)?)?\s*+"
            r"(?:any|all|every|each) other tools?\b"
        ),
        r"\btools? (?:of|from|on) (?:an)?other (?:mcp )?servers?\b",
        r"\b(?:other|another) (?:mcp )?servers?'?s? (?:tools?|instructions)\b",
        r"\b(?:do not|don't|never) (?:use|call) (?:any )?other tools?\b",
    ),
    "out-of-sight": (
        r"<!--(?!\s{0,9}-->)",
        r"(?<![ \t\u00a0\u3000])[ \t\u00a0\u3000]{100,}+\S",
        r"(?<!\s)(?:\n[ \t]*+){25,}+\S",
    ),
    "encoded": (
        r"(?<![\w+/=-])(?P<run>[A-Za-z0-9+_-]{30}[A-Za-z0-9+/_-]{66,}+)={0,2}",
        r"(?:\\x[0-9a-fA-F]{2}){12,}|(?:%[0-9a-fA-F]{2}){12,}",
        r"(?:&#x?[0-9a-fA-F]{1,6};){8,}",
    ),
}
_COMPILED = {
    rule: re.compile(
        "|".join(f"(?:{pattern})" for pattern in patterns),
        re.NOFLAG if rule == "encoded" else re.IGNORECASE,
    )
    for rule, patterns in _PATTERNS.items()
}
# One search for each is linear; three look-aheads would search again at each place.
_KINDS = tuple(map(re.compile, ("[0-9]", "[a-z]", "[A-Z]")))
# A text without any of these words matches no pattern of the rule: a quick test.
_WORDS = {
    "commands": (
        *("ignore", "disregard", "forget", "override", "you are ", "instructions"),
        *("prompt", "important", "system", "inst", "<|", "assistant"),
    ),
    "secrecy": (
        *("mention", "reveal", "disclos", "show", "tell", "inform", "notify", "alert"),
        *("warn", "hide", "conceal", "keep"),
    ),
    "secrets": (
        *(".ssh", "id_rsa", "id_ed25519", "credentials", ".netrc", ".pgpass", "/etc/"),
        *("config", "mcp.json", "wallet", "seed phrase", "private key", ".env file"),
        *("history", "system prompt", "previous messages"),
    ),
    "other-tools": ("other",),
    "out-of-sight": ("<!--", " " * 100, "\t", "\u00a0", "\u3000", "\n"),
    "encoded": ("",),
}

# Hidden characters with a use: line ends, tabs, joiners in emoji and in some scripts.
_PICTURE = "\u2190-\u2bff\U0001f000-\U0001faff"
_WORD = "\u0600-\u06ff\u0900-\u0dff"
_HARMLESS = re.compile(
    rf"[\t\n]|\r\n?|(?<=[{_PICTURE}#*0-9])\ufe0f"
    rf"|(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}])"
    rf"|(?<=[{_WORD}])[\u200c\u200d](?=[{_WORD}])"
)
# Line ends and tabs stay, since some patterns need them.
UNSEEN = re.compile(rf"(?![\t\r\n]){HIDDEN.pattern}")


def suspicions(text: str) -> Iterator[tuple[str, str, re.Match[str]]]:
    """Yield for each suspicion the rule, the searched text, and the match in it.

    Args:
        text: A text of the server, of any length; the search takes linear time.
    """
    visible = text
    if first_hidden(text):
        without_harmless = _HARMLESS.sub(" ", text)
        if match := HIDDEN.search(without_harmless):
            yield "hidden", without_harmless, match
            # A model reads through hidden characters, so the patterns do, too.
            visible = UNSEEN.sub("", text)
    if len(visible) < _SHORTEST:
        return
    folded = visible.casefold()
    for rule, pattern in _COMPILED.items():
        if not any(word in folded for word in _WORDS[rule]):
            continue
        if rule == "encoded" and text.startswith("data:image/"):
            continue
        if match := next(filter(_is_random, pattern.finditer(visible)), None):
            yield rule, visible, match


def _is_random(match: re.Match[str]) -> bool:
    """Return whether a match is encoded text, and not a ruler or a long word."""
    run = match.groupdict().get("run")
    return run is None or all(kind.search(run) for kind in _KINDS)
