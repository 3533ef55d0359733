"""The JSON Schema of the settings has the keys that the code has."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest
from mcp_bindgen.cli.config import parse
from mcp_bindgen.cli.config_faults import SERVER, TOP
from mcp_bindgen.errors import BindgenError

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "settings.schema.json").read_text("utf-8"))
TEXTS = ("README.md", "docs/automation.md", "templates/README.md")
WRONG = (
    "targets = 'python'",
    "unknown = 1",
    "http = 'requests'",
    "servers.a = {url = 'https://a.example/mcp', timeout = 0}",
    "servers.a = {url = 'https://a.example/mcp', timeout = '5'}",
    "servers.a = {url = 'https://a.example/mcp', era = 'old'}",
    "servers.a = {url = 'https://a.example/mcp', command = ['a']}",
    "servers.a = {command = 'a'}",
    "servers.a = {headers = {A = 1}}",
)
RIGHT = (
    "servers.a = {url = 'https://a.example/mcp', timeout = '${SECONDS:-2.5}'}",
    "targets = ['python', './mine']",
    "format = 'none'",
    "servers.a = {command = ['a', '-b'], env = {A = '${B:-c}'}, timeout = 2.5}",
    "servers.a = {url = 'https://a.example/mcp', auth = 'oauth', era = 'modern'}",
)


def test_it_has_each_key_and_no_other() -> None:
    assert SCHEMA["properties"].keys() == TOP.keys()
    servers = SCHEMA["properties"]["servers"]["additionalProperties"]
    assert servers["properties"].keys() == SERVER.keys()


@pytest.mark.parametrize("line", WRONG)
def test_it_refuses_settings_that_the_command_refuses(line: str) -> None:
    text = f"[tool.mcp-bindgen]\n{line}\n"
    settings = tomllib.loads(text)["tool"]["mcp-bindgen"]
    assert not jsonschema_rs.is_valid(SCHEMA, settings)
    with pytest.raises(BindgenError):
        parse(text, Path("pyproject.toml"))


def examples() -> list[str]:
    """Return the settings that our docs show."""
    blocks: list[str] = []
    for name in TEXTS:
        text = (ROOT / name).read_text("utf-8")
        blocks += re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    return [block for block in blocks if "[tool.mcp-bindgen" in block]


@pytest.mark.parametrize(
    "text", [*(f"[tool.mcp-bindgen]\n{line}\n" for line in RIGHT), *examples()]
)
def test_it_accepts_settings_that_the_command_accepts(text: str) -> None:
    settings = tomllib.loads(text)["tool"]["mcp-bindgen"]
    jsonschema_rs.validate(SCHEMA, settings)
    parse(text, Path("pyproject.toml"))
