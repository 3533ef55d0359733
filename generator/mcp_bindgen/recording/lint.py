"""Finds suspicious texts in a recording, before a model reads them.

Each rule knows forms of known attacks. No finding is no proof of safety.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.hidden import HIDDEN, show
from mcp_bindgen.json_reader import parse_leniently
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.client.policy.suspicions import suspicions
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.json_reader import JSON
    from mcp_bindgen.limits import Limits

__all__ = ["RULES", "Finding", "lint"]

RULES = {
    "alike": "two tools with names that look the same",
    "annotation": "an annotation that contradicts the tool's name or another one",
    "commands": "orders that replace a model's instructions, or fake a message",
    "encoded": "a long text that no person can read",
    "header": "a parameter with the name of a secret that is sent as a header",
    "hidden": "characters that are invisible, or reorder others",
    "other-tools": "orders about other tools, or about tools of other servers",
    "out-of-sight": "text after many spaces or lines, or in a Markdown comment",
    "outside": "a reference to a schema outside of the tool",
    "scripts": "a name with letters of two alphabets that look alike",
    "secrecy": "orders to hide something from the user",
    "secrets": "orders to send keys, files with secrets, or the conversation",
    "unusable": "a mistake that keeps a tool out of the package",
}
"""The rules, each with the texts that it finds."""


class Finding(NamedTuple):
    """One suspicious text.

    Attributes:
        pointer: JSON pointer into the file, each key cut to 80 characters.
        rule: One of `RULES`.
        message: One line with an excerpt of the text, without hidden characters.
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
# Letters and digits, by the characters that look like them.
_LOOKS = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u03bf01", "aeopcyxiool"
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_AROUND, _EXCERPT = 30, 130
_KEY = 80  # characters of a key in a pointer, so that a person can read it


def lint(data: bytes, limits: Limits = DEFAULT) -> list[Finding]:
    """Return the suspicious texts of a recording.

    Args:
        data: The recording, in any format that `document.load` reads.
        limits: The limits on a recording.

    Raises:
        BindgenError: The data is not a recording, or a limit is exceeded; `faults`
            limits the number of findings.
    """
    deadline = Deadline(limits.seconds)
    _, problems = load(data, limits)
    findings = [Finding(p.pointer, "unusable", _line(p.message)) for p in problems]
    document = parse_leniently(data, limits).value
    findings += _at_most(_texts(document, "", deadline), limits)
    members = mapped(document)
    base = "" if "tools" in members else "/result"
    tools = (mapped(members["result"]) if base else members)["tools"]
    findings += _at_most(_tools(cast("list[JSON]", tools), f"{base}/tools"), limits)
    return list(dict.fromkeys(findings))


def _at_most(findings: Iterator[Finding], limits: Limits) -> list[Finding]:
    listed = list(islice(findings, limits.faults + 1))
    if len(listed) > limits.faults:
        message = f"more than {limits.faults:,} findings: do not use this server"
        hint = f"to see all of them: --limit faults={limits.faults * 10}"
        raise BindgenError(Problem("", message, hint))
    return listed


def _texts(value: JSON, outer: str, deadline: Deadline) -> Iterator[Finding]:
    """Yield the findings in each text of a value, keys included."""
    deadline.check()
    if isinstance(value, dict):
        for key, item in value.items():
            pointer = child(outer, key[:_KEY])
            yield from _text(key, pointer)
            if key in _REFERENCES and _leads_out(item):
                yield Finding(
                    pointer, "outside", f"the reference leads to {_line(str(item))}"
                )
            yield from _texts(item, pointer, deadline)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, child(outer, number), deadline)
    elif isinstance(value, str):
        yield from _text(value, outer)


def _leads_out(reference: JSON) -> bool:
    return isinstance(reference, str) and reference[:1] not in {"", "#"}


def _text(text: str, pointer: str) -> Iterator[Finding]:
    for rule, searched, match in suspicions(text):
        message = _excerpt(searched, match)
        if rule == "hidden":
            number = len(HIDDEN.findall(searched))
            message = f"{number:,} character{'s' * (number > 1)} in {message}"
        yield Finding(pointer, rule, message)


def _excerpt(text: str, match: re.Match[str]) -> str:
    """Return one line of the text around a match."""
    begin = max(match.start() - _AROUND, 0)
    end = min(match.end() + _AROUND, begin + _EXCERPT)
    dots = "..." * (begin > 0), "..." * (end < len(text))
    return f'"{dots[0]}{_line(text[begin:end])}{dots[1]}"'


def _line(text: str) -> str:
    return show(" ".join(text[:_EXCERPT].split()))


def _tools(tools: list[JSON], list_pointer: str) -> Iterator[Finding]:
    """Yield the findings that concern names, annotations and headers."""
    alike: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for number, entry in enumerate(tools):
        tool, pointer = mapped(entry), child(list_pointer, number)
        name = tool.get("name")
        if isinstance(name, str):
            name_pointer = child(pointer, "name")
            alike[_folded(name)].append((name, name_pointer))
            yield from _name(name, name_pointer)
            annotations = mapped(tool.get("annotations"))
            yield from _annotations(name, annotations, child(pointer, "annotations"))
        schema = mapped(tool.get("inputSchema"))
        yield from _properties(schema, child(pointer, "inputSchema"))
    for (first, _), *others in alike.values():
        for name, pointer in others:
            if name != first:
                message = f"{_line(name)} looks like {_line(first)}"
                yield Finding(pointer, "alike", message)


def _folded(name: str) -> str:
    """Return a text that is equal for names that look the same."""
    visible = HIDDEN.sub("", name).casefold().translate(_LOOKS)
    return re.sub(r"[\W_]+", "", visible) or name


def _name(name: str, pointer: str) -> Iterator[Finding]:
    if _LATIN.search(name) and _ALIKE.search(name):
        yield Finding(pointer, "scripts", f"{_line(name)} is {ascii(name)[:_EXCERPT]}")


def _annotations(
    name: str, annotations: dict[str, object], pointer: str
) -> Iterator[Finding]:
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    # A word like "set" is surely a verb only at the beginning of a name.
    verbs = [w for n, w in enumerate(words) if w in (_DESTROYS if n else _CHANGES)]
    verb = verbs[0] if verbs else ""
    reads, destroys = annotations.get("readOnlyHint"), annotations.get(
        "destructiveHint"
    )
    if reads is True and verb:
        message = f'the name {_line(name)} has "{verb}", but readOnlyHint is true'
        yield Finding(child(pointer, "readOnlyHint"), "annotation", message)
    elif reads is True and destroys is True:
        message = f"{_line(name)}: readOnlyHint and destructiveHint are both true"
        yield Finding(child(pointer, "destructiveHint"), "annotation", message)
    elif destroys is False and verb in _DESTROYS:
        message = f'the name {_line(name)} has "{verb}", but destructiveHint is false'
        yield Finding(child(pointer, "destructiveHint"), "annotation", message)


def _properties(schema: dict[str, object], pointer: str) -> Iterator[Finding]:
    for wire, inner in mapped(schema.get("properties")).items():
        inner_pointer = child(pointer, "properties", wire[:_KEY])
        yield from _name(wire, inner_pointer)
        if "x-mcp-header" in mapped(inner) and _SECRET.search(wire):
            message = f"{_line(wire)} is sent as a header; proxies may log headers"
            yield Finding(inner_pointer, "header", message)
        yield from _properties(mapped(inner), inner_pointer)
