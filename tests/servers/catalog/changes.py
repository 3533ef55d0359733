"""Change the catalogue: create glossaries and terms, patch entities."""

from __future__ import annotations

from typing import Any

import jsonpatch
from jsonpointer import JsonPointerException
from jsonschema_rs import validator_for

from tests.servers.catalog.store import (
    CHANGED_AT,
    Catalog,
    CatalogError,
    Entity,
    JsonObject,
    new_entity,
)

__all__ = ["create_glossary", "create_glossary_term", "patch_entity"]

FIXED = (
    "id",
    "entityType",
    "name",
    "fullyQualifiedName",
    "glossary",
    "version",
    "updatedAt",
)

OWNER: JsonObject = {
    "type": "object",
    "properties": {"type": {"enum": ["user", "team"]}, "name": {"type": "string"}},
    "required": ["type", "name"],
}
ENTITY = validator_for(
    {
        "type": "object",
        "properties": {
            "displayName": {"type": ["string", "null"]},
            "description": {"type": ["string", "null"]},
            "owners": {"type": "array", "items": OWNER},
            "tags": {"type": "array", "items": {"type": "string"}},
            "tier": {"enum": ["Tier1", "Tier2", "Tier3", None]},
            "service": {"type": ["string", "null"]},
            "deleted": {"type": "boolean"},
            "columns": {"type": "array"},
            "tasks": {"type": "array"},
            "reviewers": {"type": "array", "items": {"type": "string"}},
        },
        "required": [
            "displayName",
            "description",
            "owners",
            "tags",
            "tier",
            "service",
            "deleted",
        ],
    }
)


def create_glossary(catalog: Catalog, arguments: JsonObject) -> JsonObject:
    """Keep a new glossary and return it, as the tool's output schema has it.

    Raises:
        CatalogError: If the name is taken.
    """
    reviewers = arguments.get("reviewers", [])
    fields = {
        name: arguments[name]
        for name in ("displayName", "description", "owners", "mutuallyExclusive")
    }
    glossary = new_entity(
        "glossary", arguments["name"], {**fields, "reviewers": reviewers}
    )
    catalog.add(glossary)
    reference = {name: glossary[name] for name in ("id", "name", "fullyQualifiedName")}
    result = {**reference, **fields, "version": glossary["version"]}
    if reviewers:
        result["review"] = {"reviewers": reviewers, "newTermStatus": "Draft"}
    return result


def create_glossary_term(catalog: Catalog, arguments: JsonObject) -> Entity:
    """Keep a new term and return it.

    Raises:
        CatalogError: If there is no such glossary or parent, or the name is taken.
    """
    glossary = catalog.find("glossary", arguments["glossary"])
    above = glossary["fullyQualifiedName"]
    if arguments["parentTerm"] is not None:
        parent = catalog.find("glossaryTerm", arguments["parentTerm"])
        if parent["glossary"] != glossary["name"]:
            raise CatalogError(
                "WRONG_GLOSSARY: the parent term is in another glossary: "
                + parent["glossary"]
            )
        above = parent["fullyQualifiedName"]
    keys = ("description", "parentTerm", "synonyms", "references", "style")
    term = new_entity(
        "glossaryTerm",
        f"{above}.{arguments['name']}",
        {name: arguments[name] for name in keys if name in arguments}
        | {
            "glossary": glossary["name"],
            "status": "Draft" if glossary.get("reviewers") else "Approved",
            "extension": arguments.get("extension", {}),
        },
    )
    catalog.add(term)
    return term


def patch_entity(catalog: Catalog, arguments: JsonObject) -> Entity:
    """Apply a JSON Patch (RFC 6902), all of it or nothing.

    Raises:
        CatalogError: If there is no such entity, it has another version, or the
            patch does not apply or leaves no entity.
    """
    entity = catalog.find(arguments["entityType"], arguments["fqn"])
    expected = arguments["expectedVersion"]
    if expected not in (None, entity["version"]):
        raise CatalogError(
            f"VERSION_CONFLICT: the entity has version {entity['version']}"
        )
    patched = _patched(entity, arguments["patch"])
    patched["version"] = round(entity["version"] + 0.1, 1)
    patched["updatedAt"] = CHANGED_AT
    if not arguments["dryRun"]:
        catalog.entities[arguments["entityType"], arguments["fqn"]] = patched
    return patched


def _patched(entity: Entity, operations: list[JsonObject]) -> Entity:
    try:
        patched: Any = jsonpatch.apply_patch(entity, operations)
    except (jsonpatch.JsonPatchException, JsonPointerException) as fault:
        raise CatalogError(f"PATCH_FAILED: {fault}") from fault
    for error in ENTITY.iter_errors(patched):
        raise CatalogError(f"PATCH_FAILED: it leaves no entity: {error.message}")
    for name in FIXED:
        if patched.get(name) != entity.get(name):
            raise CatalogError(f"PATCH_FAILED: {name} cannot be changed")
    return dict(patched)
