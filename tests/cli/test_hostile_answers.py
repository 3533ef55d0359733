"""What a hostile server says while it is called, as people and CI services read it."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.hidden import HIDDEN, disarm

from tests.commands import run

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [
    "::add-mask::a",
    "  ::error file=x,line=1::y",
    "fine\n::stop-commands::z",
    "##[add-matcher]x",
    "a ##vso[task.setvariable variable=p]q",
    "##teamcity[buildStop]",
    "\x1b[2J\u202egnp\u2028::notice::b\r::debug::c",
]
# A server whose tool says a text while it runs, and as its result or its error.
SERVER = """
import json, sys
text, fails = json.loads(sys.argv[1])
tool = {"name": "t", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    facts = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    facts["serverInfo"] = {"name": text, "version": text}
    content = [{"type": "text", "text": text}]
    results = {"initialize": facts, "tools/list": {"tools": [tool]}}
    results["tools/call"] = {"content": content, "isError": fails}
    if message["method"] == "tools/call":
        token = message["params"]["_meta"]["progressToken"]
        for params in (
            {"progress": 1, "total": 2, "message": text},
            {"progress": 1, "total": text, "message": [text]},
            {"progress": text}, {"progress": True}, {}, {"progress": None},
        ):
            params = {"progressToken": token, **params}
            method = "notifications/progress"
            note = {"jsonrpc": "2.0", "method": method, "params": params}
            print(json.dumps(note), flush=True)
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in results:
        reply["result"] = results[message["method"]]
    else:
        reply["error"] = {"code": -32601, "message": text}
    print(json.dumps(reply), flush=True)
"""
# As the services read each line.
OBEYED = re.compile(
    r"^\s*::[\w-]+(?: .*)?::|##(?:vso|teamcity)?\[", re.MULTILINE | re.IGNORECASE
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_that_a_server_says_is_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, code: int, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-c", SERVER, json.dumps([text, code == 1])]
    done = run("call", "t", "--format", form, "--", *command)
    assert done.exit_code == code, done.output
    for printed in (done.stdout, done.stderr):
        assert not OBEYED.search(printed)
        assert not HIDDEN.search(printed)
    assert "1 of 2" in done.stderr
    if form == "json":
        (block,) = json.loads(done.stdout)["content"]
        assert block["text"] == text


def test_a_text_that_no_service_obeys_stays() -> None:
    for text in (
        "std::string",
        "::",
        "::std",
        "a ::b::c",
        "## Title",
        "# [x]",
        "::\n::",
    ):
        assert disarm(text) == text
