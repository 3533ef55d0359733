# Copied by mcp-bindgen. Do not edit.
"""Resources and prompts for agents: as tools, and as documents of LangChain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..client.bridge import perform_async
from ..client.resources import TextResource
from ..results import ToolResult
from .own import own
from .prompt_messages import langchain

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.full import FullClient
    from ..client.full_tasks import AsyncFullClient
    from ..client.prompts import PromptInfo, PromptMessages
    from ..client.resources import ResourceContents, ResourceInfo
    from .own import OwnTool

__all__ = [
    "langchain_blobs",
    "langchain_documents",
    "prompts_as_tools",
    "resources_as_tools",
]


def resources_as_tools(
    client: FullClient | AsyncFullClient, *, prefix: str = ""
) -> list[OwnTool]:
    """Return two tools for models: `list_resources` and `read_resource`.

    Example: `Toolbox(toolset(client), resources_as_tools(client))`.

    Args:
        client: A client of a server that has resources.
        prefix: The word in front of each name: `prefix_read_resource`.
    """

    async def list_resources() -> list[dict[str, object]]:
        """List the resources of the server: documents, files, data."""
        listed: list[ResourceInfo] = await perform_async(client, client.list_resources)
        return [
            {
                "uri": info.uri,
                "title": info.title,
                "description": info.description,
                "mime_type": info.mime_type,
            }
            for info in listed
        ]

    async def read_resource(uri: str) -> ToolResult:
        """Read a resource of the server by its URI."""
        contents: ResourceContents = await perform_async(
            client, lambda: client.read_resource(uri)
        )
        blocks = [{"type": "resource", "resource": block.raw} for block in contents]
        return ToolResult.from_wire({"content": blocks})

    return _tools(prefix, list_resources, read_resource)


def prompts_as_tools(
    client: FullClient | AsyncFullClient, *, prefix: str = ""
) -> list[OwnTool]:
    """Return two tools for models: `list_prompts` and `get_prompt`.

    Example: `Toolbox(toolset(client), prompts_as_tools(client))`.

    Args:
        client: A client of a server that has prompts.
        prefix: The word in front of each name: `prefix_get_prompt`.
    """

    async def list_prompts() -> list[dict[str, object]]:
        """List the prompts of the server, with their arguments."""
        listed: list[PromptInfo] = await perform_async(client, client.list_prompts)
        return [
            {
                "name": info.prompt,
                "title": info.title,
                "description": info.description,
                "arguments": [
                    {
                        "name": argument.name,
                        "description": argument.description,
                        "required": argument.required,
                    }
                    for argument in info.arguments
                ],
            }
            for info in listed
        ]

    async def get_prompt(name: str, arguments: dict[str, str]) -> ToolResult:
        """Get the messages of a prompt of the server."""
        messages: PromptMessages = await perform_async(
            client, lambda: client.get_prompt(name, arguments)
        )
        blocks = [message.content.raw for message in messages]
        return ToolResult.from_wire({"content": blocks})

    return _tools(prefix, list_prompts, get_prompt)


def _tools(prefix: str, *functions: Callable[..., Any]) -> list[OwnTool]:
    tools = own(*functions)
    if not prefix:
        return tools
    return [tool.renamed(f"{prefix}_{tool.name}") for tool in tools]


def langchain_documents(contents: ResourceContents) -> list[Any]:
    """Return the texts of a resource as LangChain's `Document`s.

    Example: `langchain_documents(client.read_resource(Resource.GUIDE))`.

    Raises:
        ConfigError: langchain-core is not installed.
    """
    documents = langchain("documents")
    return [
        documents.Document(
            page_content=block.text,
            metadata={"source": block.uri, "mime_type": block.mime_type},
        )
        for block in contents
        if isinstance(block, TextResource)
    ]


def langchain_blobs(contents: ResourceContents) -> list[Any]:
    """Return the blocks of a resource as LangChain's `Blob`s: texts and bytes.

    Example: `langchain_blobs(client.read_resource(Resource.LOGO))`.

    Raises:
        ConfigError: langchain-core is not installed.
    """
    documents = langchain("documents.base")
    return [
        documents.Blob(
            data=block.text if isinstance(block, TextResource) else block.data,
            mimetype=block.mime_type,
            metadata={"source": block.uri},
        )
        for block in contents
    ]
