"""`mcp-bindgen import` beside servers that are there; keys of single hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.host_files import host_file, settings
from tests.commands import run

pytestmark = pytest.mark.usefixtures("project")


def test_packages_and_recordings_of_other_servers_stay_theirs() -> None:
    before = """[tool.mcp-bindgen.servers.my_server]
command = ["x"]

[tool.mcp-bindgen.servers.old]
command = ["x"]
package = "thing"
recording = "recordings/kept.json"
"""
    Path("pyproject.toml").write_text(before, "utf-8")
    names = ("my-server", "thing", "kept", "free")
    document = {"mcpServers": {name: {"command": "true"} for name in names}}
    assert run("import", host_file(document)).exit_code == 0
    packages = {name: settings()[name].get("package", name) for name in names}
    assert packages == {
        "my-server": "my_server_2",
        "thing": "thing_2",
        "kept": "kept_2",
        "free": "free",
    }
    assert settings()["thing"]["recording"] == "recordings/thing_2.json"
    again = run("import", ".mcp.json")
    assert (again.exit_code, again.stderr.count("error")) == (0, 0)


def test_the_variables_and_the_tools_of_codex() -> None:
    text = """[mcp_servers.a]
command = "npx"
env_vars = ["FOO"]
enabled_tools = ["b"]
"""
    result = run("import", host_file(text, "config.toml"))
    assert result.exit_code == 1
    assert "a: it has the key enabled_tools, which is left out" in result.stderr
    assert "hint: write include = [...] into its settings" in result.stderr
    assert settings()["a"] == {"command": ["npx"], "env": {"FOO": "${FOO}"}}
