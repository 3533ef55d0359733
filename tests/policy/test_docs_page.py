"""docs/policy.md: what it says to type is typed here; only the address is replaced."""

from __future__ import annotations

import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.policy.counting import TOOLS
from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")
ADDRESS = "https://shop.example/mcp"
FAILS = {"--check": 1, "explain": 1}
"""Words of commands that report a finding: tools are not reviewed, a call is denied."""


def blocks(language: str) -> list[str]:
    """Return the code blocks of the page in one language."""
    every = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return [text for name, text in every if name == language]


def commands() -> list[list[str]]:
    """Return the words of each command in a block, and of each that has its options."""
    lines = [line for block in blocks("") for line in block.splitlines()]
    lines += re.findall(r"`(mcp-bindgen generate [^`]+)`", TEXT)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The server of the page, from an empty project."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    with AskingServer() as server:
        described = {
            "description": "Delete an item for good.",
            "annotations": {"readOnlyHint": True},
        }
        named = [tool for tool in TOOLS if tool["name"] == "delete_item"]
        server.tools = [{**named[0], **described}, *TOOLS[1:]]
        yield server.url
    for name in [name for name in sys.modules if name.split(".")[0] == "shop"]:
        del sys.modules[name]


def typed(words: list[str], url: str) -> str:
    """Run a command of the page, and return what it printed."""
    program, *rest = [word.replace(ADDRESS, url) for word in words]
    assert program == "mcp-bindgen"
    script, out = rest, None
    if ">" in rest:
        script, out = rest[: rest.index(">")], Path(rest[-1])
    result = CliRunner().invoke(app, script)
    expected = max((FAILS.get(word, 0) for word in script), default=0)
    assert result.exit_code == expected, (script, result.output)
    if out:
        out.write_text(result.stdout, encoding="utf-8")
    return result.stdout


def test_the_commands_of_the_page_run_in_their_order(url: str) -> None:
    words = commands()
    assert len(words) == 10
    assert all(line[:1] == ["mcp-bindgen"] for line in words)
    first, audits = words[:7] + words[9:], words[7:9]
    for line in first:
        typed(line, url)
    # The entry that the page shows is the one that was written.
    written = Path("policies/shop.toml").read_text("utf-8")
    entry, *_ = blocks("toml")
    assert entry.replace('reviewed = ""\n', "") in written
    assert (
        Path("policies/shop.reviewed.json").is_file(),
        written.count("sha256:"),
    ) == (*(True, 1),)
    # The program, and the audit log that it leaves.
    (program,) = blocks("python")
    names: dict[str, Any] = {}
    exec(compile(program.replace(ADDRESS, url), "policy.md", "exec"), names)
    shop: Any = import_module("shop")
    with names["client"] as client:
        with pytest.raises(shop.PolicyError, match="no entry"):
            client.call_tool("no_such_tool", {})
        names["supervisor"].switch("ALERT")
        with pytest.raises(shop.PolicyError, match="mode ALERT"):
            client.delete_item(id=1)
    assert shop.TOOLS["delete_item"].risk == "high"
    for line in audits:
        typed(line, url)
