"""The facts of a generated package, and its clients without a server."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Package", "client_of", "package_of"]

# The classes that generated clients derive from, and whether each is async.
_BASES = {
    ".client.client": ("BaseClient", False),
    ".client.async_client": ("AsyncBaseClient", True),
}


class Package(NamedTuple):
    """A generated package.

    Attributes:
        recording: The file from which it was made.
        tools: Wire name of each tool by the name of its function.
        runtime: The module of its runtime.
        is_async: Whether the client that led to it is async.
    """

    recording: Path
    tools: Mapping[str, str]
    runtime: str
    is_async: bool


def package_of(client: type) -> Package:
    """Return the package of a client class, or of a subclass of one.

    Raises:
        TypeError: It is no client of a generated package.
    """
    home, runtime, is_async = None, "", False
    for base in client.__mro__:
        file = getattr(sys.modules.get(base.__module__), "__file__", None)
        folder = Path(str(file)).parent
        if home is None and (folder / "info.json").exists():
            home = folder
        for module, (name, waits) in _BASES.items():
            if base.__name__ == name and base.__module__.endswith(module):
                runtime, is_async = base.__module__.removesuffix(module), waits
    if home is None or not runtime:
        raise TypeError(f"{client.__name__} is not the Client of a generated package")
    info: dict[str, Any] = json.loads((home / "info.json").read_text("utf-8"))
    tools = {str(facts["function"]): name for name, facts in info.items()}
    return Package(home / "recording.json", tools, runtime, is_async)


def client_of(
    client: type, answer: Callable[[str, dict[str, Any]], dict[str, Any]]
) -> Any:
    """Return a client whose calls a function answers.

    Args:
        client: The class, `Client` or `AsyncClient` of a generated package.
        answer: Takes a tool's name and its arguments, and gives a `CallToolResult`.
    """
    package = package_of(client)
    results: Any = import_module(f"{package.runtime}.results")
    kind = _AsyncTransport if package.is_async else _Transport
    return client(kind(results.ToolResult.from_wire, answer))


class _Transport:
    """Answers the calls of a blocking client."""

    def __init__(self, read: Callable[..., Any], answer: Callable[..., Any]) -> None:
        self.read = read
        self.answer = answer

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        __tracebackhide__ = True
        return self.read(self.answer(name, dict(arguments)))

    def close(self) -> None:
        """Do nothing: nothing is open."""


class _AsyncTransport:
    """Answers the calls of an async client; recording an answer may take a while."""

    def __init__(self, read: Callable[..., Any], answer: Callable[..., Any]) -> None:
        self.read = read
        self.answer = answer

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        __tracebackhide__ = True
        answer = await asyncio.to_thread(self.answer, name, dict(arguments))
        return self.read(answer)

    async def close(self) -> None:
        """Do nothing: nothing is open."""
