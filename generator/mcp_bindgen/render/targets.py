"""The default targets, and the HTTP clients that a package can import."""

from __future__ import annotations

__all__ = ["HTTP", "TARGETS"]

TARGETS = ("python", "openai", "langchain")
"""The targets that a package gets where the user chooses none."""

HTTP = ("httpx", "httpx2")
"""The HTTP clients that a package can import, the default first."""
