"""The story of a gateway, over stdio: found, edited, found again, and obeyed."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.policy.test_story import run

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = str(Path(__file__).with_name("gateway_server.py"))
PATHS = """
[tools.read_file.paths]
path = { allowed = ["/data"], forbidden = ["/data/keys"] } # as agreed in March
"""


@pytest.fixture
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A policy that a person edited between two recordings, and its package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    recording, file = "gateway_story.json", "policies/gateway.toml"
    assert run("record", "-o", recording, "--", sys.executable, PROGRAM) == 0
    assert run("policy", recording, "-o", file) == 0
    begin, entry, read = Path(file).read_text("utf-8").partition("[tools.read_file]")
    edited = f"{begin}{entry}{read}{PATHS}"
    edited = edited.replace(
        "[tools.delete_file]\n", "[tools.delete_file] # ask Anna\nnote  =  'careful'\n"
    ).replace("[tools.search_files]\n", "[tools.search_files]\ntimeout = 1.5\n")
    index = edited.index("[tools.delete_file]")
    edited = edited[:index] + edited[index:].replace('"never"', '"always"', 1)
    Path(file).write_text(edited, "utf-8")
    # The server has one more tool; what the person wrote stays as it was.
    assert run("record", "-o", recording, "--", sys.executable, PROGRAM, "more") == 0
    assert run("policy", recording, "-o", file, "--check") == 1
    assert run("policy", recording, "-o", file) == 0
    again = Path(file).read_text("utf-8")
    assert again.startswith(edited)
    assert "[tools.send_report]" in again.removeprefix(edited)
    assert run("policy", "review", "--all", "-p", file) == 0
    assert run("policy", recording, "-o", file, "--check") == 0
    assert run("generate", recording, "-o", ".", "--target", "python") == 0
    yield import_module("gateway_story")
    for name in [name for name in sys.modules if name.startswith("gateway_story")]:
        del sys.modules[name]


def arrived() -> list[str]:
    """Return the names of the calls that came to the server."""
    file = Path("arrived.txt")
    return file.read_text("utf-8").split() if file.exists() else []


def test_an_agent_behind_a_policy(story: Any) -> None:
    requests: list[Any] = []
    supervisor = story.Supervisor()

    def approve(request: Any) -> bool:
        requests.append((request.tool, request.arguments, request.note, request.risk))
        return len(requests) > 1

    policy = story.Policy.load(
        "policies/gateway.toml",
        approve=approve,
        supervisor=supervisor,
        audit=story.AuditLog("calls.jsonl"),
    )
    api: Any = pytest.importorskip("opentelemetry.sdk.trace")
    tracer = api.TracerProvider().get_tracer("gateway")
    command = [sys.executable, PROGRAM, "more"]
    with (
        tracer.start_as_current_span("night") as span,
        story.Client.stdio(command, policy=policy, timeout=60) as client,
    ):
        assert client.read_file(path="/data/a.txt").json() == {"path": "/data/a.txt"}
        denied(story, lambda: client.read_file(path="/data/keys/id"), "forbidden")
        denied(story, lambda: client.read_file(path="/data/../etc"), "a step . or ..")
        denied(story, lambda: client.read_file(path="/etc/passwd"), "below an allowed")
        denied(story, lambda: client.delete_file(path="/data/a"), "nobody approved")
        client.delete_file(path="/data/a")
        with pytest.raises(story.DeadlineError):
            client.search_files(query="x")
        supervisor.switch("ALERT")
        denied(story, lambda: client.delete_file(path="/data/a"), "mode ALERT")
        client.read_file(path="/data/b.txt")
    assert requests == [("delete_file", {"path": "/data/a"}, "careful", "high")] * 2
    assert arrived() == ["read_file", "delete_file", "search_files", "read_file"]
    assert run("audit", "calls.jsonl", "--verify") == 0
    check_log(f"{span.get_span_context().trace_id:032x}")


def denied(story: Any, call: Callable[[], object], reason: str) -> None:
    """Check that a call is denied for a reason."""
    with pytest.raises(story.PolicyError, match=reason):
        call()


def check_log(trace_id: str) -> None:
    """Check the records of the story."""
    lines = Path("calls.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert {record["trace_id"] for record in records} == {trace_id}
    decided = [
        (record["gen_ai.tool.name"], record["decision"], record["policy.mode"])
        for record in records
        if record["event"] == "decided"
    ]
    assert decided == [
        ("read_file", "allow", "NORMAL"),
        *[("read_file", "deny", "NORMAL")] * 3,
        *(("delete_file", "deny", "NORMAL"), ("delete_file", "approve", "NORMAL")),
        ("search_files", "allow", "NORMAL"),
        *(("delete_file", "deny", "ALERT"), ("read_file", "allow", "ALERT")),
    ]
    ends = [record for record in records if record["event"] == "ended"]
    assert [end.get("error.type") for end in ends] == [
        *(None, None, "DeadlineError", None)
    ]
    assert [end["outcome"] for end in ends] == ["ran", "ran", "unknown", "ran"]
    assert "/data" not in Path("calls.jsonl").read_text(encoding="utf-8")
