"""Finds characters that a reader cannot see, and shows them."""

from __future__ import annotations

from mcp_bindgen.runtime.client.policy.hidden import HIDDEN, first_hidden

__all__ = ["HIDDEN", "first_hidden", "show"]


def show(text: str) -> str:
    r"""Return the text with an escape in place of each hidden character.

    Example: `show("a\u202eb") == r"a\u202eb"`.
    """
    return HIDDEN.sub(lambda match: ascii(match[0])[1:-1], text)
