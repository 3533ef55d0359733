"""`mcp-bindgen call`: results that do not fit the output schema of their tool."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.recording.live import explain
from mcp_bindgen.runtime.errors import DeadlineError, TransportError

from tests.commands import run

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """
import json, sys
schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
tool = {"name": "count", "inputSchema": {"type": "object"}, "outputSchema": schema}
for line in sys.stdin:
    message = json.loads(line)
    facts = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    facts["serverInfo"] = {"name": "counting", "version": "1"}
    answers = {"initialize": facts, "tools/list": {"tools": [tool]}}
    answers["tools/call"] = {"content": [], **json.loads(sys.argv[1])}
    if message["method"] in answers:
        reply = {"result": answers[message["method"]]}
    else:
        reply = {"error": {"code": -32601, "message": "Method not found"}}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
"""
WRONG = "error: count: the result does not fit its output schema: "


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ({"structuredContent": {"n": 1}}, ""),
        ({"structuredContent": {"n": "1"}}, f"{WRONG}/n: must be of type integer"),
        ({}, f"{WRONG}expected structured content, got none"),
        ({"isError": True}, "error: count: the tool failed"),
    ],
)
def test_a_result_that_does_not_fit_is_printed_with_a_word(
    project: Path, answer: object, line: str
) -> None:
    command = [sys.executable, "-c", SERVER, json.dumps(answer)]
    result = run("call", "count", "--", *command)
    assert (result.stderr[: len(line)], result.stderr.count("error:")) == (
        line,
        int(bool(line)),
    )
    assert result.exit_code == int("isError" in json.dumps(answer))
    assert run("call", "count", "--format", "json", "--", *command).stdout
    assert not [*project.iterdir()]


@pytest.mark.parametrize("kind", [DeadlineError, TransportError])
def test_a_call_that_ends_in_doubt_says_so(kind: type[TransportError]) -> None:
    """A script that calls again must know whether the tool may have run."""
    error = kind("gone", outcome="unknown")
    assert "may have run" not in explain(error, 3).message
    error.tool = "ping"
    assert explain(error, 3).message.endswith("; the call may have run")
    error.outcome = "not sent"
    assert "may have run" not in explain(error, 3).message
