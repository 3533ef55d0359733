"""A server over stdio that lists the tools of a recording, and does nothing else."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

EMPTY: dict[str, Any] = {"capabilities": {"tools": {}}}
SERVER = {"name": "replay", "version": "1"}


def answer(request: dict[str, Any], tools: list[Any]) -> dict[str, Any] | None:
    """Return the result of a request, None where there is no such method."""
    params: dict[str, Any] = request.get("params") or {}
    if request["method"] == "initialize":
        version = params.get("protocolVersion", "2025-06-18")
        return {**EMPTY, "protocolVersion": version, "serverInfo": SERVER}
    if request["method"] == "tools/list":
        return {"tools": tools}
    return {} if request["method"] == "ping" else None


def main(recording: str) -> None:
    """Answer until stdin ends."""
    tools = json.loads(Path(recording).read_text("utf-8"))["tools"]
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request, tools)
        refused = {"error": {"code": -32601, "message": "no such method"}}
        response = refused if result is None else {"result": result}
        reply = {"jsonrpc": "2.0", "id": request["id"], **response}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
