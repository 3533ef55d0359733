"""The settings of OAuth that a user gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Assertion", "Grant", "OnLogin", "Settings"]

Grant = Literal["authorization_code", "client_credentials", "enterprise"]
"""How a client gets its tokens: by a person, by itself, or by an identity provider."""

OnLogin = Callable[[str], "str | None"]
"""Takes the URL at which a person logs in; may return the URL that the browser came
back to, where that is on another machine."""

Assertion = Callable[[str, str], str]
"""Takes the issuer and the resource; returns the assertion (ID-JAG) for them."""


_HINT = "log in first: mcp-bindgen login NAME, or OAuth.login(URL)"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one client.

    Attributes:
        grant: How the client gets its tokens.
        scopes: The scopes to ask for; None for those that the server names.
        client_id: The id of a client that was registered before, or "".
        client_secret: Its secret, or "".
        method: How it proves itself at the token endpoint, "" for the server's way.
        private_key: Its private key in PEM, for `private_key_jwt`, or "".
        algorithm: The algorithm of that key.
        document: The URL of the client's metadata document, or "".
        issuer: The one authorization server that is allowed besides those that name
            themselves rightly, or "".
        redirect_uri: The URL that the browser comes back to, or "" for a free port.
        name: The name that the person sees.
        on_login: Shows the person the URL; None where no person can log in.
        assertion: Gives assertions, for the grant "enterprise".
        hint: The advice where no person can log in.
    """

    grant: Grant = "authorization_code"
    scopes: tuple[str, ...] | None = None
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    method: str = ""
    private_key: str = field(default="", repr=False)
    algorithm: str = "ES256"
    document: str = ""
    issuer: str = ""
    redirect_uri: str = ""
    name: str = "mcp-bindgen"
    on_login: OnLogin | None = None
    assertion: Assertion | None = None
    hint: str = ""

    @property
    def next_step(self) -> str:
        """The advice where no person can log in."""
        return self.hint or _HINT
