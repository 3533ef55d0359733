"""A program that serves files, a search that never ends, and a tool that deletes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}}
TOOLS: list[dict[str, Any]] = [
    {"name": "read_file", "description": "Read a file.", "inputSchema": PATH},
    {"name": "delete_file", "description": "Delete a file.", "inputSchema": PATH},
    {"name": "search_files", "description": "Search files.", "inputSchema": QUERY},
    {"name": "send_report", "description": "Send a report.", "inputSchema": QUERY},
]


def answer(method: str, params: dict[str, Any], more: list[str]) -> Any:
    """Return the result of a request, None for no answer at all."""
    if method == "initialize":
        info = {"name": "gateway", "version": "1"}
        facts: dict[str, Any] = {"capabilities": {"tools": {}}, "serverInfo": info}
        return {**facts, "protocolVersion": params["protocolVersion"]}
    if method == "tools/list":
        listed = [tool for tool in TOOLS if tool["name"] != "send_report" or more]
        return {"tools": listed}
    if method == "tools/call":
        with Path("arrived.txt").open("a", encoding="utf-8") as stream:
            stream.write(f"{params['name']}\n")
        if params["name"] == "search_files":
            return None
        return {"content": [{"type": "text", "text": json.dumps(params["arguments"])}]}
    return {}


def main() -> None:
    """Serve on standard input and output; an argument adds a tool."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            params = message.get("params", {})
            result = answer(message["method"], params, sys.argv[1:])
            if result is not None:
                text = json.dumps(
                    {"jsonrpc": "2.0", "id": message["id"], "result": result}
                )
                sys.stdout.write(f"{text}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
