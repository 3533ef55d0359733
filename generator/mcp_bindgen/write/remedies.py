"""The next steps after the system refuses to read or write a file."""

from __future__ import annotations

import errno

__all__ = ["remedy"]

_PERMISSIONS = "fix the permissions"
_SPACE = "free some space on the disk"
_REMEDIES = {
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.EROFS: "make the disk writable",
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
}


def remedy(error: OSError, otherwise: str) -> str:
    """Return the step that mends the cause of an error.

    Example: `remedy(OSError(ENOSPC, ""), "choose another path")`.

    Args:
        error: The error of the system.
        otherwise: The step after an error of another kind.
    """
    return _REMEDIES.get(error.errno or 0, otherwise)
