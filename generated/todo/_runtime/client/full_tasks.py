# Copied by mcp-bindgen. Do not edit.
"""The client of servers that have resources or prompts, for tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import ProtocolError
from .client import AsyncBaseClient

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..content import EmbeddedResource, ResourceLink
    from .drift import Difference
    from .prompts import Completion, PromptInfo, PromptMessages
    from .resources import ResourceContents, ResourceInfo, ResourceTemplateInfo
    from .uri_templates import TemplateValue

__all__ = ["AsyncFullClient"]

_RESOURCES = ("resources/list", "resources")
_TEMPLATES = ("resources/templates/list", "resourceTemplates")
_PROMPTS = ("prompts/list", "prompts")


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

        Raises:
            InvalidArgumentsError: The URI is no string.
        """
        from .resources import ResourceContents
        from .text_params import uri_text

        method = "resources/read"
        raw = await self.request(method, {"uri": uri_text(method, uri)})
        return ResourceContents.from_wire(raw)

    async def read_template(
        self, template: str, arguments: Mapping[str, TemplateValue | None]
    ) -> ResourceContents:
        """Read the resource whose URI a template makes of arguments (RFC 6570).

        Args:
            template: A member of `ResourceTemplate`, or any URI template.
            arguments: Name of a variable to its value, not yet percent-encoded; one
                that is None is left out.

        Raises:
            InvalidArgumentsError: An argument has a type that no URI holds, the
                template has no such variable, or a part of its path has no value.
        """
        from .uri_templates import expanded

        return await self.read_resource(expanded(template, arguments))

    async def follow(self, link: ResourceLink | EmbeddedResource) -> ResourceContents:
        """Read the resource that a block of a result names, on this server alone."""
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

    async def verify(self) -> list[Difference]:
        """Return the differences between the server's lists and the recording."""
        from .feature_drift import feature_differences, is_absent, listed_kinds

        tools = await super().verify()
        live: dict[str, list[dict[str, Any]]] = {}
        for kind in listed_kinds(self.capabilities):
            try:
                live[kind.key] = await self._entries(kind.method, kind.key)
            except ProtocolError as error:
                if not is_absent(error):
                    raise
        return [*tools, *feature_differences(self._home()[1], live)]

    async def subscribe(
        self,
        uri: str,
        on_update: Callable[[str], object],
        *,
        timeout: float | None = None,
    ) -> None:
        """Call a function each time that a resource changes, until it returns False.

        Errors end it: a broken connection is a `TransportError`. Changes until the next
        `subscribe` are not reported.

        Example: `await client.subscribe(Resource.GUIDE, print, timeout=60)`.

        Args:
            uri: A member of `Resource`, or any URI of the server.
            on_update: Takes the URI of the change: the resource, or a part of it.
            timeout: Seconds to listen; None for those of `with_options`, or for as long
                as the server does.

        Raises:
            ConfigError: The server does not tell of changes of this resource.
        """
        from .subscribing import AsyncListening

        await self.connect()
        session, driver = self._channel.session, self._channel.driver
        listening = AsyncListening(session, self.capabilities, uri, on_update)
        seconds = self._options.listen if timeout is None else timeout
        bare = self._request(listening.method, listening.params)
        request = await self._admitted(bare)
        with listening.ending(), self._observed(request.method):
            await driver.run(listening.flow(request), seconds)

    async def _entries(self, method: str, key: str) -> list[dict[str, Any]]:
        return await self._run(self._channel.session.list_entries(method, key), method)

    # Each package types it for its own prompts and templates: `_completions.py`.
    if not TYPE_CHECKING:

        async def complete(
            self,
            argument: str,
            value: str = "",
            *,
            prompt: str | PromptInfo | None = None,
            template: str | ResourceTemplateInfo | None = None,
            others: Mapping[str, str] | None = None,
        ) -> Completion:
            """Return values for an argument of a prompt or a resource template.

            Example: `await client.complete("focus", "ho", prompt=Prompt.PLAN_DAY)`.

            Args:
                argument: Name of the argument on the wire.
                value: The part that the user has written so far.
                prompt: A member of `Prompt`, or a `PromptInfo`, whose arguments no type
                    checker knows.
                template: In place of a prompt: a member of `ResourceTemplate`, or a
                    `ResourceTemplateInfo`.
                others: Name to value of the arguments that are chosen already.

            Raises:
                InvalidArgumentsError: There is a prompt and a template, or neither.
            """
            # Type checkers read the `_completions.py` of each package instead.
            from .prompts import Completion, completion_params

            params = completion_params(argument, value, prompt, template, others)
            return Completion.from_wire(
                await self.request("completion/complete", params)
            )

        def __getattr__(self, name: str) -> Any:
            """Return a tool, a resource template or a prompt as a method."""
            try:
                return super().__getattr__(name)
            except AttributeError:
                from .feature_functions import feature

                if (function := feature(*self._home(), name, "_async")) is None:
                    raise
                return function.__get__(self)

    def __dir__(self) -> list[str]:
        from .feature_functions import features

        return sorted({*super().__dir__(), *features(self._home()[1])})
