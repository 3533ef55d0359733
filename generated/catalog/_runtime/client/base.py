# Copied by mcp-bindgen. Do not edit.
"""The base of both clients: their options and requests, tools as methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from ..errors import ConfigError, Fault, InvalidArgumentsError
from ..json_values import kind_of, members
from ..lazy import tool_module, tool_names
from .answers import observer, request_type, trace_context
from .channel import Channel
from .making import HttpT, Making
from .root import CallOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import EllipsisType
    from typing import Self

    from ..protocol.request import Request
    from ..protocol.steps import Flow
    from .approval import BeforeCall
    from .binding import Binding
    from .policy.policy import BasePolicy
    from .root import ClientT

TransportT = TypeVar("TransportT")
DriverT = TypeVar("DriverT")


class ClientBase(Making[HttpT], Generic[TransportT, HttpT, DriverT]):
    """A client without its calls.

    Args:
        transport: Carries the calls, in place of `http` and `stdio`.
    """

    _blocking: ClassVar[bool] = True
    _layers: ClassVar[int] = 2  # classes of the runtime below a generated one

    def __init__(self, transport: TransportT | Channel[DriverT]) -> None:
        self._transport = transport
        self._options = CallOptions()

    @classmethod
    def _on(
        cls,
        channel: Channel[DriverT],
        options: CallOptions,
        policy: BasePolicy | None,
    ) -> Self:
        client = cls(channel)
        client._options = options
        if channel.session.settings.listens:
            from .answering import bind

            bind(channel, cls, options.timeout)
        return client if policy is None else client.with_options(policy=policy)

    def with_options(
        self: ClientT,
        *,
        timeout: float | EllipsisType | None = ...,
        timeouts: Mapping[str, float] | EllipsisType = ...,
        on_progress: Callable[..., Any] | EllipsisType | None = ...,
        progress: bool | EllipsisType = ...,
        on_log: Callable[..., Any] | EllipsisType | None = ...,
        log_level: str | EllipsisType | None = ...,
        on_notice: Callable[..., Any] | EllipsisType | None = ...,
        extra_arguments: Mapping[str, object] | EllipsisType = ...,
        before_call: BeforeCall | EllipsisType | None = ...,
        policy: BasePolicy | EllipsisType = ...,
    ) -> ClientT:
        """Return a client on the same connection with other options for its calls.

        Args:
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools, by `Tool` member or wire name.
            on_progress: Called with progress, total or None, message or None.
            progress: Whether calls that report progress show a bar on standard error,
                or in a notebook; made by rich, if it is installed.
            on_log: Called for each log message, with level, logger or None, data.
            log_level: The lowest level that the server sends to `on_log`: "info" ...
            on_notice: Called with method and params of each other notification.
            extra_arguments: Sent with each call, by wire name; they replace its own.
            before_call: Decides before each call of a tool, from its wire name and its
                arguments: True allows, False or `Deny(reason)` denies, `Replace(...)`
                replaces. It may be async where the client is. The client's other
                hooks decide before it; the first denial counts. None removes all.
            policy: One more policy that each call obeys; nothing removes a policy.

        Raises:
            ConfigError: A timeout is not a positive number or of no tool, the policy is
                none, or there are both a bar and `on_progress`.
        """
        from .options import added, changed

        options = self._options
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._options = changed(
            self._home()[1],
            options,
            timeout=timeout,
            timeouts=timeouts,
            on_progress=on_progress,
            progress=progress,
            on_log=on_log,
            log_level=log_level,
            on_notice=on_notice,
            extra_arguments=extra_arguments,
            before_call=added(options.before_call, before_call),
            guards=self._guarded(policy),
        )
        return other

    def _guarded(self, policy: BasePolicy | EllipsisType) -> tuple[Any, ...]:
        from .options import with_policy

        guards = self._options.guards
        return with_policy(guards, policy, self._transport, self.server)

    @property
    def server(self) -> str:
        """The server of the calls, without secrets: scheme and host, or a program."""
        transport: Any = self._transport
        channel = isinstance(transport, Channel)
        return transport.server if channel else type(transport).__name__

    @property
    def _channel(self) -> Channel[DriverT]:
        transport: Any = self._transport
        if isinstance(transport, Channel):
            return cast("Channel[DriverT]", transport)
        raise ConfigError(
            "a transport of your own calls tools and nothing else",
            hint="make the client with Client.http or Client.stdio",
        )

    def _peer(self) -> tuple[str, str | None] | None:
        """Return the server and its version; None where a transport is your own."""
        if not isinstance(self._transport, Channel):
            return None
        return self.server, self.protocol_version

    def _observed(
        self, method: str, tool: str | None = None
    ) -> AbstractContextManager[None]:
        hide = getattr(self._transport, "hide", None)
        watched = observer()(self.server, self._peer, method, tool, hide)
        bars = self._options.bars
        return watched if bars is None else bars.around(watched, tool or method)

    def _request(
        self,
        method: str,
        params: Mapping[str, Any],
        binding: Binding[Any] | None = None,
    ) -> Request:
        if context := trace_context()():
            meta = {**members(params.get("_meta")), **context}
            params = {**params, "_meta": meta}
        options = self._options
        if binding is None:
            request = request_type().plain(
                method, params, options.on_progress, options.on_log
            )
        else:
            request = request_type()(
                method,
                params,
                options.on_progress,
                options.on_log,
                binding.retryable,
                binding.header_params,
            )
        if options.log_level or options.on_notice:
            request = request.heard(options.log_level, options.on_notice)
        if not options.guards:
            return request
        from .policy.asking import guarded

        return guarded(request, options.guards)

    def _connecting(self) -> Flow[Any, object]:
        """Return the flow that connects; policies compare their reviews at once."""
        session, guards = self._channel.session, self._options.guards
        if not guards:
            return session.connect()
        from .policy.pinning import connected

        return connected(session, guards)

    def _screen(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Raise if a policy denies a call, before a person is asked."""
        if self._options.guards:
            from .policy.asking import screen

            screen(self._options.guards, tool, arguments)

    def _complete(
        self, tool: str, arguments: Mapping[str, object]
    ) -> dict[str, object]:
        try:
            return {**arguments, **self._options.extra_arguments}
        except TypeError:
            if isinstance(cast("object", arguments), Mapping):
                raise  # from a mapping's own code
            fault = Fault("", "type", "expected an object", kind_of(arguments))
            raise InvalidArgumentsError(tool, [fault]) from None

    @classmethod
    def _name(cls) -> str:
        """Return the name of the generated package."""
        return cls._home()[1].rpartition(".")[2]

    @classmethod
    def _home(cls) -> tuple[type, str]:
        """Return the generated class of this client, and its package."""
        line = cls.__mro__
        home = line[max(line.index(ClientBase) - cls._layers, 0)]
        return home, home.__module__.rpartition(".")[0]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a tool as a method; its module is imported when first used."""
            home, package = self._home()
            tool = tool_module(f"{package}.tools", name)
            if tool is None:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}")
            method = getattr(tool, name if self._blocking else f"{name}_async")
            setattr(home, name, method)
            return method.__get__(self)

    def __dir__(self) -> list[str]:
        tools = tool_names(f"{self._home()[1]}.tools")
        return sorted({*super().__dir__(), *tools})
