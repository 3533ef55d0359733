"""Runs generate in a folder, and reads what it made and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from mcp_bindgen.cli import app

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
NAMES = ("alpha", "beta", "gamma")


def record(**descriptions: str) -> None:
    tools = [
        {"name": name, "description": descriptions.get(name, ""), "inputSchema": SCHEMA}
        for name in NAMES
    ]
    Path("demo.json").write_text(json.dumps({"tools": tools}), "utf-8")


def generate(*options: str) -> Result:
    arguments = ["generate", "demo.json", "-o", "out", "--jobs", "1", *options]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result


def files() -> dict[str, str]:
    return {
        path.relative_to("out").as_posix(): path.read_text("utf-8")
        for path in Path("out").rglob("*")
        if path.is_file()
    }


def with_version(made: dict[str, str], version: str) -> dict[str, str]:
    """Return the files of a first package, as they are in a later version of it."""
    name = "demo/manifest.json"
    later = made[name].replace('"version": "1.0.0"', f'"version": "{version}"')
    return {**made, name: later}


def entries(home: Path) -> dict[str, bytes]:
    """Return the entries of a cache; one more file there notes their size."""
    paths = (path for path in home.iterdir() if path.name != "size")
    return {path.name: path.read_bytes() for path in paths}
