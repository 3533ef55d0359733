"""Finds a protocol version that client and server speak: both eras of MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from .. import limits
from ..errors import ProtocolError, TransportError, shown
from ..strict_json import elements, members
from . import messages as rpc
from .request import Envelope, Request, SessionSettings, StepT, Wire, message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .messages import Negotiated
    from .steps import CommonStep, Flow


@dataclass(frozen=True, slots=True)
class Negotiation(Generic[StepT]):
    """One try to find a common version with a server.

    Attributes:
        ids: Gives the numbers of requests.
    """

    wire: Wire[StepT]
    settings: SessionSettings
    ids: Iterator[int]

    def negotiate(self) -> Flow[StepT, Negotiated]:
        """Return what was negotiated, in the newest version that both speak."""
        pinned = self.settings.version
        if pinned in rpc.LEGACY:
            return (yield from self._initialize(pinned))
        offer = yield from self._discover(pinned or rpc.MODERN[0])
        if isinstance(offer, rpc.Negotiated):
            return offer
        if pinned is not None:
            raise offer
        try:
            return (yield from self._initialize(rpc.LEGACY[0]))
        except ProtocolError as error:
            # A slow server may have taken the probe after all, and be modern now.
            mutual = _mutual(error, rpc.MODERN)
            if not mutual:
                raise
        offer = yield from self._discover(mutual[0])
        if isinstance(offer, rpc.Negotiated):
            return offer
        raise offer

    def _discover(self, version: str) -> Flow[StepT, Negotiated | ProtocolError]:
        """Ask a server for the modern versions that it speaks.

        Any answer but a usable one means that it speaks none.
        """
        reply = yield from self._probe(version)
        if reply.error and (mutual := _mutual(reply.error, rpc.MODERN)):
            reply = yield from self._probe(mutual[0])
        if reply.error:
            if _mutual(reply.error, None) and not _mutual(reply.error, rpc.LEGACY):
                raise reply.error
            return reply.error
        facts = reply.unwrap()
        offered = elements(facts.get("supportedVersions"))
        known = [mine for mine in rpc.MODERN if mine in offered]
        if not known:
            text = f"the server does not speak {version}"
            return ProtocolError(rpc.UNSUPPORTED_VERSION, text)
        return rpc.Negotiated(known[0], facts)

    def _probe(self, version: str) -> Flow[StepT, rpc.Reply]:
        trial = rpc.Negotiated(version, {})
        number = next(self.ids)
        request = Request("server/discover")
        message = message_of(self.settings, trial, number, request, {})
        headers = rpc.request_headers(trial, message, {})
        body, patience = rpc.encode(message), limits.PROBE_SECONDS
        envelope = Envelope(number, body, headers, patience=patience)
        try:
            return (yield from self.wire.exchange(envelope, _ignore))
        except TransportError as error:
            if not error.is_legacy_server:
                raise
            return rpc.Reply(None, ProtocolError(0, error.message))

    def _initialize(self, version: str) -> Flow[StepT, Negotiated]:
        params = {
            "protocolVersion": version,
            "capabilities": self.settings.capabilities,
            "clientInfo": dict(self.settings.client),
        }
        number = next(self.ids)
        hello = {"jsonrpc": "2.0", "id": number, "method": "initialize"}
        body = rpc.encode({**hello, "params": params})
        reply = yield from self.wire.exchange(Envelope(number, body, {}), _ignore)
        facts = reply.unwrap()
        agreed = facts.get("protocolVersion")
        if agreed not in rpc.LEGACY:
            raise TransportError(
                f"the server speaks MCP {shown(agreed, 50)}, which we do not"
            )
        negotiated = rpc.Negotiated(agreed, facts, reply.session_id)
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        headers = rpc.request_headers(negotiated, ready, {})
        yield from self.wire.notify(rpc.encode(ready), headers)
        return negotiated


def _ignore(_: dict[str, Any], /) -> Flow[CommonStep, None]:
    yield from ()


def _mutual(error: ProtocolError, known: tuple[str, ...] | None) -> list[str]:
    """Return the versions that the server named in an error and that we know."""
    named = elements(members(error.data).get("supported"))
    if error.code != rpc.UNSUPPORTED_VERSION:
        return []
    return named if known is None else [v for v in known if v in named]
