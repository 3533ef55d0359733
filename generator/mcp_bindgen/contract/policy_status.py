"""Compares a policy file with a recording: new, removed, reviewed, changed tools."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.policy_subjects import decides_about_all, pins
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.client.policy.decide import Decision, decide
from mcp_bindgen.runtime.client.policy.entry import FAMILIES, Document
from mcp_bindgen.runtime.client.policy.errors import PolicyFileError
from mcp_bindgen.runtime.client.policy.policy import schemas_of
from mcp_bindgen.runtime.client.policy.read import NO_SUCH, parse
from mcp_bindgen.runtime.client.policy.read_features import (
    listed_in,
    with_features,
)
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.runtime.client.policy.entry import Entry

__all__ = [
    "Decision",
    "Document",
    "Status",
    "decision",
    "document_of",
    "is_enforced",
    "status",
]


@dataclass(frozen=True, slots=True)
class Status:
    """The differences between a policy file and a recording, as sorted names.

    All are tools, or all are resources and templates, or all are prompts.

    Attributes:
        new: Tools without an entry.
        removed: Entries whose tool is gone, and that are not marked as removed.
        back: Entries that are marked as removed, but whose tool exists.
        unreviewed: Tools without a review.
        changed: Tools that changed since their review.
    """

    new: tuple[str, ...]
    removed: tuple[str, ...]
    back: tuple[str, ...]
    unreviewed: tuple[str, ...]
    changed: tuple[str, ...]


def document_of(data: bytes, file: str, recording: Recording | None) -> Document:
    """Return a policy file, read and checked.

    Args:
        data: The bytes of the file.
        file: Its name, for messages.
        recording: The tools that there are; None to check no name and no pointer.

    Raises:
        BindgenError: The file has mistakes; all of them are listed.
    """
    schemas = listed = None
    if recording is not None:
        schemas = schemas_of(recording.tools)
        listed = listed_in(recording.features)
    try:
        return parse(data, file, schemas, partial(with_features, listed=listed))
    except PolicyFileError as error:
        hint = "correct the file; nothing was written"
        if any(why.startswith(NO_SUCH) for _, why in error.faults):
            hint += "; mcp-bindgen policy RECORDING -o FILE marks tools that are gone"
        raise BindgenError(
            *(
                Problem(
                    "",
                    f"{file}: {location}: {why}" if location else f"{file}: {why}",
                    h,
                )
                for (location, why), h in zip(
                    error.faults, [*[""] * (len(error.faults) - 1), hint], strict=True
                )
            )
        ) from None


def status(
    raw: Mapping[str, Any], recording: Recording, document: Document, kind: str
) -> Status:
    """Return the differences between a policy file and a recording.

    Args:
        raw: The file as TOML reads it.
        recording: The tools that there are.
        document: The same file, read and checked.
        kind: "tools", "resources" or "prompts".
    """
    if decides_about_all(raw, kind):
        return Status((), (), (), (), ())
    entries = {name: members(entry) for name, entry in members(raw.get(kind)).items()}
    marked = {name for name, entry in entries.items() if entry.get("removed") is True}
    now = pins(recording, document, kind)
    reviews = {name: entries.get(name, {}).get("reviewed") or "" for name in now}
    return Status(
        new=tuple(sorted(now.keys() - entries.keys())),
        removed=tuple(sorted(entries.keys() - now.keys() - marked)),
        back=tuple(sorted(marked & now.keys())),
        unreviewed=tuple(sorted(name for name in now if not reviews[name])),
        changed=tuple(sorted(n for n in now if reviews[n] and reviews[n] != now[n])),
    )


def decision(
    document: Document, tool: str, arguments: Mapping[str, Any], mode: str
) -> Decision:
    """Return the decision of a policy about a call, as at run time.

    Args:
        document: The policy.
        tool: The wire name of a tool, or a method as "resources/read".
        arguments: The arguments of the tool, or the params of the method.
        mode: The mode.

    Raises:
        BindgenError: The policy has no such mode.
    """
    if mode not in document.modes:
        hint = f"modes are {', '.join(document.modes)}"
        raise BindgenError(Problem("", f"no mode {mode[:80]!a}", hint))
    return decide(document, _entry(document, tool, arguments), mode, arguments)


def is_enforced(document: Document, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether a denial counts; else it is a line in the audit log alone.

    Args:
        document: The policy.
        tool: The wire name of a tool, or a method.
        arguments: The arguments of the tool, or the params of the method.
    """
    return _entry(document, tool, arguments).enforced


def _entry(document: Document, tool: str, arguments: Mapping[str, Any]) -> Entry:
    methods = {*FAMILIES, *document.methods} - {*document.tools}
    called = document.deciding(tool, arguments) if tool in methods else None
    return called or document.entry("tools/call", tool)
