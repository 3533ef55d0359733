# Copied by mcp-bindgen. Do not edit.
"""`OAuth`: the ways to make one, by who logs in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import ConfigError, LoginRequiredError
from .settings import Settings
from .stores import store_of
from .token_auth import TokenAuth
from .urls import checked_endpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .settings import Assertion, Grant, OnLogin
    from .stores import Store

__all__ = ["OAuth"]


def open_browser(url: str) -> None:
    """Open the URL of a login in the browser of this machine.

    Raises:
        LoginRequiredError: There is no browser.
    """
    import webbrowser

    if not webbrowser.open(url):
        raise LoginRequiredError(
            "there is no browser for the login",
            hint="log in with mcp-bindgen login NAME, or pass on_login=",
        )


class OAuth(TokenAuth):
    """OAuth 2.1 for one client: logs in once, and renews the tokens from then on.

    It finds the authorization server, registers a client there if there is none, has a
    person log in, and stores the tokens. A login uses the time of the call that needs
    it; `login` logs in without a call.

    Example:
        `Client.http("https://catalog.example/mcp", auth=OAuth())`

    Args:
        scopes: The scopes to ask for, and no others; None for those that the server
            names.
        client_id: The id of a client that is registered at the authorization server.
        client_secret: Its secret, if it has one.
        client_metadata_url: The https:// URL of the client's metadata document, where
            the authorization server reads such documents.
        issuer: An authorization server that is allowed although the MCP server, or the
            metadata, names it otherwise.
        port: The port on this machine that the browser comes back to; 0 for a free one.
        redirect_uri: The whole URL for that, where the client is registered with it;
            one without a port gets a free one.
        store: The store of the tokens: "file" (the one of `mcp-bindgen login`),
            "memory", "keyring", or an object with the methods of `Store`.
        on_login: Takes the URL at which a person logs in, and shows it; it may return
            the URL that the browser came back to. None if no one can log in. By
            default, the browser opens.
        hint: The advice where no person can log in.

    Raises:
        ConfigError: The values do not go together.
    """

    def __init__(
        self,
        *,
        scopes: Sequence[str] | None = None,
        client_id: str = "",
        client_secret: str = "",
        client_metadata_url: str = "",
        issuer: str = "",
        port: int = 0,
        redirect_uri: str = "",
        store: Store | str = "file",
        on_login: OnLogin | None = open_browser,
        hint: str = "",
    ) -> None:
        if client_secret and not client_id:
            raise ConfigError("client_secret needs a client_id", hint="give both")
        if client_metadata_url:
            server = "http://localhost"  # any: the user may name this machine
            checked_endpoint(
                client_metadata_url, "client metadata", server, by_user=True
            )
        if port and not redirect_uri:
            redirect_uri = f"http://127.0.0.1:{port}/callback"
        settings = Settings(
            scopes=_scopes(scopes),
            client_id=client_id,
            client_secret=client_secret,
            document=client_metadata_url,
            issuer=issuer,
            redirect_uri=redirect_uri,
            on_login=on_login,
            hint=hint,
        )
        super().__init__(settings, store_of(store))

    @classmethod
    def client_credentials(
        cls,
        client_id: str,
        *,
        client_secret: str = "",
        private_key: str = "",
        algorithm: str = "ES256",
        method: str = "",
        scopes: Sequence[str] | None = None,
        issuer: str = "",
        store: Store | str = "memory",
    ) -> OAuth:
        """Return an OAuth of a client that acts for itself, without a login.

        Example: `OAuth.client_credentials("batch", client_secret=secret)`.

        Args:
            client_id: The id of the client at the authorization server.
            client_secret: Its secret.
            private_key: Its private key in PEM, in place of a secret (`joserfc`).
            algorithm: The algorithm of the key.
            method: "client_secret_basic" or "client_secret_post", "" for either.
            scopes: The scopes to ask for; None for those that the server names.
            issuer: An authorization server that is allowed although another is named.
            store: The store of the tokens.

        Raises:
            ConfigError: The values do not go together.
        """
        if bool(client_secret) is bool(private_key):
            raise ConfigError(
                "expected a client_secret or a private_key", hint="give one of them"
            )
        return cls._of(
            "client_credentials",
            store,
            client_id=client_id,
            client_secret=client_secret,
            private_key=private_key,
            algorithm=algorithm,
            method=method,
            scopes=_scopes(scopes),
            issuer=issuer,
        )

    @classmethod
    def enterprise(
        cls,
        client_id: str,
        *,
        client_secret: str,
        assertion: Assertion,
        issuer: str = "",
        scopes: Sequence[str] | None = None,
        store: Store | str = "memory",
    ) -> OAuth:
        """Return an OAuth whose tokens an identity provider of a company vouches for.

        Enterprise-managed authorization (SEP-990). The identity provider decides for
        which authorization servers and resources it vouches.

        Args:
            client_id: The id of the client at the authorization server.
            client_secret: Its secret.
            assertion: Takes the issuer and the resource, and returns a new identity
                assertion (ID-JAG) of the identity provider for them.
            issuer: The authorization server, so that the MCP server is not asked which
                one to use; "" for the one that it names.
            scopes: The scopes to ask for; None for those that the server names.
            store: The store of the tokens.
        """
        return cls._of(
            "enterprise",
            store,
            client_id=client_id,
            client_secret=client_secret,
            issuer=issuer,
            assertion=assertion,
            scopes=_scopes(scopes),
        )

    @classmethod
    def _of(cls, grant: Grant, store: Store | str, **values: Any) -> OAuth:
        auth = cls(store=store, on_login=None)
        auth._settings = Settings(grant=grant, **values)
        return auth

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def _scopes(scopes: Sequence[str] | None) -> tuple[str, ...] | None:
    if scopes is None:
        return None
    return tuple(scopes.split() if isinstance(scopes, str) else scopes)
