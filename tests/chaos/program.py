"""A stdio MCP server that misbehaves; it needs nothing but the standard library.

    program.py ACT ERA LOG

It is well behaved but for calls whose nonce begins with "fault": ACT says what comes
of these. Every request is a line of LOG. ERA is legacy, modern, or old: a server that
exits when it does not know a method, as those of the SDK before 1.10.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ACT, ERA, LOG = [*sys.argv[1:], "", "", ""][:3]
INFO = {"name": "chaos", "version": "1"}
META = "io.modelcontextprotocol/serverInfo"
TOOLS = Path(LOG).parent / "tools.json"
MALFORMED = {
    "nan": '{"jsonrpc": "2.0", "id": %s, "result": {"content": [], "a": NaN}}',
    "cut": '{"jsonrpc": "2.0", "id": %s, "result": {"content": [',
    "batch": '[{"jsonrpc": "2.0", "id": %s, "result": {"content": []}}]',
    "both": '{"jsonrpc": "2.0", "id": %s, "result": {}, "error": {}}',
    "text": '{"jsonrpc": "2.0", "id": %s, "result": "done"}',
    "twice": '{"jsonrpc": "2.0", "id": %s, "id": 1, "result": {"content": []}}',
    "surrogate": '{"jsonrpc": "2.0", "id": %s, "result": {"content": "\\ud800"}}',
}


def note(**line: object) -> None:
    with Path(LOG).open("a", encoding="utf-8") as log:
        log.write(json.dumps({"pid": os.getpid(), **line}) + "\n")


def write(*messages: object) -> None:
    lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def response(request: dict[str, Any], result: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def error(request: dict[str, Any], code: int, text: str) -> None:
    fault = {"code": code, "message": text}
    write({"jsonrpc": "2.0", "id": request["id"], "error": fault})


def forever() -> None:
    while True:
        time.sleep(60)


def orphan() -> None:
    """Die, while a child holds our stdout."""
    subprocess.Popen(["sleep", "60"], stderr=subprocess.DEVNULL)
    os._exit(3)


def call(request: dict[str, Any]) -> None:
    nonce = request["params"]["arguments"]["nonce"]
    echo = {"content": [{"type": "text", "text": nonce}], "resultType": "complete"}
    whole = response(request, echo)
    if ACT == "logs":
        write("INFO one line of a log for each call")
    if ACT == "logs_much":
        write(*["INFO ten thousand lines of a log for each call"] * 10_000)
    if ACT == "ping":
        write(whole, {"jsonrpc": "2.0", "id": "p1", "method": "ping"})
        return
    if not nonce.startswith("fault"):
        write(whole)
        return
    fault(request, whole, nonce)


def fault(request: dict[str, Any], whole: dict[str, Any], nonce: str) -> None:
    arrivals = Path(LOG).read_text(encoding="utf-8").count(f'"nonce": "{nonce}"')
    if ACT.endswith("_after"):
        write(whole)
    match ACT.removesuffix("_after"):
        case "closes_stdout":
            os.close(1)
            forever()
        case "closes_stdin":
            os.close(0)
            forever()
        case "orphan":
            orphan()
        case "silent":
            forever()
        case "dies":
            os._exit(3)
        case "dies_once" if arrivals == 1:
            os._exit(3)
        case name if name in MALFORMED:
            write(MALFORMED[name] % json.dumps(request["id"]))
        case _:
            write(whole)


def greet(request: dict[str, Any], times: int) -> None:
    if times > 1:
        note(method="second initialize")
        os._exit(4)
    facts: dict[str, Any] = {"capabilities": {"tools": {}}, "serverInfo": INFO}
    write(response(request, {"protocolVersion": "2025-11-25", **facts}))


def discover(request: dict[str, Any]) -> None:
    if ERA == "old":
        sys.exit("ValidationError: server/discover")
    if ERA == "legacy":
        error(request, -32601, "Method not found")
        return
    facts: dict[str, Any] = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
    }
    more = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    write(response(request, {**facts, **more, "_meta": {META: INFO}}))


def begin() -> None:
    # Nothing of a killed case outlives it for long.
    signal.alarm(7200 if ACT == "soak" else 200)
    note(method="start", env=dict(os.environ), cwd=str(Path.cwd()))
    if ACT == "prints":
        sys.stdout.write("Usage: chaos [--port N]\nListening on port 8080\n")
        sys.stdout.flush()
        forever()
    if ACT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def main() -> None:
    begin()
    greetings = 0
    for line in sys.stdin:
        request = json.loads(line)
        params: dict[str, Any] = request.get("params") or {}
        arguments: dict[str, Any] = params.get("arguments") or {}
        method = request.get("method", "reply")
        note(method=method, id=request.get("id"), nonce=arguments.get("nonce", ""))
        match method:
            case "server/discover":
                discover(request)
            case "initialize" if ERA != "modern":
                greetings += 1
                greet(request, greetings)
            case "tools/list":
                write(response(request, {"tools": json.loads(TOOLS.read_text())}))
            case "tools/call":
                call(request)
            case "reply":
                pass
            case _ if "id" in request:
                error(request, -32601, "Method not found")
            case _:
                pass
    if ACT == "stubborn":
        forever()


if __name__ == "__main__":
    main()
