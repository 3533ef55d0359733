"""mcp-bindgen in automation: pre-commit, GitHub, hatchling and setuptools."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import ALPHA, BETA, SCRIPTED

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "mcp-bindgen"
HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
)
GIT = ["git", "-c", "user.name=me", "-c", "user.email=me@example.com"]
# A program `gh` that notes its arguments, and the text of the pull request.
GH = """\
#!/bin/sh
printf '%s ' "$@" >>"$NOTES/gh"
[ "$2" = view ] && exit 1
while [ "$1" != --body-file ]; do shift; done
cat "$2" >"$NOTES/body"
"""
PROJECT = """\
[build-system]
requires = ["hatchling", "mcp-bindgen"]
build-backend = "hatchling.build"

[project]
name = "app"
version = "1.0"

[tool.hatch.build.hooks.mcp-bindgen]

[tool.hatch.build.targets.wheel]
packages = ["src/app", "src/demo"]

[tool.mcp-bindgen]
output = "src"
targets = ["python"]

[tool.mcp-bindgen.servers.demo]
"""


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # Python compiles the few modules that a test imports; pip would compile thousands.
    return {**os.environ, "PATH": path, "PIP_NO_COMPILE": "1", **more}


def sh(words: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with one recorded server, and nothing generated."""
    folder = tmp_path / "project"
    for part in ("recordings", "src/app"):
        (folder / part).mkdir(parents=True)
    (folder / "src/app/__init__.py").write_text("")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / ".gitignore").write_text("src/demo\n")
    text = json.dumps({"tools": [ALPHA]})
    (folder / "recordings" / "demo.json").write_text(text)
    return folder


def hook(name: str, folder: Path, *files: str) -> int:
    entry = next(each["entry"] for each in HOOKS if each["id"] == name)
    return sh([*shlex.split(entry), *files], folder).returncode


def test_the_hooks_of_pre_commit(project: Path) -> None:
    assert hook("mcp-bindgen-generate", project) == 1
    assert sh(["mcp-bindgen", "generate"], project).returncode == 0
    assert hook("mcp-bindgen-generate", project) == 0
    assert hook("mcp-bindgen-lint", project, "recordings/demo.json") == 0


def test_a_build_generates_and_ships_packages_that_git_ignores(project: Path) -> None:
    sh(["git", "init", "-q"], project)
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    built = sh(words, project)
    assert built.returncode == 0, built.stderr
    (wheel,) = (project / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"app/__init__.py", "demo/tools/alpha.py"} <= {*names}
    (project / "recordings" / "demo.json").write_text("[]")
    broken = sh(words, project)
    assert broken.returncode != 0
    said = broken.stderr + broken.stdout
    assert "mcp-bindgen: recordings/demo.json: " in said
    assert "\n  hint: " in said
    assert "Problem(" not in said
    assert "Traceback" not in said


def test_a_build_is_what_generate_writes(project: Path) -> None:
    """The build writes the shared runtime, and leaves the version of the package."""
    settings = PROJECT.replace('"src/demo"', '"src/demo", "src/shared"').replace(
        'output = "src"', 'output = "src"\nshared-runtime = "shared"'
    )
    (project / "pyproject.toml").write_text(settings)
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    assert sh(words, project).returncode == 0
    manifest = project / "src" / "demo" / "manifest.json"
    newer = manifest.read_text().replace('"version": "1.0.0"', '"version": "2.0.0"')
    manifest.write_text(newer)
    built = sh(words, project)
    assert built.returncode == 0, built.stderr
    assert manifest.read_text() == newer
    check = sh(["mcp-bindgen", "generate", "--check"], project)
    assert check.returncode == 0, check.stdout
    (wheel,) = (project / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(project / "unpacked")
    program = "import demo; print(demo.Client.__mro__[1].__module__)"
    ran = sh([sys.executable, "-c", program], project / "unpacked")
    assert ran.stdout.startswith("shared."), ran.stderr


def test_a_build_with_setuptools_ships_all_files(project: Path) -> None:
    pytest.importorskip("setuptools", reason="setuptools is not installed")
    page = (ROOT / "docs" / "automation.md").read_text("utf-8")
    page = page.partition("## A build with setuptools")[2]
    settings, program = re.findall(r"```\w+\n(.*?)```", page, re.DOTALL)[:2]
    head = '[project]\nname = "app"\nversion = "1.0"\n'
    (project / "pyproject.toml").write_text(head + settings)
    (project / "setup.py").write_text(program.replace("catalog", "demo"))
    words = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "built"]
    built = sh(words, project)
    assert built.returncode == 0, built.stderr
    assert (project / "built" / "app" / "__init__.py").exists()
    assert files_of(project / "built" / "demo") == files_of(project / "src" / "demo")
    program = "import demo; print(demo.TOOLS[demo.Tool.ALPHA].tool)"
    ran = sh([sys.executable, "-c", program], project / "built")
    assert ran.stdout == "alpha\n", ran.stderr


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_build_refuses_what_generate_refuses(project: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    (project / "pyproject.toml").write_text(f'{PROJECT}exclude = ["nope_*"]\n')
    broken = sh(words, project)
    assert broken.returncode != 0
    assert "no tool matches 'nope_*'" in broken.stderr + broken.stdout
    assert not (project / "src" / "demo").exists()


def test_the_action_opens_a_pull_request_with_the_changes(
    project: Path, tmp_path: Path
) -> None:
    notes, programs = tmp_path / "notes", tmp_path / "programs"
    for folder in (notes, programs):
        folder.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    settings = project / "pyproject.toml"
    command = json.dumps([*SCRIPTED, "pages"])
    settings.write_text(f"{PROJECT}command = {command}\n")
    (project / ".gitignore").unlink()
    origin = str(tmp_path / "origin")
    sh(["git", "init", "-q", "--bare", "-b", "main", origin], tmp_path)
    sh(["git", "init", "-q", "-b", "main"], project)
    sh(["git", "remote", "add", "origin", origin], project)
    sh([*GIT, "add", "--all"], project)
    assert sh([*GIT, "commit", "-qm", "one"], project).returncode == 0

    run = ["sh", str(ACTION / "run.sh"), "sync"]
    path = os.pathsep.join([str(programs), environment()["PATH"]])
    more = {"BRANCH": "mcp", "NOTES": str(notes), "PATH": path}
    ran = sh(run, project, **more)
    assert ran.returncode == 0, ran.stderr
    assert "pr create --base main --head mcp" in (notes / "gh").read_text()
    assert "`alpha`" in (notes / "body").read_text()
    files = sh(["git", "ls-tree", "-r", "--name-only", "mcp"], Path(origin)).stdout
    assert "src/demo/tools/pong.py" in files
    again = sh(run, project, **more)
    assert again.returncode == 0, "nothing has changed since"
    assert sh(["sh", str(ACTION / "run.sh"), "rm -rf"], project).returncode == 2


def test_the_action_passes_no_text_to_a_shell() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"], "inputs reach the shell as variables only"


def test_a_recording_that_changed_gives_a_changelog(project: Path) -> None:
    """Show that `diff --changelog`, the body of the pull request, works alone."""
    sh(["git", "init", "-q"], project)
    sh([*GIT, "add", "--all"], project)
    sh([*GIT, "commit", "-qm", "one"], project)
    text = json.dumps({"tools": [ALPHA, BETA]})
    (project / "recordings" / "demo.json").write_text(text)
    assert "`beta`" in sh(["mcp-bindgen", "diff", "--changelog"], project).stdout
