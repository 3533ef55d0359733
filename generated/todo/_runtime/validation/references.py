# Copied by mcp-bindgen. Do not edit.
"""Finds the targets of references, within one document only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import unquote, urldefrag, urljoin

from .. import limits
from ..errors import printable
from ..json_pointer import steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MANY", "NAMED", "ONE", "Resource", "expect", "is_array", "is_object"]
__all__ += ["find_resources", "is_texts", "resolve", "split", "subschemas"]

# Keywords whose value is a schema, a list of schemas, a table of schemas.
_ONE = (
    "additionalItems additionalProperties contains else if items not propertyNames"
    " then unevaluatedItems unevaluatedProperties"
)
_NAMED = "dependencies dependentRequired dependentSchemas patternProperties properties"
ONE = frozenset(_ONE.split())
MANY = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
NAMED = frozenset(_NAMED.split())
_HELD = NAMED | {"$defs", "definitions"}


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """A schema with an address of its own, and the named schemas inside it.

    Attributes:
        base: The address, "" where the document gives none.
        root: The schema at that address.
        legacy: Whether it is written in draft 7, or before.
        anchors: Name to schema, for "#name".
        dynamic: The same for `$dynamicAnchor`.
    """

    base: str
    root: object
    legacy: bool
    anchors: dict[str, object] = field(default_factory=dict[str, object])
    dynamic: dict[str, object] = field(default_factory=dict[str, object])

    def within(self, schema: object, resources: Mapping[str, Resource]) -> Resource:
        """Return the resource that a schema inside this one belongs to."""
        if not is_object(schema) or "$id" not in schema:
            return self
        base, _ = _identity(schema, self)
        inner = resources.get(base, self)
        return inner if inner.root is schema else self


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an array."""
    return isinstance(value, list)


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Return whether a JSON value is an array of strings."""
    return is_array(value) and all(isinstance(item, str) for item in value)


def expect(fits: object, keyword: str, shape: str) -> None:
    """Raise ValueError unless a keyword's value has its shape."""
    if not fits:
        raise ValueError(f"{keyword} must be {shape}")


def find_resources(document: object) -> dict[str, Resource]:
    """Find every resource and anchor of a document; the whole of it is under ""."""
    resources = {"": Resource("", document, _legacy(document, otherwise=False))}
    pending = [(document, resources[""])]
    while pending:
        schema, home = pending.pop()
        if not is_object(schema):
            continue
        base, name = _identity(schema, home)
        if base != home.base:
            legacy = _legacy(schema, otherwise=home.legacy)
            home = resources.setdefault(base, Resource(base, schema, legacy))
        anchor = name if home.legacy else schema.get("$anchor")
        dynamic = None if home.legacy else schema.get("$dynamicAnchor")
        if isinstance(dynamic, str):
            home.dynamic[dynamic] = home.anchors[dynamic] = schema
        if isinstance(anchor, str):
            home.anchors[anchor] = schema
        pending += [(inner, home) for inner in subschemas(schema)]
    return resources


def resolve(
    reference: str, home: Resource, resources: Mapping[str, Resource]
) -> tuple[object, Resource]:
    """Return the target of a reference, and the resource of the target.

    Args:
        reference: Value of `$ref` or `$dynamicRef`.
        home: The resource around the reference.
        resources: Every resource of the document.

    Raises:
        ValueError: It leads out of the document, or to nothing.
    """
    url, name = split(reference)
    target = resources.get(urljoin(home.base, url)) if url else home
    if target is None:
        raise ValueError(
            f"{printable(reference, limits.NAME_TEXT)} leads out of the document"
        )
    if name and not name.startswith("/"):
        if name not in target.anchors:
            raise ValueError(
                f"{printable(reference, limits.NAME_TEXT)} leads to nothing"
            )
        return target.anchors[name], target
    schema = target.root
    for key in steps(name):
        target = target.within(schema, resources)
        if is_object(schema) and key in schema:
            schema = schema[key]
        elif is_array(schema) and key.isdecimal() and int(key) < len(schema):
            schema = schema[int(key)]
        else:
            raise ValueError(
                f"{printable(reference, limits.NAME_TEXT)} leads to nothing"
            )
    return schema, target


def split(reference: str) -> tuple[str, str]:
    """Split a reference at its "#", and decode the text after it."""
    url, fragment = urldefrag(reference)
    return url, unquote(fragment)


def _identity(schema: Mapping[str, object], home: Resource) -> tuple[str, str]:
    """Return the base address in a schema, and its draft 7 anchor."""
    name = schema.get("$id")
    # In draft 7, nothing beside a $ref counts.
    if not isinstance(name, str) or (home.legacy and "$ref" in schema):
        return home.base, ""
    url, fragment = split(name)
    return (urljoin(home.base, url) if url else home.base), fragment


def _legacy(schema: object, *, otherwise: bool) -> bool:
    dialect = schema.get("$schema") if is_object(schema) else None
    if not isinstance(dialect, str):
        return otherwise
    return any(f"/draft-0{number}/" in dialect for number in (3, 4, 6, 7))


def subschemas(schema: Mapping[str, Any]) -> Iterator[object]:
    """Yield the values directly inside a schema that must be schemas."""
    for keyword, inner in schema.items():
        if keyword in _HELD and is_object(inner):
            yield from inner.values()
        elif keyword in MANY or keyword in ONE:
            yield from inner if is_array(inner) else (inner,)
