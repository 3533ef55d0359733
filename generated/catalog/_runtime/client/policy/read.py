# Copied by mcp-bindgen. Do not edit.
"""Reads a policy file: TOML to entries, or all its mistakes at once."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...json_values import members
from .entry import ALWAYS, DEFAULT_MODES, FAMILIES, Document, Entry, Server
from .errors import PolicyFileError
from .read_entries import NO_SUCH, entries_of
from .read_table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Reader = Callable[[Document, Table], Document]
    """Adds the entries of resources and prompts to a policy."""

__all__ = ["FORMAT", "NO_SUCH", "parse", "without_features"]

FORMAT = "mcp-bindgen-policy/1"
_KEYS = {
    *("format", "modes", "enforce", "unreviewed", "server", "default", "tools"),
    *("methods", "resources", "prompts", "cases"),
}
_FEATURES = {"resources": "resource", "prompts": "prompt"}
_DEFAULTS = (*dict.fromkeys(FAMILIES.values()), "methods")


def without_features(document: Document, table: Table) -> Document:
    """Return the policy for a server without resources and prompts.

    Entries of those that the server had once deny all that it may have now.

    Args:
        document: The policy.
        table: The whole file.
    """
    defaults = dict(document.defaults)
    for key, noun in _FEATURES.items():
        inner = table.inner(key)
        for name, raw in inner.raw.items():
            if members(raw).get("removed") is not True:
                reason = f"{NO_SUCH} {noun}: the package was made without {key}"
                inner.fault(name, reason)
        if inner.raw:
            defaults[key] = replace(
                defaults[key], effect="deny", reason="the server had none"
            )
    return replace(document, defaults=MappingProxyType(defaults))


def parse(
    data: bytes,
    file: str,
    schemas: Mapping[str, Mapping[str, Any]] | None = None,
    reader: Reader = without_features,
) -> Document:
    """Return the policy in a file.

    Args:
        data: The bytes of the file.
        file: Its name, for messages.
        schemas: Wire name to input schema of each tool that the server has; None
            where it is unknown, so that names and pointers are not checked.
        reader: Reads the entries of resources and prompts, see `with_features`.

    Raises:
        PolicyFileError: The file has mistakes; all of them are listed.
    """
    table = Table("", _toml(data, file), [])
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    document = reader(_document(table, digest, schemas), table)
    if table.faults:
        raise PolicyFileError(file, table.faults)
    return document


def _toml(data: bytes, file: str) -> dict[str, Any]:
    try:
        # A file that an editor on Windows wrote is read as any other.
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise PolicyFileError(file, [("", f"expected TOML: {error}")]) from None


def _document(
    table: Table, digest: str, schemas: Mapping[str, Mapping[str, Any]] | None
) -> Document:
    table.only(_KEYS)
    if table.raw.get("format", FORMAT) != FORMAT:
        table.fault("format", f'expected "{FORMAT}"')
    _refuse_two_deciders(table)
    modes = tuple(table.names("modes") or DEFAULT_MODES)
    if table.raw.get("modes") == []:
        table.fault("modes", "expected a mode, or no such key")
    if not isinstance(table.raw.get("cases", []), list):
        table.fault("cases", "expected [[cases]]")
    enforced = table.choice("enforce", ("deny", "log"), "deny") == "deny"
    unreviewed = table.choice("unreviewed", ("allow", "deny"), "deny") == "allow"
    return Document(
        digest=digest,
        modes=modes,
        server=_server(table.inner("server")),
        tools=MappingProxyType(
            entries_of(table.inner("tools"), modes, schemas, enforced=enforced)
        ),
        methods=MappingProxyType(
            _methods(table.inner("methods"), modes, enforced=enforced)
        ),
        defaults=MappingProxyType(
            _defaults(table.inner("default"), modes, enforced=enforced)
        ),
        unreviewed=unreviewed,
    )


def _refuse_two_deciders(table: Table) -> None:
    """Note each method that has an entry beside entries of what it is about."""
    for method, key in FAMILIES.items():
        listed = key in ("resources", "prompts") and table.raw.get(key)
        if listed and method in members(table.raw.get("methods")):
            reason = f"expected an entry here or below [{key}], got both"
            Table("methods", {}, table.faults).fault(method, reason)


def _server(table: Table) -> Server:
    table.only({"name", "url", "command", "recording"})
    for key in ("name", "recording"):
        table.text(key)
    url, command = table.text("url"), tuple(table.texts("command"))
    if url and command:
        table.fault("url", "expected a url or a command, got both")
    return Server(url, command)


def _methods(
    table: Table, modes: tuple[str, ...], *, enforced: bool
) -> dict[str, Entry]:
    for name, raw in table.raw.items():
        cut = "max_bytes" in members(members(raw).get("results"))
        if cut and name != "resources/read":
            table.fault(name, "results.max_bytes is for tools and resources/read")
        if name == "tools/call":
            table.fault(name, "expected [tools.NAME] for each tool")
        if name.startswith("notifications/"):
            table.fault(name, "no policy decides about what has no answer")
        if name in ALWAYS:
            table.fault(name, "no policy decides about what opens and lists")
        elif name not in FAMILIES and (
            near := get_close_matches(name, FAMILIES, 1, 0.8)
        ):
            table.fault(name, f"no such method; did you mean {near[0]}?")
    return entries_of(table, modes, None, enforced=enforced)


def _defaults(
    table: Table, modes: tuple[str, ...], *, enforced: bool
) -> dict[str, Entry]:
    table.only(_DEFAULTS)
    made: dict[str, Entry] = {}
    for key in _DEFAULTS:
        effect: Any = table.choice(key, ("deny", "allow", "approve"), "deny")
        made[key] = Entry(
            name=f"{key} without an entry",
            key=f"default.{key}",
            effect=effect,
            modes=frozenset(modes),
            enforced=enforced,
        )
    return made
