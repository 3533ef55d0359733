"""A package that was told to leave tools out does not miss them."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

from tests.targets.conftest import ROOT, write

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = count(1)
ADDED = "add_task: added (TOOL_ADDED, compatible)"
RECORDING = ROOT / "generated" / "todo" / "recording.json"


@pytest.mark.parametrize(
    ("options", "missing", "kinds"),
    [
        ({"exclude": ("delete_*", "x")}, [], []),
        ({"include": ("*_task", "list_*"), "exclude": ("add_*",)}, [], []),
        # What is new on the server counts, unless a glob leaves it out.
        ({"exclude": ("delete_*",)}, ["add_task"], [ADDED]),
        ({"exclude": ("*_task",)}, ["add_task"], []),
        ({"include": ("list_*",)}, ["add_task"], []),
    ],
)
def test_what_was_left_out_is_not_added(
    packages: Path,
    todo_url: str,
    options: dict[str, Any],
    missing: list[str],
    kinds: list[str],
) -> None:
    recording = json.loads(RECORDING.read_bytes())
    recording["tools"] = [t for t in recording["tools"] if t["name"] not in missing]
    name = f"fw_part_{next(NUMBERS)}"
    made = generate(json.dumps(recording).encode(), name, Settings(**options))
    write(dict(made.files), packages / name)
    package: Any = import_module(name)
    with package.Client.http(todo_url) as client:
        assert [str(difference) for difference in client.verify()] == kinds

    async def main() -> list[str]:
        async with package.AsyncClient.http(todo_url) as client:
            return [str(difference) for difference in await client.verify()]

    assert asyncio.run(main()) == kinds
    assert json.loads(made.files["manifest.json"])["filter"] == {
        option: list(globs) for option, globs in options.items()
    }


def test_the_server_itself_has_findings(packages: Path, todo_url: str) -> None:
    recording = json.loads(RECORDING.read_bytes())
    recording["server"] |= {"version": "0.0.1", "websiteUrl": "https://example.com/"}
    recording["instructions"] = "Use another server."
    made = generate(json.dumps(recording).encode(), "fw_other", Settings())
    write(dict(made.files), packages / "fw_other")
    package: Any = import_module("fw_other")
    with package.Client.http(todo_url) as client:
        wires = {d.rule: (d.pointer, d.kind, d.wire) for d in client.verify()}
    assert wires == {
        "SERVER_INSTRUCTIONS_CHANGED": ("/instructions", "changed", "text"),
        "SERVER_TEXT_CHANGED": ("/server/websiteUrl", "removed", "text"),
        "SERVER_VERSION_CHANGED": ("/server/version", "changed", "text"),
    }
