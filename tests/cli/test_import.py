"""`mcp-bindgen import` and `list`: files of MCP hosts, and secrets that stay there."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SCRIPTED, run

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


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def given(document: object, name: str = ".mcp.json") -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document)
    Path(name).write_text(text, "utf-8")
    return name


def settings() -> dict[str, Any]:
    document = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    servers: dict[str, Any] = document["tool"]["mcp-bindgen"]["servers"]
    return servers


def test_secrets_become_variables_that_are_named() -> None:
    result = run("import", given(CLAUDE))
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
    told = result.stdout + result.stderr + Path("pyproject.toml").read_text("utf-8")
    assert not [secret for secret in SECRETS if secret in told]
    for name in ("OM_CATALOG_API_KEY", "OM_CATALOG_TOKEN", "GITHUB_TOKEN", "DATABASE"):
        assert f"export {name}=..." in result.stderr
    assert "export REGION" not in result.stderr
    again = run("import", ".mcp.json")
    assert (again.exit_code, again.stderr.splitlines()[-1][:14]) == (
        0,
        "nothing to add",
    )


def test_a_dry_run_writes_nothing_and_a_choice_takes_one() -> None:
    given(CLAUDE)
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
    assert run("import", given(CLAUDE), "files").exit_code == 0
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
    assert run("import", given(document, file)).exit_code == 0
    assert settings()["a"] == expected


def test_without_a_file_the_usual_ones_are_searched(project: Path) -> None:
    missing = run("import")
    assert missing.exit_code == 2
    assert str(project / ".mcp.json") in missing.stderr
    assert "claude_desktop_config.json" in missing.stderr
    given(CLAUDE)
    (project / "inner").mkdir()
    assert run("import", "files").exit_code == 0
    assert "files" in settings()


@pytest.mark.parametrize(
    ("document", "arguments", "message", "code"),
    [
        ("{", (), "Expecting", 2),
        ({"a": 1}, (), 'expected an object "mcpServers"', 2),
        (CLAUDE, ("fils",), "did you mean files?", 2),
        ({"mcpServers": {"a": 1}}, (), "a: expected an object", 1),
        ({"mcpServers": {"a": {}}}, (), "expected a url or a command", 1),
        ({"mcpServers": {"a": {"url": "x", "type": "ws"}}}, (), "its transport", 1),
        ({"mcpServers": {"a": {"command": "x", "args": 1}}}, (), "array as args", 1),
    ],
)
def test_mistakes_are_reported(
    document: object, arguments: tuple[str, ...], message: str, code: int
) -> None:
    result = run("import", given(document), *arguments)
    assert message in result.stderr
    assert result.exit_code == code
    assert not Path("pyproject.toml").exists()


def test_another_server_of_the_name_is_not_replaced() -> None:
    given(CLAUDE)
    before = '[tool.mcp-bindgen.servers.files]\ncommand = ["mine"]\n'
    Path("pyproject.toml").write_text(before, "utf-8")
    result = run("import", ".mcp.json", "files")
    assert result.exit_code == 1
    assert "another server of this name" in result.stderr
    assert Path("pyproject.toml").read_text("utf-8") == before


def test_the_list_says_which_packages_are_current() -> None:
    server = {"command": SCRIPTED[0], "args": [*SCRIPTED[1:], "pages"]}
    other = {"url": "https://x.example/mcp"}
    run("import", given({"mcpServers": {"demo": server, "other": other}}))
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


def test_variables_stand_in_for_values_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MODE", "pages")
    command = [*SCRIPTED, "${MODE}"]
    Path("pyproject.toml").write_text(
        f"[tool.mcp-bindgen.servers.a]\ncommand = {json.dumps(command)}\n"
        'timeout = 20\nprefix = "x"\npackage = "${NAME:-demo}"\ncwd = "${DIR:-.}"\n'
        'recording = "${NOWHERE:-here}/a.json"\n'
    )
    assert run("sync").exit_code == 1
    assert Path("generated/demo/manifest.json").is_file()
    assert Path("here/a.json").is_file()


SHORT = "q7Z"
PLANTED: list[dict[str, Any]] = [
    *(
        {"command": "x", "env": {name: SHORT}}
        for name in (
            "API_KEY",
            "apikey",
            "GITHUB_PAT",
            "DB_PWD",
            "PASSWORD",
            "MY_SECRET",
            "JWT",
            "AUTH",
            "SESSION_ID",
            "ACCESS_TOKEN",
            "SENTRY_DSN",
            "PRIVATE_KEY",
            "PIN",
            "OTP",
        )
    ),
    *(
        {"command": "npx", "args": args}
        for args in (
            ["--api-key", SHORT],
            [f"--token={SHORT}"],
            ["-e", f"TOKEN={SHORT}"],
            [f"--env=API_KEY={SHORT}"],
            ["-H", f"X-Key: {SHORT}"],
            ["--header", f"Authorization: Bearer {SHORT}"],
            [f"--header=X-Auth: {SHORT}"],
            ["-c", f"TOKEN={SHORT} npx files"],
            ["-c", f"npx files --password {SHORT} --x"],
            [f'{{"token": "{SHORT}", "a": 1}}'],
            [f"https://x/mcp?token={SHORT}"],
            [f"https://{SHORT}@x/mcp"],
            [f"https://u:{SHORT}@x/mcp"],
            ["mcp-remote", "https://x/sse", "--header", f"Authorization:{SHORT}"],
            [f"Server=db;User=me;Password={SHORT};Port=1"],
        )
    ),
    *(
        {"url": "https://x/mcp", "headers": {name: value}}
        for name, value in (
            ("Authorization", f"Bearer {SHORT}"),
            ("Authorization", f"Basic {SHORT}"),
            ("X-Api-Key", SHORT),
            ("Cookie", f"sid={SHORT}"),
            ("X-PAT", SHORT),
            ("Authorization", f"Bearer ${{USER}}:{SHORT}"),
            ("X-More", f"token={SHORT}"),
            ("Authorization", f"${{TOKEN:-{SHORT}}}"),
        )
    ),
    *(
        {"url": url}
        for url in (
            f"https://x/mcp?key={SHORT}",
            f"https://x/mcp#access_token={SHORT}",
            f"https://{SHORT}@x/mcp",
            f"https://u:{SHORT}@x/mcp?a=1",
        )
    ),
    {"url": "https://x/mcp", "auth": SHORT, "transport": "http"},
    {"serverUrl": f"https://x/sse?token={SHORT}", "type": "sse"},
    {"command": "x", "env": {"OPTIONS": f"--password {SHORT}"}},
    {"command": "x", "env": {"CONFIG": f'{{"secret":"{SHORT}"}}'}},
    {"command": "x", "env": {"URL": f"https://x/mcp?token={SHORT}"}},
]


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_short_secrets_under_telling_names_are_never_copied(key: str) -> None:
    servers = {f"s{n}": server for n, server in enumerate(PLANTED)}
    result = run("import", given({key: servers}), "--verbose")
    assert result.exit_code == 0, result.stderr
    leaks = [name for name, table in settings().items() if SHORT in str(table)]
    assert [servers[name] for name in leaks] == []
    assert len(settings()) == len(servers)
    for text in (result.stdout, result.stderr, Path("pyproject.toml").read_text()):
        assert SHORT not in text


def test_words_that_are_no_secrets_stay() -> None:
    plain = {
        "command": "docker",
        "args": ["run", "-i", "--rm", "-e", "REGION=eu", "--port=80", "mcp/files:1.2"],
        "env": {"LOG_LEVEL": "debug", "HOME_URL": "https://x.example/a?team=b"},
    }
    run("import", given({"mcpServers": {"files": plain}}))
    table = settings()["files"]
    assert table["command"] == ["docker", *plain["args"]]
    assert table["env"] == plain["env"]
