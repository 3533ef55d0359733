# Copied by mcp-bindgen. Do not edit.
"""The ways to make a client: of a URL, a program, the environment or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .. import limits
from .root import ClientRoot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self, Unpack

    from ..transport.connections import httpx
    from .config_file import File
    from .policy.policy import BasePolicy
    from .root import ClientT
    from .server_options import ServerOptions

__all__ = ["HttpT", "Making"]

HttpT = TypeVar("HttpT")


class Making(ClientRoot, Generic[HttpT]):
    """The ways to make a client."""

    @classmethod
    def http(
        cls: type[ClientT],
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
        max_connections: int = limits.CONNECTIONS,
        policy: BasePolicy | None = None,
        **answers: Unpack[ServerOptions],
    ) -> ClientT:
        """Make a client of a server's URL; it connects at the first call.

        Args:
            url: The MCP endpoint, https:// or, on this machine, http://.
            headers: Header fields of every request.
            token: Bearer token, or a function that gives one and, after a 401, another.
            auth: Any `httpx.Auth`; it signs the requests of `http`, too.
            http: An HTTP client of yours; you close it.
            allow_http: Whether http:// may lead to another machine than this.
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools: `{Tool.X: 5}`.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated, if that is safe.
            max_connections: Calls at the same time; without `http`, others wait.
            policy: The policy of each call: `Policy.load(file)`.
            answers: The answers to requests of the server: see `ServerOptions`.

        Raises:
            ConfigError: The URL, a header, a proxy of the environment or a number is
                unusable.
        """
        from .channels import HttpAddress, http_channel
        from .options import call_options, session_settings

        most = max_connections
        address = HttpAddress(url, headers, token, auth, http, allow_http, most)
        settings = session_settings(cls._name(), era, retries, answers)
        channel = http_channel(address, settings, blocking=cls._blocking)
        return cls._on(channel, call_options(cls._home()[1], timeout, timeouts), policy)

    @classmethod
    def stdio(
        cls: type[ClientT],
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        timeout: float | None = 30.0,
        timeouts: Mapping[str, float] | None = None,
        era: str | None = None,
        retries: int = 2,
        policy: BasePolicy | None = None,
        **answers: Unpack[ServerOptions],
    ) -> ClientT:
        """Make a client of a program, which starts at the first call.

        Args:
            command: The program and its arguments; no shell sees them.
            env: Variables for the program besides a short allow-list.
            cwd: Folder that it runs in.
            timeout: Seconds for a whole call with its retries; None for no limit.
            timeouts: Other seconds for single tools: `{Tool.X: 5}`.
            era: "legacy", "modern" or a protocol version to speak without asking.
            retries: How often a call is repeated, if that is safe.
            policy: The policy of each call: `Policy.load(file)`.
            answers: The answers to requests of the server: see `ServerOptions`.

        Raises:
            ConfigError: If the command is no list of texts.
        """
        from ..transport.command import Command
        from .channels import stdio_channel
        from .options import call_options, session_settings

        settings = session_settings(cls._name(), era, retries, answers)
        program = Command(command, env, cwd)
        channel = stdio_channel(program, settings, blocking=cls._blocking)
        return cls._on(channel, call_options(cls._home()[1], timeout, timeouts), policy)

    @classmethod
    def from_env(cls: type[ClientT], **options: Any) -> ClientT:
        """Make a client from <NAME>_MCP_URL, _TOKEN or _COMMAND in the environment.

        <NAME>_MCP_TIMEOUT is the time for a call, from 1 to 300 seconds.

        Args:
            options: Further arguments of `http` or `stdio`.

        Raises:
            ConfigError: If neither, or both, of URL and COMMAND are set, or TIMEOUT is
                no such number.
        """
        from .environment import from_environment

        return cls._made({**from_environment(cls._name()), **options})

    @classmethod
    def from_config(
        cls: type[ClientT],
        path: File | Mapping[str, Any] = None,
        name: str | None = None,
        **options: Any,
    ) -> ClientT:
        """Make a client of a server in pyproject.toml, an mcp.json or a mapping.

        Example: `Client.from_config()`, or `Client.from_config("mcp.json", "prod")`.

        Args:
            path: A pyproject.toml with [tool.mcp-bindgen.servers.NAME], the JSON file
                of an MCP host, or a mapping as in it; None for the nearest
                pyproject.toml, .mcp.json or mcp.json that names servers. `${NAME}` in
                it is replaced by variables of the environment.
            name: The name of the server; None for the name of this package.
            options: Further arguments of `http` or `stdio`; they win over the file. A
                `policy` of the file applies unless another is passed.

        Raises:
            ConfigError: There is no such file or server, its entry has mistakes, or a
                variable is not set. The message holds no value of a variable.
        """
        from .config_file import from_configuration
        from .policy_class import policy_of

        arguments = {**from_configuration(path, cls._name(), name)}
        file = arguments.pop("policy", None)
        if file is not None and options.get("policy") is None:
            options["policy"] = policy_of(cls._home()[1]).load(file)
        return cls._made({**arguments, **options})

    @classmethod
    def _made(cls, arguments: Mapping[str, Any]) -> Self:
        this: Any = cls
        make = this.http if "url" in arguments else this.stdio
        client: Self = make(**arguments)
        return client
