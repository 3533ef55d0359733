# Copied by mcp-bindgen. Do not edit.
"""The root of all clients: the options of their calls, the facts of their session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ..json_values import members

if TYPE_CHECKING:
    from typing import ClassVar, Self

    from ..protocol.request import Permit
    from ..protocol.steps import Flow
    from .approval import BeforeCall
    from .channel import Channel
    from .policy.guard import Guard
    from .progress import ProgressBars

__all__ = ["CallOptions", "ClientRoot", "ClientT", "Handler"]

Handler = Callable[..., Any]
# In place of Self, which Jedi does not read: completion in IPython and notebooks.
ClientT = TypeVar("ClientT", bound="ClientRoot")


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Options that may differ from call to call; see `with_options`."""

    timeout: float | None = 30.0
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])
    listen: float | None = None  # seconds of a subscription
    on_progress: Handler | None = None
    on_log: Handler | None = None
    extra_arguments: Mapping[str, object] = field(
        default_factory=dict[str, object], repr=False
    )
    before_call: tuple[BeforeCall, ...] = field(default=(), repr=False)
    guards: tuple[Guard, ...] = field(default=(), repr=False)
    log_level: str | None = None
    on_notice: Handler | None = None
    bars: ProgressBars | None = field(default=None, repr=False)

    def seconds(self, tool: str, permits: Iterable[Permit] = ()) -> float | None:
        """Return the time for a call of a tool, None for no limit.

        Args:
            tool: Its wire name.
            permits: Its permits, which may shorten the time.
        """
        seconds = self.timeouts.get(tool, self.timeout)
        for permit in permits:
            seconds = permit.seconds(seconds)
        return seconds


class ClientRoot:
    """The facts of a client's session; type checkers see the other members here."""

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

        @property
        def _channel(self) -> Channel[Any]: ...

        @property
        def server(self) -> str:
            """The server of the calls."""
            ...

    @property
    def server_info(self) -> Mapping[str, Any]:
        """The server's own name, version ...; {} before the first connection."""
        negotiated = self._channel.session.negotiated
        return negotiated.server_info if negotiated else {}

    @property
    def protocol_version(self) -> str | None:
        """The negotiated protocol version; None before the first connection."""
        negotiated = self._channel.session.negotiated
        return negotiated.version if negotiated else None

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """The server's capabilities; {} before the first connection."""
        negotiated = self._channel.session.negotiated
        return members(negotiated.facts.get("capabilities")) if negotiated else {}

    @property
    def instructions(self) -> str | None:
        """The server's words to a model, where there are any."""
        negotiated = self._channel.session.negotiated
        text = negotiated.facts.get("instructions") if negotiated else None
        return text if isinstance(text, str) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.server!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a client holds a connection and cannot be pickled")
