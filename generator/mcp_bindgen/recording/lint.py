"""Finds in a recording what a person should look at before a model reads it.

Each rule knows forms that are seen in attacks; none proves that a server is honest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from mcp_bindgen.deadline import deadline
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.hidden import HIDDEN, show
from mcp_bindgen.json_reader import parse_leniently
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.document import load
from mcp_bindgen.recording.lint_patterns import suspicions
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.deadline import Tick
    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits

__all__ = ["RULES", "Finding", "lint"]

RULES = {
    "alike": "two tools whose names can be taken for one another",
    "annotation": "a hint that contradicts the tool's name or another hint",
    "commands": "words that override what a model was told, or take over its turn",
    "encoded": "a long run of text that no person can read",
    "header": "a parameter that looks like a secret and is sent as a header",
    "hidden": "characters that cannot be seen, or reorder others",
    "other-tools": "words about tools of other servers, or about all other tools",
    "out-of-sight": "text pushed out of sight, or in a comment of Markdown",
    "outside": "a reference to a schema outside of the tool",
    "scripts": "a name that mixes letters of alphabets that look alike",
    "secrecy": "words that keep something from the person in front of the model",
    "secrets": "words that ask for what files with keys or whole conversations hold",
    "unusable": "something that no package can be generated from",
}
"""Rule to what it finds."""


class Finding(NamedTuple):
    """One place to look at.

    Attributes:
        pointer: JSON pointer into the file.
        rule: One of `RULES`.
        message: What was found, with an excerpt, on one line without hidden characters.
    """

    pointer: str
    rule: str
    message: str


_DESTROYS = frozenset("""
    delete remove destroy drop purge erase wipe truncate uninstall terminate kill revoke
    """.split())
_CHANGES = _DESTROYS | frozenset("""
    create update insert write send publish install rename move upload set add post put
    patch edit modify replace overwrite reset disable enable
    """.split())
_SECRET = re.compile(r"(?i)passw(?:or)?d|passphrase|secret|api_?-?key|credential")
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LATIN, _ALIKE = re.compile("[A-Za-z]"), re.compile("[\u0370-\u03ff\u0400-\u052f]")
# Letters and digits that are taken for others.
_LOOKS = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u03bf01", "aeopcyxiool"
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_AROUND, _SHOWN = 30, 130
_KEY = 80  # characters of a key in a pointer: a person must be able to read it


def lint(data: bytes, limits: Limits = DEFAULT) -> list[Finding]:
    """Return what to look at in a recording.

    Args:
        data: The recording, in any format that `recording.load` reads.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: It is no recording, it takes too long, or too much is found.
    """
    tick = deadline(limits.seconds)
    _, problems = load(data, limits)
    found = [Finding(p.pointer, "unusable", _line(p.message)) for p in problems]
    document = parse_leniently(data, limits).value
    found += _few(_texts(document, "", tick), limits)
    members = mapped(document)
    base = "" if "tools" in members else "/result"
    tools = (mapped(members["result"]) if base else members)["tools"]
    found += _few(_tools(cast("list[JSON]", tools), f"{base}/tools"), limits)
    return list(dict.fromkeys(found))


def _few(found: Iterator[Finding], limits: Limits) -> list[Finding]:
    kept = list(islice(found, limits.faults + 1))
    if len(kept) > limits.faults:
        message = f"more than {limits.faults:,} findings: do not use this server"
        hint = f"to see them all: --limit faults={limits.faults * 10}"
        raise BindgenError(Problem("", message, hint))
    return kept


def _texts(value: JSON, place: str, tick: Tick) -> Iterator[Finding]:
    """Yield what is found in each text, keys included."""
    tick()
    if isinstance(value, dict):
        for key, item in value.items():
            pointer = child(place, key[:_KEY])
            yield from _text(key, pointer)
            if key in _REFERENCES and _leads_out(item):
                yield Finding(pointer, "outside", f"it leads to {_line(str(item))}")
            yield from _texts(item, pointer, tick)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, child(place, number), tick)
    elif isinstance(value, str):
        yield from _text(value, place)


def _leads_out(reference: JSON) -> bool:
    return isinstance(reference, str) and reference[:1] not in {"", "#"}


def _text(text: str, place: str) -> Iterator[Finding]:
    for rule, seen, at in suspicions(text):
        excerpt = _excerpt(seen, at)
        if rule == "hidden":
            number = len(HIDDEN.findall(seen))
            excerpt = f"{number:,} character{'s' * (number > 1)} in {excerpt}"
        yield Finding(place, rule, excerpt)


def _excerpt(text: str, at: re.Match[str]) -> str:
    """Return a line of the text around a match."""
    begin = max(at.start() - _AROUND, 0)
    end = min(at.end() + _AROUND, begin + _SHOWN)
    dots = "..." * (begin > 0), "..." * (end < len(text))
    return f'"{dots[0]}{_line(text[begin:end])}{dots[1]}"'


def _line(text: str) -> str:
    return show(" ".join(text[:_SHOWN].split()))


def _tools(tools: list[JSON], place: str) -> Iterator[Finding]:
    alike: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for number, entry in enumerate(tools):
        tool, pointer = mapped(entry), child(place, number)
        name = tool.get("name")
        if isinstance(name, str):
            named = child(pointer, "name")
            alike[_folded(name)].append((name, named))
            yield from _name(name, named)
            hints = child(pointer, "annotations")
            yield from _hints(name, mapped(tool.get("annotations")), hints)
        schema = child(pointer, "inputSchema")
        yield from _properties(mapped(tool.get("inputSchema")), schema)
    for (first, _), *others in alike.values():
        for name, pointer in others:
            if name != first:
                message = f"{_line(name)} can be taken for {_line(first)}"
                yield Finding(pointer, "alike", message)


def _folded(name: str) -> str:
    seen = HIDDEN.sub("", name).casefold().translate(_LOOKS)
    return re.sub(r"[\W_]+", "", seen) or name


def _name(name: str, place: str) -> Iterator[Finding]:
    if _LATIN.search(name) and _ALIKE.search(name):
        yield Finding(place, "scripts", f"{_line(name)} is {ascii(name)[:_SHOWN]}")


def _hints(name: str, hints: dict[str, object], place: str) -> Iterator[Finding]:
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    # Only in front is a word like "set" sure to be a verb.
    verbs = [w for n, w in enumerate(words) if w in (_DESTROYS if n else _CHANGES)]
    verb = verbs[0] if verbs else ""
    reads, destroys = hints.get("readOnlyHint"), hints.get("destructiveHint")
    if reads is True and verb:
        message = f"{_line(name)} says {verb}, its hint that it only reads"
        yield Finding(child(place, "readOnlyHint"), "annotation", message)
    elif reads is True and destroys is True:
        message = f"{_line(name)} has the hints that it only reads and that it destroys"
        yield Finding(child(place, "destructiveHint"), "annotation", message)
    elif destroys is False and verb in _DESTROYS:
        message = f"{_line(name)} says {verb}, its hint that it destroys nothing"
        yield Finding(child(place, "destructiveHint"), "annotation", message)


def _properties(schema: dict[str, object], place: str) -> Iterator[Finding]:
    for wire, inner in mapped(schema.get("properties")).items():
        pointer = child(child(place, "properties"), wire[:_KEY])
        yield from _name(wire, pointer)
        if "x-mcp-header" in mapped(inner) and _SECRET.search(wire):
            message = f"{_line(wire)} is sent as a header, which others may log"
            yield Finding(pointer, "header", message)
        yield from _properties(mapped(inner), pointer)
