# Copied by mcp-bindgen. Do not edit.
"""Finds a protocol version that client and server speak: both eras of MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from .. import limits
from ..errors import McpError, ProtocolError, TransportError, printable
from ..json_values import elements, members
from . import messages as rpc
from .headers import request_headers
from .request import Negotiated, Request, SessionSettings, message_of
from .wire import Envelope, StepT, Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .steps import CommonStep, Flow

_NO_ANSWER = 0  # in place of an error code


@dataclass(frozen=True, slots=True)
class Negotiation(Generic[StepT]):
    """One try to find a common version with a server.

    Attributes:
        ids: Gives the numbers of requests.
    """

    wire: Wire[StepT]
    settings: SessionSettings
    ids: Iterator[int]

    def negotiate(self) -> Flow[StepT, Negotiated[StepT]]:
        """Return a session in the newest version that both sides speak."""
        pinned = self.settings.version
        if pinned in rpc.LEGACY:
            return (yield from self._initialize(pinned))
        offer = yield from self._discover(pinned or rpc.MODERN[0])
        if isinstance(offer, Negotiated):
            return offer
        if pinned is not None:
            raise _refusal(offer, pinned)
        try:
            return (yield from self._initialize(rpc.LEGACY[0]))
        except ProtocolError as error:
            # A slow server may have taken the probe after all, and be modern now.
            mutual = _mutual(error, rpc.MODERN)
            if not mutual:
                raise
        offer = yield from self._discover(mutual[0])
        if isinstance(offer, Negotiated):
            return offer
        raise _refusal(offer, mutual[0])

    def _discover(self, version: str) -> Flow[StepT, Negotiated[StepT] | ProtocolError]:
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
        common = [version for version in rpc.MODERN if version in offered]
        if not common:
            return ProtocolError(_NO_ANSWER, "it names no version that we speak")
        return Negotiated(common[0], facts, self.wire)

    def _probe(self, version: str) -> Flow[StepT, rpc.Reply]:
        trial = Negotiated(version, {}, self.wire)
        number = next(self.ids)
        request = Request("server/discover")
        message = message_of(self.settings, trial, number, request, {})
        headers = request_headers(trial, message, {})
        body, patience = rpc.encode(message), limits.PROBE_SECONDS
        envelope = Envelope(number, body, headers, patience=patience)
        try:
            return (yield from self.wire.exchange(envelope, _ignore))
        except TransportError as error:
            if not error.is_legacy_server:
                raise
            return rpc.Reply(None, ProtocolError(_NO_ANSWER, error.message))

    def _initialize(self, version: str) -> Flow[StepT, Negotiated[StepT]]:
        params = {
            "protocolVersion": version,
            "capabilities": self.settings.capabilities,
            "clientInfo": dict(self.settings.client),
        }
        number = next(self.ids)
        hello = {"jsonrpc": "2.0", "id": number, "method": "initialize"}
        body = rpc.encode({**hello, "params": params})
        wire, reply = yield from self._greet(Envelope(number, body, {}))
        if reply.error:
            raise _refusal(reply.error, version)
        facts = reply.unwrap()
        agreed = facts.get("protocolVersion")
        if agreed not in rpc.LEGACY:
            raise TransportError(
                f"the server speaks MCP {printable(agreed, 50)}, which this client"
                " does not",
                hint="a newer version of this package may speak it",
            )
        negotiated = Negotiated(agreed, facts, wire, reply.session_id)
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        headers = request_headers(negotiated, ready, {})
        yield from wire.notify(rpc.encode(ready), headers)
        return negotiated

    def _greet(self, envelope: Envelope) -> Flow[StepT, tuple[Wire[StepT], rpc.Reply]]:
        """Send initialize; if it is refused, again over the older transport.

        MCP 2025-11-25, transports, "Backwards Compatibility": a status of 4xx.

        Returns:
            The wire that the server speaks, and its answer.
        """
        refusal: McpError
        try:
            reply = yield from self.wire.exchange(envelope, _ignore)
            if reply.error is None or not 400 <= reply.status < 500:
                return self.wire, reply
            refusal = reply.error
        except TransportError as error:
            if error.status is None or not error.is_legacy_server:
                raise
            refusal = error
        older = yield from self.wire.older()
        if older is None:
            raise refusal
        return older, (yield from older.exchange(envelope, _ignore))


def _refusal(error: ProtocolError, version: str) -> McpError:
    """Return the error for a server that opens no session.

    An error -32601 of a call or of a list is another: a server may have no such list.
    """
    if error.code not in (_NO_ANSWER, rpc.METHOD_NOT_FOUND):
        return error
    reason = f": {printable(error.text)}" if error.text else ""
    return TransportError(
        f"the server does not speak MCP {version}{reason}",
        outcome="not sent",
        hint="choose the other era, or none; is it an MCP server?",
    )


def _ignore(_: dict[str, Any], /) -> Flow[CommonStep, None]:
    yield from ()


def _mutual(error: ProtocolError, ours: tuple[str, ...] | None) -> list[str]:
    """Return those of our versions that the server names in an error; None for all."""
    named = elements(members(error.data).get("supported"))
    if error.code != rpc.UNSUPPORTED_VERSION:
        return []
    return named if ours is None else [v for v in ours if v in named]
