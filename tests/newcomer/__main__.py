"""From an empty folder to typed calls: `scripts/newcomer`.

The first way adds one server after the other, from `pip install` on; the second imports
an mcp.json with five servers, one of which is down.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from tests.newcomer.servers import ROOT, everything_over_http, install, peers

_LIMIT = 120.0  # seconds from `pip install` to the first typed call
_DOWN = {"type": "http", "url": "http://127.0.0.1:9/mcp"}


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Newcomer:
    """Somebody with a virtual environment, and a project without files.

    Args:
        folder: Holds both.
    """

    def __init__(self, folder: Path) -> None:
        self._bin = folder / "venv" / "bin"
        self._cache = folder / "cache"
        self.project = folder / "project"
        self.project.mkdir()

    def install(self) -> None:
        """Install this checkout, as `pip install` does."""
        venv.create(self._bin.parent, with_pip=True)
        self.run("python", "-m", "pip", "install", "-q", str(ROOT))

    def run(self, program: str, *words: str, code: int = 0) -> str:
        """Run a program, and return its standard output.

        Raises:
            SystemExit: Its exit code is another.
        """
        ran = subprocess.run(
            [str(self._bin / program), *words],
            cwd=self.project,
            env=os.environ
            | {"PYTHONPATH": "generated", "XDG_CACHE_HOME": str(self._cache)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        line = " ".join([program, *words]).replace("\n", "; ")[:100]
        _say(f"  {ran.returncode}  {line}")
        if ran.returncode != code:
            sys.exit(f"expected exit code {code}\n{ran.stdout}\n{ran.stderr}")
        return ran.stdout

    def calls(self, package: str, call: str, words: str) -> None:
        """Run a program with a typed call, whose output has some words."""
        program = (
            f"from {package} import Client\n\n"
            "with Client.from_config() as client:\n"
            f"    print({call})\n"
        )
        if words not in (output := self.run("python", "-c", program)):
            sys.exit(f"expected {words!r} in the output, got {output!r}")


def one_by_one(folder: Path) -> None:
    """Add one server after the other."""
    newcomer = Newcomer(folder)
    servers = peers(folder)
    started = time.monotonic()
    newcomer.install()
    newcomer.run("mcp-bindgen", "init")
    for number, peer in enumerate(servers):
        program = newcomer.run("mcp-bindgen", "add", peer.name, "--", *peer.command)
        newcomer.run("python", "-c", program)
        newcomer.calls(peer.name, peer.call, peer.words)
        if number == 0:
            seconds = time.monotonic() - started
            _say(f"  {seconds:.0f} seconds from pip install to a typed call")
            if seconds > _LIMIT:
                sys.exit(f"expected less than {_LIMIT:g} seconds")
    with everything_over_http() as url:
        newcomer.run("mcp-bindgen", "add", "remote", "--url", url)
        newcomer.calls("remote", 'client.echo(message="hello")', "hello")
        newcomer.run("mcp-bindgen", "test")
    newcomer.run("mcp-bindgen", "sync", "--offline", "--check")
    listed = json.loads(newcomer.run("mcp-bindgen", "list", "--format", "json"))
    if len(listed) != len(servers) + 1 or not all(each["current"] for each in listed):
        sys.exit(f"expected all servers to be current, got {listed}")


def five_at_once(folder: Path) -> None:
    """Import an mcp.json with five servers, one of which is down."""
    newcomer = Newcomer(folder)
    servers = {
        peer.name: {"command": peer.command[0], "args": [*peer.command[1:]]}
        for peer in peers(folder)[2:]
    }
    document = {"mcpServers": {**servers, "down": _DOWN}}
    (newcomer.project / ".mcp.json").write_text(json.dumps(document), "utf-8")
    newcomer.install()
    newcomer.run("mcp-bindgen", "import", ".mcp.json")
    newcomer.run("mcp-bindgen", "sync", code=2)
    newcomer.run("mcp-bindgen", "test", code=1)
    for peer in peers(folder)[2:]:
        newcomer.calls(peer.name, peer.call, peer.words)
    words = ["clock", "get_current_time", "timezone=Europe/Berlin"]
    if "Berlin" not in newcomer.run("mcp-bindgen", "call", *words):
        sys.exit("expected the time in Berlin")
    if "add" not in newcomer.run("python", "-m", "adder"):
        sys.exit("expected the tool add")


def main() -> None:
    """Go both ways."""
    install()
    for way in (one_by_one, five_at_once):
        _say(str(way.__doc__))
        with tempfile.TemporaryDirectory() as folder:
            way(Path(folder))
    _say("Both ways lead to typed calls.")


if __name__ == "__main__":
    main()
