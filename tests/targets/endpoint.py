"""A model's API on this machine that answers from a list and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["Endpoint", "scripted"]


@dataclass
class Endpoint:
    """The endpoint, and the bodies of the requests so far."""

    url: str = ""
    requests: list[Any] = field(default_factory=list[Any])


@contextmanager
def scripted(*answers: dict[str, Any]) -> Generator[Endpoint]:
    """Serve JSON answers, one for each POST, in their order."""
    endpoint = Endpoint()
    waiting = iter(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            endpoint.requests.append(json.loads(self.rfile.read(size)))
            body = json.dumps(next(waiting)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing; the parameter has the name of its base."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield endpoint
        finally:
            server.shutdown()
            thread.join()
