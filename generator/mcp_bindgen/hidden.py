"""Finds characters that a reader cannot see, and shows them."""

from __future__ import annotations

import re

from mcp_bindgen.runtime.client.policy.hidden import HIDDEN, first_hidden

__all__ = ["HIDDEN", "disarm", "first_hidden", "one_line", "show"]

# What CI services obey in a log: GitHub Actions `::name::` at the start of a line and
# `##[name]` anywhere, Azure Pipelines `##vso[name]`, TeamCity `##teamcity[name]`.
_COMMANDS = re.compile(
    r"(?:(?<=\n)|\A)(?P<margin>\s*):(?=:[\w-]+(?:[^\S\n][^\n]*)?::)"
    r"|\#(?=\#(?:vso|teamcity)?\[)",
    re.IGNORECASE,
)


def show(text: str) -> str:
    r"""Return the text with an escape in place of each hidden character.

    Example: `show("a\u202eb") == r"a\u202eb"`.
    """
    return HIDDEN.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text of a server as one line that is safe to print."""
    return disarm(show(text).replace("\n", "\\n"))


def disarm(text: str) -> str:
    r"""Return the text with an escape where a CI service would obey a line of it.

    Example: `disarm("::add-mask::x") == r"\u003a:add-mask::x"`. JSON means the same
    afterwards.
    """
    return _COMMANDS.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"{match['margin'] or ''}\\u{ord(match[0][-1]):04x}"
