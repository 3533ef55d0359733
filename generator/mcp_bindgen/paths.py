"""Decides which file paths are safe to write, on every operating system."""

from __future__ import annotations

import re

__all__ = ["is_safe"]

_SEGMENT = r"[A-Za-z0-9_](?:[A-Za-z0-9_.\-]{0,98}[A-Za-z0-9_\-])?"
_PATH = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT}){{0,7}}")
# Windows opens a device for these names, with any ending and in any case.
_DEVICE = re.compile(r"(?i)(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^/]*)?(?:/|$)")


def is_safe(path: str) -> bool:
    """Return whether a path stays inside of its folder and names no device.

    Args:
        path: A relative path, its parts separated by "/".
    """
    return _PATH.fullmatch(path) is not None and _DEVICE.search(path) is None
