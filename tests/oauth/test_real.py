"""A real authorization server, and a guarded server of the official SDK."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.conformance.suite import NODE
from tests.oauth.fake import serve
from tests.oauth.install import FOLDER, MOCK, PROVIDER

if TYPE_CHECKING:
    from collections.abc import Generator

HERE = Path(__file__).resolve().parent
LIMIT = 60.0
PROGRAM = """
import sys
from {package} import Client, LoginRequiredError, McpError
with Client.from_config() as client:
    try:
        print(client.add(a=int(sys.argv[1]), b=2))
    except LoginRequiredError as error:
        print("LOGIN", error)
    except McpError as error:
        print("ERROR", type(error).__name__)
"""
ASYNC_PROGRAM = """
import asyncio
from guarded import AsyncClient
async def main():
    async with AsyncClient.from_config() as client:
        print(list(await asyncio.gather(
            *(client.add(a=n, b=0) for n in range(8)))))
asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(
    not (PROVIDER.exists() and MOCK.exists() and NODE.exists()),
    reason="scripts/oauth installs the authorization servers",
)


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], **env: str) -> Generator[subprocess.Popen[str]]:
    """Run a server, and end it."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **env},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(url: str) -> None:
    """Wait until something answers at a URL."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        try:
            httpx.get(url)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"nothing answers at {url}")


@dataclass
class World:
    """The two servers."""

    issuer: str
    url: str

    def admin(self, path: str, **params: str) -> Any:
        return httpx.get(f"{self.issuer}/admin/{path}", params=params).json()


@pytest.fixture(scope="module")
def world() -> Generator[World]:
    port = free_port()
    with ExitStack() as stack:
        node = [str(NODE), str(HERE / "provider.mjs"), str(port), "5"]
        provider = stack.enter_context(running(node, PROVIDER_FOLDER=str(FOLDER)))
        assert provider.stdout
        issuer = provider.stdout.readline().strip()
        resource = [sys.executable, str(HERE / "resource.py"), str(port), issuer]
        stack.enter_context(running(resource))
        url = f"http://127.0.0.1:{port}/mcp"
        until(url)
        yield World(issuer, url)


@dataclass
class Project:
    """An empty folder of a user, who has no browser."""

    folder: Path
    world: World

    @property
    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "MCP_BINDGEN_CREDENTIALS": str(self.folder / "credentials"),
            "PYTHONPATH": str(self.folder / "generated"),
        }

    def command(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "mcp_bindgen", *words],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str]:
        process = self.command(*words)
        _, err = process.communicate(timeout=LIMIT)
        return process.returncode, err

    def with_person(self, *words: str) -> tuple[int, str]:
        """Run a command, and log in at the URL that it prints."""
        process = self.command(*words)
        lines: list[str] = []
        assert process.stderr
        for line in process.stderr:
            lines.append(line)
            if line.startswith("http"):
                threading.Thread(target=browse, args=[line.strip()]).start()
        process.communicate(timeout=LIMIT)
        return process.returncode, "".join(lines)

    def start(self, program: str, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", program.format(package="guarded"), *words],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, number: int = 1) -> str:
        out, err = self.start(PROGRAM, str(number)).communicate(timeout=LIMIT)
        assert not err, err
        return out.strip()

    def stored(self) -> dict[str, Any]:
        (file,) = (self.folder / "credentials").glob("*.json")
        assert file.stat().st_mode & 0o777 == 0o600
        value: dict[str, Any] = json.loads(file.read_text())
        return value

    def until_over(self) -> None:
        """Wait until the server takes the stored token no more."""
        tokens = self.stored()["tokens"]
        while self.world.admin("check", token=tokens["access"]):
            time.sleep(0.2)


def browse(url: str) -> None:
    """Follow the login to its end, as a browser of somebody who agrees."""
    with httpx.Client(follow_redirects=True, timeout=30) as browser:
        browser.get(url)


@pytest.fixture
def project(world: World, tmp_path: Path) -> Project:
    made = Project(tmp_path, world)
    code, err = made.with_person(
        "add", "guarded", "--url", world.url, "--auth", "oauth"
    )
    assert code == 0, err
    assert f"logged in at {world.issuer}" in err
    return made


def test_from_nothing_to_typed_calls_and_through_expiry(project: Project) -> None:
    assert project.call() == "3"
    before = project.stored()
    for secret in (before["tokens"]["access"], before["tokens"]["refresh"]):
        written = [p for p in project.folder.rglob("*") if p.is_file()]
        assert [p.name for p in written if secret.encode() in p.read_bytes()] == [
            next((project.folder / "credentials").glob("*.json")).name
        ]
    project.until_over()
    # A new process, a token that is over, and no person: the refresh token rotates.
    assert project.call(5) == "7"
    after = project.stored()
    assert after["tokens"]["refresh"] != before["tokens"]["refresh"]
    assert after["client"] == before["client"]
    for words in (["record", "--server", "guarded"], ["test"], ["check"]):
        assert project.run(*words)[0] == 0
    assert project.run("call", "guarded", "add", "a=1", "b=2")[0] == 0


def test_processes_that_refresh_at_once_keep_the_family(project: Project) -> None:
    reused = project.world.admin("count")["reuse"]
    for _ in range(2):
        project.until_over()
        processes = [project.start(PROGRAM, str(n)) for n in range(4)]
        outs = [p.communicate(timeout=LIMIT)[0].strip() for p in processes]
        assert outs == [str(n + 2) for n in range(4)]
    assert project.world.admin("count")["reuse"] == reused
    project.until_over()
    out, err = project.start(ASYNC_PROGRAM).communicate(timeout=LIMIT)
    assert (out.strip(), err) == (str([*range(8)]), "")
    assert project.world.admin("count")["reuse"] == reused


def test_a_dead_authorization_server_costs_no_login(project: Project) -> None:
    project.until_over()
    before = project.stored()
    project.world.admin("dead", on="1")
    try:
        assert project.call() == "ERROR TransportError"
        assert project.stored() == before
    finally:
        project.world.admin("dead", on="0")
    assert project.call() == "3"


def test_revoked_tokens_ask_for_a_login_at_once_and_keep_the_client(
    project: Project,
) -> None:
    tokens, client = project.stored()["tokens"], project.stored()["client"]
    assert project.world.admin("revoke", token=tokens["refresh"])["revoked"]
    project.until_over()
    assert project.call().startswith("LOGIN")
    code, err = project.run("record", "--server", "guarded")
    assert code == 2
    assert "run mcp-bindgen login guarded" in err
    registered = project.world.admin("count")["register"]
    code, err = project.with_person("login", "guarded")
    assert code == 0, err
    assert project.call() == "3"
    assert project.world.admin("count")["register"] == registered
    assert project.stored()["client"] == client
    assert project.run("logout", "guarded")[0] == 0
    assert project.call().startswith("LOGIN")
    assert project.run("logout", "guarded")[0] == 1


def test_a_provider_without_pkce_is_refused(tmp_path: Path) -> None:
    port = free_port()
    mock = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    with running(mock, PYTHONPATH=str(MOCK)), serve() as fake:
        issuer = f"http://localhost:{port}"
        until(issuer)
        fake.resource["authorization_servers"] = [issuer]
        made = Project(tmp_path, World(issuer, fake.url))
        words = ["add", "guarded", "--url", fake.url, "--auth", "oauth"]
        code, err = made.run(*words)
    assert code == 2
    assert "does not say that it checks PKCE" in err
    assert not re.search("Traceback", err)
    assert not (tmp_path / "pyproject.toml").exists()
