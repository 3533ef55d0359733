# Copied by mcp-bindgen. Do not edit.
"""The rules for URLs of OAuth: endpoints, resources, well-known places."""

from __future__ import annotations

import re
from ipaddress import ip_address
from socket import inet_aton
from urllib.parse import SplitResult, parse_qsl, urlsplit

from ...errors import SERVER_FAULT, OAuthError, printable

__all__ = [
    "canonical",
    "checked_endpoint",
    "covers",
    "is_loopback",
    "origin",
    "resource_places",
    "server_places",
    "url_text",
]

_PORTS = {"http": 80, "https": 443}
_PLAIN = re.compile(r"[\x21-\x7e]{1,4096}")
_RESOURCE = "/.well-known/oauth-protected-resource"
_OAUTH = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in _PORTS and parts.hostname else None


def origin(url: str) -> str:
    """Return scheme, host and port of a URL; "" if it is no URL of HTTP."""
    parts = _split(url)
    if parts is None:
        return ""
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    port = parts.port or _PORTS[parts.scheme]
    return f"{parts.scheme}://{host}" + (
        "" if port == _PORTS[parts.scheme] else f":{port}"
    )


def is_loopback(url: str) -> bool:
    """Return whether a URL leads to this machine, and says so plainly."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost" or host.lower().endswith(".localhost")


def _may_be_loopback(url: str) -> bool:
    """Return whether a URL leads to this machine in any spelling that systems read."""
    parts = _split(url)
    host = (parts.hostname or "").lower().removesuffix(".") if parts else ""
    try:
        address = ip_address(host)
    except ValueError:
        try:
            address = ip_address(inet_aton(host))  # 127.1, 2130706433, 0x7f000001
        except (OSError, ValueError) as _:
            return host == "localhost" or host.endswith(".localhost")
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def canonical(url: str) -> str:
    """Return the URL of a server as the identifier of its resource (RFC 8707)."""
    parts = _split(url)
    if parts is None:
        return url
    return origin(url) + ("" if parts.path == "/" else parts.path)


def url_text(url: str) -> str:
    """Return a URL without its query, safe for a message."""
    parts = _split(url)
    return printable(f"{origin(url)}{parts.path}" if parts else "no URL", 200)


def covers(resource: str, url: str) -> bool:
    """Return whether a resource is the server at a URL, or a part of the path to it.

    A slash at the end makes no difference: real servers have it in only one of them.
    """
    parts = _split(resource) if _PLAIN.fullmatch(resource) else None
    server = _split(url)
    if parts is None or server is None or parts.fragment or parts.username is not None:
        return False
    if origin(resource) != origin(url):
        return False
    if parts.query and parts.query != server.query:
        return False
    path = parts.path.rstrip("/")
    return f"{server.path.rstrip('/')}/".startswith(f"{path}/")


def checked_endpoint(
    url: object, name: str, server: str, own: str = "", *, by_user: bool = False
) -> str:
    """Return the checked URL of an endpoint.

    Args:
        url: The URL.
        name: Its name, for the message.
        server: The MCP server; only one on this machine may name others on it.
        own: Parameters that the URL must not have, separated by spaces.
        by_user: Whether the user gives it, and not the server.

    Raises:
        OAuthError: It is not https, nor http to this machine, or holds a secret.
    """
    text = url if isinstance(url, str) else ""
    if reason := _fault_of(text, server, own):
        giver = "you give" if by_user else "the server names"
        hint = "give a URL of https://" if by_user else SERVER_FAULT
        raise OAuthError(f"the {name} that {giver} {reason}", hint=hint)
    return text


def _fault_of(url: str, server: str, own: str) -> str:
    """Return what is wrong with the URL of an endpoint, "" for nothing."""
    parts = _split(url) if _PLAIN.fullmatch(url) else None
    if parts is None:
        return "is not a URL of https://"
    if parts.username is not None or parts.password is not None:
        return "holds a user name"
    if parts.fragment:
        return "has a fragment"
    if _may_be_loopback(url) and not is_loopback(server):
        return "leads to this machine"
    if parts.scheme != "https" and not is_loopback(url):
        return "is http://, which anybody on the way can read"
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    return "has parameters that belong to the client" if names & {*own.split()} else ""


def resource_places(url: str) -> tuple[str, ...]:
    """Return the URLs of a protected resource's metadata, in order (RFC 9728, 3.1)."""
    path = urlsplit(url).path
    own = () if path in ("", "/") else (f"{origin(url)}{_RESOURCE}{path}",)
    return (*own, f"{origin(url)}{_RESOURCE}")


def server_places(issuer: str) -> tuple[str, ...]:
    """Return the URLs of an authorization server's metadata, in order.

    RFC 8414 and OpenID Connect Discovery; an issuer with a path never asks the root.
    """
    home, path = origin(issuer), urlsplit(issuer).path.rstrip("/")
    if not path:
        return (f"{home}{_OAUTH}", f"{home}{_OPENID}")
    return (
        f"{home}{_OAUTH}{path}",
        f"{home}{_OPENID}{path}",
        f"{home}{path}{_OPENID}",
    )
