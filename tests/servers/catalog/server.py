"""The catalog server: binds the tools of tools.json to their functions."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema_rs import validator_for
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, Tool

from tests.servers import tooling
from tests.servers.catalog.changes import (
    create_glossary,
    create_glossary_term,
    patch_entity,
)
from tests.servers.catalog.lineage import get_entity_lineage, neighbours
from tests.servers.catalog.reading import Reading
from tests.servers.catalog.search import search_metadata
from tests.servers.catalog.store import (
    Catalog,
    CatalogError,
    Entity,
    JsonObject,
    load,
)
from tests.servers.launch import CATALOG_TOKEN

__all__ = ["build", "verifier"]

Action = Callable[[Catalog, JsonObject], JsonObject]

SECTIONS = ("columns", "tasks")


class StaticToken(TokenVerifier):
    """Takes one token and no other."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who the token stands for, or None."""
        wanted = os.environ.get("CATALOG_TOKEN", CATALOG_TOKEN)
        if not hmac.compare_digest(token.encode(), wanted.encode()):
            return None
        return AccessToken(token=token, client_id="catalog", scopes=[])


def verifier() -> TokenVerifier:
    """Return what decides about bearer tokens."""
    return StaticToken()


def build() -> Server[Any]:
    """Return the server, with the catalogue as it is at each start."""
    catalog = load()
    actions: tuple[Action, ...] = (
        search_metadata,
        get_entity_details,
        get_entity_lineage,
        create_glossary,
        create_glossary_term,
        patch_entity,
    )
    by_name = {action.__name__: action for action in actions}
    path = Path(__file__).with_name("tools.json")
    tools = [
        _bind(raw, by_name[raw["name"]], catalog)
        for raw in json.loads(path.read_text(encoding="utf-8"))
    ]
    on_list_tools, on_call_tool = tooling.handlers(tools)
    reading = Reading(catalog)
    return Server(
        "catalog",
        version="1.0.0",
        title="Metadata catalogue",
        instructions="Search first; then read details or lineage by the name found.",
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        on_list_resources=reading.list_resources,
        on_list_resource_templates=reading.list_templates,
        on_read_resource=reading.read,
        on_list_prompts=reading.list_prompts,
        on_get_prompt=reading.get_prompt,
        on_completion=reading.complete,
    )


def get_entity_details(catalog: Catalog, arguments: JsonObject) -> Entity:
    """Return one entity with the sections asked for.

    Raises:
        CatalogError: If there is no such entity.
    """
    entity = catalog.find(arguments["entityType"], arguments["fqn"])
    include = arguments["include"]
    left_out = {name for name in SECTIONS if name not in include}
    details = {name: entity[name] for name in entity if name not in left_out}
    limit = arguments["columnLimit"]
    if limit is not None and "columns" in details:
        details["columns"] = details["columns"][: int(limit)]
        details["hasMoreColumns"] = len(entity["columns"]) > limit
    if "lineage" in include:
        fqn = entity["fullyQualifiedName"]
        details["lineage"] = {
            "upstream": neighbours(catalog, fqn, "upstream"),
            "downstream": neighbours(catalog, fqn, "downstream"),
        }
    return details


def _bind(raw: JsonObject, action: Action, catalog: Catalog) -> tooling.BoundTool:
    schema = raw["inputSchema"]
    validator = validator_for(schema, validate_formats=True)
    answer = tooling.structured if "outputSchema" in raw else tooling.text

    async def run(arguments: JsonObject) -> CallToolResult:
        for error in validator.iter_errors(arguments):
            pointer = "".join(f"/{step}" for step in error.instance_path)
            return tooling.failed(f"INVALID_ARGUMENTS: {pointer}: {error.message}")
        try:
            return answer(action(catalog, _completed(schema, arguments, schema)))
        except CatalogError as failure:
            return tooling.failed(str(failure))

    return tooling.BoundTool(Tool.model_validate(raw), run)


def _completed(schema: JsonObject, value: Any, root: JsonObject) -> Any:
    """Return the valid value with the schema's defaults where it has nothing."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return _completed(root["$defs"][name], value, root)
    if "items" in schema:
        return [_completed(schema["items"], item, root) for item in value]
    if "properties" not in schema:
        return value
    properties: JsonObject = schema["properties"]
    defaults = {
        name: part["default"] for name, part in properties.items() if "default" in part
    }
    return defaults | {
        name: _completed(properties[name], member, root)
        for name, member in value.items()
    }
