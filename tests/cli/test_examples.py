"""The example in the help of each command runs as it stands there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from mcp_bindgen.cli import COMMANDS, app

from tests.commands import SCRIPTED, run
from tests.servers.launch import CATALOG_TOKEN

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"Example: mcp-bindgen (.*?)(?:\. |\.?$)")
# One asks for permission in a browser, one serves until somebody interrupts.
APART = {"login", "serve"}
# Commands whose findings are exit code 1: what changes, what is odd, what is not there.
FINDINGS = {"check", "diff", "docs", "lint", "logout", "sync"}
ORDER = ["init", "add", "generate", *COMMANDS]


def example(name: str) -> list[str]:
    context = click.Context(app)
    command = app.get_command(context, name)
    assert command is not None
    match = EXAMPLE.search(command.epilog or "")
    assert match, f"{name} has no example"
    return shlex.split(match[1])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog_url: str) -> Path:
    """A project with the servers that the examples name, under version control."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    programs = tmp_path / "bin"
    programs.mkdir()
    uvx = programs / "uvx"
    uvx.write_text(f"#!/bin/sh\nexec {shlex.join(SCRIPTED)} pages\n")
    uvx.chmod(0o755)
    monkeypatch.setenv(
        "PATH", f"{programs}:{Path(sys.executable).parent}:/usr/bin:/bin"
    )
    monkeypatch.setenv("CATALOG_TOKEN", CATALOG_TOKEN)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.mcp-bindgen.servers.catalog]\nurl = "{catalog_url}"\n'
        'headers = { Authorization = "Bearer ${CATALOG_TOKEN}" }\n'
        '[tool.mcp-bindgen.servers.tracker]\nurl = "https://tracker.example/mcp"\n'
        'auth = "oauth"\n'
    )
    servers = {"catalog": {"command": "uvx"}}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (tmp_path / "recordings").mkdir()
    for name in ("catalog", "time"):
        shutil.copy(
            ROOT / "generated" / "todo" / "recording.json",
            tmp_path / "recordings" / f"{name}.json",
        )
    shutil.copy(
        ROOT / "generated" / "catalog" / "recording.json", "recordings/catalog.json"
    )
    shutil.copy("recordings/time.json", "time.json")
    Path("calls.jsonl").touch()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "recordings"], check=True)
    subprocess.run([*git, "commit", "-qm", "recordings"], check=True)
    return tmp_path


def test_each_example_runs(project: Path) -> None:
    failed: list[str] = []
    for name in dict.fromkeys(ORDER):
        if name in APART or name == "remove":
            continue
        result = run(*example(name))
        most = 1 if name in FINDINGS or name == "import" else 0
        if result.exit_code > most:
            failed.append(f"{name}: {result.exit_code}: {result.stderr}")
    removed = run(*example("remove"))
    assert (failed, removed.exit_code) == ([], 0)
    assert not (project / "generated" / "catalog").exists()


def test_each_command_has_an_example_and_the_usual_options() -> None:
    for name in COMMANDS:
        assert example(name)[0] == name
        command = app.get_command(click.Context(app), name)
        assert command is not None
        options = {option for p in command.params for option in p.opts}
        assert {"-q", "--quiet", "--verbose", "--format"} <= options, name


def test_each_example_answers_in_json(project: Path) -> None:
    """What `--format json` prints is one JSON value, and nothing else."""
    wrong: list[str] = []
    shutil.rmtree(project / "generated", ignore_errors=True)
    for name in dict.fromkeys(ORDER):
        if name in {*APART, "diff", "remove"}:
            continue
        words = example(name)
        at = words.index("--") if "--" in words else len(words)
        result = run(*words[:at], "--format", "json", *words[at:])
        try:
            json.loads(result.stdout)
        except ValueError:
            wrong.append(f"{name}: {result.exit_code}: {result.stdout[:200]!r}")
    assert wrong == []


def of_policy() -> dict[str, list[str]]:
    """Return the words of the example of each command of `policy`, by its name."""
    group = app.get_command(click.Context(app), "policy")
    assert isinstance(group, click.Group)
    examples = {n: EXAMPLE.search(c.epilog or "") for n, c in group.commands.items()}
    return {
        name: shlex.split(match[1].partition(" > ")[0])
        for name, match in examples.items()
        if match
    }


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("more", [(), ("--format", "json")])
def test_each_example_of_policy_runs(more: tuple[str, ...]) -> None:
    examples = of_policy()
    assert examples.keys() == {"review", "explain", "test", "schema"}
    shutil.copy("recordings/time.json", "recordings/todo.json")
    assert run("policy", "recordings/todo.json").exit_code == 0
    assert run("policy", "recordings/catalog.json").exit_code == 0
    for name, words in examples.items():
        named = [] if name in {"test", "schema"} else ["-p", "policies/todo.toml"]
        result = run(*words, *named, *more)
        assert result.exit_code == int(name == "explain"), result.stderr
        if more or name == "schema":
            json.loads(result.stdout)


def test_the_example_of_a_command_that_goes_on_is_read() -> None:
    for name in APART:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        words = example(name)[1:]
        assert command.make_context(name, words, resilient_parsing=False).params


def test_a_group_alone_shows_its_help() -> None:
    result = run("policy")
    assert result.exit_code == 2
    assert "Commands:\n" in result.stderr
    assert "\\n" not in result.stderr


def test_problems_are_json_where_json_is_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["sync"], ["show", "a"], ["generate"], ["check"], ["wheel", "a"]):
        output = ["-o", "dist"] if words[0] == "wheel" else []
        result = run(*words, *output, "--format", "json")
        assert result.exit_code == 2, words
        (problem,) = json.loads(result.stdout)["problems"]
        assert problem["message"], words
        assert problem["message"] in result.stderr
