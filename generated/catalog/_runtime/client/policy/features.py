# Copied by mcp-bindgen. Do not edit.
"""Finds the entry that decides about a request for a resource or a prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...json_values import elements, members
from .entry import Document
from .snapshot import CALL
from .uris import covers, fault_of_uri, is_template, resembles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .entry import Entry

__all__ = ["FullDocument", "entry_for"]

_BY_URI = ("resources/read", "resources/subscribe", "resources/unsubscribe")
_LISTEN = "subscriptions/listen"
_PROMPT = "prompts/get"
_COMPLETE = "completion/complete"


@dataclass(frozen=True, slots=True)
class FullDocument(Document):
    """A policy file with entries of resources and prompts."""

    def deciding(self, method: str, params: Mapping[str, Any]) -> Entry:
        """Return the entry that decides about a request, see `entry_for`."""
        return entry_for(self, method, params)


def entry_for(document: Document, method: str, params: Mapping[str, Any]) -> Entry:
    """Return the entry that decides about a request.

    Args:
        document: The policy.
        method: The method of the request.
        params: Its params.
    """
    name: object = params.get("name")
    tool = name if isinstance(name, str) else ""
    if method == CALL:
        return document.entry(method, tool)
    listed = None
    if method in _BY_URI:
        listed = _of_uri(document, params.get("uri"))
    elif method == _LISTEN:
        listed = _of_uris(document, params)
    elif method == _PROMPT:
        listed = document.prompts.get(tool)
    elif method == _COMPLETE:
        listed = _of_completion(document, members(params.get("ref")))
        own = document.methods.get(method)
        if own is not None and listed is not None and listed.effect != "deny":
            return own
    return listed or document.entry(method, None)


def _of_completion(document: Document, ref: Mapping[str, Any]) -> Entry | None:
    """Return the entry of the prompt or the template that a completion is for.

    Constraints are about values that are complete.
    """
    if ref.get("type") == "ref/prompt":
        entry = document.prompts.get(str(ref.get("name")))
    else:
        uri = str(ref.get("uri"))
        entry = document.resources.get(uri) or _of_uri(document, uri)
    return (
        None if entry is None else replace(entry, constraints=(), whens=(), twin=None)
    )


def _of_uris(document: Document, params: Mapping[str, Any]) -> Entry | None:
    """Return the entry of a subscription; one request has resources of one entry."""
    notifications = members(params.get("notifications"))
    wanted: object = notifications.get("resourceSubscriptions", [])
    uris = [] if wanted == [] else elements(wanted) or [wanted]
    entries = [_of_uri(document, uri) for uri in uris]
    first = next(filter(None, entries), None)
    if first is None or all(entry == first for entry in entries):
        return first
    return _denied(first, "one request is for resources of several entries")


def _of_uri(document: Document, uri: object) -> Entry | None:
    """Return the entry of a URI, or of the templates that expand to it.

    Where the policy has no entry for a URI, but one for another spelling of it, this
    entry denies: `[default]` must not allow what an entry restricts.
    """
    entries = document.resources
    if not entries:
        return None
    default = replace(document.defaults["resources"], key="resources")
    if not isinstance(uri, str):
        return _denied(default, "expected a URI")
    if uri in entries and not is_template(uri):
        return entries[uri]
    templates = [key for key in entries if is_template(key)]
    covering = [entries[key] for key in templates if covers(key)(uri)]
    fault = fault_of_uri(uri)
    if covering:
        entry = _of_all(covering)
        return _denied(entry, f"the URI: {fault}") if fault else entry
    if fault:
        return _denied(default, f"the URI: {fault}")
    near = next((entries[key] for key in entries if resembles(uri, key)), None)
    return near and _denied(near, "the URI is one of the entry in another spelling")


def _of_all(covering: list[Entry]) -> Entry:
    """Return the entry that decides where several templates expand to one URI."""
    first, *others = sorted(covering, key=lambda entry: entry.effect != "deny")
    if first.effect == "deny" or all(_rules(e) == _rules(first) for e in others):
        return first
    return _denied(first, "several templates expand to the URI, and their rules differ")


def _rules(entry: Entry) -> Entry:
    """Return an entry without its name and its review."""
    return replace(entry, name="", key="", note="", reviewed=str(bool(entry.reviewed)))


def _denied(entry: Entry, reason: str) -> Entry:
    return replace(entry, effect="deny", reason=reason)
