# Copied by mcp-bindgen. Do not edit.
"""The credentials of one client for one server, and their JSON."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...json_values import members
from ...strict_json import StrictJsonError, dumps, loads

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "AuthorizationServer",
    "Client",
    "Record",
    "Tokens",
    "from_text",
    "seconds",
    "texts",
    "to_text",
]

_VERSION = 1
_LATEST = 1e12  # seconds since 1970; no clock comes there
_EARLY_SHARE = 0.2  # of its life: a token of 5 seconds is renewed after 4


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """The metadata of an authorization server (RFC 8414) that a client uses.

    Attributes:
        issuer: Its identifier, which no other server has.
        token_endpoint: Gives tokens.
        authorization_endpoint: Asks the person, "" where there is none.
        registration_endpoint: Registers clients, "" where there is none.
        scopes: The scopes that it lists, None where it lists none.
        methods: The ways in which clients prove themselves, None where not listed.
        challenges: The methods of PKCE, None where not listed.
        says_issuer: Whether each of its answers holds `iss` (RFC 9207).
        reads_documents: Whether the URL of a document may be a client's id.
    """

    issuer: str
    token_endpoint: str
    authorization_endpoint: str = ""
    registration_endpoint: str = ""
    scopes: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None
    challenges: tuple[str, ...] | None = None
    says_issuer: bool = False
    reads_documents: bool = False


@dataclass(frozen=True, slots=True)
class Client:
    """A client as the authorization server knows it.

    Attributes:
        id: Its client id.
        secret: Its secret, or "".
        method: How it proves itself at the token endpoint.
        redirect_uri: The URL that the browser comes back to, or "".
        registered: Whether it was registered by us, so that it may be replaced.
        expires_at: When its secret ends, in seconds since 1970; 0 for never.
    """

    id: str
    secret: str = field(default="", repr=False)
    method: str = "none"
    redirect_uri: str = ""
    registered: bool = False
    expires_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Tokens:
    """An access token, and how to get the next one.

    Attributes:
        access: The access token.
        refresh: The refresh token, or "".
        scope: The scopes that it has, separated by spaces.
        expires_at: When it ends, in seconds since 1970; None where it is unknown.
        lifetime: Its seconds from the beginning to the end.
    """

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    scope: str = ""
    expires_at: float | None = None
    lifetime: float = 0.0

    def is_over(self, *, early: bool = False) -> bool:
        """Return whether the token has ended, or is about to."""
        if self.expires_at is None:
            return False
        margin = min(limits.OAUTH_EARLY, self.lifetime * _EARLY_SHARE) if early else 0.0
        return time.time() >= self.expires_at - margin


@dataclass(frozen=True, slots=True)
class Record:
    """The stored credentials of one client for one server.

    Attributes:
        resource: The identifier of the protected resource (RFC 8707).
        server: The authorization server of the client and the tokens.
        client: The client at that server; None until there is one.
        tokens: The tokens; None before a login, and after the end of the last ones.
        requested: The scopes of the last request, separated by spaces.
        needed: The scopes that the next login has to request, where nobody could.
    """

    resource: str
    server: AuthorizationServer
    client: Client | None = None
    tokens: Tokens | None = None
    requested: str = ""
    needed: str = ""


def to_text(record: Record) -> str:
    """Return a record as JSON; `from_text` reads it."""
    return dumps({"version": _VERSION, **asdict(record)}).decode()


def from_text(text: str) -> Record | None:
    """Return the record of a text of `to_text`, None for any other text."""
    try:
        value = members(loads(text.encode()))
    except (StrictJsonError, UnicodeEncodeError) as _:
        return None
    server = _checked(_server, value.get("server"))
    resource = value.get("resource")
    if (
        value.get("version") != _VERSION
        or server is None
        or not isinstance(resource, str)
    ):
        return None
    return Record(
        resource,
        server,
        _checked(_client, value.get("client")),
        _checked(_tokens, value.get("tokens")),
        _text(value, "requested"),
        _text(value, "needed"),
    )


def _checked(make: Callable[[dict[str, Any]], Any], value: object) -> Any:
    try:
        return make(members(value)) if value else None
    except (KeyError, TypeError, ValueError) as _:
        return None


def _server(value: dict[str, Any]) -> AuthorizationServer:
    return AuthorizationServer(
        issuer=str(value["issuer"]),
        token_endpoint=str(value["token_endpoint"]),
        authorization_endpoint=_text(value, "authorization_endpoint"),
        registration_endpoint=_text(value, "registration_endpoint"),
        scopes=texts(value.get("scopes")),
        methods=texts(value.get("methods")),
        challenges=texts(value.get("challenges")),
        says_issuer=value.get("says_issuer") is True,
        reads_documents=value.get("reads_documents") is True,
    )


def _client(value: dict[str, Any]) -> Client:
    return Client(
        id=str(value["id"]),
        secret=_text(value, "secret"),
        method=_text(value, "method") or "none",
        redirect_uri=_text(value, "redirect_uri"),
        registered=value.get("registered") is True,
        expires_at=seconds(value.get("expires_at")) or 0.0,
    )


def _tokens(value: dict[str, Any]) -> Tokens:
    end = value.get("expires_at")
    return Tokens(
        access=str(value["access"]),
        refresh=_text(value, "refresh"),
        scope=_text(value, "scope"),
        expires_at=None if end is None else seconds(end) or 0.0,
        lifetime=seconds(value.get("lifetime")) or 0.0,
    )


def seconds(value: object) -> float | None:
    """Return a number of seconds, which some servers send as a text."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value[:12])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _LATEST else None


def texts(value: object) -> tuple[str, ...] | None:
    """Return the strings of a JSON array, None for anything else."""
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    return tuple(text for text in items if isinstance(text, str))


def _text(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
    return text if isinstance(text, str) else ""
