"""The text of a review: a tool, or its differences from the last review."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.policy_subjects import facts_of, pins, subjects
from mcp_bindgen.json_writer import indented
from mcp_bindgen.recording.text_differences import changes
from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.runtime.client.policy.entry import Document

__all__ = [
    "due_reviews",
    "label",
    "review_lines",
    "reviewed_text",
    "reviewed_tools",
    "reviews_in",
    "server_lines",
    "views",
]

_MOST = 400
_SOME = 40
_OF_SERVER = ("instructions", "server")


def reviewed_tools(text: str | None) -> dict[str, dict[str, Any]]:
    """Return the tools as they were when they were reviewed, by wire name.

    Args:
        text: The file beside the policy; without one, nothing is known.
    """
    try:
        value = loads((text or "{}").encode())
    except StrictJsonError:
        return {}
    return {name: members(tool) for name, tool in members(value).items()}


def reviewed_text(
    tools: Mapping[str, Mapping[str, Any]], names: Collection[str]
) -> str:
    """Return the text of the file beside the policy.

    Args:
        tools: The tools as they were reviewed.
        names: Those that the policy still has.
    """
    chosen = {name: tools[name] for name in sorted(tools) if name in names}
    return indented(chosen) + "\n"


def label(kind: str, name: str) -> str:
    """Return the name of an entry beside those of other tables.

    Example: `label("prompts", "ask") == 'prompts."ask"'`; a tool has its own name.
    """
    return name if kind == "tools" else f'{kind}."{name}"'


def reviews_in(document: Document) -> dict[str, dict[str, str]]:
    """Return the review of each entry of a policy, by table and name."""
    tables = {
        "tools": document.tools,
        "resources": document.resources,
        "prompts": document.prompts,
    }
    return {
        kind: {name: entry.reviewed for name, entry in entries.items()}
        for kind, entries in tables.items()
    }


def due_reviews(
    recording: Recording, document: Document, names: Collection[str]
) -> dict[str, dict[str, str]]:
    """Return the pins that a policy does not yet have, by table and name.

    Args:
        recording: The recording.
        document: The policy.
        names: The names of the entries to review.
    """
    due: dict[str, dict[str, str]] = {}
    for kind, reviewed in reviews_in(document).items():
        now = pins(recording, document, kind)
        recorded = (name for name in sorted(reviewed) if name in now and name in names)
        due[kind] = {
            name: now[name] for name in recorded if reviewed[name] != now[name]
        }
    return due


def views(
    recording: Recording, document: Document, kind: str
) -> dict[str, dict[str, Any]]:
    """Return the facts that the pin of each entry covers, by name.

    Args:
        recording: The recording.
        document: The policy.
        kind: "tools", "resources" or "prompts".
    """
    server = document.server.identity.replace("\x00", " ")
    about = {"instructions": recording.instructions, "server": server}
    about = {key: text for key, text in about.items() if text}
    keys = document.resources if kind == "resources" else ()
    return {
        name: {**facts_of(kind, entry), **about}
        for name, entry in subjects(recording, kind, keys).items()
    }


def server_lines(
    tools: Mapping[str, Mapping[str, Any]], before: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the lines about the server that a person reads, once for all tools.

    Args:
        tools: The tools to review, as `views` gives them.
        before: The tools as they were when they were reviewed.
    """
    for key in _OF_SERVER:
        new = {str(tool.get(key, "")) for tool in tools.values()}
        old = {str(before[name].get(key, "")) for name in tools if name in before}
        if new == old or not (new | old) - {""}:
            continue
        yield f"{key}: {'changed' if old else 'new'}"
        yield from (f"  - {text}" for text in sorted(old - new) if text)
        yield from (f"  + {text}" for text in sorted(new - old) if text)


def review_lines(
    name: str, tool: Mapping[str, Any], before: Mapping[str, Any] | None
) -> Iterator[str]:
    """Yield the lines about a tool that a person reads.

    Args:
        name: The name of the tool, or the label of a resource or a prompt.
        tool: The tool, as `views` gives it.
        before: The same at the last review, None without one.
    """
    if before is None:
        yield f"{name}: new"
        for key in tool:
            if key in _OF_SERVER or (key == "name" and tool[key] == name):
                continue
            yield f"  {key}: {_text(tool[key])}"
        return
    yield f"{name}: changed"
    old, new = (
        {key: whole[key] for key in whole if key not in _OF_SERVER}
        for whole in (before, tool)
    )
    for pointer, kind in changes(old, new):
        yield f"  {pointer or '/'}: {kind}"
        values = [_at(whole, pointer) for whole in (old, new)]
        begin = _alike(*values)
        for sign, value in zip("-+", values, strict=True):
            if value is not None:
                yield f"    {sign} {_text(value, begin)}"


def _at(value: Any, pointer: str) -> Any:
    for step in steps(pointer):
        value = members(value).get(step)
    return value


def _alike(old: object, new: object) -> int:
    """Return how many equal characters at the begin of two long texts to leave out."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return 0
    pairs = enumerate(zip(old, new, strict=False))
    shorter = min(len(old), len(new))
    alike = next((number for number, (a, b) in pairs if a != b), shorter)
    return alike - _SOME if alike > _MOST // 2 else 0


def _text(value: object, begin: int = 0) -> str:
    whole = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    before = f"[{begin} characters] ..." if begin else ""
    return f"{before}{whole[begin:]}"  # all of it: the pin says that it was read
