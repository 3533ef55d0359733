"""Reads a recording from several formats, and writes it in one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_reader import JSON, parse_leniently
from mcp_bindgen.json_writer import canonical_members, indented
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.beside import shortened
from mcp_bindgen.recording.calls import calls
from mcp_bindgen.recording.entries import (
    KEYS,
    Source,
    entries,
    optional_string,
    server_info,
    sort_key,
)
from mcp_bindgen.recording.mismatch import JsonObject, unexpected, unexpected_member
from mcp_bindgen.recording.writing import digest_of, document_text, tool_text
from mcp_bindgen.runtime.json_pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.limits import Limits

__all__ = [
    "FORMAT",
    "Recording",
    "arrange",
    "digest",
    "dump",
    "load",
    "load_beside",
    "load_last",
]

FORMAT = "mcp-bindgen/1"

_RECORD = "create the file with mcp-bindgen record"
# The key of the server's description in a result of the modern protocol era.
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_NO_MARKS: Mapping[str, JsonObject] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Recording:
    """The lists of a server, as raw JSON in canonical order.

    Attributes:
        server: The server's `serverInfo`: name, version, title and more; {} where the
            file has none.
        instructions: The server's instructions for its users.
        tools: Raw tools, sorted; each has a unique name and an input schema.
        resources: Raw resources, sorted by URI.
        resource_templates: Raw resource templates, sorted by URI template.
        prompts: Raw prompts, sorted by name.
        calls: Recorded calls of tools, each with `name`, `arguments` and `result`.
        pointers: For each tool its JSON pointer in the file.
        others: The same for the entries of the other lists, by the list's key.
        texts: Tools whose text was made, by their identity, with the text.
    """

    server: JsonObject
    instructions: str | None
    tools: tuple[JsonObject, ...]
    resources: tuple[JsonObject, ...] = ()
    resource_templates: tuple[JsonObject, ...] = ()
    prompts: tuple[JsonObject, ...] = ()
    calls: tuple[JsonObject, ...] = ()
    pointers: tuple[str, ...] = field(default=(), compare=False)
    others: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]], compare=False
    )
    texts: dict[int, tuple[JsonObject, str]] = field(
        default_factory=dict[int, tuple[JsonObject, str]], compare=False, repr=False
    )

    @property
    def features(self) -> JsonObject:
        """The resources, resource templates and prompts, by the keys of their lists."""
        return {
            "resources": [*self.resources],
            "resourceTemplates": [*self.resource_templates],
            "prompts": [*self.prompts],
        }

    @property
    def feature_counts(self) -> dict[str, int]:
        """The numbers of resources, resource templates and prompts, if any."""
        numbers = {
            "resources": len(self.resources),
            "resource_templates": len(self.resource_templates),
            "prompts": len(self.prompts),
        }
        return {key: number for key, number in numbers.items() if number}


def load(
    data: bytes, limits: Limits = DEFAULT
) -> tuple[Recording, tuple[Problem, ...]]:
    """Read a recording, `{"tools": [...]}`, or a JSON-RPC response that holds it.

    A tool with a mistake is left out, with a problem.

    Example: `recording, problems = load(Path("catalog.json").read_bytes())`.

    Args:
        data: The bytes of the file.
        limits: The limits on a recording.

    Raises:
        BindgenError: The file has no list of tools, or exceeds a limit of the file.
    """
    return _loaded(data, limits)


def load_beside(
    data: bytes, other: Recording, limits: Limits = DEFAULT
) -> tuple[Recording, tuple[Problem, ...]]:
    """Read a recording as `load`, quickly where most of its tools are in another one.

    Args:
        data: The bytes of the file.
        other: The other recording, read within the same limits.
        limits: The limits on a recording.

    Raises:
        BindgenError: The file has no list of tools, or exceeds a limit of the file.
    """
    for tool in other.tools:  # `dump` uses these texts again
        other.texts[id(tool)] = tool, _text_of(tool, other)
    texts = {text: tool for tool, text in other.texts.values()}
    short = shortened(data, texts, limits)
    if short:
        with suppress(BindgenError):  # whose location would be in the shorter text
            recording, problems = _read(short.data, limits, short.marked)
            marked = {id(tool) for tool in short.marked.values()}
            used = sum(id(tool) in marked for tool in recording.tools)
            # In a response of the server, they are nested more deeply.
            is_outer = all(each.startswith("/tools/") for each in recording.pointers)
            if used == len(short.marked) and is_outer:
                return recording, problems
    return _read(data, limits)


def load_last(
    data: bytes, limits: Limits = DEFAULT
) -> tuple[Recording, tuple[Problem, ...]]:
    """Read a recording as `load`, for its last reader: its memory is free afterwards.

    Raises:
        BindgenError: The file has no list of tools, or exceeds a limit of the file.
    """
    try:
        return load(data, limits)
    finally:
        _loaded.cache_clear()


# A command that compares a recording and then generates from it reads it once.
@lru_cache(maxsize=1)
def _loaded(data: bytes, limits: Limits) -> tuple[Recording, tuple[Problem, ...]]:
    return _read(data, limits)


def _read(
    data: bytes, limits: Limits, marked: Mapping[str, JsonObject] = _NO_MARKS
) -> tuple[Recording, tuple[Problem, ...]]:
    """Read a recording, in which marks may stand for tools that were read before."""
    value, faults, rounded = parse_leniently(data, limits)
    document, base = _document(value, faults)
    problems: list[Problem] = []
    source = Source(document, base, faults, marked)
    lists = {kind: entries(source, kind, limits, problems) for kind in KEYS}
    about, info, about_pointer = _about(document, base)
    recording = Recording(
        server=server_info(about.get(info), child(about_pointer, info), problems),
        instructions=optional_string(
            about.get("instructions"), child(about_pointer, "instructions"), problems
        ),
        tools=tuple(entry.value for entry in lists["tools"]),
        resources=tuple(entry.value for entry in lists["resources"]),
        resource_templates=tuple(e.value for e in lists["resourceTemplates"]),
        prompts=tuple(entry.value for entry in lists["prompts"]),
        calls=calls(document.get("calls"), child(base, "calls"), limits, problems),
        pointers=tuple(entry.pointer for entry in lists["tools"]),
        others={kind: tuple(e.pointer for e in lists[kind]) for kind in lists},
    )
    others = _outside_lists(faults, base)
    return recording, (*others, *rounded, *problems, *_more_pages(document, base))


def _outside_lists(faults: Sequence[Problem], base: str) -> list[Problem]:
    """Return the faults that `entries` has not made a problem of an entry."""
    inside = tuple(child(base, kind) + "/" for kind in KEYS)
    return [fault for fault in faults if not fault.pointer.startswith(inside)]


def _more_pages(document: JsonObject, base: str) -> Iterator[Problem]:
    if document.get("nextCursor") is not None:
        pointer = child(base, "nextCursor")
        hint = "record all pages with mcp-bindgen record"
        yield Problem(pointer, "this is one page of a list that has more", hint)


def dump(recording: Recording) -> str:
    """Return the text of a recording: equal recordings have equal texts."""
    server = canonical_members(recording.server)
    document: JsonObject = {"format": FORMAT, "server": server}
    if recording.instructions is not None:
        document["instructions"] = recording.instructions
    # The entries are canonical since `load`.
    texts = (_text_of(tool, recording) for tool in recording.tools)
    return document_text(document, texts, _others(recording))


def _text_of(tool: JsonObject, recording: Recording) -> str:
    """Return the text of a tool in the file, which may have been made before."""
    before = recording.texts.get(id(tool))
    return before[1] if before and before[0] is tool else tool_text(tool)


def arrange(document: JsonObject) -> str:
    """Return the text of a recording that is not checked yet.

    Args:
        document: `server`, `instructions` and the lists, as the server sent them.
    """
    lists: JsonObject = {}
    for kind, key in KEYS.items():
        items = document.get(kind)
        if isinstance(items, list):
            lists[kind] = [*sorted(items, key=lambda item: sort_key(item, key))]
    return indented(canonical_members({"format": FORMAT, **document, **lists})) + "\n"


def digest(recording: Recording) -> str:
    """Return the SHA-256 of the server's lists, the same in both protocol eras.

    It does not cover the server's name and instructions, nor `execution` of a tool,
    which only the legacy era has.
    """
    tools = (
        {key: value for key, value in tool.items() if key != "execution"}
        for tool in recording.tools
    )
    return digest_of(tools, _others(recording))


def _others(recording: Recording) -> JsonObject:
    """Return the lists besides that of the tools."""
    lists = recording.features
    return {**lists, "calls": [*recording.calls]} if recording.calls else lists


def _document(value: JSON, faults: Sequence[Problem]) -> tuple[JsonObject, str]:
    """Return the object that holds the list of tools, and its pointer."""
    document, base = value, ""
    if isinstance(value, dict) and "tools" not in value and "result" in value:
        document, base = value["result"], "/result"
    needed = ("", base, child(base, "tools"))
    if fatal := [fault for fault in faults if fault.pointer in needed]:
        raise BindgenError(*fatal)
    if isinstance(value, dict) and "error" in value:
        wrong = "expected a list of tools, got an error response of the server"
        raise BindgenError(Problem("/error", wrong, _RECORD))
    if not isinstance(document, dict):
        raise BindgenError(unexpected(base, dict, document, _RECORD))
    if not isinstance(document.get("tools"), list):
        raise BindgenError(unexpected_member(document, base, "tools", list, _RECORD))
    if document.get("format", FORMAT) != FORMAT:
        hint = "upgrade mcp-bindgen, or record the server again"
        wrong = f'expected the format "{FORMAT}", got another'
        raise BindgenError(Problem(child(base, "format"), wrong, hint))
    return document, base


def _about(document: JsonObject, base: str) -> tuple[JsonObject, str, str]:
    """Return the object with the server's description, its key there, and a pointer.

    The pointer is that of the object.
    """
    initialized = document.get("initialize")
    if isinstance(initialized, dict):
        return initialized, "serverInfo", child(base, "initialize")
    meta = document.get("_meta")
    if isinstance(meta, dict) and _SERVER_INFO in meta:
        return meta, _SERVER_INFO, child(base, "_meta")
    return document, "server", base
