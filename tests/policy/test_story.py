"""The whole way over stdio: found, written, edited, found again, obeyed, logged."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.servers.launch import stdio_command

if TYPE_CHECKING:
    from pathlib import Path

USER = "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e"


def run(*arguments: object) -> int:
    """Run a command, and return its exit code."""
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code


def test_from_a_server_to_a_policy_that_an_agent_obeys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recording, file = tmp_path / "story_todo.json", tmp_path / "policies" / "todo.toml"
    assert run("record", "-o", recording, "--", *stdio_command("todo")) == 0
    assert run("policy", recording, "-o", file) == 0
    assert run("policy", recording, "-o", file, "--check") == 1
    first = file.read_text()
    assert run("policy", recording, "-o", file) == 0
    assert file.read_text() == first

    # A person edits the file; a tool disappears and comes back.
    edited = first.replace(
        "[tools.delete_task]\n", "[tools.delete_task] # ask Anna\nsends_out  =  false\n"
    ).replace('approval = "never"', 'approval = "always"', 1)
    file.write_text(edited)
    document = json.loads(recording.read_text())
    gone = [tool for tool in document["tools"] if tool["name"] == "update_task"]
    document["tools"].remove(gone[0])
    fewer = tmp_path / "fewer.json"
    fewer.write_text(json.dumps(document))
    assert run("policy", fewer, "-o", file) == 0
    assert file.read_text().replace("removed = true\n", "") == edited
    assert "removed = true" in file.read_text()
    assert run("policy", recording, "-o", file) == 0
    assert file.read_text() == edited
    assert run("policy", "review", "--all", "--policy", file) == 0
    assert run("policy", recording, "-o", file, "--check") == 0
    assert run("policy", "explain", "delete_task", "--mode", "ALERT", "-p", file) == 1
    assert run("generate", recording, "-o", tmp_path, "--target", "python") == 0

    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    todo = import_module("story_todo")
    supervisor, requested = todo.Supervisor(), list[str]()

    def approve(request: Any) -> bool:
        requested.append(request.tool)
        return True

    policy = todo.Policy.load(
        file,
        mode="NORMAL",
        approve=approve,
        supervisor=supervisor,
        audit=todo.AuditLog("calls.jsonl"),
        principal="nightly",
    )
    api: Any = pytest.importorskip("opentelemetry.sdk.trace")
    tracer = api.TracerProvider().get_tracer("story")
    with (
        tracer.start_as_current_span("night") as span,
        todo.Client.stdio(stdio_command("todo"), policy=policy, timeout=60) as client,
    ):
        task = client.add_task(user_id=USER, title="Read")
        assert requested == ["add_task"]
        supervisor.switch("ALERT")
        with pytest.raises(todo.DeniedError, match="ALERT"):
            client.delete_task(user_id=USER, task_id=task.id)
        listed = client.list_tasks(user_id=USER)
        assert [each.title for each in listed.tasks] == ["Read"]
        supervisor.switch("NORMAL")
        client.delete_task(user_id=USER, task_id=task.id)
    assert run("audit", "calls.jsonl", "--verify") == 0
    lines = (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    decisions = [r["decision"] for r in records if r["event"] == "decided"]
    assert decisions == ["approve", "deny", "allow", "allow"]
    trace_id = f"{span.get_span_context().trace_id:032x}"
    assert {record["trace_id"] for record in records} == {trace_id}
    for name in [name for name in sys.modules if name.startswith("story_todo")]:
        del sys.modules[name]
