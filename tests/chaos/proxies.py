"""Rows 23 and 24: proxy variables, and four causes with four messages."""

from __future__ import annotations

import os
import ssl
from contextlib import ExitStack
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.certificates import self_signed
from tests.chaos.case import Case, Tally
from tests.chaos.drive import KINDS, attempt_call, nonces, package, run
from tests.chaos.server import Script, serve

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]

_NONSENSE = (
    "http://127.0.0.1:port",
    "bogus://127.0.0.1:1",
    "http://[::1",
    "127.0.0.1:x",
)


def _set(name: str, value: str) -> None:
    """Set one proxy variable, and no other."""
    for known in list(os.environ):
        if known.upper().endswith("_PROXY"):
            del os.environ[known]
    os.environ[name] = value


def _make(client: Any, url: str) -> Any:
    return client.http(url, timeout=4, allow_http=True, retries=0)


def _connects(exchange: Exchange) -> bool:
    """Refuse tunnels, as a proxy may."""
    if exchange.verb != "CONNECT":
        return False
    exchange.http("502 Bad Gateway")
    return True


def proxies(tally: Tally) -> None:
    """Row 23: a proxy variable works with a scheme and without, as in curl."""
    names = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
    for name in names[: tally.some(2, 4)]:
        for scheme in ("http://", ""):
            for kind in KINDS:
                label = f"{name}={scheme}host {kind}"
                with tally.attempt(label), serve(Script(before=_connects)) as proxy:
                    _set(name, f"{scheme}127.0.0.1:{proxy.port}")
                    make = partial(_make, url="http://server.example/mcp")
                    error = run(kind, make, attempt_call("change_item", nonces()))
                    assert error is None, f"{type(error).__name__}: {error}"
                    paths = {r["path"] for r in proxy.log()}
                    assert paths == {"http://server.example/mcp"}, f"{paths}"


def tunnels(tally: Tally) -> None:
    """Row 23: the same for https."""
    for scheme in ("http://", ""):
        for kind in KINDS:
            label = f"https_proxy={scheme}host {kind}"
            with tally.attempt(label), serve(Script(before=_connects)) as proxy:
                _set("https_proxy", f"{scheme}127.0.0.1:{proxy.port}")
                make = partial(_make, url="https://server.example/mcp")
                error = run(kind, make, attempt_call("change_item", nonces()))
                assert isinstance(error, package().McpError), f"{error!r}"
                assert [r["verb"] for r in proxy.log()] == ["CONNECT"], f"{error}"


def nonsense(tally: Tally) -> None:
    """Row 23: nonsense is a ConfigError that names the variable."""
    wrong = package("chaospkg._runtime.errors").ConfigError
    for value in _NONSENSE:
        for kind in KINDS:
            with tally.attempt(f"{value} {kind}"):
                _set("http_proxy", value)
                make = partial(_make, url="http://server.example/mcp")
                try:
                    error = run(kind, make, attempt_call("change_item", nonces()))
                except wrong as raised:
                    error = raised
                assert isinstance(error, wrong), f"{type(error).__name__}: {error}"
                assert "proxy" in str(error).lower(), f"which variable? {error}"


def _self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's context with a certificate that nobody trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed(folder))
    return context


_WORDS = {
    "certificate": ("certificate",),
    "name": ("name", "resolve", "no such host", "not known"),
    "refused": ("refused", "listens", "nothing answers"),
    "plain": ("tls", "https"),
}


def causes(tally: Tally) -> None:
    """Row 24: a refused certificate, an unknown name, a refused connection, no TLS."""
    for kind in KINDS:
        with ExitStack() as stack:
            context = _self_signed(tally.folder)
            secure = stack.enter_context(serve(Script(tls=context)))
            plain = stack.enter_context(serve(Script()))
            urls = {
                "certificate": f"https://127.0.0.1:{secure.port}/mcp",
                "name": "https://no-such-name.invalid/mcp",
                "refused": "https://127.0.0.1:9/mcp",
                "plain": f"https://127.0.0.1:{plain.port}/mcp",
            }
            texts = {name: _message(kind, url) for name, url in urls.items()}
        _four(tally, kind, texts)


def _message(kind: str, url: str) -> str:
    error = run(kind, partial(_make, url=url), attempt_call("change_item", nonces()))
    host = url.removesuffix("/mcp")
    outcome = getattr(error, "outcome", "none")
    text = str(error).replace(host, "HOST")
    return text if outcome == "not sent" else f"outcome {outcome}: {text}"


def _four(tally: Tally, kind: str, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        with tally.attempt(f"{name} {kind}"):
            assert any(word in text.lower() for word in _WORDS[name]), text
            assert not text.startswith("outcome"), text
    for one, other in combinations(texts, 2):
        with tally.attempt(f"{one} is not {other} {kind}"):
            assert texts[one] != texts[other], f"both say: {texts[one]}"


CASES = (
    Case(23, "plain", proxies),
    Case(23, "tunnels", tunnels),
    Case(23, "nonsense", nonsense),
    Case(24, "causes", causes),
)
