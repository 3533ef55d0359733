"""What README says to type, typed; only addresses and installers are replaced."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[list[str]]:
    texts = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return [block.splitlines() for block in texts]


def test_it_opens_with_what_this_is_and_two_commands() -> None:
    lines = TEXT.splitlines()
    assert all(lines[2:5])
    assert lines[5] == ""
    commands = [line.split()[0] for line in blocks("sh")[0]]
    assert commands == ["scripts/demo", "scripts/test"]
    assert all(os.access(ROOT / command, os.X_OK) for command in commands)


def commands() -> list[str]:
    """Return every command line of ours that README shows in a block."""
    lines = [line for block in blocks("sh") for line in block]
    return [line for line in lines if line.startswith("mcp-bindgen ")]


def sh(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a folder, with our command on the path."""
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-euc", script],
        cwd=folder,
        env={**inherited, "PATH": path, "CATALOG_TOKEN": CATALOG_TOKEN},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_program_runs(tmp_path: Path) -> None:
    install, export, record, generate = blocks("sh")[1]
    (run_it,) = blocks("sh")[2]
    assert install == "pip install ."
    assert export == "export CATALOG_TOKEN=..."
    program = blocks("python")[0]
    assert len(program) <= 10
    with serve_http("catalog") as url:
        text = "\n".join(program).replace("https://catalog.example/mcp", url)
        (tmp_path / "example.py").write_text(text)
        script = f"{record}\n{generate}\n{run_it}"
        ran = sh(script.replace("https://catalog.example/mcp", url), tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "['customers', 'orders']\n"), ran.stderr


def test_the_other_commands_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "generated", tmp_path / "generated")
    source, copy = ROOT / "generated/catalog/recording.json", tmp_path / "recordings"
    copy.mkdir()
    shutil.copy(source, copy / "catalog.json")
    (stdio,) = (line for line in commands() if " record " in line and " -- " in line)
    own = shlex.join(stdio_command("todo"))
    script = stdio.replace("npx -y @acme/files-server", own)
    ran = sh(script, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert sh("mcp-bindgen generate recordings/files.json -o src", tmp_path).stderr
    (lint,) = (line for line in commands() if " lint " in line)
    assert sh(lint, tmp_path).returncode in {0, 1}
    (check,) = (line for line in commands() if "--check" in line)
    assert sh(check, tmp_path).returncode == 1
    assert sh(check.replace("--check", ""), tmp_path).returncode == 0
    assert sh(check, tmp_path).returncode == 0
    (wheel,) = (line for line in commands() if " wheel " in line)
    ran = sh(wheel, tmp_path)
    assert ran.stdout.strip() == wheel.partition("#")[2].strip()
    settings = next(block for block in blocks("toml") if "servers" in str(block))
    (tmp_path / "pyproject.toml").write_text("\n".join(settings))
    offline = next(line for line in commands() if " sync --offline" in line)
    assert sh(offline, tmp_path).returncode == 1, "another folder, other targets"
    assert sh(offline, tmp_path).returncode == 0
    unreachable = next(line for line in commands() if " sync  " in line)
    assert sh(unreachable, tmp_path).returncode == 2
    old, since = (line for line in commands() if "bindgen diff " in line)
    assert sh(old.replace("old.json", "recordings/catalog.json"), tmp_path).returncode
    assert sh(since, tmp_path).returncode == 2, "no repository of git"
    (docs,) = (line for line in commands() if "bindgen docs " in line)
    assert sh(docs, tmp_path).returncode == 0
    # Those of "Many servers" are examples of --help, which tests/cli runs.
    assert len(commands()) == 11 + 9, "a new command of README needs a line here"


def test_the_scripts_exist() -> None:
    for block in blocks("sh"):
        for line in block:
            if line.startswith("scripts/"):
                assert os.access(ROOT / line.split()[0], os.X_OK), line


def test_links_lead_somewhere() -> None:
    for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"):
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


def test_paths_of_the_map_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([\w./]+(?:\.py|/|\.md|\.toml))`", text))
    generator = ROOT / "generator" / "mcp_bindgen"
    places = (ROOT, generator, generator / "runtime", ROOT / "tests" / "typing")
    assert paths >= {"schema/compiler.py", "runtime/limits.py", "tests/cases/"}
    absent = [p for p in paths if not any((root / p).exists() for root in places)]
    assert sorted({*absent} - {"expected/", "utils.py"}) == []


def test_the_map_shows_every_room() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    generator = ROOT / "generator" / "mcp_bindgen"
    for root in (generator, generator / "runtime"):
        for room in root.glob("*/__init__.py"):
            assert f"| `{room.parent.name}/` |" in text
        for module in root.glob("*.py"):
            if module.stem not in {"__init__", "__main__"}:
                assert f"`{module.name}`" in text
