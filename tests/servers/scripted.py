"""A stdio server of the older era that misbehaves in the way its argument names."""

from __future__ import annotations

import json
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

PING: dict[str, Any] = {"name": "ping", "inputSchema": {"type": "object"}}
PONG: dict[str, Any] = {"name": "pong", "inputSchema": {"type": "object"}}
NUMBERS = count()

UNKNOWN = {"code": -32601, "message": "Method not found"}


CAPABILITIES: dict[str, Any] = {
    "undeclared": {},
    "nothing": {},
    "odd": 7,
    "declared": {"tools": {}},
}
EVERYTHING: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}

PAGES: dict[str | None, dict[str, Any]] = {
    None: {"tools": [PONG], "nextCursor": ""},
    "": {"tools": [], "nextCursor": "last"},
    "last": {"tools": [PING]},
}
TOOLS: dict[str, dict[str, Any]] = {
    "same-cursor": {"tools": [], "nextCursor": "again"},
    "number-cursor": {"tools": [], "nextCursor": 7},
    "no-list": {"tools": {}},
    "no-tools": {"tools": []},
    "bad-tools": {"tools": [PING, {"name": "bad"}, 5]},
    "hidden": {"tools": [{**PING, "name": "\x1b[31m\u202e", "inputSchema": 1}]},
    "echo": {"tools": [{**PING, "description": f"key {sys.argv[-1]} end"}]},
}


def tools(mode: str, cursor: str | None) -> dict[str, Any]:
    """Return one page of tools."""
    if mode == "pages":
        return PAGES[cursor]
    if mode == "fresh-cursors":
        return {"tools": [], "nextCursor": str(next(NUMBERS))}
    if mode == "growing":
        more = [{**PING, "name": f"t{next(NUMBERS)}"} for _ in range(500)]
        return {"tools": more, "nextCursor": str(next(NUMBERS))}
    if mode == "full":
        return {"tools": [[[]] * 200_001]}
    return TOOLS.get(mode, {"tools": [PING, PONG]})


def answer(mode: str, message: dict[str, Any]) -> dict[str, Any]:
    """Return the members of the response to a request."""
    method = message["method"]
    if method == "initialize":
        agreed: dict[str, Any] = {
            "protocolVersion": "2025-06-18",
            "capabilities": CAPABILITIES.get(mode, EVERYTHING),
            "serverInfo": {"name": "scripted", "version": "1"},
        }
        if mode == "wordy":
            agreed["instructions"] = "word " * 3_000_000
        if mode == "crowded":
            agreed["serverInfo"]["all"] = [{}] * 600_000
        return {"result": agreed}
    if method == "tools/list":
        if mode in {"declared", "nothing"}:
            return {"error": UNKNOWN}
        return {"result": tools(mode, message.get("params", {}).get("cursor"))}
    if method == "resources/list" and mode != "odd":
        return {"result": {"resources": [{"uri": "x://1", "name": "one"}]}}
    if method == "prompts/list" and mode == "full":
        return {"result": {"prompts": [[[]] * 200_001]}}
    if method == "prompts/list":
        return {"result": {"prompts": []}}
    return {"error": UNKNOWN}


SILENT = {("silent", "tools/list"), ("deaf", "tools/call")}


def main() -> None:
    """Answer each line until stdin ends."""
    mode = sys.argv[1]
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        if (mode, message["method"]) in SILENT:
            for path in sys.argv[2:]:
                Path(path).touch()
            time.sleep(600)
        while mode == "noisy" and message["method"] == "tools/list":
            note = {"jsonrpc": "2.0", "method": "notifications/message"}
            sys.stdout.write(json.dumps(note) + "\n")
        if mode == "dies" and message["method"] == "tools/list":
            sys.stderr.write("out of luck\n")
            sys.exit(3)
        reply = {"jsonrpc": "2.0", "id": message["id"], **answer(mode, message)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
