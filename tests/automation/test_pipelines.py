"""The hooks and the action as another project's pipeline runs them: installed anew."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.automation.test_automation import ACTION, GIT, ROOT, project, sh

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["project"]

PAGE = (ROOT / "docs" / "automation.md").read_text("utf-8")
PARTS = ("generator", "templates", ".github/actions")
FILES = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
# The installers say so where a package cannot be had.
OFFLINE = re.compile(r"No matching distribution|onnection|Temporary failure|timed out")
NOT_COPIED = shutil.ignore_patterns("__pycache__")


def block(language: str, word: str) -> str:
    """Return the example of docs/automation.md that has this word."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    (text,) = (each for each in blocks if word in each)
    return str(text)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of mcp-bindgen with the tag that the docs name."""
    folder = tmp_path_factory.mktemp("origin") / "mcp-bindgen"
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / name, ignore=NOT_COPIED)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    sh(["git", "init", "-q", "-b", "main"], folder)
    sh([*GIT, "add", "--all"], folder)
    assert sh([*GIT, "commit", "-qm", "one"], folder).returncode == 0
    assert sh([*GIT, "tag", "v0.1.0"], folder).returncode == 0
    return folder


def installed(ran: subprocess.CompletedProcess[str]) -> str:
    """Return the output; the test is skipped where a package cannot be had."""
    text = ran.stdout + ran.stderr
    if ran.returncode and OFFLINE.search(text):
        pytest.skip("needs a package registry")
    return text


@pytest.mark.slow  # an environment with all packages, as pre-commit makes it
def test_pre_commit_runs_the_hooks_as_the_docs_say(
    project: Path, origin: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pre_commit", reason="needs the extra dev")
    settings = block("yaml", "hooks:")
    assert "https://github.com/OWNER/mcp-bindgen" in settings
    text = settings.replace("https://github.com/OWNER/mcp-bindgen", str(origin))
    (project / ".pre-commit-config.yaml").write_text(text)
    (project / ".gitignore").unlink()
    sh(["git", "init", "-q"], project)
    sh(["git", "add", "--all"], project)
    words = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"]
    more = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    first = installed(sh(words, project, **more))
    assert "demo: 1 tool, src/demo is out of date" in first
    assert re.findall(r"\.(Passed|Failed)$", first, re.MULTILINE) == [
        *("Failed", "Passed"),
    ]
    assert sh(["mcp-bindgen", "generate"], project).returncode == 0
    again = sh(words, project, **more)
    assert again.returncode == 0, again.stdout


def steps_of_action(folder: str, **inputs: str) -> list[dict[str, Any]]:
    """Return the steps of the action in a folder, as a runner fills them in."""
    text = (ACTION / "action.yml").read_text("utf-8")
    listed = yaml.safe_load(text)["inputs"]
    values = {name: each["default"] for name, each in listed.items()} | inputs
    known = {f"inputs.{name}": value for name, value in values.items()}
    known |= {"github.token": "t", "github.action_path": folder}

    steps = json.dumps(yaml.safe_load(text)["runs"]["steps"])
    expression = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
    filled: list[dict[str, Any]] = json.loads(
        expression.sub(lambda name: known[name[1]], steps)
    )
    return filled


def python_of_runner(folder: Path) -> Path:
    """Make an environment that has the packages of this one; return its programs."""
    words = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(words, check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "this.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin"


def test_the_action_installs_itself_and_runs_as_the_docs_say(
    project: Path, origin: Path, tmp_path: Path
) -> None:
    workflow = yaml.safe_load(block("yaml", "uses:"))
    use = workflow["jobs"]["bindings"]["steps"][-1]
    path, _, version = use["uses"].removeprefix("OWNER/mcp-bindgen/").partition("@")
    assert version == "v0.1.0"
    inputs = {**use["with"], "command": "generate", "working-directory": project.name}
    programs = python_of_runner(tmp_path / "python")
    install, run = steps_of_action(str(origin / path), **inputs)
    search = f"{programs}:/usr/bin:/bin"
    for step, code, text in (
        (install, 0, ""),
        (run, 1, "demo: 1 tool, src/demo is out of date"),
    ):
        assert step["shell"] == "sh"
        folder = project.parent / step.get("working-directory", ".")
        words = ["sh", "-e", "-c", step["run"]]
        ran = sh(words, folder, **{**step["env"], "PATH": search})
        output = installed(ran)
        assert ran.returncode == code, output
        assert text in output
    assert (programs / "mcp-bindgen").exists()


def test_pip_builds_a_wheel_with_the_package(project: Path) -> None:
    """Build as `pip install .` does, with the build tools of this environment."""
    words = "pip wheel --quiet --no-deps --no-build-isolation -w dist ."
    built = sh([sys.executable, "-m", *words.split()], project)
    assert built.returncode == 0, built.stderr
    (wheel,) = (project / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"app/__init__.py", "demo/tools/alpha.py"} <= {*names}
    source = json.loads(zipfile.ZipFile(wheel).read("demo/manifest.json"))
    assert source["version"] == "1.0.0"
