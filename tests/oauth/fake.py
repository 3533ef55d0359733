"""An MCP server and its authorization server in one, which misbehave as a test says."""

from __future__ import annotations

import json
import secrets
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mcp_bindgen.json_reader import JSON

__all__ = ["Fake", "browse", "serve"]

_VERSION = "2026-07-28"
_RESULTS: dict[str, dict[str, JSON]] = {
    "server/discover": {"supportedVersions": [_VERSION], "capabilities": {"tools": {}}},
    "tools/list": {"tools": []},
}


Answering: TypeAlias = "Callable[[dict[str, str]], tuple[int, Any]]"


@dataclass
class Fake:
    """Both servers.

    Attributes:
        origin: Their origin.
        resource: The metadata of the resource.
        server: The metadata of the authorization server.
        good: The access tokens that the MCP server takes, each with its scopes.
        refresh: The refresh tokens that are good.
        needed: The scopes that the MCP server wants.
        challenge: The fields of its refusals, "" for the place of the metadata.
        seen: Each request: its verb, its path, and its parameters or its body.
        answers: Path to a function that answers in place of the usual one; it takes the
            parameters, and returns a status and a JSON value.
        refusal: The status, the JSON and the challenge of each answer to a good token;
            None for the usual answers.
        authorization: The Authorization of the last request of a form or a JSON value.
        redirect: Path to the location of a redirect.
        issued: What the token endpoint adds to its answers.
        callback: What the authorization endpoint adds to the callback, or replaces.
    """

    origin: str = ""
    resource: dict[str, Any] = field(default_factory=dict[str, Any])
    server: dict[str, Any] = field(default_factory=dict[str, Any])
    good: dict[str, str] = field(default_factory=dict[str, str])
    refresh: set[str] = field(default_factory=set[str])
    needed: str = ""
    challenge: str = ""
    refusal: tuple[int, Any, str] | None = None
    authorization: str = ""
    requests: list[tuple[str, str, dict[str, str]]] = field(
        default_factory=list[tuple[str, str, dict[str, str]]]
    )
    answers: dict[str, Answering] = field(default_factory=dict[str, "Answering"])
    redirect: dict[str, str] = field(default_factory=dict[str, str])
    issued: dict[str, Any] = field(default_factory=dict[str, Any])
    callback: dict[str, str | None] = field(default_factory=dict[str, "str | None"])

    @property
    def url(self) -> str:
        """The MCP endpoint."""
        return f"{self.origin}/mcp"

    def count(self, path: str) -> int:
        """Return the number of requests for a path."""
        return sum(requests == path for _, requests, _ in self.requests)

    def last(self, path: str) -> dict[str, str]:
        """Return the parameters of the last request for a path."""
        return [params for _, requests, params in self.requests if requests == path][-1]

    def tokens(self, params: dict[str, str]) -> tuple[int, Any]:
        """Answer as a token endpoint."""
        old = params.get("refresh_token")
        if params["grant_type"] == "refresh_token" and old not in self.refresh:
            return 400, {"error": "invalid_grant"}
        self.refresh.discard(old or "")
        access, refresh = secrets.token_urlsafe(12), secrets.token_urlsafe(12)
        self.good[access] = params.get("scope", "")
        self.refresh.add(refresh)
        tokens = {"access_token": access, "refresh_token": refresh}
        return 200, {
            **tokens,
            "token_type": "Bearer",
            "expires_in": 3600,
            **self.issued,
        }

    def register(self, params: dict[str, str]) -> tuple[int, Any]:
        """Answer as a registration endpoint."""
        return 201, {**params, "client_id": f"client-{secrets.token_hex(4)}"}


class _Handler(BaseHTTPRequestHandler):
    fake: Fake
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer metadata and authorization."""
        parts = urlsplit(self.path)
        params = dict(parse_qsl(parts.query))
        self.fake.requests.append(("GET", parts.path, params))
        if parts.path in self.fake.redirect:
            self.reply(302, {}, {"Location": self.fake.redirect[parts.path]})
        elif parts.path in self.fake.answers:
            self.reply(*self.fake.answers[parts.path](params))
        elif parts.path == "/.well-known/oauth-protected-resource/mcp":
            self.reply(200, self.fake.resource)
        elif parts.path == "/.well-known/oauth-authorization-server":
            self.reply(200, self.fake.server)
        elif parts.path == "/authorize":
            said = {
                "code": "the-code",
                "state": params["state"],
                "iss": self.fake.origin,
            }
            said |= {k: v for k, v in self.fake.callback.items() if v is not None}
            parameters = {k: v for k, v in said.items() if self.fake.callback.get(k, v)}
            self.reply(
                302,
                {},
                {"Location": f"{params['redirect_uri']}?{urlencode(parameters)}"},
            )
        else:
            self.reply(404, {})

    def do_POST(self) -> None:
        """Answer MCP, registrations and requests for tokens."""
        data = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/mcp":
            return self.mcp(json.loads(data))
        text = data.decode()
        json_kind = "json" in self.headers["content-type"]
        params = json.loads(text) if json_kind else dict(parse_qsl(text))
        self.fake.requests.append(("POST", self.path, params))
        self.fake.authorization = self.headers.get("authorization", "")
        usual = {"/token": self.fake.tokens, "/register": self.fake.register}
        answer = {**usual, **self.fake.answers}.get(self.path)
        return self.reply(*answer(params)) if answer else self.reply(404, {})

    def mcp(self, message: dict[str, Any]) -> None:
        """Answer a request of MCP."""
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        self.fake.requests.append(("POST", "/mcp", {"token": token}))
        metadata_url = f"{self.fake.origin}/.well-known/oauth-protected-resource/mcp"
        challenge = self.fake.challenge or f'resource_metadata="{metadata_url}"'
        if token not in self.fake.good:
            return self.reply(401, {}, {"WWW-Authenticate": f"Bearer {challenge}"})
        if self.fake.refusal is not None:
            status, value, wanted = self.fake.refusal
            return self.reply(status, value, {"WWW-Authenticate": wanted})
        if not {*self.fake.needed.split()} <= {*self.fake.good[token].split()}:
            scope = f'error="insufficient_scope", scope="{self.fake.needed}"'
            return self.reply(403, {}, {"WWW-Authenticate": f"Bearer {scope}"})
        result = {**_RESULTS[message["method"]], "resultType": "complete"}
        whole = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return self.reply(200, whole)

    def reply(
        self, status: int, value: Any, headers: dict[str, str] | None = None
    ) -> None:
        """Send a JSON value, or a text as it is."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing about a client that goes away."""


@contextmanager
def serve() -> Generator[Fake]:
    """Serve both on a free port of this machine."""
    fake = Fake()
    handler = type("Handler", (_Handler,), {"fake": fake})
    http = _Server(("127.0.0.1", 0), handler)
    http.daemon_threads = True
    fake.origin = f"http://127.0.0.1:{http.server_address[1]}"
    fake.resource |= {"resource": fake.url, "authorization_servers": [fake.origin]}
    fake.server |= {
        "issuer": fake.origin,
        "authorization_endpoint": f"{fake.origin}/authorize",
        "token_endpoint": f"{fake.origin}/token",
        "registration_endpoint": f"{fake.origin}/register",
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield fake
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def browse(url: str) -> None:
    """Log in as a browser does; nobody is asked."""
    httpx.get(url, follow_redirects=True, timeout=10)
