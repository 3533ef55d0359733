"""A new environment, the catalog recording, a program, and a test with mcp_client."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

PROJECT = Path(__file__).parents[2]
PROGRAM = """\
from catalog import Client


def names(client: Client, query: str) -> list[str]:
    return [hit.name for hit in client.search_metadata(query=query, size=2).hits]
"""
TEST = """\
import catalog
from application import names


def test_names(mcp_client):
    client = mcp_client(catalog.Client, "recordings/catalog.json")
    assert all(names(client, "sales"))
"""


def main() -> None:
    """Go the way once, and print the seconds after each step."""
    with TemporaryDirectory() as name:
        folder, start = Path(name), time.monotonic()

        def step(title: str, *command: object) -> None:
            environment = {**os.environ, "PYTHONPATH": "src"}
            words = [str(word) for word in command]
            subprocess.run(words, cwd=folder, env=environment, check=True)
            sys.stdout.write(f"{time.monotonic() - start:3.0f} s  {title}\n")
            sys.stdout.flush()

        python = folder / ".venv" / "bin" / "python"
        pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        step("a new environment", sys.executable, "-m", "venv", ".venv")
        step("installed", *pip, f"{PROJECT}[serve]", "pytest")
        for each, text in (("src/application.py", PROGRAM), ("tests/test_it.py", TEST)):
            (folder / each).parent.mkdir()
            (folder / each).write_text(text)
        (folder / "recordings").mkdir()
        recording = PROJECT / "generated" / "catalog" / "recording.json"
        shutil.copy(recording, folder / "recordings" / "catalog.json")
        generate = ("generate", "recordings/catalog.json", "-o", "src", "--quiet")
        step("generated", python.with_name("mcp-bindgen"), *generate)
        step("a green test", python, "-m", "pytest", "-q", "tests")


if __name__ == "__main__":
    main()
