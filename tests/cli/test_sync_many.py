"""`sync` of many servers of one settings file: at once, on a cluster, past a slow one.

One server answers only after the packages of all others are written, one never answers,
and one is down. `MCP_BINDGEN_ALL=1` takes 300 servers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from tests.commands import run

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBER = 300 if "MCP_BINDGEN_ALL" in os.environ else 60
AT_ONCE = 6
CLUSTER = """
import sys
import distributed
from click.testing import CliRunner
from mcp_bindgen.cli import app

if __name__ == "__main__":
    options = {"dashboard_address": None, "n_workers": 2, "threads_per_worker": 1}
    opened = []
    with distributed.LocalCluster(**options) as cluster:
        connect = distributed.Client.__init__

        def counted(self, *args, **more):
            opened.append(args)
            connect(self, *args, **more)

        distributed.Client.__init__ = counted
        address = f"dask:{cluster.scheduler_address}"
        result = CliRunner().invoke(app, [*sys.argv[1:], "--executor", address])
    print(result.stdout)
    print(result.stderr, file=sys.stderr)
    assert len(opened) == 1, opened
    sys.exit(result.exit_code)
"""


class Servers(ThreadingHTTPServer):
    """Many servers; the one that is called slow waits for the packages of all others.

    Attributes:
        folder: The project.
        end: Until then, the one that is called silent does not answer.
        most: How many servers were recorded at the same time, at most.
    """

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.most, self.end = folder, 0, threading.Event()
        self.open: set[str] = set()
        self.lock = threading.Lock()

    def wait_for_all(self) -> None:
        """Wait until the packages of all other servers are written."""
        end = time.monotonic() + 900
        while time.monotonic() < end:
            if len([*self.folder.glob("generated/s[0-9]*/manifest.json")]) == NUMBER:
                return
            time.sleep(0.05)


class Handler(BaseHTTPRequestHandler):
    """Answers for all servers; the path names one."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        running = cast("Servers", self.server)
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name, method = self.path.split("/")[1], message["method"]
        if name == "silent":  # its client leaves, and nobody sees when
            running.end.wait()
        with running.lock:
            running.open.add(name)
            running.most = max(running.most, len(running.open))
        answer: dict[str, Any] = {"error": {"code": -32601, "message": "no"}}
        if method == "initialize":
            facts: dict[str, Any] = {"capabilities": {"tools": {}}}
            facts |= {"protocolVersion": "2025-11-25", "serverInfo": {"name": name}}
            answer = {"result": facts}
        if method == "tools/list":
            if name == "slow":
                running.wait_for_all()
            tool = {"name": f"of_{name}", "inputSchema": {"type": "object"}}
            answer = {"result": {"tools": [tool]}}
            with running.lock:
                running.open.discard(name)
        text = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **answer})
        data = text.encode() if "id" in message else b""
        self.send_response(200 if data else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    """A project with one settings file, and its servers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with Servers(tmp_path) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{running.server_port}"
        names = ["slow", *(f"s{number}" for number in range(NUMBER))]
        lines = {name: f'url = "{url}/{name}"' for name in [*names, "silent"]}
        lines |= {"down": 'command = ["no-such-program"]'}
        lines["slow"] += "\ntimeout = 900"
        lines["silent"] += "\ntimeout = 2"
        tables = [f"[tool.mcp-bindgen.servers.{n}]\n{t}\n" for n, t in lines.items()]
        common = '[tool.mcp-bindgen]\nshared-runtime = "rt"\ntargets = ["python"]\n'
        Path("pyproject.toml").write_text(common + "".join(tables), "utf-8")
        yield running
        running.end.set()
        running.shutdown()


def states(text: str) -> dict[str, int]:
    """Return how many servers have each state."""
    listed = [row["state"] for row in json.loads(text)]
    return {state: listed.count(state) for state in listed}


@pytest.mark.timeout(1_000)  # for 300 servers
def test_many_servers_on_a_cluster(servers: Servers) -> None:
    words = ["sync", "--jobs", str(AT_ONCE), "--format", "json"]
    Path("cluster.py").write_text(CLUSTER, "utf-8")
    ran = subprocess.run(
        [sys.executable, "cluster.py", *words],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    assert states(ran.stdout) == {"new": NUMBER + 1, "failed": 2}
    assert {row["name"] for row in json.loads(ran.stdout)} == {
        *made(),
        "down",
        "silent",
    }
    assert "error: down: there is no program" in ran.stderr
    assert "error: silent: the recording was not complete after 2 s" in ran.stderr
    assert 1 < servers.most <= AT_ONCE
    # The packages are as this machine makes them.
    again = run("sync", "--offline", "--format", "json", *made())
    assert (again.exit_code, states(again.stdout)) == (0, {"current": NUMBER + 1})


def made() -> list[str]:
    """Return the names of the servers that have a recording."""
    return sorted(path.stem for path in Path("recordings").glob("*.json"))


def test_a_cluster_that_does_not_answer_comes_before_the_recordings(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    loads = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        parsed.append(text)
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    result = run("sync", "--executor", "dask:nonsense://here")
    assert len(parsed) <= 3, "the settings of all are not read again for each server"
    assert result.exit_code == 2
    assert "no Dask scheduler" in result.stderr
    assert (servers.most, made()) == (0, [])
