# Copied by mcp-bindgen. Do not edit.
"""Resources and prompts for agents: as tools, and as documents of LangChain."""

from __future__ import annotations

from inspect import Signature, signature
from typing import TYPE_CHECKING, Any

from ..client.bridge import perform_async
from ..client.feature_functions import features
from ..client.full import FullClient
from ..client.full_tasks import AsyncFullClient
from ..client.resources import TextResource
from ..lazy import tool_module
from ..results import ToolResult
from .own import own
from .prompt_messages import langchain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..client.feature_marks import Marked
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
    """Return tools for models: `list_resources`, `read_resource`, and the templates.

    Each resource template of the package is a tool with the name of its function, whose
    arguments are texts. What the policy denies that the package was generated with
    is left out.

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
            if info.uri not in denied
        ]

    denied = _denied(client, "resources", "RESOURCES")

    async def read_resource(uri: str) -> ToolResult:
        """Read a resource of the server by its URI."""
        return _result(await perform_async(client, lambda: client.read_resource(uri)))

    return _tools(prefix, list_resources, read_resource, *_templates(client))


def _result(contents: ResourceContents) -> ToolResult:
    blocks = [{"type": "resource", "resource": block.raw} for block in contents]
    return ToolResult.from_wire({"content": blocks})


def _templates(client: FullClient | AsyncFullClient) -> Iterator[Callable[..., Any]]:
    """Yield a function for each resource template of the client's package."""
    package = _package(client)
    denied = {m.name for m in _denied(client, "resources", "RESOURCE_TEMPLATES")}
    for name, module in features(package).items() if package else ():
        member = name.upper().rstrip("_")
        if module.__name__ == f"{package}.resources" and member not in denied:
            yield _reader(client, getattr(module, name))


def _package(client: FullClient | AsyncFullClient) -> str:
    """Return the name of the package that a client's class comes from, or ""."""
    bases = {FullClient, AsyncFullClient}
    classes = (c for c in type(client).__mro__ if bases & {*c.__bases__})
    generated = next(classes, None)
    return generated.__module__.rpartition(".")[0] if generated else ""


def _denied(
    client: FullClient | AsyncFullClient, module: str, table: str
) -> frozenset[Any]:
    """Return the members whose entry in a table of the package says "denied"."""
    package = _package(client)
    home = tool_module(package, module) if package else None
    infos: Mapping[Any, Marked] = getattr(home, table, {})
    return frozenset(member for member, info in infos.items() if info.denied)


def _reader(
    client: FullClient | AsyncFullClient, function: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function with the parameters of a template's function, all texts."""
    name = function.__name__
    _, *parameters = signature(function).parameters.values()
    optional = {p.name: p.default is None for p in parameters}

    async def read(**arguments: str | None) -> ToolResult:
        bound = getattr(client, name)
        return _result(await perform_async(client, lambda: bound(**arguments)))

    read.__name__, read.__doc__ = name, function.__doc__
    types: dict[str, Any] = {n: str | None if optional[n] else str for n in optional}
    read.__annotations__ = types
    made = [p.replace(annotation=types[p.name]) for p in parameters]
    vars(read)["__signature__"] = Signature(made)
    return read


def prompts_as_tools(
    client: FullClient | AsyncFullClient, *, prefix: str = ""
) -> list[OwnTool]:
    """Return two tools for models: `list_prompts` and `get_prompt`.

    Prompts are not listed that the policy denies which the package was generated with.

    Example: `Toolbox(toolset(client), prompts_as_tools(client))`.

    Args:
        client: A client of a server that has prompts.
        prefix: The word in front of each name: `prefix_get_prompt`.
    """

    async def list_prompts() -> list[dict[str, object]]:
        """List the prompts of the server, with their arguments."""
        listed: list[PromptInfo] = await perform_async(client, client.list_prompts)
        return [_listed(info) for info in listed if info.prompt not in denied]

    denied = _denied(client, "prompts", "PROMPTS")

    async def get_prompt(
        name: str, arguments: dict[str, str] | None = None
    ) -> ToolResult:
        """Get the messages of a prompt of the server."""
        messages: PromptMessages = await perform_async(
            client, lambda: client.get_prompt(name, arguments)
        )
        blocks = [message.content.raw for message in messages]
        return ToolResult.from_wire({"content": blocks})

    return _tools(prefix, list_prompts, get_prompt)


def _listed(info: PromptInfo) -> dict[str, object]:
    """Return the description of a prompt for a model."""
    keys = ("name", "description", "required")
    return {
        "name": info.prompt,
        "title": info.title,
        "description": info.description,
        "arguments": [
            {key: getattr(argument, key) for key in keys} for argument in info.arguments
        ],
    }


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
