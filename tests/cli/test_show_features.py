"""`mcp-bindgen show`: resources, resource templates and prompts beside tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import run

RECORDING = Path(__file__).parents[2] / "generated" / "todo" / "recording.json"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["[tool.mcp-bindgen.servers.todo]"]
    lines.append(f"recording = {json.dumps(str(RECORDING))}")
    (tmp_path / "pyproject.toml").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)


def test_all_that_a_server_has_is_listed() -> None:
    listing = run("show", "todo")
    assert "read_resource(Resource.LOGO) -> ResourceContents  # resource: A tick" in (
        listing.stdout
    )
    assert "open_tasks(user_id: str | int) -> ResourceContents" in listing.stdout
    assert "plan_day(user_id: str, ...1) -> PromptMessages  # prompt:" in listing.stdout
    assert "5 tools, 2 resources, 2 resource templates, 2 prompts" in listing.stderr


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("plan_day", 'client.plan_day(user_id="...")'),
        ("todo://users/{user_id}/tasks", 'client.open_tasks(user_id="...")'),
        ("Resource.LOGO", "client.read_resource(Resource.LOGO)"),
    ],
)
def test_one_of_them_is_listed_with_its_call(name: str, call: str) -> None:
    page = run("show", "todo", name)
    assert page.stdout.endswith(f"python:  {call}\n")
    assert "shell:" not in page.stdout
    facts = json.loads(run("show", "todo", name, "--format", "json").stdout)
    assert facts["python"] == call
