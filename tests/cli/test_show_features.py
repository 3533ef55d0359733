"""`mcp-bindgen show`: resources, resource templates and prompts beside tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import run
from tests.servers.launch import stdio_command

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
        ("LOGO", "client.read_resource(Resource.LOGO)"),
        ("Resource.LOGO", "client.read_resource(Resource.LOGO)"),
    ],
)
def test_one_of_them_is_listed_with_its_call(name: str, call: str) -> None:
    page = run("show", "todo", name)
    assert page.stdout.endswith(f"python:  {call}\n")
    assert "shell:" not in page.stdout
    facts = json.loads(run("show", "todo", name, "--format", "json").stdout)
    assert facts["python"] == call


def test_a_name_of_several_gives_all_of_them(tmp_path: Path) -> None:
    document = {
        "tools": [{"name": "fetch", "inputSchema": {"type": "object"}}],
        "prompts": [{"name": "fetch"}],
        "resourceTemplates": [{"uriTemplate": "a://{first}", "name": "fetch"}],
    }
    (tmp_path / "a.json").write_text(json.dumps(document))
    settings = '[tool.mcp-bindgen.servers.a]\nrecording = "a.json"\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    pages = run("show", "a", "fetch").stdout
    calls = [line for line in pages.splitlines() if line.startswith("python:")]
    assert len(calls) == 3
    facts = json.loads(run("show", "a", "fetch", "--format", "json").stdout)
    kinds = [fact["kind"] for fact in facts]
    assert kinds == ["tool", "resource template", "prompt"]
    assert json.loads(run("show", "a", "fetch_prompt", "--format", "json").stdout)


def test_a_template_that_cannot_be_inverted_says_so(tmp_path: Path) -> None:
    names = ("a://{first}{second}", "a://{first}/{second}")
    templates = [{"uriTemplate": uri, "name": f"t{n}"} for n, uri in enumerate(names)]
    document = {"tools": [], "resourceTemplates": templates}
    (tmp_path / "pairs.json").write_text(json.dumps(document))
    settings = '[tool.mcp-bindgen.servers.pairs]\nrecording = "pairs.json"\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    reason = "values may hold the characters that separate two of them"
    assert f"\nIt cannot be inverted: {reason}.\n" in run("show", "pairs", "t0").stdout
    assert "inverted" not in run("show", "pairs", "t1").stdout
    facts = json.loads(run("show", "pairs", "t0", "--format", "json").stdout)
    assert facts["notes"] == [reason]
    (tmp_path / "report").mkdir()
    report = run("generate", "pairs.json", "-o", "report", "--report", "-")
    assert reason in report.stdout


def test_summaries_count_what_a_server_has_besides_tools(tmp_path: Path) -> None:
    whole = "5 tools, 2 resources, 2 resource templates, 2 prompts"
    counted = {"tools": 5, "resources": 2, "resource_templates": 2, "prompts": 2}
    written = run("generate", str(RECORDING), "-o", str(tmp_path), "--name", "todo")
    assert f"todo: {whole}, " in written.stderr
    again = run(
        *("generate", str(RECORDING), "-o", str(tmp_path), "--name", "todo"),
        *("--format", "json"),
    )
    assert f"todo: {whole}, " in again.stderr
    (package,) = json.loads(again.stdout)
    assert counted.items() <= package.items()
    (server,) = json.loads(run("list", "--format", "json").stdout)
    assert counted.items() <= server.items()
    header, row = run("list").stdout.splitlines()
    columns = ["tools", "resources", "resource_templates", "prompts"]
    assert header.split()[2:6] == columns
    assert row.split()[2:6] == ["5", "2", "2", "2"]


def test_a_live_server_is_counted_as_well(tmp_path: Path) -> None:
    lines = ["[tool.mcp-bindgen.servers.todo]"]
    lines.append(f"command = {json.dumps(stdio_command('todo'))}")
    (tmp_path / "pyproject.toml").write_text("\n".join(lines))
    (server,) = json.loads(run("test", "--format", "json").stdout)
    assert (server["tools"], server["prompts"]) == (5, 2)
    assert (server["resources"], server["resource_templates"]) == (2, 2)
    header, row = run("test").stdout.splitlines()
    assert header.split()[3:6] == ["resources", "resource_templates", "prompts"]
    assert row.split()[3:6] == ["2", "2", "2"]


def test_drift_of_resources_and_prompts_is_drift(tmp_path: Path) -> None:
    recording = json.loads(RECORDING.read_text())
    del recording["prompts"][0]
    recording["resources"][0]["size"] = 7
    (tmp_path / "todo.json").write_text(json.dumps(recording))
    lines = ["[tool.mcp-bindgen.servers.todo]", 'recording = "todo.json"']
    lines.append(f"command = {json.dumps(stdio_command('todo'))}")
    (tmp_path / "pyproject.toml").write_text("\n".join(lines))
    (server,) = json.loads(run("test", "--format", "json").stdout)
    assert server["drift"] == "additions"
    assert "prompt plan_day: added" in server["differences"]
    (size,) = (line for line in server["differences"] if "/size" in line)
    assert size.startswith("resource todo://")
