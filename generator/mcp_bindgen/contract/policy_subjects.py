"""The tools, resources and prompts of a recording that have entries in a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.client.policy.entry import FAMILIES
from mcp_bindgen.runtime.client.policy.pins import digest_of, members_of
from mcp_bindgen.runtime.client.policy.uris import expands
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.runtime.client.policy.entry import Document

__all__ = ["NOUNS", "decides_about_all", "facts_of", "pins", "subjects"]

NOUNS = {"tools": "tool", "resources": "resource", "prompts": "prompt"}
"""The tables of a policy file, each with the word for one of its entries."""

_MEMBERS = (
    *("uri", "uriTemplate", "name", "title", "description", "mimeType"),
    *("arguments", "annotations", "_meta"),
)


def subjects(
    recording: Recording, kind: str, keys: Iterable[str] = ()
) -> dict[str, Mapping[str, Any]]:
    """Return the tools of a recording by name, or its resources or prompts.

    Templates are resources. Where a name has several entries, "all" has them.

    Args:
        recording: The recording.
        kind: One of `NOUNS`.
        keys: Keys of a policy: a URI that the server does not list stands for the
            templates that expand to it.
    """
    if kind == "tools":
        return {str(tool["name"]): tool for tool in recording.tools}
    if kind == "prompts":
        return {str(prompt["name"]): prompt for prompt in recording.prompts}
    named: dict[str, list[Mapping[str, Any]]] = {}
    for resource in recording.resources:
        named.setdefault(str(resource["uri"]), []).append(resource)
    for template in recording.resource_templates:
        named.setdefault(str(template["uriTemplate"]), []).append(template)
    for key in {*keys} - named.keys():
        for template in recording.resource_templates:
            if expands(str(template["uriTemplate"]), key):
                named.setdefault(key, []).append(template)
    return {
        name: entries[0] if len(entries) == 1 else {"all": entries}
        for name, entries in named.items()
    }


def facts_of(kind: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of an entry that its review covers.

    Size and date of a resource change with its contents, which nobody reviews.
    """
    if kind == "tools":
        return members_of(entry)
    if "all" in entry:
        return {"all": [facts_of(kind, each) for each in entry["all"]]}
    facts = {key: entry[key] for key in _MEMBERS if entry.get(key) is not None}
    notes = members(facts.get("annotations"))
    if "lastModified" in notes:
        facts["annotations"] = {k: notes[k] for k in notes if k != "lastModified"}
    return facts


def pins(recording: Recording, document: Document, kind: str) -> dict[str, str]:
    """Return the pin of each tool, resource or prompt of a recording, by name."""
    identity = document.server.identity
    keys = document.resources if kind == "resources" else ()
    return {
        name: digest_of(facts_of(kind, entry), recording.instructions, identity)
        for name, entry in subjects(recording, kind, keys).items()
    }


def decides_about_all(raw: Mapping[str, Any], kind: str) -> bool:
    """Return whether a file decides about all resources or prompts at once.

    It has an entry of a method, or its `[default]` does not deny.

    Args:
        raw: The file as TOML reads it.
        kind: One of `NOUNS`.
    """
    if kind == "tools" or members(raw.get(kind)):
        return False
    methods = members(raw.get("methods"))
    by_method = any(FAMILIES.get(method) == kind for method in methods)
    return by_method or members(raw.get("default")).get(kind, "deny") != "deny"
