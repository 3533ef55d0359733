"""The scripts that people and release jobs call, as they call them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.write.write import check, write

from tests.commands import snapshot

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON

ROOT = Path(__file__).parents[1]
SCRIPTED = f"{sys.executable} {ROOT / 'tests' / 'servers' / 'scripted.py'}"
PACKAGES = sorted(path.name for path in (ROOT / "generated").iterdir())
ALPHA: JSON = {"name": "alpha", "inputSchema": {"type": "object"}}


def script(
    name: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(ROOT / "scripts" / name), *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def alive(mark: str) -> list[str]:
    """Return the processes that have this text in their environment."""
    pids: list[str] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                pids.append(path.parent.name)
    return pids


@pytest.mark.slow
def test_the_demo_shows_all_and_leaves_nothing_behind(tmp_path: Path) -> None:
    ran = script("demo", str(tmp_path / "demo"), MARK=f"{tmp_path}/mark")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "$ mcp-bindgen record --url http://127.0.0.1:" in ran.stdout
    assert "$ mcp-bindgen generate recordings/catalog.json" in ran.stdout
    for line in (
        "2 found; first: warehouse.sales.customers",
        "not sent: search_metadata: the arguments do not fit the tool:",
        "3 related to warehouse.sales.orders",
        "the tool says: get_entity_lineage: ENTITY_NOT_FOUND",
        "done: [('Read the bindings', 'high')]",
    ):
        assert f"    {line}" in ran.stdout
    made = sorted(path.name for path in (tmp_path / "demo").iterdir())
    assert made == ["bindings", "recordings", "todo.db"]
    assert alive(f"MARK={tmp_path}/mark") == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_what_is_left_behind_would_be_noticed(tmp_path: Path) -> None:
    environment = {**os.environ, "MARK": f"{tmp_path}/mark"}
    pipe = subprocess.PIPE
    with subprocess.Popen(["cat"], env=environment, stdin=pipe, stdout=pipe) as process:
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(b"x\n")  # its environment is there when it answers
            process.stdin.flush()
            assert process.stdout.readline() == b"x\n"
            assert alive(f"MARK={tmp_path}/mark") == [str(process.pid)]
        finally:
            process.kill()


@pytest.mark.parametrize("name", ["catalog", "todo"])
def test_the_committed_packages_are_current(name: str) -> None:
    folder = ROOT / "generated" / name
    data = (folder / "recording.json").read_bytes()
    package = generate(data, name)
    assert package.problems == ()
    assert check(package.files, folder) == ""


def test_nothing_else_is_committed_as_generated() -> None:
    assert PACKAGES == ["catalog", "todo"]


@pytest.mark.slow
def test_regenerate_tells_by_its_exit_code(tmp_path: Path) -> None:
    options = ("--output", str(tmp_path), "--server", f"demo={SCRIPTED} pages")
    first = script("regenerate", *options)
    assert first.returncode == 1, first.stderr
    assert "+++ demo/tools/pong" in first.stdout
    again = script("regenerate", *options)
    assert (again.returncode, again.stdout) == (0, "")
    offline = script("regenerate", "--output", str(tmp_path), "--offline")
    assert (offline.returncode, offline.stdout) == (0, "")
    (tmp_path / "demo" / "client.py").unlink()
    mended = script("regenerate", "--output", str(tmp_path), "--offline")
    assert mended.returncode == 1
    assert "+++ demo/client.py" in mended.stdout
    assert (tmp_path / "demo" / "client.py").is_file()


@pytest.mark.parametrize(
    "options",
    [
        ["--server", "demo=no-such-program-anywhere"],
        ["--server", "demo=http://127.0.0.1:1/mcp", "--header", "demo=X-A: b"],
        ["--server", "nonsense"],
        ["--offline"],
        ["--offline", "--server", "other=x"],
    ],
)
def test_regenerate_that_cannot_is_2_and_changes_nothing(
    tmp_path: Path, options: list[str]
) -> None:
    data = json.dumps({"tools": [ALPHA]}).encode()
    if "--offline" not in options or "--server" in options:
        write(generate(data, "demo").files, tmp_path / "demo")
    before = snapshot(tmp_path)
    ran = script("regenerate", "--output", str(tmp_path), *options)
    assert ran.returncode == 2
    assert "changed" not in ran.stdout
    assert "error: " in ran.stderr
    assert "Traceback" not in ran.stderr
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("name", sorted(p.name for p in (ROOT / "scripts").iterdir()))
def test_each_script_is_short_and_says_its_job_here_and_in_contributing(
    name: str,
) -> None:
    path = ROOT / "scripts" / name
    assert os.access(path, os.X_OK)
    shebang, job, *others = path.read_text().splitlines()
    assert (shebang, job[:2]) == ("#!/bin/sh", "# ")
    assert len(others) <= 18
    assert f"scripts/{name}" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_ci_runs_what_readme_and_contributing_say() -> None:
    ran = re.findall(
        r"^ *step (scripts/\S+)", (ROOT / ".ci/run").read_text(), re.MULTILINE
    )
    names = ("setup", "lint", "oldest", "conformance", "docs", "test")
    assert ran == [f"scripts/{name}" for name in names]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    for command in re.findall(r"run: (?:sh )?(\S+)", workflow):
        assert os.access(ROOT / command, os.X_OK), command
    assert "sh .ci/run" in workflow


@pytest.mark.slow
def test_the_bench_keeps_its_figures(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    few = ("--sizes", "3", "--runs", "1", "--calls", "50")
    ran = script("bench", *few, "--json", str(figures))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "failed" not in ran.stdout
    facts = json.loads(figures.read_text("utf-8"))
    rows = {row["what"]: row for row in facts["rows"]}
    assert rows["generate, one process"]["megabytes"] > 0
    assert rows["diff, all changed"]["cpu"]
    assert rows["import of one function"]["cpu"]
    assert len(rows["the same with pydantic alone"]["wall"]) > 1
    assert rows["ours, async, 50"]["wall"]
    assert rows["generate, counted work"]["work"] > 0
    history = json.loads((tmp_path / "bench-history.json").read_text("utf-8"))
    assert "generate, one process, 3 tools" in history[0]["cpu"]
