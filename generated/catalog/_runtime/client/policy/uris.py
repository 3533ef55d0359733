# Copied by mcp-bindgen. Do not edit.
"""Compares URIs with the keys of `[resources]`: URIs, and templates of URIs."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ... import limits
from ...validation.patterns import compile_pattern
from ..uri_templates import Expression, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..uri_templates import Operator, Variable

__all__ = [
    "covers",
    "expands",
    "fault_of_uri",
    "is_template",
    "pattern_of",
    "resembles",
]

_CHARACTER = "[A-Za-z0-9._~-]|%[0-9A-Fa-f][0-9A-Fa-f]"
_VALUE = f"(?:{_CHARACTER}|,)*"  # a list has commas
_TEXT = f"(?:{_CHARACTER})*"
_RESERVED = f"(?:{_CHARACTER}|[:/?#@!$&'()*+,;=\\[\\]])*"
_SYNTAX = re.compile(r"[\^$\\.*+?()\[\]{}|]")
_STEPS = re.compile(r"[/\\?#&=;,:]")
_SLASHES = re.compile("/+")


def is_template(key: str) -> bool:
    """Return whether a key stands for all URIs that it expands to."""
    try:
        return any(isinstance(part, Expression) for part in parse(key))
    except ValueError:
        return False


@lru_cache(maxsize=limits.PATTERNS)
def covers(template: str) -> Callable[[str], bool]:
    """Return the test whether a template may expand to a URI (RFC 6570).

    Example: `covers("a://{b}{?c}")("a://1?c=2")`, but not of "a://1/2".

    Raises:
        ValueError: The template is too large for a pattern.
    """
    return compile_pattern(pattern_of(template))


def pattern_of(template: str) -> str:
    """Return the pattern of all that a template may expand to."""
    parts = (
        _escaped(part) if isinstance(part, str) else _expression(part)
        for part in parse(template)
    )
    return f"^(?:{''.join(parts)})$"


def expands(template: str, uri: str) -> bool:
    """Return whether a template of a server, which may be too large, covers a URI."""
    try:
        return covers(template)(uri)
    except ValueError:
        return False


def _escaped(text: str) -> str:
    return _SYNTAX.sub(r"\\\g<0>", text)


def _expression(expression: Expression) -> str:
    """Return the pattern of all that an expression may expand to, also nothing."""
    operator, variables = expression
    if operator.reserved:
        return f"(?:{operator.first}{_RESERVED})?"
    if operator.named:
        return _named(operator, variables)
    first = _escaped(operator.first)
    several = any(variable.explode for variable in variables)
    most = "*" if several else f"{{0,{len(variables)}}}"
    pairs = "|=" if several else ""
    if several and not first:
        pairs += "|/"  # FastMCP reads {path*} as any number of steps
    value = f"(?:{_CHARACTER}|,{pairs})*"
    # Without a first character, a comma stands between values, as in a list.
    return f"(?:{first}{value}){most}" if first else value


def _named(operator: Operator, variables: tuple[Variable, ...]) -> str:
    """Return the pattern of named values, each at most once, in their order."""
    first, between = _escaped(operator.first), _escaped(operator.between)
    patterns = [_pair(variable, operator) for variable in variables]
    if first == between:
        return "".join(f"(?:{first}{pattern})?" for pattern in patterns)
    later = [f"(?:{between}{pattern})?" for pattern in patterns]
    ways = (
        pattern + "".join(later[number + 1 :])
        for number, pattern in enumerate(patterns)
    )
    return f"(?:{first}(?:{'|'.join(ways)}))?"


def _pair(variable: Variable, operator: Operator) -> str:
    """Return the pattern of a name and its value, or of all of an exploded value."""
    if variable.explode:
        # An empty value of `;` is its name alone (RFC 6570, 3.2.7); a name may be "".
        pair = f"{_TEXT}={_TEXT}" if operator.equals else f"{_TEXT}(?:={_TEXT})?"
        return f"{pair}(?:{_escaped(operator.between)}{pair})*"
    return f"{_escaped(variable.name)}(?:={_VALUE})?"


def fault_of_uri(uri: str) -> str:
    """Return the reason why servers may read a URI as another one, "" for none.

    Example: `fault_of_uri("a://b/%2e%2e/c") == "it has a step . or .."`.
    """
    plain = _decoded(uri)
    if plain is None:
        return "it is percent-encoded several times"
    steps = _STEPS.split(unicodedata.normalize("NFKC", plain))
    checks = (
        (any(step.strip() in (".", "..") for step in steps), "it has a step . or .."),
        ("\\" in plain, "it has a backslash"),
        ("\0" in plain, "it has a NUL"),
        ("\ufffd" in plain, "it has bytes that are not UTF-8"),
    )
    return next((reason for fails, reason in checks if fails), "")


def _decoded(uri: str) -> str | None:
    """Return a URI without percent-encoding, None where it never ends."""
    for _ in range(limits.URI_DECODINGS):
        before, uri = uri, unquote(uri)
        if uri == before:
            return uri
    return None


def resembles(uri: str, key: str) -> bool:
    """Return whether a server may read a URI as one of a key, in another spelling.

    Letter case, percent-encoding, doubled slashes, and a slash, a query or a fragment
    at the end do not count; a value of a template may be any text.

    Args:
        uri: The URI.
        key: The key, a URI or a template.
    """
    parts = parse(key) if is_template(key) else (key,)
    texts = [""]
    for part in parts:
        if isinstance(part, str):
            texts[-1] += part
        else:
            texts.append("")
    whole = _folded(uri)
    literals = [_folded(text) for text in texts]
    spellings = {whole, re.split("[?#]", whole, maxsplit=1)[0]}
    spellings |= {spelling.rstrip("/") for spelling in spellings}
    if any(_has(spelling, literals) for spelling in spellings):
        return True
    single = [_SLASHES.sub("/", literal) for literal in literals]
    return any(_has(_SLASHES.sub("/", spelling), single) for spelling in spellings)


def _folded(text: str) -> str:
    decoded = _decoded(text)
    plain = text if decoded is None else decoded
    return unicodedata.normalize("NFKC", plain).casefold()


def _has(text: str, literals: list[str]) -> bool:
    """Return whether a text is these literals, with any text between two of them."""
    first, *middle = literals
    if not middle:
        return text.rstrip("/") == first.rstrip("/")
    last = middle.pop()
    end = len(text) - len(last)
    if not (text.startswith(first) and text.endswith(last)):
        return False
    at = len(first)
    for literal in middle:
        at = text.find(literal, at, end)
        if at < 0:
            return False
        at += len(literal)
    return at <= end
