"""Walk the catalogue's edges from one entity, upstream and downstream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tests.servers.catalog.store import Catalog, JsonObject

__all__ = ["get_entity_lineage", "neighbours"]

Direction = Literal["upstream", "downstream"]


def get_entity_lineage(catalog: Catalog, arguments: JsonObject) -> JsonObject:
    """Return the graph around an entity, as the tool's output schema has it.

    Raises:
        CatalogError: If there is no such entity.
    """
    root = catalog.find(arguments["entityType"], arguments["fqn"])
    name = root["fullyQualifiedName"]
    up, up_cut = _walk(catalog, name, "upstream", int(arguments["upstreamDepth"]))
    down, down_cut = _walk(
        catalog, name, "downstream", int(arguments["downstreamDepth"])
    )
    reached = {name, *up, *down}
    return {
        "root": _node(catalog, name, "root", 0),
        "nodes": [
            *(_node(catalog, fqn, "upstream", depth) for fqn, depth in up.items()),
            *(_node(catalog, fqn, "downstream", depth) for fqn, depth in down.items()),
        ],
        "edges": [
            _edge(edge, columns=arguments["includeColumnLineage"])
            for edge in catalog.edges
            if {edge["from"], edge["to"]} <= reached
        ],
        "truncated": up_cut or down_cut,
    }


def neighbours(catalog: Catalog, fqn: str, direction: Direction) -> list[str]:
    """Return the names one hop away, in the order of the edges."""
    near, far = ("to", "from") if direction == "upstream" else ("from", "to")
    return [edge[far] for edge in catalog.edges if edge[near] == fqn]


def _walk(
    catalog: Catalog, root: str, direction: Direction, limit: int
) -> tuple[dict[str, int], bool]:
    depths: dict[str, int] = {}
    front = [root]
    for depth in range(1, limit + 1):
        names = [far for fqn in front for far in neighbours(catalog, fqn, direction)]
        front = [fqn for fqn in dict.fromkeys(names) if fqn not in {root, *depths}]
        depths |= dict.fromkeys(front, depth)
    return depths, any(neighbours(catalog, fqn, direction) for fqn in front)


def _node(catalog: Catalog, fqn: str, direction: str, depth: int) -> JsonObject:
    entity = catalog.by_name(fqn)
    return {
        "entityType": entity["entityType"],
        "fullyQualifiedName": fqn,
        "direction": direction,
        "depth": depth,
        "tier": entity["tier"],
    }


def _edge(edge: JsonObject, *, columns: bool) -> JsonObject:
    entry = {name: edge[name] for name in ("from", "to", "pipeline")}
    return entry | {"columns": edge["columns"]} if columns else entry
