"""What the server said about itself when the session began."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..strict_json import members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .channel import Channel

__all__ = ["SessionFacts"]


class SessionFacts:
    """The facts of a client's session."""

    if TYPE_CHECKING:

        @property
        def _channel(self) -> Channel[Any]: ...

        @property
        def server(self) -> str:
            """Where the calls go."""
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
