"""`mcp-bindgen import` and `list`: files of MCP hosts, and secrets that stay there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.host_files import host_file, settings
from tests.commands import SCRIPTED, run

pytestmark = pytest.mark.usefixtures("project")

SECRETS = (
    "s3cr3t-abcdefgh",
    "ghp_0123456789abcdefghij",
    "hello12345",
    "pw4you",
    "k-77",
)
CLAUDE = {
    "mcpServers": {
        "om-catalog": {
            "type": "http",
            "url": "https://x.example/mcp?api_key=k-77&team=a",
            "headers": {"Authorization": "Bearer s3cr3t-abcdefgh", "X-Team": "data"},
        },
        "files": {
            "command": "npx",
            "args": ["-y", "@acme/files", "--token", "hello12345"],
            "env": {
                "GITHUB_TOKEN": "ghp_0123456789abcdefghij",
                "LOG_LEVEL": "debug",
                "DATABASE": "postgres://me:pw4you@db/all",
                "REGION": "${REGION:-eu}",
                "API_KEY": "${API_KEY:-hello12345}",
            },
        },
    }
}

VS_CODE = """{
  "inputs": [{"id": "tok", "type": "promptString", "password": true}], // a comment
  "servers": {
    "a": {
      "type": "http",
      "url": "https://a/mcp",
      "headers": {"Authorization": "Bearer ${input:tok}"},
    }, /* // */
  }
}"""


def test_secrets_become_variables_that_are_named() -> None:
    result = run("import", host_file(CLAUDE))
    assert result.exit_code == 0, result.stderr
    assert settings()["om-catalog"] == {
        "url": "https://x.example/mcp?api_key=${OM_CATALOG_API_KEY}&team=a",
        "headers": {"Authorization": "Bearer ${OM_CATALOG_TOKEN}", "X-Team": "data"},
        "package": "om_catalog",
        "recording": "recordings/om_catalog.json",
    }
    assert settings()["files"] == {
        "command": ["npx", "-y", "@acme/files", "--token", "${FILES_TOKEN}"],
        "env": {
            "GITHUB_TOKEN": "${GITHUB_TOKEN}",
            "LOG_LEVEL": "debug",
            "DATABASE": "${DATABASE}",
            "REGION": "${REGION:-eu}",
            "API_KEY": "${API_KEY}",
        },
    }
    written = result.stdout + result.stderr + Path("pyproject.toml").read_text("utf-8")
    assert not [secret for secret in SECRETS if secret in written]
    for name in ("OM_CATALOG_API_KEY", "OM_CATALOG_TOKEN", "GITHUB_TOKEN", "DATABASE"):
        assert f"export {name}=..." in result.stderr
    assert "export REGION" not in result.stderr
    again = run("import", ".mcp.json")
    assert (again.exit_code, again.stderr.splitlines()[-1][:14]) == (
        0,
        "nothing to add",
    )


def test_a_dry_run_writes_nothing_and_a_choice_takes_one() -> None:
    host_file(CLAUDE)
    dry = run("import", ".mcp.json", "files", "--dry-run")
    assert "[tool.mcp-bindgen.servers.files]" in dry.stdout
    assert "om-catalog" not in dry.stdout
    assert not Path("pyproject.toml").exists()
    assert run("import", ".mcp.json", "files").exit_code == 0
    assert [*settings()] == ["files"]


def test_comments_and_order_of_the_settings_stay() -> None:
    before = (
        "# mine\n[project]\nname = 'x'  # why\n\n[tool.mcp-bindgen]\noutput = 'src'\n"
    )
    Path("pyproject.toml").write_text(before, "utf-8")
    assert run("import", host_file(CLAUDE), "files").exit_code == 0
    text = Path("pyproject.toml").read_text("utf-8")
    assert text.startswith(before)
    assert run("list").exit_code == 0


@pytest.mark.parametrize(
    ("file", "document", "expected"),
    [
        (
            ".vscode/mcp.json",
            VS_CODE,
            {
                "url": "https://a/mcp",
                "headers": {"Authorization": "Bearer ${TOK}"},
            },
        ),
        (
            ".cursor/mcp.json",
            {"mcpServers": {"a": {"command": "x", "env": {"K": "${env:K}"}}}},
            {"command": ["x"], "env": {"K": "${K}"}},
        ),
        (
            "fastmcp.json",
            {
                "mcpServers": {
                    "a": {
                        "url": "https://a/mcp",
                        "transport": "streamable-http",
                        "auth": "tiny",
                        "timeout": 5,
                    }
                }
            },
            {
                "url": "https://a/mcp",
                "headers": {"Authorization": "Bearer ${A_TOKEN}"},
                "timeout": 5,
            },
        ),
        (
            "config.toml",
            '[mcp_servers.a]\nurl = "https://a/mcp"\nbearer_token_env_var = "TOK"',
            {
                "url": "https://a/mcp",
                "headers": {"Authorization": "Bearer ${TOK}"},
            },
        ),
        (
            "docker.json",
            {
                "mcpServers": {
                    "a": {"command": "docker", "args": ["mcp", "gateway", "run"]}
                }
            },
            {"command": ["docker", "mcp", "gateway", "run"]},
        ),
    ],
)
def test_every_host_is_read(file: str, document: object, expected: object) -> None:
    assert run("import", host_file(document, file)).exit_code == 0
    assert settings()["a"] == expected


def test_without_a_file_the_usual_ones_are_searched(project: Path) -> None:
    missing = run("import")
    assert missing.exit_code == 2
    assert str(project / ".mcp.json") in missing.stderr
    assert "claude_desktop_config.json" in missing.stderr
    host_file(CLAUDE)
    (project / "inner").mkdir()
    assert run("import", "files").exit_code == 0
    assert "files" in settings()


def test_each_path_that_was_searched_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host_file(CLAUDE)
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    result = run("import", "files", "--dry-run")
    assert result.exit_code == 0
    (line,) = [line for line in result.stderr.splitlines() if "reading" in line]
    assert line.startswith(f"reading {project / '.mcp.json'}; no servers at ")
    for name in (".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "mcp.json"):
        assert str(project / "inner" / name) in line


@pytest.mark.parametrize(
    ("document", "arguments", "message", "code"),
    [
        ("{", (), "Expecting", 2),
        ({"a": 1}, (), 'expected an object "mcpServers"', 2),
        (CLAUDE, ("fils",), "did you mean files?", 2),
        ({"mcpServers": {"a": 1}}, (), "a: expected an object", 1),
        ({"mcpServers": {"a": {}}}, (), "expected a url or a command", 1),
        ({"mcpServers": {"a": {"url": "x", "type": "ws"}}}, (), "its transport", 1),
        (
            {"mcpServers": {"a": {"command": "x", "args": 1}}},
            (),
            "args: expected an array",
            1,
        ),
    ],
)
def test_mistakes_are_reported(
    document: object, arguments: tuple[str, ...], message: str, code: int
) -> None:
    result = run("import", host_file(document), *arguments)
    assert message in result.stderr
    assert result.exit_code == code
    assert not Path("pyproject.toml").exists()


def test_another_server_of_the_name_is_not_replaced() -> None:
    host_file(CLAUDE)
    before = '[tool.mcp-bindgen.servers.files]\ncommand = ["mine"]\n'
    Path("pyproject.toml").write_text(before, "utf-8")
    result = run("import", ".mcp.json", "files")
    assert result.exit_code == 1
    assert "another server of this name" in result.stderr
    assert Path("pyproject.toml").read_text("utf-8") == before


def test_the_list_says_which_packages_are_current() -> None:
    server = {"command": SCRIPTED[0], "args": [*SCRIPTED[1:], "pages"]}
    other = {"url": "https://x.example/mcp"}
    run("import", host_file({"mcpServers": {"demo": server, "other": other}}))
    assert run("record", "--server", "demo").exit_code == 0
    before = {s["name"]: s for s in json.loads(run("list", "--format", "json").stdout)}
    assert before["demo"]["tools"] == 2
    assert before["demo"]["version"] == "1"
    assert before["demo"]["current"] is False
    assert (before["other"]["transport"], before["other"]["tools"]) == ("http", None)
    assert run("sync", "--offline", "demo").exit_code == 1
    after = json.loads(run("list", "--format", "json").stdout)
    assert [server["current"] for server in after] == [True, False]
    table = run("list").stdout.splitlines()
    assert table[0].startswith("server")
    assert table[1].endswith("current")
    assert table[2].endswith("not recorded")


def test_an_env_file_gives_names_and_no_values() -> None:
    host_file("export KEY='s3cr3t-abcdefgh'\nMODE=fast # why\nOWN=x\n", ".env")
    editor = {
        "inputs": [
            {"id": "region", "type": "pickString", "default": "eu"},
            {"id": "pin", "type": "promptString", "default": "12", "password": True},
        ],
        "servers": {
            "a": {
                "command": "${workspaceFolder}/serve",
                "args": ["${input:region}", "${input:pin}"],
                "env": {"OWN": "y"},
                "envFile": "${workspaceFolder}/.env",
            },
            "b": {"command": "x", "envFile": "no.env"},
            "off": {"command": "x", "disabled": True},
        },
    }
    result = run("import", host_file(editor, ".vscode/mcp.json"))
    assert settings()["a"] == {
        "command": ["./serve", "${REGION:-eu}", "${PIN}"],
        "env": {"KEY": "${KEY}", "MODE": "${MODE}", "OWN": "y"},
    }
    assert settings().keys() == {"a", "b"}
    assert "b: its envFile" in result.stderr
    assert "off: left out" in result.stderr
    for name in ("KEY", "MODE", "PIN"):
        assert f"export {name}=..." in result.stderr
    text = result.stdout + result.stderr + Path("pyproject.toml").read_text("utf-8")
    assert "s3cr3t" not in text
    assert "fast" not in text
    assert result.exit_code == 1  # the file of b is missing
    assert run("import", ".vscode/mcp.json", "off").exit_code == 0


def test_a_name_that_stands_twice_is_refused() -> None:
    twice = host_file('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')
    result = run("import", twice)
    assert (result.exit_code, "the name 'a' twice" in result.stderr) == (2, True)
    assert not Path("pyproject.toml").exists()
