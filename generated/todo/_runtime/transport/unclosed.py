# Copied by mcp-bindgen. Do not edit.
"""Says that a client was dropped before it was closed, as files and sockets do."""

from __future__ import annotations

import warnings

__all__ = ["warn_unclosed"]


def warn_unclosed(server: str) -> None:
    """Warn of a client whose connections or program were still open.

    Args:
        server: The server of its calls, without secrets.
    """
    warnings.warn(
        f'unclosed client of {server}: use "with", or call close()',
        ResourceWarning,
        stacklevel=3,
    )
