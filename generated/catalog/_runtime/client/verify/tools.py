# Copied by mcp-bindgen. Do not edit.
"""Compares the tools, resources and prompts of a server with a recording, by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...json_pointer import child
from ...json_values import members
from ...lazy import read_json
from ..drift import Difference, is_chosen
from .members import python_name
from .prompts import compare_arguments
from .rules import ABSENT, Change, message, rules
from .schemas import compare_schemas
from .spelling import bare, text

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

__all__ = ["compare_entries", "compare_tools", "package_differences"]
__all__ += ["server_differences"]

_WORDS = {
    "title": "TOOL_TITLE_CHANGED",
    "description": "TOOL_DESCRIPTION_CHANGED",
    "icons": "TOOL_ICONS_CHANGED",
}
_HINTS = {
    "readOnlyHint": "HINT_READ_ONLY",
    "destructiveHint": "HINT_DESTRUCTIVE",
    "idempotentHint": "HINT_IDEMPOTENT",
}
_SERVER = {
    "name": "SERVER_NAME_CHANGED",
    "title": "SERVER_TITLE_CHANGED",
    "version": "SERVER_VERSION_CHANGED",
}
_SIDES = (("PARAM_", "inputSchema"), ("FIELD_", "outputSchema"))
_REMOVED, _ADDED = (Change("", "", kind=kind) for kind in ("removed", "added"))


def package_differences(
    package: str, live: Sequence[dict[str, Any]]
) -> list[Difference]:
    """Return the differences between live tools and those of a package, sorted.

    Tools that `--include` and `--exclude` leave out of the package do not count, even
    if they are new.

    Resources and prompts are not compared here.

    Args:
        package: Name of the package.
        live: The tools as the server lists them.
    """
    globs = read_json(package, "manifest.json").get("filter", {})
    listed = [tool for tool in live if is_chosen(str(tool.get("name")), **globs)]
    return compare_tools(read_json(package, "recording.json")["tools"], listed)


def server_differences(
    package: str, live: Mapping[str, Any], instructions: str | None
) -> list[Difference]:
    """Return how the server's own texts differ from the recorded ones, sorted.

    Args:
        package: Name of the package.
        live: The server's name, version ...
        instructions: Its words to a model.
    """
    recording = read_json(package, "recording.json")
    recorded = members(recording.get("server"))
    if not recorded or not live:  # one of them says nothing of itself
        return []
    changes = [
        _changed(_SERVER.get(key, "SERVER_TEXT_CHANGED"), "/server", key, *sides)
        for sides in [(recorded, live)]
        for key in {*recorded, *live}
        if _differ(key, *sides)
    ]
    words: list[dict[str, Any]] = [
        {"instructions": each} if each else {}
        for each in (recording.get("instructions"), instructions)
    ]
    if _differ("instructions", *words):
        rule = "SERVER_INSTRUCTIONS_CHANGED"
        changes.append(_changed(rule, "", "instructions", *words))
    return _sorted(_finding("", change) for change in changes)


def compare_tools(
    recorded: Sequence[dict[str, Any]], live: Sequence[dict[str, Any]]
) -> list[Difference]:
    """Return the differences of live tools, each with its rule, sorted.

    Args:
        recorded: The tools of a recording.
        live: The tools that the server lists.
    """
    before, after = (
        {str(tool.get("name")): tool for tool in tools} for tools in (recorded, live)
    )
    partners = _partners(before, after)
    differences: list[Difference] = []
    for name, tool in before.items():
        other = partners.get(name)
        if other is None:
            differences.append(_finding(name, _REMOVED._replace(rule="TOOL_REMOVED")))
            continue
        if other != name:
            is_one = python_name(name) == python_name(other)
            rule = "TOOL_RESPELLED" if is_one else "TOOL_RENAMED"
            differences.append(_finding(name, Change(rule, "/name", name, other)))
        differences += (_finding(name, each) for each in _tool(tool, after[other]))
    new = after.keys() - partners.values()
    differences += (_finding(name, _ADDED._replace(rule="TOOL_ADDED")) for name in new)
    return _sorted(differences)


def compare_entries(
    rule: str,
    noun: str,
    recorded: Mapping[str, dict[str, Any]],
    live: Mapping[str, dict[str, Any]],
) -> list[Difference]:
    """Return the differences of live entries, each with its rule, sorted.

    Args:
        rule: The beginning of the rules' names: "PROMPT".
        noun: One entry, in messages.
        recorded: The entries of a recording by their names.
        live: Those that the server lists.
    """
    differences: list[Difference] = []
    for name in {*recorded, *live}:
        if name not in live:
            changes = [_REMOVED._replace(rule=f"{rule}_REMOVED")]
        elif name not in recorded:
            changes = [_ADDED._replace(rule=f"{rule}_ADDED")]
        else:
            changes = [*_entry(rule, recorded[name], live[name])]
        differences += (_finding(f"{noun} {name}", change) for change in changes)
    return _sorted(differences)


def _finding(tool: str, change: Change) -> Difference:
    wire = rules()[change.rule].wire
    sentence = message(change)
    return Difference(tool, change.pointer, change.kind, change.rule, wire, sentence)


def _sorted(differences: Iterable[Difference]) -> list[Difference]:
    return sorted(differences, key=lambda d: (d.tool, d.pointer, d.rule))


def _partners(
    old: Mapping[str, dict[str, Any]], new: Mapping[str, dict[str, Any]]
) -> dict[str, str]:
    """Return old name to new name, for each tool that both sides have.

    Tools of equal names come first, then those with the same name in Python. Then come
    an old and a new tool that differ in nothing but their names.
    """
    partners = {name: name for name in old if name in new}
    for key_of in (_name, _content):
        before = _by_key(key_of, old, partners.keys())
        after = _by_key(key_of, new, partners.values())
        for key, names in before.items():
            if len(names) == len(after.get(key, ())) == 1:
                partners[names[0]] = after[key][0]
    return partners


def _by_key(
    key_of: Callable[[str, dict[str, Any]], str],
    tools: Mapping[str, dict[str, Any]],
    paired: Collection[str],
) -> dict[str, list[str]]:
    """Return key to names, for the tools without a partner; see `_partners`."""
    names: dict[str, list[str]] = {}
    for name in tools.keys() - {*paired}:
        names.setdefault(key_of(name, tools[name]), []).append(name)
    return names


def _name(name: str, _tool: dict[str, Any]) -> str:
    return python_name(name)


def _content(_name: str, tool: dict[str, Any]) -> str:
    """Return everything of a tool except its name and its annotations."""
    schemas = [bare(tool.get(key, True)) for _, key in _SIDES]
    return text([str(tool.get("description")), schemas])


def _tool(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    """Yield the changes of one tool: words, tasks, hints, schemas."""
    yield from (
        _changed(rule, "", key, old, new)
        for key, rule in _WORDS.items()
        if _differ(key, old, new)
    )
    tasks = [members(each.get("execution")).get("taskSupport") for each in (old, new)]
    if tasks[1] == "required" != tasks[0]:
        yield Change("TOOL_TASK_NOW_REQUIRED", "/execution", tasks[0], tasks[1])
    hints = members(old.get("annotations")), members(new.get("annotations"))
    for key in sorted({*hints[0], *hints[1]}):
        if _differ(key, *hints) and (rule := _hint(key, *hints)):
            yield _changed(rule, "/annotations", key, *hints)
    yield from _schema_changes(old, new)


def _schema_changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for prefix, key in _SIDES:
        if key in old and key in new:
            for change in compare_schemas(prefix, old[key], new[key]):
                yield change._replace(pointer=f"/{key}{change.pointer}")
        elif key in old or key in new:
            rule = "OUTPUT_ADDED" if key in new else "OUTPUT_REMOVED"
            rule = rule if prefix == "FIELD_" else "PARAM_UNDECIDED"
            kind = "added" if key in new else "removed"
            yield Change(rule, f"/{key}", kind=kind)


def _hint(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Return the rule of a hint that changed, "" for one that has none."""
    if key in ("title", "openWorldHint"):
        return "TOOL_TITLE_CHANGED" if key == "title" else "HINT_OPEN_WORLD_CHANGED"
    if key not in _HINTS:
        return ""
    # Where it is missing, a tool may destroy; the other hints are false there.
    usual = key == "destructiveHint"
    before, after = old.get(key, ABSENT), new.get(key, ABSENT)
    gained = after is True and (before is False or before is ABSENT)
    if gained or (before is False and after is ABSENT and usual):
        return f"{_HINTS[key]}_GAINED"
    if (usual and after is False) or (before is True and not usual):
        return f"{_HINTS[key]}_LOST"
    return "HINT_OTHER_CHANGED"


def _differ(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    if key in old and key in new:
        return text(old[key]) != text(new[key])
    return key in old or key in new


def _changed(
    rule: str, pointer: str, key: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Change:
    kind = "changed" if key in old and key in new else "added"
    kind = kind if key in new else "removed"
    at = child(pointer, key)
    return Change(rule, at, old.get(key, ABSENT), new.get(key, ABSENT), kind)


def _entry(rule: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for key in sorted({*old, *new} - {"_meta"}):
        if not _differ(key, old, new):
            continue
        if rule == "PROMPT" and key == "arguments":
            yield from compare_arguments(old.get(key), new.get(key))
        else:
            about = "TYPE" if key == "mimeType" else "TEXT"
            yield _changed(f"{rule}_{about}_CHANGED", "", key, old, new)
