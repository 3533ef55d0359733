# Copied by mcp-bindgen. Do not edit.
"""A policy for a server that has resources or prompts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .policy import BasePolicy
from .read import parse
from .read_features import listed_in, with_features

if TYPE_CHECKING:
    from .entry import Document

__all__ = ["FullPolicy"]


class FullPolicy(BasePolicy):
    """A policy about tools, resources and prompts."""

    __slots__ = ()

    @classmethod
    def _parsed(cls, data: bytes, file: str) -> Document:
        recorded = cls._recorded()
        listed = None if recorded is None else listed_in(recorded)
        return parse(data, file, cls._schemas(), partial(with_features, listed=listed))
