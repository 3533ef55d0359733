"""Packages of one folder can have one runtime; a package alone has its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.write import wheel

from tests.packages import generate
from tests.targets.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FILES = [ROOT / "generated" / name / "recording.json" for name in ("catalog", "todo")]

PROGRAM = """
import catalog, todo
from catalog import McpError

class Broken:
    def call_tool(self, name, arguments, /):
        return todo.ToolResult(is_error=True)
    def close(self):
        pass

caught = []
calls = (
    lambda: todo.Client(Broken()).complete_task(user_id="u", task_id=1),
    lambda: catalog.Client(Broken()).search_metadata(query=3),
)
for call in calls:
    try:
        call()
    except McpError as error:
        caught.append(type(error).__name__)
print(catalog.McpError is todo.McpError, caught)
"""


def build(folder: Path, *options: str) -> None:
    """Generate both packages into a folder."""
    for file in FILES:
        name = file.parent.name
        assert generate(file, "--name", name, "-o", folder, *options).code == 0


def run(folder: Path, program: str = PROGRAM) -> str:
    """Run a program in a folder."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_one_except_serves_all_packages_of_a_folder(tmp_path: Path) -> None:
    build(tmp_path, "--shared-runtime", "mcp_runtime")
    assert run(tmp_path) == "True ['ToolError', 'InvalidArgumentsError']\n"
    build(tmp_path, "--shared-runtime", "mcp_runtime", "--check")
    (tmp_path / "mcp_runtime" / "errors.py").write_text("")
    ran = generate(
        *(FILES[0], "--name", "catalog", "-o", tmp_path),
        *("--shared-runtime", "mcp_runtime", "--check"),
    )
    assert ran.code == 1


def test_ruff_has_no_finding_on_packages_that_share(tmp_path: Path) -> None:
    build(tmp_path, "--shared-runtime", "mcp_runtime", "--target", "python")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", str(tmp_path)]
    ran = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:]
    black = [sys.executable, "-m", "black", "--check", "-q"]
    modules = str(tmp_path / "catalog" / "_runtime")
    assert subprocess.run([*black, modules], check=False).returncode == 0


def test_a_package_alone_has_its_own(tmp_path: Path) -> None:
    build(tmp_path)
    assert not (tmp_path / "mcp_runtime").exists()
    program = "import catalog, todo; print(catalog.McpError is todo.McpError)"
    assert run(tmp_path, program) == "False\n"


def test_the_runtime_takes_no_name_of_a_package(tmp_path: Path) -> None:
    ran = generate(
        *(FILES[0], "--name", "catalog", "-o", tmp_path),
        *("--shared-runtime", "catalog"),
    )
    assert ran.code == 2
    assert (
        "expected a name for --shared-runtime that no package has, got " in ran.stderr
    )


@pytest.mark.parametrize("name", ["x import y; import os #", "json", "../x", "class"])
def test_the_runtime_has_a_name_before_anything_is_written(
    tmp_path: Path, name: str
) -> None:
    ran = generate(
        *(FILES[0], "--name", "catalog", "-o", tmp_path / "out"),
        *("--shared-runtime", name),
    )
    assert ran.code == 2
    assert "hint: choose another: --shared-runtime" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_the_settings_can_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = "".join(
        f'[tool.mcp-bindgen.servers.{file.parent.name}]\nrecording = "{file}"\n'
        for file in FILES
    )
    settings = '[tool.mcp-bindgen]\noutput = "src"\nshared-runtime = "mcp_runtime"\n'
    (tmp_path / "pyproject.toml").write_text(settings + servers)
    monkeypatch.chdir(tmp_path)
    assert generate().code == 0
    assert run(tmp_path / "src") == "True ['ToolError', 'InvalidArgumentsError']\n"
    assert generate("--check").code == 0


def test_a_wheel_holds_all_that_it_needs(tmp_path: Path) -> None:
    build(tmp_path, "--shared-runtime", "mcp_runtime")
    for name in ("catalog", "mcp_runtime"):
        with pytest.raises(BindgenError, match="two packages"):
            wheel.build(tmp_path / name, "0")
