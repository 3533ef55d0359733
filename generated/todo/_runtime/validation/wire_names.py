# Copied by mcp-bindgen. Do not edit.
"""Rules by which all fields of a class get their names in JSON.

The names of Python are words with `_` between them; one after the last word, which
keeps a name from being a keyword, is none.
"""

from __future__ import annotations

__all__ = ["camel", "kebab", "pascal"]


def camel(name: str) -> str:
    """Return the wire name of a field, as `maxAge` for `max_age`."""
    first, *others = name.split("_")
    return first + pascal("_".join(others))


def pascal(name: str) -> str:
    """Return the wire name of a field, as `MaxAge` for `max_age`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def kebab(name: str) -> str:
    """Return the wire name of a field, as `max-age` for `max_age`."""
    return name.rstrip("_").replace("_", "-")
