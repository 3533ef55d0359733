"""Search the catalogue: match, filter, score, order and cut to a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.catalog.store import Catalog, Entity, JsonObject

__all__ = ["search_metadata"]

FIELDS = (
    "entityType",
    "fullyQualifiedName",
    "name",
    "displayName",
    "description",
    "owners",
    "tags",
    "tier",
    "updatedAt",
)


def search_metadata(catalog: Catalog, arguments: JsonObject) -> JsonObject:
    """Return one page of the hits, as the tool's output schema has it."""
    least = arguments["minScore"]
    scored = [
        (score, entity)
        for entity in catalog.entities.values()
        if _wanted(entity, arguments)
        and (score := _score(entity, arguments["query"])) > 0
        and score >= least
    ]
    hits = _ordered(scored, arguments.get("sort", {}))
    # JSON Schema takes 1.0 for an integer, a slice does not.
    start, size = int(arguments["from"]), int(arguments["size"])
    end = start + size
    result: JsonObject = {
        "total": len(hits),
        "from": start,
        "nextFrom": end if end < len(hits) else None,
        "hits": [_hit(score, entity) for score, entity in hits[start:end]],
    }
    if arguments["includeFacets"]:
        result["facets"] = _facets([entity for _, entity in hits])
    return result


def _wanted(entity: Entity, arguments: JsonObject) -> bool:
    filters = arguments.get("filters", {})
    owners = {owner["name"] for owner in entity["owners"]}
    return all(
        (
            arguments.get("entityType") in (None, entity["entityType"]),
            arguments["includeDeleted"] or not entity["deleted"],
            "owners" not in filters or not owners.isdisjoint(filters["owners"]),
            set(filters.get("tags", ())) <= set(entity["tags"]),
            "tier" not in filters or filters["tier"] == entity["tier"],
            "service" not in filters or filters["service"] == entity["service"],
        )
    )


def _score(entity: Entity, query: str) -> float:
    if query.strip() == "*":
        return 1.0
    words = query.casefold().split()
    places = (
        (entity["fullyQualifiedName"], 3),
        (entity["displayName"] or "", 2),
        (" ".join(entity["tags"]), 2),
        (entity["description"] or "", 1),
    )
    best = sum(weight for _, weight in places) * max(len(words), 1)
    total_weight = sum(
        weight for word in words for text, weight in places if word in text.casefold()
    )
    return round(total_weight / best, 4)


def _ordered(
    scored: list[tuple[float, Entity]], sort: JsonObject
) -> list[tuple[float, Entity]]:
    field = sort.get("field", "relevance")

    def key(hit: tuple[float, Entity]) -> Any:
        score, entity = hit
        return score if field == "relevance" else entity[field]

    named = sorted(scored, key=lambda hit: hit[1]["fullyQualifiedName"])
    return sorted(named, key=key, reverse=sort.get("order", "desc") == "desc")


def _hit(score: float, entity: Entity) -> JsonObject:
    hit = {name: entity[name] for name in FIELDS} | {"score": score}
    return hit | {"deleted": True} if entity["deleted"] else hit


def _facets(entities: list[Entity]) -> dict[str, dict[str, int]]:
    types = Counter(entity["entityType"] for entity in entities)
    tags = Counter(tag for entity in entities for tag in entity["tags"])
    return {
        "entityType": dict(sorted(types.items())),
        "tag": dict(sorted(tags.items())),
    }
