"""Messages of click in the form of ours: first what is expected, then what it got."""

from __future__ import annotations

import re

__all__ = ["in_our_words"]

_FORMS = (
    (r"(.*) is not a valid integer(?: range)?", "a whole number"),
    (r"(.*) is not a valid float(?: range)?", "a number"),
    (r"(.*) is not in the range (.+)", "a number in the range {1}"),
    (r"(.*) is not one of (.+)", "one of {1}"),
    (r"File (.*) is a directory", "a file"),
    (r"Directory (.*) is a file", "a folder"),
)


def in_our_words(message: str) -> str:
    """Return a message of click about a value in the form of our own messages.

    Example: `in_our_words("Invalid value for '-j': 0 is not in the range x>=1.")` is
    "'-j': expected a number in the range x>=1, got 0".

    Args:
        message: The message; one of another form stays as it is.
    """
    start = re.match(r"Invalid value for ('.*?'(?: / '.*?')*): ", message)
    fault = message[start.end() :].removesuffix(".") if start else ""
    for form, expected in _FORMS:
        if start and (match := re.fullmatch(form, fault, re.DOTALL)):
            words = expected.format(*match.groups())
            return f"{start[1]}: expected {words}, got {match[1]}"
    return message
