"""Compares the rest of two recordings: resources, prompts, the server's own texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.findings import entry_finding
from mcp_bindgen.contract.model import ABSENT, Change, SchemaChange, Step
from mcp_bindgen.contract.renames import in_python
from mcp_bindgen.python.names import snake
from mcp_bindgen.runtime.client.verify.renames import take_renamed, take_respelled
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import are_equal
from mcp_bindgen.schema.node import is_object, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mcp_bindgen.pipeline.features import Features
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.schema.ir import Feature

__all__ = ["compare_entries", "compare_names"]

_SERVER = {
    "name": "SERVER_NAME_CHANGED",
    "title": "SERVER_TITLE_CHANGED",
    "version": "SERVER_VERSION_CHANGED",
}


def compare_entries(old: Recording, new: Recording) -> Iterator[Change]:
    """Yield the changes of resources, prompts and the server's texts.

    Args:
        old: The old recording.
        new: The new recording.
    """
    for key in sorted({*old.server, *new.server}):
        values = _both(old.server, new.server, key)
        if _differ(*values):
            rule = _SERVER.get(key, "SERVER_TEXT_CHANGED")
            change = SchemaChange(rule, (Step("name", key),), child("/server", key))
            yield entry_finding("", _with(change, *values))
    if old.instructions != new.instructions:
        change = SchemaChange("SERVER_INSTRUCTIONS_CHANGED", (), "/instructions")
        yield entry_finding("", _with(change, old.instructions, new.instructions))
    yield from _listed("RESOURCE", "uri", old.resources, new.resources)
    templates = old.resource_templates, new.resource_templates
    yield from _listed("RESOURCE_TEMPLATE", "uriTemplate", *templates)
    yield from _listed("PROMPT", "name", old.prompts, new.prompts)


def compare_names(old: Features, new: Features) -> Iterator[Change]:
    """Yield the resources, templates and prompts with another name in Python.

    Args:
        old: Those of the old package.
        new: Those of the new package.
    """
    pairs = (
        (_members(old.resources), _members(new.resources)),
        (_functions(old.templates), _functions(new.templates)),
        (_functions(old.prompts), _functions(new.prompts)),
    )
    for before, after in pairs:
        for (entry, argument), name in before.items():
            other = after.get((entry, argument), name)
            if other != name:
                path = (Step("name", argument),) if argument else ()
                change = SchemaChange("PYTHON_SIGNATURE_CHANGED", path, "/name")
                yield entry_finding(entry, _with(change, name, other))


def _members(resources: Iterable[Feature]) -> dict[tuple[str, str], str]:
    """Return the member of the enumeration for each resource."""
    return {(each.wire.text, ""): f"Resource.{each.member}" for each in resources}


def _functions(features: Iterable[Feature]) -> dict[tuple[str, str], str]:
    """Return the name of each function and of its parameters, by the wire names."""
    names: dict[tuple[str, str], str] = {}
    for feature in features:
        entry = feature.wire.text
        names[entry, ""] = str(feature.function)
        for parameter in feature.parameters:
            names[entry, parameter.wire.text] = str(parameter.name)
    return names


def _with(change: SchemaChange, old: Any, new: Any) -> SchemaChange:
    return SchemaChange(change.rule, change.path, change.pointer, old, new)


def _both(old: Mapping[str, Any], new: Mapping[str, Any], key: str) -> tuple[Any, Any]:
    return old.get(key, ABSENT), new.get(key, ABSENT)


def _differ(old: Any, new: Any) -> bool:
    if ABSENT in (old, new):
        return old is not new
    return not are_equal(old, new)


def _listed(
    noun: str,
    key: str,
    old: Sequence[Mapping[str, Any]],
    new: Sequence[Mapping[str, Any]],
) -> Iterator[Change]:
    """Yield the changes of one list, whose entries have a name or a URI."""
    before, after = ({str(entry[key]): entry for entry in side} for side in (old, new))
    for name in sorted({*before, *after}):
        if name not in after:
            yield entry_finding(
                name, SchemaChange(f"{noun}_REMOVED", (), "", gone=True)
            )
        elif name not in before:
            yield entry_finding(name, SchemaChange(f"{noun}_ADDED", (), ""))
        else:
            yield from _entry(noun, name, before[name], after[name])


def _entry(
    noun: str, name: str, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    for key in sorted({*old, *new} - {"arguments"}):
        values = _both(old, new, key)
        if _differ(*values):
            rule = (
                f"{noun}_TYPE_CHANGED" if key == "mimeType" else f"{noun}_TEXT_CHANGED"
            )
            step = (Step("name", key),)
            change = SchemaChange(rule, step, child("", key), *values)
            yield entry_finding(name, change)
    if noun == "PROMPT":
        arguments = (
            {
                str(a.get("name")): a
                for a in listed(side.get("arguments"))
                if is_object(a)
            }
            for side in (old, new)
        )
        yield from _arguments(name, *arguments)


def _arguments(
    prompt: str,
    old: Mapping[str, Mapping[str, Any]],
    new: Mapping[str, Mapping[str, Any]],
) -> Iterator[Change]:
    names = {name: name for name in old if name in new} | _renamed(old, new)
    for name in sorted(old.keys() - names.keys()):
        yield _argument_finding(prompt, "REMOVED", name)
    for name in sorted(new.keys() - {*names.values()}):
        rule = "ADDED_REQUIRED" if new[name].get("required") else "ADDED_OPTIONAL"
        yield _argument_finding(prompt, rule, name)
    for name, other in sorted(names.items()):
        if name != other:
            respelled = snake(name, "field") == snake(other, "field")
            rule = "RESPELLED" if respelled else "RENAMED"
            yield _argument_finding(prompt, rule, name, name, other)
        sides = old[name], new[other]
        needed = [bool(side.get("required")) for side in sides]
        if needed[0] != needed[1]:
            rule = "NOW_REQUIRED" if needed[1] else "NOW_OPTIONAL"
            yield _argument_finding(prompt, rule, name)
        if not are_equal(*map(_words, sides)):
            yield _argument_finding(prompt, "TEXT_CHANGED", name)


def _argument_finding(
    prompt: str, rule: str, name: str, old: Any = ABSENT, new: Any = ABSENT
) -> Change:
    path = (Step("name", "arguments"), Step("name", name))
    change = SchemaChange(f"PROMPT_ARGUMENT_{rule}", path, "/arguments", old, new)
    return entry_finding(prompt, change)


def _words(argument: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything of an argument but its name, and whether it is required."""
    return {**argument, "name": None, "required": None}


def _renamed(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return old name to new name, for arguments that seem to be the same.

    First those that only spell their name in another way, then those of similar names
    that are equal otherwise; as for the parameters of a tool.
    """

    def are_same(name: str, other: str) -> bool:
        one, two = old[name], new[other]
        same = bool(one.get("required")) == bool(two.get("required"))
        return same and are_equal(_words(one), _words(two))

    removed, added = old.keys() - new.keys(), dict.fromkeys(new.keys() - old.keys())
    names = take_respelled(removed, added, in_python)
    return names | take_renamed(removed - names.keys(), added, are_same)
