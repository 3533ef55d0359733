# Copied by mcp-bindgen. Do not edit.
"""Compares a server's resources and prompts with those of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..lazy import read_json
from ..protocol.messages import METHOD_NOT_FOUND

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..errors import ProtocolError
    from .drift import Difference

__all__ = ["ListKind", "feature_differences", "is_absent", "listed_kinds"]


class ListKind(NamedTuple):
    """One of the lists of a server, besides its tools.

    Attributes:
        key: Its key in a recording, and in an answer.
        method: The method that gives it.
        wire: The member that identifies one of its entries.
        noun: One of its entries, in messages.
        capability: The capability of servers that have it.
        rule: The beginning of the names of its rules.
    """

    key: str
    method: str
    wire: str
    noun: str
    capability: str
    rule: str


_LISTS = (
    ListKind("resources", "resources/list", "uri", "resource", "resources", "RESOURCE"),
    ListKind(
        *("resourceTemplates", "resources/templates/list", "uriTemplate"),
        *("template", "resources", "RESOURCE_TEMPLATE"),
    ),
    ListKind("prompts", "prompts/list", "name", "prompt", "prompts", "PROMPT"),
)


def listed_kinds(capabilities: Mapping[str, Any]) -> Iterator[ListKind]:
    """Yield the lists that a server declares to have."""
    return (kind for kind in _LISTS if kind.capability in capabilities)


def is_absent(error: ProtocolError) -> bool:
    """Return whether the server does not know a method: then the list is empty."""
    return error.code == METHOD_NOT_FOUND


def feature_differences(
    package: str, live: Mapping[str, Sequence[dict[str, Any]]]
) -> list[Difference]:
    """Return how live resources and prompts differ from the recorded ones.

    Args:
        package: Name of the package.
        live: The lists of the server by their keys; one that is missing is empty.
    """
    from .verify.tools import compare_entries

    recorded = read_json(package, "recording.json")
    return [
        difference
        for kind in _LISTS
        for difference in compare_entries(
            kind.rule,
            kind.noun,
            *(
                {str(entry.get(kind.wire)): entry for entry in side.get(kind.key, ())}
                for side in (recorded, live)
            ),
        )
    ]
