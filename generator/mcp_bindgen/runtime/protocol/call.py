"""What a session is made of: settings, calls, and the wire that carries messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import TransportError
from ..strict_json import members
from .messages import META

if TYPE_CHECKING:
    from ..client.approval import BeforeCall
    from ..transport.stdio_io import Pipes
    from .messages import Link
    from .streamable_http import StreamableHttp

Handler = Callable[..., Any]
Wire: TypeAlias = "StreamableHttp | Pipes"
"""How messages get to the server."""


class SessionExpiredError(TransportError):
    """The server has forgotten the session; the request was not processed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for all calls of a client.

    Attributes:
        client: Name and version that the server is told.
        version: The protocol version to speak, or None to find out.
        retries: How often a call that may safely be sent again is.
        on_elicit: Answers the server's questions to the user.
    """

    client: Mapping[str, str]
    version: str | None = None
    retries: int = 2
    on_elicit: Handler | None = None

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the server may ask of us."""
        return {"elicitation": {"form": {}}} if self.on_elicit else {}


@dataclass(frozen=True, slots=True)
class Options:
    """What may differ from call to call; see `with_options`."""

    timeout: float | None = 30.0
    on_progress: Handler | None = None
    on_log: Handler | None = None
    extra_arguments: Mapping[str, object] = field(
        default_factory=dict[str, object], repr=False
    )
    before_call: tuple[BeforeCall, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """One request to make.

    Attributes:
        on_progress: Told (progress, total, message) while the call runs.
        on_log: Told (level, logger, data) what the server logs meanwhile.
        retryable: Whether running twice does no more than running once.
        header_params: Header token to the path of the argument it repeats.
    """

    method: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    on_progress: Handler | None = None
    on_log: Handler | None = None
    retryable: bool = False
    header_params: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )


def envelope(
    settings: Settings, link: Link, number: int, call: Call, params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the message of a call, with the facts that its era wants in `_meta`."""
    meta = dict(members(params.get("_meta")))
    if call.on_progress:
        meta["progressToken"] = number
    if link.modern:
        meta[META + "protocolVersion"] = link.version
        meta[META + "clientInfo"] = dict(settings.client)
        meta[META + "clientCapabilities"] = settings.capabilities
        if call.on_log:
            meta[META + "logLevel"] = "debug"
    whole = {**params, "_meta": meta} if meta else dict(params)
    return {"jsonrpc": "2.0", "id": number, "method": call.method, "params": whole}
