# Copied by mcp-bindgen. Do not edit.
"""A tool as its server lists it now, which may differ from the recorded one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import printable
from ..json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ListedTool"]


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool that the server lists; every text is the server's own, unchanged.

    Attributes:
        tool: Its name on the wire, "" where the server sends none.
        title: Its name for people; the name on the wire where there is no title.
        description: Its description, or "".
        input_schema: The schema of its arguments, or {}.
        output_schema: The schema of its structured result, if the server sends one.
        annotations: The server's hints; nothing proves that they are true.
        raw: The whole tool, unchanged.
    """

    tool: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    annotations: Mapping[str, Any]
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_wire(cls, raw: Mapping[str, Any]) -> ListedTool:
        """Return a tool from an answer to `tools/list`."""
        name = _text(raw.get("name"))
        annotations = members(raw.get("annotations"))
        output = raw.get("outputSchema")
        output_schema = members(output)
        return cls(
            tool=name,
            title=_text(raw.get("title")) or _text(annotations.get("title")) or name,
            description=_text(raw.get("description")),
            input_schema=members(raw.get("inputSchema")),
            output_schema=output_schema if isinstance(output, dict) else None,
            annotations=annotations,
            raw=raw,
        )

    @property
    def read_only(self) -> bool:
        """Whether the server claims that the tool changes nothing."""
        return self.annotations.get("readOnlyHint") is True

    @property
    def destructive(self) -> bool:
        """Whether the tool may destroy something: true unless the server denies it."""
        return (
            not self.read_only and self.annotations.get("destructiveHint") is not False
        )

    def __repr__(self) -> str:
        return (
            f"ListedTool('{printable(self.tool, 80)}', '{printable(self.title, 80)}')"
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
