"""Rows 21 and 22: answers that were read before, foreign errors, auth beside http."""

from __future__ import annotations

import asyncio
import importlib
import json
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import httpx

from tests.chaos.case import Case, Tally
from tests.chaos.drive import (
    KINDS,
    attempt_call,
    caught,
    client_class,
    nonces,
    package,
    run,
)
from tests.chaos.exchange import answer, answer_sse
from tests.chaos.package import generate
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["CASES"]

_ANSWERS = (answer, answer_sse)


class _Reads(httpx.Auth):
    """Looks at the body of each answer, as providers of OAuth do."""

    requires_response_body = True

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Send the request, and read what comes."""
        request.headers["x-auth"] = "yes"
        response = yield request
        _ = response.content


def _http(client: Any, url: str, **options: Any) -> Any:
    return client.http(url, timeout=4, **options)


def _works(tally: Tally, name: str, script: Script, **options: Any) -> None:
    """Make two calls and check that both have their answers.

    Args:
        options: What `http` takes; a function of the client's kind makes each value.
    """
    for kind in KINDS:
        with tally.attempt(f"{name} {kind}"), serve(script) as server:
            values = {key: make(kind) for key, make in options.items()}

            async def work(client: Any) -> None:
                for _ in range(2):
                    nonce = nonces()
                    result = await client.change_item(nonce=nonce)
                    assert result.text == nonce, "another call's answer"

            run(kind, partial(_http, url=server.url, **values), work)


def auth_reads(tally: Tally) -> None:
    """Row 21: an auth that reads the answers, with our client and with the user's."""
    for era, act in product(ERAS, _ANSWERS):
        name = f"{era} {act.__name__}"
        _works(tally, f"auth {name}", Script(era, act), auth=_reads)
        _works(tally, f"http {name}", Script(era, act), http=_with_auth)


def _reads(_kind: str) -> _Reads:
    return _Reads()


def _with_auth(kind: str) -> Any:
    made = httpx.Client if kind == "sync" else httpx.AsyncClient
    return made(auth=_Reads(), timeout=5)


def _with_hook(kind: str) -> Any:
    def read(response: httpx.Response) -> None:
        response.read()

    async def read_async(response: httpx.Response) -> None:
        await response.aread()

    if kind == "sync":
        return httpx.Client(event_hooks={"response": [read]}, timeout=5)
    return httpx.AsyncClient(event_hooks={"response": [read_async]}, timeout=5)


def hooks_read(tally: Tally) -> None:
    """Row 21: a hook that reads the answers."""
    for era, act in product(ERAS, _ANSWERS):
        script = Script(era, act)
        _works(tally, f"{era} {act.__name__}", script, http=_with_hook)


def _mocked(
    request: httpx.Request, call: Callable[[Any], Any], *, read: bool
) -> httpx.Response:
    """Answer as a modern server does, all in memory; `read` or not."""
    message = json.loads(request.content or b"{}")
    if message.get("method") == "tools/call":
        response: httpx.Response = call(message)
        return response
    facts: dict[str, Any] = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
    }
    more = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    whole = {"jsonrpc": "2.0", "id": message.get("id"), "result": {**facts, **more}}
    if read:
        return httpx.Response(200, json=whole)
    stream = httpx.ByteStream(json.dumps(whole).encode())
    headers = {"content-type": "application/json"}
    return httpx.Response(200, headers=headers, stream=stream)


def _echo(message: Any, *, sse: bool) -> httpx.Response:
    content = [{"type": "text", "text": message["params"]["arguments"]["nonce"]}]
    result = {"content": content, "resultType": "complete"}
    whole = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    if sse:
        text = f"data: {json.dumps(whole)}\n\n"
        return httpx.Response(
            200, text=text, headers={"content-type": "text/event-stream"}
        )
    return httpx.Response(200, json=whole)


def _mock(kind: str, call: Callable[[Any], Any], *, read: bool) -> Any:
    transport = httpx.MockTransport(partial(_mocked, call=call, read=read))
    made = httpx.Client if kind == "sync" else httpx.AsyncClient
    return made(transport=transport)


def mock_transport(tally: Tally) -> None:
    """Row 21: `httpx.MockTransport`, whose answers are read from the start."""
    for sse, kind in product((False, True), KINDS):
        with tally.attempt(f"{'SSE' if sse else 'JSON'} {kind}"):
            http = _mock(kind, partial(_echo, sse=sse), read=True)
            make = partial(_http, url="http://127.0.0.1/mcp", http=http)
            error = run(kind, make, attempt_call("change_item", nonces()))
            assert error is None, f"{type(error).__name__}: {error}"


def _errors() -> list[type[Exception]]:
    """Return every exception of httpx, in a stable order."""
    values = [getattr(httpx, name) for name in httpx.__all__]
    kinds = [v for v in values if isinstance(v, type) and issubclass(v, Exception)]
    return sorted(kinds, key=lambda kind: kind.__name__)


def _raise(message: Any, error: Any) -> Any:
    request = httpx.Request("POST", "http://127.0.0.1/mcp")
    if issubclass(error, httpx.HTTPStatusError):
        raise error("boom", request=request, response=httpx.Response(500))
    if issubclass(error, (httpx.StreamConsumed, httpx.ResponseNotRead)):
        raise error
    if issubclass(error, (httpx.RequestNotRead, httpx.StreamClosed)):
        raise error
    raise error(f"boom {message['id']}")


def foreign_errors(tally: Tally) -> None:
    """Row 21: whatever httpx raises, callers see an error of ours."""
    for error, kind in product(_errors()[:: tally.some(6, 1)], KINDS):
        with tally.attempt(f"{error.__name__} {kind}"):
            http = _mock(kind, partial(_raise, error=error), read=False)
            make = partial(_http, url="http://127.0.0.1/mcp", http=http, retries=0)
            outcome = run(kind, make, attempt_call("change_item", nonces()))
            assert isinstance(outcome, package().McpError), f"{type(outcome)} escapes"


class _Storage:
    """Holds one token, as if a person had logged in."""

    def __init__(self, token: Any) -> None:
        self.token = token

    async def get_tokens(self) -> Any:
        return self.token

    async def set_tokens(self, tokens: Any) -> None:
        self.token = tokens

    async def get_client_info(self) -> None:
        return None

    async def set_client_info(self, client_info: Any) -> None:
        raise AssertionError(f"nobody asked for {client_info}")


def oauth_provider(tally: Tally) -> None:
    """Row 21: the OAuth provider of the official SDK, as auth= of an httpx2 package."""
    auth, shared = (
        importlib.import_module(name) for name in ("mcp.client.auth", "mcp.shared.auth")
    )
    generate(tally.folder, "chaoshttpx2", "--http", "httpx2")
    token = shared.OAuthToken(
        access_token="secret", token_type="Bearer", expires_in=3600
    )
    facts = {"redirect_uris": ["http://127.0.0.1:3/callback"], "client_name": "chaos"}
    metadata = shared.OAuthClientMetadata.model_validate(facts)
    for era, act in product(ERAS, _ANSWERS):
        with tally.attempt(f"{era} {act.__name__}"), serve(Script(era, act)) as server:
            storage = _Storage(token)
            provider = auth.OAuthClientProvider(server.url, metadata, storage)
            asyncio.run(_authorised(server.url, provider))
            headers = [r["headers"] for r in server.log("tools/call")]
            assert headers[0].get("authorization") == "Bearer secret", "no token"


async def _authorised(url: str, provider: Any) -> None:
    client = client_class("async", "chaoshttpx2").http(url, timeout=4, auth=provider)
    async with client:
        nonce = nonces()
        assert (await client.change_item(nonce=nonce)).text == nonce


def auth_beside_http(tally: Tally) -> None:
    """Row 22: `auth=` beside `http=` is used, or refused, and never ignored."""
    for era, kind in product(ERAS, KINDS):
        with tally.attempt(f"{era} {kind}"), serve(Script(era)) as server:
            http = (httpx.Client if kind == "sync" else httpx.AsyncClient)(timeout=5)
            try:
                make = partial(_http, url=server.url, auth=_Reads(), http=http)
                error = run(kind, make, lambda c: caught(c.change_item(nonce=nonces())))
            except package("chaospkg._runtime.errors").ConfigError:
                continue
            assert error is None, f"the call fails: {error}"
            bare = [r["method"] for r in server.log() if "x-auth" not in r["headers"]]
            assert not bare, f"auth= is ignored in {bare}"


CASES = (
    Case(21, "auth", auth_reads),
    Case(21, "hooks", hooks_read),
    Case(21, "mock", mock_transport),
    Case(21, "errors", foreign_errors),
    Case(21, "oauth", oauth_provider),
    Case(22, "auth-http", auth_beside_http),
)
