# Copied by mcp-bindgen. Do not edit.
"""The forms of tools and toolboxes: each package has classes of its own for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

__all__ = ["AnyTool", "AnyToolbox"]


class AnyTool(Protocol):
    """A tool with its client: of this package, or of another with its own runtime."""

    @property
    def name(self) -> str:
        """Its name for models."""
        ...

    @property
    def info(self) -> Any:
        """Its name, texts and schemas."""
        ...

    @property
    def client(self) -> Any:
        """A client of its server."""
        ...

    def renamed(self, name: str, /) -> Any:
        """Return the same tool under another name."""
        ...

    def asking(self, before_call: Any, /) -> Any:
        """Return the same tool with one more hook, which runs before each call."""
        ...

    def answer(self, arguments: Mapping[str, Any], /) -> Any:
        """Call the tool and return an `Answer`."""
        ...

    def answer_async(self, arguments: Mapping[str, Any], /) -> Coroutine[Any, Any, Any]:
        """Call the tool in a task and return an `Answer`."""
        ...

    def connect(self) -> Exception | None:
        """Connect the client; return the reason if that fails."""
        ...

    def connect_async(self) -> Coroutine[Any, Any, Exception | None]:
        """Connect the client in a task; return the reason if that fails."""
        ...

    def close(self) -> None:
        """Close the client."""
        ...

    def close_async(self) -> Coroutine[Any, Any, None]:
        """Close the client in a task."""
        ...


@runtime_checkable
class AnyToolbox(Protocol):
    """A `Toolbox`: of this package, or of another with its own runtime."""

    @property
    def tools(self) -> Sequence[AnyTool]:
        """All its tools, also those that it leaves out for now."""
        ...

    def reach(self, name: str, /) -> Exception | None:
        """Connect the server of a tool; return the reason if that fails."""
        ...

    def reach_async(self, name: str, /) -> Coroutine[Any, Any, Exception | None]:
        """Connect the server of a tool in a task."""
        ...
