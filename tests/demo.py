"""Show the whole way: record two servers, generate their bindings, call them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAM = Path(__file__).with_name("demo_program.py")


def main() -> int:
    """Run the demo in a fresh folder, or in the one that is given."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1]).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return _demo(folder)
    with tempfile.TemporaryDirectory(prefix="mcp-bindgen-demo-") as temporary:
        return _demo(Path(temporary))


def _demo(folder: Path) -> int:
    command = stdio_command("todo")
    environment = {
        **os.environ,
        "CATALOG_TOKEN": CATALOG_TOKEN,
        "TODO_COMMAND": shlex.join(command),
        "PYTHONPATH": "bindings",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    _say("Two MCP servers: a data catalogue over HTTP, and a to-do list over stdio.")
    try:
        with serve_http("catalog") as url:
            environment["CATALOG_URL"] = url
            _steps(url, command, folder, environment)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"the demo ended early: exit code {error.returncode}\n")
        return 1
    _say("Done. The servers are stopped. Your own server: see README.md.")
    return 0


def _steps(
    url: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> None:
    header = "Authorization: Bearer ${CATALOG_TOKEN}"
    catalog, todo = "recordings/catalog.json", "recordings/todo.json"

    def run(*arguments: str) -> None:
        words = [repr(arg) if "${" in arg else shlex.quote(arg) for arg in arguments]
        sys.stdout.write(f"  $ mcp-bindgen {' '.join(words)}\n")
        _execute(["-m", "mcp_bindgen", *arguments], folder, environment)

    _say("1. Record what each server offers. This is the only step that asks a server.")
    run("record", "--url", url, "--header", header, "-o", catalog)
    run("record", "-o", todo, "--", *command)
    _say("2. Generate a typed Python package from each recording, offline.")
    run("generate", catalog, todo, "-o", "bindings")
    _say("3. A program that uses them, as your editor and type checker would see it:")
    source = PROGRAM.read_text(encoding="utf-8")
    sys.stdout.write(
        "".join(f"    {line}\n".rstrip(" ") for line in source.split("\n"))
    )
    _say("4. What it prints:")
    _execute([str(PROGRAM)], folder, environment)


def _execute(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> None:
    """Run Python in the folder and show what it says, indented, errors too."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    sys.stdout.write(textwrap.indent(ran.stdout, "    "))
    sys.stdout.flush()
    ran.check_returncode()


def _say(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
