"""The recording of a server: read from several formats, written in one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_reader import JSON, sift
from mcp_bindgen.json_writer import canonical_members, indented
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording import entries as shape
from mcp_bindgen.recording.entries import KEYS, JsonObject
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.limits import Limits

__all__ = ["FORMAT", "Recording", "arrange", "digest", "dump", "load"]

FORMAT = "mcp-bindgen/1"

# Where a result of the newer protocol era names its server.
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"


@dataclass(frozen=True, slots=True)
class Recording:
    """What a server said of itself, as raw JSON, in canonical order.

    Attributes:
        server: The server's `serverInfo`: name, version, title and more, or empty.
        instructions: The server's instructions for its users.
        tools: Raw tools by name, each with a unique name and an input schema.
        resources: Raw resources by URI.
        resource_templates: Raw resource templates by URI template.
        prompts: Raw prompts by name.
        calls: Answers of tools, each with `name`, `arguments` and `result`.
        pointers: For each tool its JSON pointer in the file that was read.
    """

    server: JsonObject
    instructions: str | None
    tools: tuple[JsonObject, ...]
    resources: tuple[JsonObject, ...] = ()
    resource_templates: tuple[JsonObject, ...] = ()
    prompts: tuple[JsonObject, ...] = ()
    calls: tuple[JsonObject, ...] = ()
    pointers: tuple[str, ...] = field(default=(), compare=False)


def load(
    data: bytes, limits: Limits = DEFAULT
) -> tuple[Recording, tuple[Problem, ...]]:
    """Read a recording, a bare `{"tools": [...]}` or a JSON-RPC response that holds it.

    What is wrong in one tool costs that tool only: it is left out, with a problem.

    Args:
        data: The bytes of the file.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: There is no list of tools in it, or too much of everything.
    """
    value, faults, rounded = sift(data, limits)
    document, base = _document(value, faults)
    problems: list[Problem] = []
    kinds = {
        kind: shape.entries(document, child(base, kind), faults, limits, problems)
        for kind in KEYS
    }
    about, info, place = _about(document, base)
    recording = Recording(
        server=shape.server(about.get(info), child(place, info), problems),
        instructions=shape.string(
            about.get("instructions"), child(place, "instructions"), problems
        ),
        tools=tuple(entry.value for entry in kinds["tools"]),
        resources=tuple(entry.value for entry in kinds["resources"]),
        resource_templates=tuple(e.value for e in kinds["resourceTemplates"]),
        prompts=tuple(entry.value for entry in kinds["prompts"]),
        calls=shape.calls(
            document.get("calls"), child(base, "calls"), limits, problems
        ),
        pointers=tuple(entry.pointer for entry in kinds["tools"]),
    )
    inside = tuple(child(base, kind) + "/" for kind in KEYS)
    others = [fault for fault in faults if not fault.pointer.startswith(inside)]
    return recording, (*others, *rounded, *problems, *_more_pages(document, base))


def _more_pages(document: JsonObject, base: str) -> Iterator[Problem]:
    if document.get("nextCursor") is not None:
        hint = "record all pages with mcp-bindgen record"
        place = child(base, "nextCursor")
        yield Problem(place, "the list has more pages than this", hint)


def dump(recording: Recording) -> str:
    """Return the text of a recording: the same content, the same bytes."""
    server = canonical_members(recording.server)
    document: JsonObject = {"format": FORMAT, "server": server}
    if recording.instructions is not None:
        document["instructions"] = recording.instructions
    # Each entry has been canonical since it was read.
    return indented({**document, **_lists(recording)}) + "\n"


def arrange(document: JsonObject) -> str:
    """Return the text of a recording that nobody has checked yet.

    Args:
        document: `server`, `instructions` and the lists, as a server gave them.
    """
    lists: JsonObject = {}
    for kind, key in KEYS.items():
        entries = document.get(kind)
        if isinstance(entries, list):
            lists[kind] = [*sorted(entries, key=lambda entry: shape.order(entry, key))]
    return indented(canonical_members({"format": FORMAT, **document, **lists})) + "\n"


def digest(recording: Recording) -> str:
    """Return the SHA-256 of all that the server lists.

    It covers what is the same in both protocol eras: not the server's own name and
    instructions, nor `execution`, which only the older era has.
    """
    lists = _lists(recording)
    lists["tools"] = [
        {key: value for key, value in tool.items() if key != "execution"}
        for tool in recording.tools
    ]
    return hashlib.sha256(json.dumps(lists, allow_nan=False).encode()).hexdigest()


def _lists(recording: Recording) -> JsonObject:
    lists: JsonObject = {
        "tools": [*recording.tools],
        "resources": [*recording.resources],
        "resourceTemplates": [*recording.resource_templates],
        "prompts": [*recording.prompts],
    }
    return {**lists, "calls": [*recording.calls]} if recording.calls else lists


def _document(value: JSON, faults: Sequence[Problem]) -> tuple[JsonObject, str]:
    """Return the object that holds the list of tools, and its pointer."""
    document, base = value, ""
    if isinstance(value, dict) and "tools" not in value and "result" in value:
        document, base = value["result"], "/result"
    places = ("", base, child(base, "tools"))
    if fatal := [fault for fault in faults if fault.pointer in places]:
        raise BindgenError(*fatal)
    if isinstance(value, dict) and "error" in value:
        _refuse("/error", "this is a server's error, not its list of tools")
    if not isinstance(document, dict) or not isinstance(document.get("tools"), list):
        _refuse(base, 'no object with a list "tools"')
    if document.get("format", FORMAT) != FORMAT:
        _refuse("/format", f"not the format {FORMAT}", "upgrade mcp-bindgen")
    return document, base


def _about(document: JsonObject, base: str) -> tuple[JsonObject, str, str]:
    """Return where the server describes itself: object, key and pointer."""
    greeting = document.get("initialize")
    if isinstance(greeting, dict):
        return greeting, "serverInfo", child(base, "initialize")
    meta = document.get("_meta")
    if isinstance(meta, dict) and _SERVER_INFO in meta:
        return meta, _SERVER_INFO, child(base, "_meta")
    return document, "server", base


def _refuse(pointer: str, message: str, hint: str = "") -> NoReturn:
    hint = hint or "make the file with mcp-bindgen record"
    raise BindgenError(Problem(pointer, message, hint))
