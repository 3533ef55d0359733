# Copied by mcp-bindgen. Do not edit.
"""The decision of a policy about a resource or a prompt, as its package knows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Marked", "marked"]

MarkedT = TypeVar("MarkedT", bound="Marked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What the policy says that the package was generated with.

    Attributes:
        risk: The risk; "" without a policy.
        approval: The modes in which a person approves each request.
        denied: Whether the policy denies each request; models are not offered it.
    """

    risk: str = field(default="", repr=False)
    approval: Sequence[str] = field(default=(), repr=False)
    denied: bool = field(default=False, repr=False)


def marked(info: MarkedT, entry: Mapping[str, Any]) -> MarkedT:
    """Return a description with the decision that a file of the package holds.

    Args:
        info: The description.
        entry: Its entry in the file; a server's own list holds no decision.
    """
    mark = members(entry.get("policy"))
    if not mark:
        return info
    modes = tuple(elements(mark.get("approval")))
    risk, denied = str(mark.get("risk", "")), mark.get("denied") is True
    return replace(info, risk=risk, approval=modes, denied=denied)
