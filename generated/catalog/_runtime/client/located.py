# Copied by mcp-bindgen. Do not edit.
"""Makes a client of the server that the environment or a file names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .root import ClientRoot

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from .config_file import File
    from .root import ClientT

__all__ = ["Located"]


class Located(ClientRoot):
    """The ways to make a client without an address in the program."""

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
            options: What else `http` or `stdio` takes; they win over the file. A
                `policy` of the file holds unless another is passed.

        Raises:
            ConfigError: There is no such file or server, its entry has mistakes, or a
                variable is not set. The message holds no value of a variable.
        """
        from .config_file import from_configuration, policy_of

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
