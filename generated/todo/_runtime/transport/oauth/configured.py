# Copied by mcp-bindgen. Do not edit.
"""An `OAuth` from the settings of a server: `auth = "oauth"`, and a table `oauth`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import ConfigError, printable
from .auth import OAuth

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OPTIONS", "configured"]

OPTIONS = (
    *("client-id", "client-secret", "client-metadata-url", "issuer", "port"),
    *("redirect-uri", "scopes", "store"),
)
"""The keys of the table, each with a text."""


def configured(options: Mapping[str, str], **more: Any) -> OAuth:
    """Return the OAuth of settings.

    Example: `configured({"client-id": "a", "scopes": "read write"})`.

    Args:
        options: The table `oauth` of the settings, with the values of its variables.
        more: Further arguments of `OAuth`.

    Raises:
        ConfigError: A key is unknown, or the values do not go together.
    """
    values: dict[str, Any] = {}
    for key, text in options.items():
        if key not in OPTIONS:
            keys = ", ".join(OPTIONS)
            raise ConfigError(
                f"oauth has no {printable(key, 80)}", hint=f"keys: {keys}"
            )
        values[key.replace("-", "_")] = text
    if "port" in values:
        port = values["port"]
        if not port.isdecimal() or not 0 < int(port[:9]) < 65_536:
            raise ConfigError(
                "oauth.port: expected a number from 1 to 65535,"
                f" got {printable(port, 80)}",
                hint='write it like "8765"',
            )
        values["port"] = int(port)
    if "scopes" in values:
        values["scopes"] = values["scopes"].split()
    return OAuth(**values, **more)
