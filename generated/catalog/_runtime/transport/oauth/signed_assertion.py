# Copied by mcp-bindgen. Do not edit.
"""Assertions that a client signs with its private key (RFC 7523, 2.2)."""

from __future__ import annotations

import secrets
import time
from importlib import import_module
from typing import Any

from ... import limits
from ...errors import FAILURE, ConfigError

__all__ = ["signed_assertion"]


def signed_assertion(
    client_id: str, issuer: str, private_key: str, algorithm: str
) -> str:
    """Return a JWT by which a client proves itself to an authorization server.

    Args:
        client_id: The client.
        issuer: The authorization server, which is the audience.
        private_key: The key in PEM.
        algorithm: Its algorithm, such as "ES256".

    Raises:
        ConfigError: The package `joserfc` is missing, or the key is unusable.
    """
    try:
        jwk: Any = import_module("joserfc.jwk")
        jwt: Any = import_module("joserfc.jwt")
    except ImportError:
        raise ConfigError(
            "private_key_jwt needs the package joserfc", hint="pip install joserfc"
        ) from None
    now = int(time.time())
    claims = {"iss": client_id, "sub": client_id, "aud": issuer, "iat": now}
    claims |= {"exp": now + limits.OAUTH_ASSERTION, "jti": secrets.token_urlsafe(16)}
    try:
        kind = "RSA" if algorithm[:2] in {"RS", "PS"} else "EC"
        kind = "OKP" if algorithm.lower().startswith("ed") else kind
        key = jwk.import_key(private_key, kind)
        token = jwt.encode({"alg": algorithm}, claims, key, algorithms=[algorithm])
    except FAILURE as error:
        # The text of the error may hold a part of the key.
        kind = type(error).__name__
        raise ConfigError(
            f"the private key cannot sign {algorithm} ({kind})",
            hint="check the key, in PEM, and the algorithm",
        ) from None
    return str(token)
