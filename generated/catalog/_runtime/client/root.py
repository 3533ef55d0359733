# Copied by mcp-bindgen. Do not edit.
"""The root of all clients, by which their methods say that they return a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Self

    from ..protocol.steps import Flow
    from .options import CallOptions

__all__ = ["ClientRoot", "ClientT"]

# In place of Self, which Jedi does not read: completion in IPython and notebooks.
ClientT = TypeVar("ClientT", bound="ClientRoot")


class ClientRoot:
    """Declares, for type checkers, the parts of clients that make other clients."""

    if TYPE_CHECKING:
        _blocking: ClassVar[bool]
        _options: CallOptions

        def _connecting(self) -> Flow[Any, object]: ...

        def _run(self, flow: Flow[Any, Any], method: str) -> Any: ...

        @classmethod
        def _made(cls, arguments: Mapping[str, Any]) -> Self: ...

        def _guarded(self, policy: Any) -> tuple[Any, ...]: ...

        @classmethod
        def _home(cls) -> tuple[type, str]: ...

        @classmethod
        def _name(cls) -> str: ...

        @classmethod
        def _on(cls, channel: Any, options: CallOptions, policy: Any) -> Self: ...
