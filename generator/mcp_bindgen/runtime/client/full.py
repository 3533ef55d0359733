"""The clients of servers that have resources or prompts; others need none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..lazy import tool_module
from .client import AsyncBaseClient, BaseClient

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from ..content import EmbeddedResource, ResourceLink
    from .prompts import Completion, PromptInfo, PromptMessages
    from .resources import ResourceContents, ResourceInfo, ResourceTemplateInfo
    from .uri_templates import TemplateValue

__all__ = ["AsyncFullClient", "FullClient"]

_RESOURCES = ("resources/list", "resources")
_TEMPLATES = ("resources/templates/list", "resourceTemplates")
_PROMPTS = ("prompts/list", "prompts")


class FullClient(BaseClient):
    """A blocking client of tools, resources and prompts."""

    _layers: ClassVar[int] = 3

    def list_resources(self) -> list[ResourceInfo]:
        """Return the resources that the server lists now, of all pages."""
        from .resources import ResourceInfo

        return [ResourceInfo.from_wire(entry) for entry in self._entries(*_RESOURCES)]

    def list_resource_templates(self) -> list[ResourceTemplateInfo]:
        """Return the resource templates that the server lists now, of all pages."""
        from .resources import ResourceTemplateInfo

        entries = self._entries(*_TEMPLATES)
        return [ResourceTemplateInfo.from_wire(entry) for entry in entries]

    def list_prompts(self) -> list[PromptInfo]:
        """Return the prompts that the server lists now, of all pages."""
        from .prompts import PromptInfo

        return [PromptInfo.from_wire(entry) for entry in self._entries(*_PROMPTS)]

    def read_resource(self, uri: str) -> ResourceContents:
        """Read a resource: a member of `Resource`, or any URI of the server.

        Example: `client.read_resource("todo://guide").text`.
        """
        from .resources import ResourceContents

        return ResourceContents.from_wire(
            self.request("resources/read", {"uri": str(uri)})
        )

    def read_template(
        self, template: str, arguments: Mapping[str, TemplateValue | None]
    ) -> ResourceContents:
        """Read the resource whose URI a template makes of arguments (RFC 6570).

        Args:
            template: A member of `ResourceTemplate`, or any URI template.
            arguments: Name of a variable to its value, not yet percent-encoded; one
                that is None is left out.

        Raises:
            InvalidArgumentsError: An argument has a type that no URI holds.
        """
        from .resources import expanded

        return self.read_resource(expanded(template, arguments))

    def follow(self, link: ResourceLink | EmbeddedResource) -> ResourceContents:
        """Read the resource that a block of a result names, on this server alone.

        Example: `[client.follow(link) for link in result.links]`.
        """
        return self.read_resource(link.uri)

    def get_prompt(
        self, prompt: str, arguments: Mapping[str, str | None] | None = None
    ) -> PromptMessages:
        """Return the messages of a prompt.

        Example: `client.get_prompt(Prompt.PLAN_DAY, {"focus": "home"}).messages`.

        Args:
            prompt: A member of `Prompt`, or a name on the wire.
            arguments: Name on the wire to value; one that is None is left out.

        Raises:
            InvalidArgumentsError: An argument is no string.
        """
        from .prompts import PromptMessages, prompt_params

        params = prompt_params(prompt, arguments)
        return PromptMessages.from_wire(self.request("prompts/get", params))

    def complete(
        self,
        argument: str,
        value: str = "",
        *,
        prompt: str | None = None,
        template: str | None = None,
        others: Mapping[str, str] | None = None,
    ) -> Completion:
        """Return values for an argument of a prompt or a resource template.

        Example: `client.complete("focus", "ho", prompt=Prompt.PLAN_DAY).values`.

        Args:
            argument: Name of the argument on the wire.
            value: What the user has written of it so far.
            prompt: A member of `Prompt`, or a name on the wire.
            template: In place of a prompt: a member of `ResourceTemplate`.
            others: Name to value of the arguments that are chosen already.

        Raises:
            InvalidArgumentsError: There is a prompt and a template, or neither.
        """
        from .prompts import Completion, completion_params

        params = completion_params(argument, value, prompt, template, others)
        return Completion.from_wire(self.request("completion/complete", params))

    def _entries(self, method: str, key: str) -> list[dict[str, Any]]:
        return self._run(self._channel.session.list_entries(method, key), method)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a tool, a resource template or a prompt as a method."""
            try:
                return super().__getattr__(name)
            except AttributeError:
                if (function := _feature(*self._home(), name, "")) is None:
                    raise
                return function.__get__(self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_features(self._home()[1])})


class AsyncFullClient(AsyncBaseClient):
    """A client of tools, resources and prompts for any number of tasks."""

    _layers: ClassVar[int] = 3

    async def list_resources(self) -> list[ResourceInfo]:
        """Return the resources that the server lists now, of all pages."""
        from .resources import ResourceInfo

        return [
            ResourceInfo.from_wire(entry) for entry in await self._entries(*_RESOURCES)
        ]

    async def list_resource_templates(self) -> list[ResourceTemplateInfo]:
        """Return the resource templates that the server lists now, of all pages."""
        from .resources import ResourceTemplateInfo

        entries = await self._entries(*_TEMPLATES)
        return [ResourceTemplateInfo.from_wire(entry) for entry in entries]

    async def list_prompts(self) -> list[PromptInfo]:
        """Return the prompts that the server lists now, of all pages."""
        from .prompts import PromptInfo

        return [PromptInfo.from_wire(entry) for entry in await self._entries(*_PROMPTS)]

    async def read_resource(self, uri: str) -> ResourceContents:
        """Read a resource: a member of `Resource`, or any URI of the server.

        Example: `(await client.read_resource("todo://guide")).text`.
        """
        from .resources import ResourceContents

        return ResourceContents.from_wire(
            await self.request("resources/read", {"uri": str(uri)})
        )

    async def read_template(
        self, template: str, arguments: Mapping[str, TemplateValue | None]
    ) -> ResourceContents:
        """Read the resource whose URI a template makes of arguments (RFC 6570).

        Args:
            template: A member of `ResourceTemplate`, or any URI template.
            arguments: Name of a variable to its value, not yet percent-encoded; one
                that is None is left out.

        Raises:
            InvalidArgumentsError: An argument has a type that no URI holds.
        """
        from .resources import expanded

        return await self.read_resource(expanded(template, arguments))

    async def follow(self, link: ResourceLink | EmbeddedResource) -> ResourceContents:
        """Read the resource that a block of a result names, on this server alone.

        Example: `[await client.follow(link) for link in result.links]`.
        """
        return await self.read_resource(link.uri)

    async def get_prompt(
        self, prompt: str, arguments: Mapping[str, str | None] | None = None
    ) -> PromptMessages:
        """Return the messages of a prompt.

        Example: `await client.get_prompt(Prompt.PLAN_DAY, {"focus": "home"})`.

        Args:
            prompt: A member of `Prompt`, or a name on the wire.
            arguments: Name on the wire to value; one that is None is left out.

        Raises:
            InvalidArgumentsError: An argument is no string.
        """
        from .prompts import PromptMessages, prompt_params

        params = prompt_params(prompt, arguments)
        return PromptMessages.from_wire(await self.request("prompts/get", params))

    async def complete(
        self,
        argument: str,
        value: str = "",
        *,
        prompt: str | None = None,
        template: str | None = None,
        others: Mapping[str, str] | None = None,
    ) -> Completion:
        """Return values for an argument of a prompt or a resource template.

        Example: `await client.complete("focus", "ho", prompt=Prompt.PLAN_DAY)`.

        Args:
            argument: Name of the argument on the wire.
            value: What the user has written of it so far.
            prompt: A member of `Prompt`, or a name on the wire.
            template: In place of a prompt: a member of `ResourceTemplate`.
            others: Name to value of the arguments that are chosen already.

        Raises:
            InvalidArgumentsError: There is a prompt and a template, or neither.
        """
        from .prompts import Completion, completion_params

        params = completion_params(argument, value, prompt, template, others)
        return Completion.from_wire(await self.request("completion/complete", params))

    async def _entries(self, method: str, key: str) -> list[dict[str, Any]]:
        return await self._run(self._channel.session.list_entries(method, key), method)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a tool, a resource template or a prompt as a method."""
            try:
                return super().__getattr__(name)
            except AttributeError:
                if (function := _feature(*self._home(), name, "_async")) is None:
                    raise
                return function.__get__(self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_features(self._home()[1])})


def _features(package: str) -> dict[str, ModuleType]:
    """Return the functions of resource templates and prompts, each with its module.

    Those of a tool come first: they are looked for before these.
    """
    functions: dict[str, ModuleType] = {}
    for module in ("resources", "prompts"):
        if (found := tool_module(package, module)) is not None:
            listed: list[str] = getattr(found, "__all__", [])
            functions |= {
                name.removesuffix("_async"): found
                for name in listed
                if name.endswith("_async") and name.removesuffix("_async") in listed
            }
    return functions


def _feature(home: type, package: str, name: str, suffix: str) -> Any:
    """Return the function of a template or a prompt; from now on the class has it."""
    module = None if name.startswith("_") else _features(package).get(name)
    if module is None:
        return None
    function = getattr(module, name + suffix)
    setattr(home, name, function)
    return function
