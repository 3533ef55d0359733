"""A stdio server that misbehaves, as its first argument says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ACT = sys.argv[1]
# What stands before an answer: one that is malformed, or logs.
ODD = {
    "nan": '{"jsonrpc": "2.0", "id": %(id)d, "result": {"a": NaN}}',
    "surrogate": '{"jsonrpc": "2.0", "id": %(id)d, "result": {"a": "\\ud800"}}',
    "twice": '{"jsonrpc": "2.0", "id": %(id)d, "id": %(id)d, "result": {}}',
    "batch": '[{"jsonrpc": "2.0", "id": %(id)d, "result": {}}]',
    "bare": '  {"id": %(id)d, "result": {}}',
    "junk": "\n".join(["Loading..."] * 50),
    "rubbish": "\n".join(["Loading..."] * 25_000),
    "logs": (
        '[INFO] Loading...\n{"level": "info", "text": "Loading..."}\n'
        '{"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": NaN}}'
    ),
    "cut": '{"jsonrpc": "2.0", "id": %(id)d, "result": {"content',
}
DONE = {"content": [{"type": "text", "text": "done"}]}


def say(message: object) -> None:
    sys.stdout.write(message if isinstance(message, str) else json.dumps(message))
    sys.stdout.write("\n")
    sys.stdout.flush()


def answer(request: dict[str, Any], result: object) -> None:
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def call(request: dict[str, Any]) -> None:
    if ACT == "dies":
        sys.stderr.write("last \x1b[31mwords\n")
        sys.stderr.flush()
        os._exit(3)
    if ACT == "silent":
        time.sleep(60)
    if ACT == "endless":
        while True:
            sys.stdout.write("x" * 1_000_000)
    if ACT in ODD:
        say(ODD[ACT] % {"id": request["id"]})
    if ACT == "asks":
        say({"jsonrpc": "2.0", "id": "s1", "method": "ping"})
        say({"jsonrpc": "2.0", "id": "s2", "method": "roots/list"})
        messages = [json.loads(sys.stdin.readline()) for _ in range(2)]
        answer(request, {"content": [{"type": "text", "text": json.dumps(messages)}]})
        return
    if ACT == "progress":
        token = request["params"]["_meta"]["progressToken"]
        params = {"progressToken": token, "progress": 1}
        note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
        say(note)
    if ACT == "env":
        text = json.dumps(dict(os.environ))
        answer(request, {"content": [{"type": "text", "text": text}]})
        return
    answer(request, DONE)


def greet(request: dict[str, Any]) -> None:
    facts: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}}
    answer(request, {**facts, "serverInfo": {"name": "rogue"}})
    if ACT == "idle":
        say({"jsonrpc": "2.0", "id": "s9", "method": "ping"})
        say({"jsonrpc": "2.0", "method": "notifications/x"})
        say({"jsonrpc": "2.0", "id": 999, "result": {}})


def begin() -> None:
    if ACT == "crash":
        sys.exit("no licence")
    if ACT == "deaf":
        time.sleep(60)
    if ACT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if ACT == "parent":
        child = subprocess.Popen(["sleep", "60"])
        Path(sys.argv[2]).write_text(str(child.pid))


def main() -> None:
    begin()
    for line in sys.stdin:
        request = json.loads(line)
        match request.get("method"):
            case "server/discover" if ACT != "ignores":
                error = {"code": -32601, "message": "Method not found"}
                say({"jsonrpc": "2.0", "id": request["id"], "error": error})
            case "initialize":
                greet(request)
            case "tools/call":
                call(request)
            case "notifications/initialized" if ACT == "pings":
                time.sleep(0.2)
                say({"jsonrpc": "2.0", "id": "s1", "method": "ping"})
                Path(sys.argv[2]).write_text(sys.stdin.readline())
            case _:
                pass
    if ACT == "stubborn":
        time.sleep(60)


if __name__ == "__main__":
    main()
