"""What the blocking and the async client share: making, options, tools as methods."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from ..errors import ConfigError
from ..lazy import tool_module, tool_names
from ..protocol.call import Call, Options, Settings, Wire
from ..protocol.session import Session
from ..strict_json import members
from .approval import added
from .environment import from_environment
from .telemetry import observed, trace_context

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import EllipsisType

    from ..transport.connections import httpx
    from .approval import BeforeCall
    from .binding import Binding

HttpT = TypeVar("HttpT")
TransportT = TypeVar("TransportT")

_PINNED = {"legacy": "2025-11-25", "modern": "2026-07-28"}


@dataclass(frozen=True, slots=True)
class Connection:
    """A session with a server, and the door that its flows go through."""

    session: Session = field(repr=False)
    door: Any = field(repr=False)
    server: str


class ClientBase(Generic[TransportT, HttpT]):
    """A client without its calls.

    Args:
        transport: What carries the calls, when it is not `http` or `stdio`.
    """

    _blocking: ClassVar[bool] = True

    def __init__(self, transport: TransportT | Connection) -> None:
        self._transport = transport
        self._options = Options()

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
        era: str | None = None,
        retries: int = 2,
        on_elicit: Callable[..., Any] | None = None,
    ) -> Self:
        """Make a client of a server's URL; it connects at the first call.

        Args:
            url: The MCP endpoint, https:// or, on this machine, http://.
            headers: Header fields of every request.
            token: Bearer token, or a function that gives one and, after a 401, another.
            auth: Any `httpx.Auth`.
            http: An HTTP client to use as it is; closing it stays your business.
            allow_http: Whether http:// may lead to another machine than this.
            timeout: Seconds for a whole call with its retries; None for no limit.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated that may safely be.
            on_elicit: Takes the params of elicitation/create and gives its result.

        Raises:
            ConfigError: If the URL or a header is unusable.
        """
        from ..protocol.streamable_http import StreamableHttp
        from ..transport import http_io as doors
        from ..transport.connections import check_url

        parsed, server = check_url(url, allow_http=allow_http)
        wire = StreamableHttp(headers or {}, token)
        kind: Any = doors.HttpDoor if cls._blocking else doors.AsyncHttpDoor
        door = kind(parsed, auth, http)
        return cls._open(wire, door, server, timeout, (era, retries, on_elicit))

    @classmethod
    def stdio(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        timeout: float | None = 30.0,
        era: str | None = None,
        retries: int = 2,
        on_elicit: Callable[..., Any] | None = None,
    ) -> Self:
        """Make a client of a program, which starts at the first call.

        Args:
            command: The program and its arguments; no shell sees them.
            env: Variables that the program gets on top of a short allow-list.
            cwd: Folder that it runs in.
            timeout: Seconds for a whole call with its retries; None for no limit.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated that may safely be.
            on_elicit: Takes the params of elicitation/create and gives its result.

        Raises:
            ConfigError: If the command is no list of texts.
        """
        from ..transport import stdio_io as doors
        from ..transport.process import Command

        run = Command(command, env, cwd)
        kind: Any = doors.StdioDoor if cls._blocking else doors.AsyncStdioDoor
        more = (era, retries, on_elicit)
        return cls._open(doors.Pipes(), kind(run), run.name, timeout, more)

    @classmethod
    def _open(
        cls,
        wire: Wire,
        door: object,
        server: str,
        timeout: float | None,
        more: tuple[str | None, int, Callable[..., Any] | None],
    ) -> Self:
        era, retries, on_elicit = more
        name = cls._home()[1].rpartition(".")[2]
        settings = Settings(
            client={"name": name, "version": "0"},
            version=_PINNED.get(era, era) if era else None,
            retries=retries,
            on_elicit=on_elicit,
        )
        client = cls(Connection(Session(wire, settings), door, server))
        client._options = Options(timeout)
        return client

    @classmethod
    def from_env(cls, **options: Any) -> Self:
        """Make a client from <NAME>_MCP_URL, _TOKEN or _COMMAND in the environment.

        Args:
            options: What else `http` or `stdio` takes.

        Raises:
            ConfigError: If neither, or both, of URL and COMMAND are set.
        """
        place = from_environment(cls._home()[1].rpartition(".")[2])
        make: Any = cls.http if "url" in place else cls.stdio
        client: Self = make(**{**place, **options})
        return client

    def with_options(
        self,
        *,
        timeout: float | EllipsisType | None = ...,
        on_progress: Callable[..., Any] | EllipsisType | None = ...,
        on_log: Callable[..., Any] | EllipsisType | None = ...,
        extra_arguments: Mapping[str, object] | EllipsisType = ...,
        before_call: BeforeCall | EllipsisType | None = ...,
    ) -> Self:
        """Return a client on the same connection whose calls differ in this.

        Args:
            timeout: Seconds for a whole call with its retries; None for no limit.
            on_progress: Called with progress, total or None, message or None.
            on_log: Called with level, logger or None, data: what the server logs.
            extra_arguments: Sent with each call, by wire name.
            before_call: Asked before each call of a tool, with its wire name and its
                arguments: True allows, False or `Deny(reason)` denies, `Replace(...)`
                replaces. It may be async where the client is. The client's other
                hooks are asked before it; the first denial counts. None removes all.
        """
        given: dict[str, Any] = {
            "timeout": timeout,
            "on_progress": on_progress,
            "on_log": on_log,
            "extra_arguments": extra_arguments,
            "before_call": added(self._options.before_call, before_call),
        }
        changed = {name: value for name, value in given.items() if value is not ...}
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._options = replace(self._options, **changed)
        return other

    @property
    def server_info(self) -> Mapping[str, Any]:
        """What the server says of itself: name, version ...; {} before it is known."""
        link = self._connection.session.link
        return link.server_info if link else {}

    @property
    def protocol_version(self) -> str | None:
        """The protocol version that was agreed on; None before."""
        link = self._connection.session.link
        return link.version if link else None

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the server offers; {} before it is known."""
        link = self._connection.session.link
        return members(link.facts.get("capabilities")) if link else {}

    @property
    def instructions(self) -> str | None:
        """The server's words to a model, where there are any."""
        link = self._connection.session.link
        text = link.facts.get("instructions") if link else None
        return text if isinstance(text, str) else None

    @property
    def server(self) -> str:
        """Where the calls go, without secrets: scheme and host, or a program."""
        if isinstance(self._transport, Connection):
            return self._transport.server
        return type(self._transport).__name__

    @property
    def _connection(self) -> Connection:
        if isinstance(self._transport, Connection):
            return self._transport
        raise ConfigError("a transport of your own calls tools and nothing else")

    def _facts(self) -> dict[str, str]:
        """What OpenTelemetry is told of the server."""
        if not isinstance(self._transport, Connection):
            return {}
        version = self.protocol_version
        told = {"mcp.protocol.version": version} if version else {}
        _, _, address = self.server.partition("://")
        if not address:
            return {**told, "network.transport": "pipe"}
        return {**told, "network.transport": "tcp", "server.address": address}

    def _observed(
        self, method: str, tool: str | None = None
    ) -> AbstractContextManager[None]:
        return observed(self.server, self._facts, method, tool)

    def _request(
        self,
        method: str,
        params: Mapping[str, Any],
        binding: Binding[Any] | None = None,
    ) -> Call:
        if context := trace_context():
            meta = {**members(params.get("_meta")), **context}
            params = {**params, "_meta": meta}
        told = (self._options.on_progress, self._options.on_log)
        if binding is None:
            return Call(method, params, *told)
        return Call(method, params, *told, binding.retryable, binding.header_params)

    def _given(self, arguments: Mapping[str, object]) -> dict[str, object]:
        return {**arguments, **self._options.extra_arguments}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.server!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a client holds a connection and cannot be pickled")

    @classmethod
    def _home(cls) -> tuple[type, str]:
        """Return the generated class that this is, or derives from; its package."""
        line = cls.__mro__
        home = line[max(line.index(ClientBase) - 2, 0)]
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
