"""What README says to type, typed; only addresses and installers are replaced."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.servers.launch import CATALOG_TOKEN, serve_http

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[list[str]]:
    found = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return [block.splitlines() for block in found]


def test_it_opens_with_what_this_is_and_two_commands() -> None:
    lines = TEXT.splitlines()
    assert all(lines[2:5])
    assert lines[5] == ""
    commands = [line.split()[0] for line in blocks("sh")[0]]
    assert commands == ["scripts/demo", "scripts/test"]
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)


def test_the_example_runs(tmp_path: Path) -> None:
    install, export, *commands = blocks("sh")[1]
    assert install == "pip install ."
    assert export == "export CATALOG_TOKEN=..."
    program = blocks("python")[0]
    assert len(commands) + len(program) <= 15
    with serve_http("catalog") as url:
        commands.append(f"{sys.executable} program.py")
        script = "\n".join(["set -eu", *commands])
        for name, lines in (("run.sh", script), ("program.py", "\n".join(program))):
            real = lines.replace("https://catalog.example/mcp", url)
            (tmp_path / name).write_text(real)
        ran = subprocess.run(
            ["sh", "run.sh"],
            cwd=tmp_path,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "CATALOG_TOKEN": CATALOG_TOKEN,
                "PYTHONPATH": "src",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stdout) == (0, "['customers', 'orders']\n"), ran.stderr


def test_the_other_commands_exist(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "generated", tmp_path / "generated")
    wheel = next(line for block in blocks("sh") for line in block if " wheel " in line)
    command, _, says = wheel.partition("#")
    ran = subprocess.run(
        [sys.executable, "-m", "mcp_bindgen", *command.split()[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == says.strip()


def test_links_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!https:)([^)#]+)\)", text):
            assert (ROOT / link).exists(), f"{name}: {link}"


def test_the_examples_of_calling_run() -> None:
    program = next(b for b in blocks("python") if "from functools import partial" in b)
    with serve_http("catalog") as url:
        start = [
            "import catalog",
            f"client = catalog.Client.http({url!r}, token={CATALOG_TOKEN!r})",
        ]
        ran = subprocess.run(
            [sys.executable, "-c", "\n".join([*start, *program])],
            env={**os.environ, "PYTHONPATH": str(ROOT / "generated")},
            capture_output=True,
            text=True,
            check=False,
        )
    differences, text = ran.stdout.split("\n", 1)
    assert (ran.returncode, differences) == (0, "[]"), ran.stderr
    assert '"hits"' in text
