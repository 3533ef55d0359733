"""Hold the catalogue's entities and edges, and find an entity or say why not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

__all__ = ["Catalog", "CatalogError", "Entity", "JsonObject", "load", "new_entity"]

JsonObject = dict[str, Any]
Entity = dict[str, Any]

CHANGED_AT = "2026-04-01T00:00:00Z"
"""The time of every change: a fixed one, so that equal calls give equal results."""


class CatalogError(Exception):
    """A failure that the caller can understand and mend."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything that the server knows; lost when the process ends."""

    entities: dict[tuple[str, str], Entity]
    edges: tuple[JsonObject, ...]

    def find(self, entity_type: str, fqn: str) -> Entity:
        """Return one entity, deleted or not.

        Raises:
            CatalogError: If there is none.
        """
        entity = self.entities.get((entity_type, fqn))
        if entity is None:
            raise CatalogError(f"ENTITY_NOT_FOUND: no {entity_type} {fqn!r}")
        return entity

    def by_name(self, fqn: str) -> Entity:
        """Return the entity that an edge names."""
        return next(e for e in self.entities.values() if e["fullyQualifiedName"] == fqn)

    def add(self, entity: Entity) -> None:
        """Keep a new entity.

        Raises:
            CatalogError: If its type and name are taken.
        """
        key = (entity["entityType"], entity["fullyQualifiedName"])
        if key in self.entities:
            raise CatalogError(f"ENTITY_EXISTS: {key[0]} {key[1]!r} exists already")
        self.entities[key] = entity


def new_entity(entity_type: str, fqn: str, fields: JsonObject) -> Entity:
    """Return an entity with what every entity has; its id follows from its name."""
    return {
        "id": str(uuid5(NAMESPACE_URL, f"catalog:{entity_type}:{fqn}")),
        "entityType": entity_type,
        "name": fqn.rpartition(".")[2],
        "fullyQualifiedName": fqn,
        "displayName": None,
        "description": None,
        "owners": [],
        "tags": [],
        "tier": None,
        "service": None,
        "deleted": False,
        "updatedAt": CHANGED_AT,
        "version": 0.1,
        **fields,
    }


def load() -> Catalog:
    """Return the catalogue as it is at each start."""
    path = Path(__file__).with_name("data.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    entities = {
        (raw["entityType"], raw["fullyQualifiedName"]): new_entity(
            raw["entityType"], raw["fullyQualifiedName"], raw
        )
        for raw in data["entities"]
    }
    return Catalog(entities, tuple(data["edges"]))
