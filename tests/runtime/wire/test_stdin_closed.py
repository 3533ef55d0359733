"""A program closes its stdin, and lives: no call waits, is lost, or is sent twice."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.errors import McpError
from mcp_bindgen.runtime.protocol.wire import SessionLostError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.conftest import Driver

PROGRAM = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    method, number = message["method"], message.get("id")
    arguments = message.get("params", {}).get("arguments", {})
    answer = {"jsonrpc": "2.0", "id": number}
    if method == "tools/call":
        with open(sys.argv[1], "a") as log:
            log.write(json.dumps([os.getpid(), arguments["nonce"]]) + "\\n")
        text = {"type": "text", "text": "done " + arguments["nonce"]}
        answer["result"] = {"content": [text]}
    elif method == "initialize":
        facts = {"name": "closes", "version": "1"}
        answer["result"] = {"protocolVersion": "2025-11-25", "serverInfo": facts}
        answer["result"]["capabilities"] = {"tools": {}}
    else:
        answer["error"] = {"code": -32601, "message": "unknown"}
    if end := arguments.get("end"):
        os.close(0)
    if number is not None and end != "before":
        print(json.dumps(answer), flush=True)
    if end:
        time.sleep(60)
"""


async def _caught(client: Any, arguments: dict[str, str]) -> Any:
    try:
        return (await client.call_tool("change", arguments)).text
    except McpError as error:
        return error


async def _calls(client: Any, ends: list[str]) -> list[Any]:
    each = ({"nonce": str(n), "end": end} for n, end in enumerate(ends))
    return [await _caught(client, arguments) for arguments in each]


def _log(path: Path) -> tuple[list[int], list[str]]:
    """Return the programs that got a call, and the calls."""
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    return [pid for pid, _ in entries], [nonce for _, nonce in entries]


def _run(driver: Driver, folder: Path, *ends: str) -> list[Any]:
    command = [sys.executable, "-c", PROGRAM, str(folder / "log")]
    work = partial(_calls, ends=[*ends])
    results: list[Any] = driver.stdio(command, work, timeout=50)
    return results


def test_before_its_answer(driver: Driver, tmp_path: Path) -> None:
    first, second = _run(driver, tmp_path, "before", "")
    assert (type(first), first.outcome) == (SessionLostError, "unknown")
    assert second == "done 1"
    programs, calls = _log(tmp_path / "log")
    assert (len(set(programs)), calls) == (2, ["0", "1"])


def test_with_its_answer(driver: Driver, tmp_path: Path) -> None:
    ends = _run(driver, tmp_path, "with", "with", "")
    assert ends == ["done 0", "done 1", "done 2"]
    programs, calls = _log(tmp_path / "log")
    assert (len(set(programs)), calls) == (3, ["0", "1", "2"])
