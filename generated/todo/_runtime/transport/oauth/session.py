# Copied by mcp-bindgen. Do not edit.
"""The tokens of one client for one server: read, renewed, replaced, shared."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ... import limits
from ...errors import (
    LoginRequiredError,
    OAuthError,
    TransportError,
    printable,
)
from .discovery import Discovered, configured_server, discover
from .grants import obtained
from .records import Record, from_text, to_text
from .registration import configured_client
from .stores import locked
from .token_endpoint import redeemed
from .urls import canonical
from .waits import in_thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .settings import Settings
    from .stores import Store

__all__ = ["Renewal", "Session", "key_of"]

_DEAD = ("invalid_grant",)
_UNKNOWN_CLIENT = ("invalid_client", "unauthorized_client")


def key_of(url: str, settings: Settings) -> str:
    """Return the key of a server's credentials in a store."""
    client = settings.client_id or settings.document
    return f"{settings.grant}\n{canonical(url)}\n{client}"


class Renewal(NamedTuple):
    """Another token, and whether it comes from a login rather than a refresh token."""

    token: str
    logged_in: bool


class Session:
    """The tokens of one client for one server, for any thread.

    The rule: redeem a refresh token under the lock of the store, read the record again
    first, and write it before the lock is released. A later thread reads the new
    tokens, and never deletes them.

    Args:
        url: The MCP endpoint.
        settings: The settings of the user.
        store: The store of the record.

    Attributes:
        past: All tokens since it was made, to hide them.
    """

    def __init__(self, url: str, settings: Settings, store: Store) -> None:
        self.url = url
        self.key = key_of(url, settings)
        self._settings = settings
        self._store = store
        self._record: Record | None = None
        self._loaded = False
        self.past: frozenset[str] = frozenset()  # others iterate over it

    @property
    def ready(self) -> str | None:
        """A token that is ready; None if it takes work to get one."""
        tokens = self._record.tokens if self._record else None
        if not self._loaded or (tokens and tokens.is_over(early=True)):
            return None
        return tokens.access if tokens else ""

    def begin(self, challenge: Mapping[str, str]) -> None:
        """Log in again, even if there are tokens.

        Args:
            challenge: The fields by which the server refuses a request without a token.
        """
        record = self.record
        used = record.tokens.access if record and record.tokens else ""
        scopes = challenge.get("scope", "").split()
        scopes += record.needed.split() if record else []
        scope = " ".join(dict.fromkeys(scopes))
        self._obtain(used, challenge, scope, legacy=True)

    def token(self) -> str:
        """Return the token for a request, "" for none; renew one that is about to end.

        Raises:
            OAuthError: A token that has ended is not renewed.
            TransportError: A token that has ended cannot be renewed now.
        """
        record = self._record if self._loaded else self.record
        tokens = record.tokens if record else None
        if tokens and tokens.refresh and tokens.is_over(early=True):
            try:
                self._refresh(tokens.access)
            except (OAuthError, TransportError) as _:
                if tokens.is_over():
                    raise
        tokens = self._record.tokens if self._record else None
        return tokens.access if tokens else ""

    def renewed(
        self, used: str, challenge: Mapping[str, str], *, refresh: bool, legacy: bool
    ) -> Renewal:
        """Return another token than the one that the server refused.

        Args:
            used: The token that was refused, "" for none.
            challenge: The fields of the refusal.
            refresh: Whether a refresh token may help; else a login begins at once.
            legacy: Whether the server may be one of 2025-03-26.

        Raises:
            OAuthError: There is none.
            TransportError: A server does not answer.
        """
        record = self.record
        tokens = record.tokens if record else None
        if tokens and tokens.access != used and not tokens.is_over():
            return Renewal(tokens.access, logged_in=False)
        if refresh and tokens and tokens.refresh:
            self._refresh(used)
            tokens = self._record.tokens if self._record else None
            if tokens and tokens.access != used:
                return Renewal(tokens.access, logged_in=False)
        scope = challenge.get("scope", "")
        token = self._obtain(used, challenge, scope, legacy=legacy)
        return Renewal(token, logged_in=True)

    def wider(
        self, used: str, challenge: Mapping[str, str], *, legacy: bool
    ) -> str | None:
        """Return a token with more scopes; None if there are no more scopes to request.

        Args:
            used: The token whose scopes were not enough.
            challenge: The fields of the refusal, with the scopes that are needed.
            legacy: Whether the server may be one of 2025-03-26.

        Raises:
            OAuthError: There is none.
            TransportError: A server does not answer.
        """
        record = self._record
        had = record.requested.split() if record else []
        had += record.tokens.scope.split() if record and record.tokens else []
        scopes = challenge.get("scope", "").split()
        union = dict.fromkeys([*had, *scopes])
        if (chosen := self._settings.scopes) is not None:
            if not {*scopes} <= {*chosen}:
                return None
            union = dict.fromkeys(chosen)
        if record and {*union} <= {*record.requested.split()}:
            return None
        return self._obtain(used, challenge, " ".join(union), legacy=legacy)

    def forget(self) -> bool:
        """Remove the credentials; return whether there were any."""
        with locked(self._store, self.key, limits.OAUTH_LOCK):
            there = self._store.load(self.key) is not None
            self._store.delete(self.key)
        self._record, self._loaded = None, False
        self.past = frozenset()
        return there

    @property
    def record(self) -> Record | None:
        """The stored record, None without one."""
        self._record, self._loaded = self._read(), True
        return self._record

    def secrets(self) -> tuple[str, ...]:
        """Return the stored tokens, and those that they replaced."""
        self._read()
        return tuple(sorted(self.past))

    def _read(self) -> Record | None:
        text = self._store.load(self.key)
        record = from_text(text) if text else None
        if record is None:
            return None
        if tokens := record.tokens:
            self.past = self.past | ({tokens.access, tokens.refresh} - {""})
        client = configured_client(self._settings, record.server)
        return replace(record, client=client) if client else record

    def _write(self, record: Record) -> None:
        client = record.client
        if client and not client.registered and client.secret:
            # The secret of a configured client stays in the settings.
            record = replace(record, client=replace(client, secret=""))
        if tokens := record.tokens:
            self.past = self.past | ({tokens.access, tokens.refresh} - {""})
        self._store.save(self.key, to_text(record))

    def _refresh(self, used: str) -> None:
        """Redeem the refresh token, unless another thread has; set the record.

        It runs in a thread of its own, which nothing interrupts, and for which the end
        of the program waits: if new tokens were lost, many servers would revoke the
        whole family of tokens.
        """
        work = partial(self._redeem, used)
        self._record = in_thread(work, None, "renewal of tokens", daemon=False)

    def _redeem(self, used: str) -> Record | None:
        with locked(self._store, self.key, limits.OAUTH_LOCK):
            record = self._read()
            tokens = record.tokens if record else None
            if record is None or tokens is None or not tokens.refresh:
                return record
            is_another = tokens.access != used
            if is_another and not tokens.is_over(early=True):
                return record
            client = record.client
            if client is None:
                return record
            try:
                tokens = redeemed(record, client, self._settings)
            except OAuthError as error:
                if error.error in _DEAD:
                    record = replace(record, tokens=None)
                elif error.error in _UNKNOWN_CLIENT and client.registered:
                    record = replace(record, tokens=None, client=None)
                else:
                    raise
            else:
                record = replace(record, tokens=tokens)
            self._write(record)
            return record

    def _obtain(
        self, used: str, challenge: Mapping[str, str], scope: str, *, legacy: bool
    ) -> str:
        """Log in again; one thread of one process at a time."""
        settings = self._settings
        if settings.grant == "authorization_code" and settings.on_login is None:
            raise self._nobody(scope)
        with locked(self._store, f"{self.key}\nlogin", limits.OAUTH_LOGIN):
            record = self._read()
            tokens = record.tokens if record else None
            if tokens and tokens.access != used and not tokens.is_over():
                self._record, self._loaded = record, True
                return tokens.access
            discovered = self._discovered(challenge, legacy=legacy)
            record = obtained(settings, discovered, record, scope)
            with locked(self._store, self.key, limits.OAUTH_LOCK):
                self._write(record)
            self._record, self._loaded = self._read() or record, True
        return record.tokens.access if record.tokens else ""

    def _nobody(self, scope: str) -> LoginRequiredError:
        """Note the scopes for the next login; return the error where nobody can."""
        if scope:
            with locked(self._store, self.key, limits.OAUTH_LOCK):
                record = self._read()
                if record is not None and record.needed != scope:
                    self._write(replace(record, needed=scope))
        scopes = f" with the scopes {printable(scope, 200)}" if scope else ""
        text = f"the server wants somebody to log in{scopes}"
        return LoginRequiredError(text, hint=self._settings.next_step)

    def _discovered(self, challenge: Mapping[str, str], *, legacy: bool) -> Discovered:
        allowed = self._settings.issuer
        if self._settings.grant == "enterprise" and allowed:
            server = configured_server(allowed, self.url)
            return Discovered(canonical(self.url), None, server)
        return discover(self.url, challenge, allowed, legacy=legacy)
