"""Files of MCP hosts, and the settings that come of them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any


def host_file(document: object, name: str = ".mcp.json") -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document)
    Path(name).write_text(text, "utf-8")
    return name


def settings() -> dict[str, Any]:
    document = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    servers: dict[str, Any] = document["tool"]["mcp-bindgen"]["servers"]
    return servers
