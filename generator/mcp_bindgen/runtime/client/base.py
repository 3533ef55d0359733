"""The base of both clients: how they are made, their options, tools as methods."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

from .. import limits
from ..errors import ConfigError
from ..lazy import tool_module, tool_names
from ..strict_json import members
from .channel import Channel
from .located import Located
from .options import (
    CallOptions,
    call_options,
    checked_timeout,
    session_settings,
    with_policy,
)
from .session_facts import SessionFacts
from .telemetry import observed, server_facts, trace_context

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import EllipsisType

    from ..protocol.request import Request
    from ..protocol.session import Session
    from ..transport.connections import httpx
    from .approval import BeforeCall
    from .binding import Binding
    from .policy.policy import BasePolicy

HttpT = TypeVar("HttpT")
TransportT = TypeVar("TransportT")
DriverT = TypeVar("DriverT")


class ClientBase(Located, SessionFacts, Generic[TransportT, HttpT, DriverT]):
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
    def http(
        cls,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        token: str | Callable[[], str | Awaitable[str]] | None = None,
        auth: httpx.Auth | None = None,
        http: HttpT | None = None,
        allow_http: bool = False,
        timeout: float | None = 30.0,
        timeouts: Mapping[str, float] | None = None,
        era: str | None = None,
        retries: int = 2,
        on_elicit: Callable[..., Any] | None = None,
        max_connections: int = limits.CONNECTIONS,
        policy: BasePolicy | None = None,
    ) -> Self:
        """Make a client of a server's URL; it connects at the first call.

        Args:
            url: The MCP endpoint, https:// or, on this machine, http://.
            headers: Header fields of every request.
            token: Bearer token, or a function that gives one and, after a 401, another.
            auth: Any `httpx.Auth`; it signs the requests of `http`, too.
            http: An HTTP client to use as it is; closing it stays your business.
            allow_http: Whether http:// may lead to another machine than this.
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools: `{Tool.X: 5}`.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated that may safely be.
            on_elicit: Takes the params of elicitation/create and gives its result.
            max_connections: How many calls may be on their way at once; further ones
                wait. It does not count where `http` is passed.
            policy: What each call obeys: `Policy.load(file)`.

        Raises:
            ConfigError: If the URL, a header, a proxy of the environment or a number
                is unusable.
        """
        from ..protocol.session import Session
        from ..protocol.streamable_http import StreamableHttp
        from ..transport.connections import HttpOptions, check_url
        from ..transport.http_io import HttpDriver
        from ..transport.http_tasks import AsyncHttpDriver

        if max_connections < 1:
            raise ConfigError("max_connections is less than 1")
        endpoint, server = check_url(url, allow_http=allow_http)
        wire = StreamableHttp(endpoint, headers or {}, token)
        client: Any = http
        options: HttpOptions[Any] = HttpOptions(endpoint, auth, client, max_connections)
        kind = HttpDriver if cls._blocking else AsyncHttpDriver
        settings = session_settings(cls._name(), era, retries, on_elicit)
        session: Session[Any] = Session(wire, settings)
        call = call_options(timeout, timeouts)
        return cls._open(session, kind(options), server, call, policy)

    @classmethod
    def stdio(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        timeout: float | None = 30.0,
        timeouts: Mapping[str, float] | None = None,
        era: str | None = None,
        retries: int = 2,
        on_elicit: Callable[..., Any] | None = None,
        policy: BasePolicy | None = None,
    ) -> Self:
        """Make a client of a program, which starts at the first call.

        Args:
            command: The program and its arguments; no shell sees them.
            env: Variables that the program gets on top of a short allow-list.
            cwd: Folder that it runs in.
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools: `{Tool.X: 5}`.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated that may safely be.
            on_elicit: Takes the params of elicitation/create and gives its result.
            policy: What each call obeys: `Policy.load(file)`.

        Raises:
            ConfigError: If the command is no list of texts.
        """
        from ..protocol.session import Session
        from ..protocol.stdio import StdioWire
        from ..transport.command import Command
        from ..transport.stdio_io import StdioDriver
        from ..transport.stdio_tasks import AsyncStdioDriver

        run = Command(command, env, cwd)
        kind = StdioDriver if cls._blocking else AsyncStdioDriver
        settings = session_settings(cls._name(), era, retries, on_elicit)
        session: Session[Any] = Session(StdioWire(), settings)
        call = call_options(timeout, timeouts)
        return cls._open(session, kind(run), run.name, call, policy)

    @classmethod
    def _open(
        cls,
        session: Session[Any],
        driver: Any,
        server: str,
        options: CallOptions,
        policy: BasePolicy | None,
    ) -> Self:
        client = cls(Channel(session, driver, server))
        client._options = options
        return client if policy is None else client.with_options(policy=policy)

    def with_options(
        self,
        *,
        timeout: float | EllipsisType | None = ...,
        timeouts: Mapping[str, float] | EllipsisType = ...,
        on_progress: Callable[..., Any] | EllipsisType | None = ...,
        on_log: Callable[..., Any] | EllipsisType | None = ...,
        extra_arguments: Mapping[str, object] | EllipsisType = ...,
        before_call: BeforeCall | EllipsisType | None = ...,
        policy: BasePolicy | EllipsisType = ...,
    ) -> Self:
        """Return a client on the same connection whose calls differ in this.

        Args:
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools, by `Tool` member or wire name.
            on_progress: Called with progress, total or None, message or None.
            on_log: Called for each log message, with level, logger or None, data.
            extra_arguments: Sent with each call, by wire name.
            before_call: Decides before each call of a tool, from its wire name and its
                arguments: True allows, False or `Deny(reason)` denies, `Replace(...)`
                replaces. It may be async where the client is. The client's other
                hooks decide before it; the first denial counts. None removes all.
            policy: One more policy that each call obeys; nothing removes a policy.

        Raises:
            ConfigError: The timeout is not a positive number, or the policy is none.
        """
        from .approval import added

        values: dict[str, Any] = {
            "timeout": timeout,
            "timeouts": timeouts,
            "on_progress": on_progress,
            "on_log": on_log,
            "extra_arguments": extra_arguments,
            "before_call": added(self._options.before_call, before_call),
            "guards": with_policy(
                self._options.guards, policy, self._transport, self.server
            ),
        }
        changed = {name: value for name, value in values.items() if value is not ...}
        for seconds in (changed.get("timeout"), *changed.get("timeouts", {}).values()):
            checked_timeout(seconds)
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._options = replace(self._options, **changed)
        return other

    @property
    def server(self) -> str:
        """Where the calls go, without secrets: scheme and host, or a program."""
        transport: Any = self._transport
        channel = isinstance(transport, Channel)
        return transport.server if channel else type(transport).__name__

    @property
    def _channel(self) -> Channel[DriverT]:
        transport: Any = self._transport
        if isinstance(transport, Channel):
            return cast("Channel[DriverT]", transport)
        raise ConfigError("a transport of your own calls tools and nothing else")

    def _facts(self) -> dict[str, str]:
        """Return attributes of the server for OpenTelemetry."""
        if not isinstance(self._transport, Channel):
            return {}
        return server_facts(self.server, self.protocol_version)

    def _observed(
        self, method: str, tool: str | None = None
    ) -> AbstractContextManager[None]:
        return observed(self.server, self._facts, method, tool)

    def _request(
        self,
        method: str,
        params: Mapping[str, Any],
        binding: Binding[Any] | None = None,
    ) -> Request:
        from ..protocol.request import READS, Request

        if context := trace_context():
            meta = {**members(params.get("_meta")), **context}
            params = {**params, "_meta": meta}
        options = self._options
        hooks = (options.on_progress, options.on_log)
        if binding is None:
            request = Request(method, params, *hooks, retryable=method in READS)
        else:
            facts = (binding.retryable, binding.header_params)
            request = Request(method, params, *hooks, *facts)
        if not options.guards:
            return request
        from .policy.asking import guarded

        return guarded(request, options.guards)

    def _screen(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Raise where a policy denies a call, before anybody is asked about it."""
        if self._options.guards:
            from .policy.asking import screen

            screen(self._options.guards, tool, arguments)

    def _complete(self, arguments: Mapping[str, object]) -> dict[str, object]:
        return {**arguments, **self._options.extra_arguments}

    @classmethod
    def _name(cls) -> str:
        """Return the name of the generated package."""
        return cls._home()[1].rpartition(".")[2]

    @classmethod
    def _home(cls) -> tuple[type, str]:
        """Return the generated class that this is, or derives from; its package."""
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
