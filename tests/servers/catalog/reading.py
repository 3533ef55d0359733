"""Offer the catalog server's resources, its resource template and its prompts."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    BlobResourceContents,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceLink,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from tests.servers.catalog.picture import PICTURE
from tests.servers.catalog.store import Catalog, CatalogError

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

__all__ = ["Reading"]

PICTURE_URI = "catalog://lineage.png"
TEMPLATE = "catalog://entities/{entityType}/{fqn}"
ENTITY = re.compile(r"catalog://entities/([^/]*)/([^/]*)")
AUDIENCES = ("analysts", "engineers", "newcomers")
MOST = 100  # values of a completion, by the specification


@dataclass(frozen=True, slots=True)
class Reading:
    """The answers about what can be read of one catalogue."""

    catalog: Catalog

    async def list_resources(
        self,
        _context: ServerRequestContext[Any],
        _params: PaginatedRequestParams | None,
    ) -> ListResourcesResult:
        """Answer `resources/list`."""
        picture = Resource(
            uri=PICTURE_URI,
            name="lineage",
            title="Lineage",
            description="A drawing of the way from a source to a report.",
            mime_type="image/png",
            size=len(b64decode(PICTURE)),
        )
        return ListResourcesResult(resources=[picture])

    async def list_templates(
        self,
        _context: ServerRequestContext[Any],
        _params: PaginatedRequestParams | None,
    ) -> ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        entity = ResourceTemplate(
            uri_template=TEMPLATE,
            name="entity",
            title="Entity",
            description="One entity of the catalogue, with all its sections.",
            mime_type="application/json",
        )
        return ListResourceTemplatesResult(resource_templates=[entity])

    async def read(
        self, _context: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """Answer `resources/read`.

        Raises:
            MCPError: If there is no such resource.
        """
        uri = params.uri
        if uri == PICTURE_URI:
            blob = BlobResourceContents(uri=uri, mime_type="image/png", blob=PICTURE)
            return ReadResourceResult(contents=[blob])
        match = ENTITY.fullmatch(uri)
        if match is None:
            raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
        try:
            entity = self.catalog.find(unquote(match[1]), unquote(match[2]))
        except CatalogError as failure:
            raise MCPError(INVALID_PARAMS, str(failure), {"uri": uri}) from failure
        part = TextResourceContents(
            uri=uri, mime_type="application/json", text=json.dumps(entity)
        )
        return ReadResourceResult(contents=[part])

    async def list_prompts(
        self,
        _context: ServerRequestContext[Any],
        _params: PaginatedRequestParams | None,
    ) -> ListPromptsResult:
        """Answer `prompts/list`."""
        table = PromptArgument(
            name="fqn", description="Full name of the table.", required=True
        )
        audience = PromptArgument(
            name="audience", description="For whom: " + ", ".join(AUDIENCES) + "."
        )
        describe = Prompt(
            name="describe_table",
            title="Describe a table",
            description="Ask for a description of a table, with its entity attached.",
            arguments=[table, audience],
        )
        owner = Prompt(
            name="find_owner",
            title="Find the owner",
            description="Ask who to talk to about a subject.",
            arguments=[PromptArgument(name="subject", required=True)],
        )
        return ListPromptsResult(prompts=[describe, owner])

    async def get_prompt(
        self, _context: ServerRequestContext[Any], params: GetPromptRequestParams
    ) -> GetPromptResult:
        """Answer `prompts/get`.

        Raises:
            MCPError: If there is no such prompt, or an argument is missing.
        """
        arguments = params.arguments or {}
        try:
            if params.name == "describe_table":
                messages = _description(arguments["fqn"], arguments.get("audience"))
            elif params.name == "find_owner":
                subject = arguments["subject"]
                messages = [_said(f"Who owns the data about {subject}? Name a team.")]
            else:
                raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
        except KeyError as fault:
            missing = f"argument {fault} of {params.name} is missing"
            raise MCPError(INVALID_PARAMS, missing) from fault
        return GetPromptResult(messages=messages)

    async def complete(
        self, _context: ServerRequestContext[Any], params: CompleteRequestParams
    ) -> CompleteResult:
        """Answer `completion/complete`: types, full names and audiences."""
        chosen = params.context.arguments if params.context else None
        kind = (chosen or {}).get("entityType")
        names = {
            "audience": sorted(AUDIENCES),
            "entityType": sorted({kind for kind, _ in self.catalog.entities}),
            "fqn": sorted(
                fqn for of, fqn in self.catalog.entities if kind in (None, of)
            ),
        }.get(params.argument.name, [])
        values = [name for name in names if name.startswith(params.argument.value)]
        completion = Completion(values=values[:MOST], total=len(values))
        return CompleteResult(completion=completion)


def _description(fqn: str, audience: str | None) -> list[PromptMessage]:
    link = ResourceLink(
        uri=f"catalog://entities/table/{fqn}",
        name=fqn,
        mime_type="application/json",
    )
    readers = audience or AUDIENCES[0]
    return [
        PromptMessage(role="user", content=link),
        _said(f"Describe the table {fqn} in three sentences, for {readers}."),
    ]


def _said(text: str) -> PromptMessage:
    return PromptMessage(role="user", content=TextContent(text=text))
