"""`mcp-bindgen import`: forms of files, and values that no settings can hold."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.host_files import host_file, settings
from tests.commands import run

pytestmark = pytest.mark.usefixtures("project")

GOOD = {"command": "uvx", "args": ["mcp-server-time"]}


def of(**servers: Any) -> str:
    return host_file({"mcpServers": servers})


WRONG: list[tuple[Any, str]] = [
    ({"command": "a\0b"}, "a text has a null character"),
    ({"command": "a", "env": {"A\0": "b"}}, "a text has a null character"),
    ({"url": "https://a/mcp", "headers": {"A": "\ud800"}}, "null character, or h"),
    ({"command": "a", "env": {"A": 1e999}}, "a number is not finite"),
    ({"command": "a", "timeout": 10**400}, "timeout: expected a number above 0"),
    ({"command": "a", "timeout": "5"}, "timeout: expected a number above 0"),
    ({"command": "a", "timeout": -1}, "timeout: expected a number above 0"),
    ({"command": "a", "cwd": "${nope"}, "expected a name and }"),
    ({"command": "a", "args": ["${nope"]}, "expected a name and }"),
    ({"url": "https://a/mcp", "headers": {"A B": "c"}}, "headers: 'A B' is no name"),
    ({"command": "a", "env": {"A=B": "c"}}, "env: 'A=B' is no name"),
    ({"command": "a", "env": {"": "c"}}, "env: '' is no name"),
    ({"command": "a", "env": {"B": {"k": "s3cr3t"}}}, "env.B: expected a text, got an"),
    ({"command": "a", "args": ["${config:b.c}"]}, "args[0]: only its editor knows the"),
    ({"command": "a", "env_vars": [None]}, "env_vars[0]: expected a text, got null"),
    ({"url": 5}, "url: expected a text, got a number"),
    ({"serverUrl": ["a"]}, "serverUrl: expected a text, got an array"),
    ({"command": True}, "command: expected a text, got a boolean"),
    ({"url": "ftp://a.example"}, "begins with http:// or https://"),
    ({"url": "not a url"}, "begins with http:// or https://"),
    ({"url": "https://"}, "begins with http:// or https://"),
    ({"command": "a", "args": ["b", None]}, "args[1]: expected a text, got null"),
    ({"command": "a", "args": [["b"]]}, "args[0]: expected a text, got an array"),
    ({"url": "https://a", "headers": {"A": None}}, "headers.A: expected a text"),
    ({"url": "https://a", "auth": {"CLIENT_ID": 1.5}}, "client-id of its OAuth"),
    ({"url": "https://a", "oauth": {"scopes": [{}]}}, "scopes of its OAuth"),
    ({"url": "https://me:pw@a/mcp"}, "its URL holds a user name"),
    ({"url": "https://token@a/mcp"}, "its URL holds a user name"),
]


@pytest.mark.parametrize(("server", "reason"), WRONG)
def test_a_server_that_settings_cannot_hold_is_left_out(
    server: Any, reason: str
) -> None:
    result = run("import", of(bad=server, good=GOOD))
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "hint: " in result.stderr
    assert [*settings()] == ["good"]


def test_each_mistake_of_a_server_is_named() -> None:
    bad: Any = {"url": 1, "command": {}, "args": 2, "env": [], "headers": {"A B": None}}
    errors = run("import", of(bad=bad)).stderr
    for key in ("url", "command", "args", "env", "headers", "headers.A B"):
        assert f"error: bad: {key}: " in errors


@pytest.mark.parametrize("url", ["${URL}", "${HOST:-http://a}/mcp", "HTTP://a/mcp"])
def test_a_url_may_begin_with_a_variable(url: str) -> None:
    assert run("import", of(a={"url": url})).exit_code == 0
    assert settings()["a"]["url"] == url


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"mcpServers": {"a": ' + "[" * 900 + "]" * 900 + "}}", "inside each other"),
        ('{"mcpServers": {"a": {"timeout": ' + "9" * 5_000 + "}}}", "4300 digits"),
        ("[", "expecting value"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(text: str, reason: str) -> None:
    Path(".mcp.json").write_text(text)
    result = run("import", ".mcp.json")
    assert result.exit_code == 2
    assert reason in result.stderr.lower()
    assert "bug in mcp-bindgen" not in result.stderr


def test_the_forms_of_codex_and_fastmcp() -> None:
    Path("config.toml").write_text(
        '[mcp_servers.a]\nurl = "https://a.example/mcp"\nstartup_timeout_sec = 20\n'
        'http_headers = { "X-Team" = "data", "X-Key" = "k-77" }\n'
    )
    assert run("import", "./config.toml").exit_code == 0
    assert settings()["a"] == {
        "url": "https://a.example/mcp",
        "headers": {"X-Team": "data", "X-Key": "${A_X_KEY}"},
        "timeout": 20,
    }
    file = of(b={"url": "https://b.example/mcp", "auth": "oauth"})
    assert run("import", file).exit_code == 0
    assert settings()["b"]["auth"] == "oauth"


def test_a_variable_of_null_is_left_out() -> None:
    assert run("import", of(a={**GOOD, "env": {"A": None, "B": 1}})).exit_code == 0
    assert settings()["a"]["env"] == {"B": "1"}


@pytest.mark.parametrize(
    ("server", "secret"),
    [
        ({"url": "https://a/mcp", "headers": {"X-Me": "Bearer abc"}}, "abc"),
        ({"url": "https://a/mcp", "headers": {"X-Me": "basic dTpw"}}, "dTpw"),
        ({"command": "sh", "args": ["-c", "run --password 'two words'"]}, "two words"),
        ({"command": "sh", "args": ["-c", 'P="two words" run']}, ""),
        ({"command": "sh", "args": ["-c", 'PASSWORD="two words" run']}, "two words"),
        ({"command": "a", "env": {"C": '{"token": "two words"}'}}, "two words"),
        ({"command": "a", "env": {"C": '{\\"token\\": \\"two words\\"}'}}, "two words"),
        ({"command": "curl", "args": ["-u", "me:pw 4 you", "x"]}, ""),
        ({"command": "curl", "args": ["-u", "me:pw4you", "x"]}, "pw4you"),
        ({"command": "sh", "args": ["-c", "curl -u me:pw4you x"]}, "pw4you"),
        ({"command": "a", "args": ["--api-key=abc"]}, "abc"),
        ({"command": "sh", "args": ["-c", "a --api-key=abc b"]}, "abc"),
        ({"command": "a", "args": ["https://me:abc@a/mcp"]}, "abc"),
        ({"url": "https://a/mcp?token=abc"}, "abc"),
    ],
)
def test_no_secret_is_copied(server: Any, secret: str) -> None:
    result = run("import", of(a=server))
    assert result.exit_code == 0, result.stderr
    written = Path("pyproject.toml").read_text("utf-8") + result.stdout + result.stderr
    if secret:
        assert secret not in written
        assert "run `export " in result.stderr


@pytest.mark.parametrize(
    ("server", "options"),
    [
        (  # Cursor
            {"auth": {"CLIENT_ID": "b", "CLIENT_SECRET": "cc", "scopes": ["d", "e"]}},
            {"client-id": "b", "client-secret": "${A_CLIENT_SECRET}", "scopes": "d e"},
        ),
        (
            {"auth": {"CLIENT_ID": "${env:B}", "CLIENT_SECRET": "${env:C}"}},
            {"client-id": "${B}", "client-secret": "${C}"},
        ),
        ({"oauth": {"clientId": "b"}}, {"client-id": "b"}),  # VS Code
        (  # Claude Code
            {"oauth": {"clientId": "b", "callbackPort": 8080}},
            {"client-id": "b", "port": "8080"},
        ),
        (  # Gemini
            {
                "oauth": {
                    "enabled": True,
                    "clientSecret": "cc",
                    "redirectUri": "http://d",
                }
            },
            {"client-secret": "${A_CLIENT_SECRET}", "redirect-uri": "http://d"},
        ),
        ({"auth": "oauth"}, None),
        ({"auth": {}}, None),
    ],
)
def test_a_client_of_oauth_is_taken_over(server: Any, options: Any) -> None:
    server = {"url": "https://a.example/mcp", **server}
    result = run("import", of(a=server))
    assert result.exit_code == 0, result.stderr
    assert settings()["a"]["auth"] == "oauth"
    assert settings()["a"].get("oauth") == options
    assert "cc" not in Path("pyproject.toml").read_text("utf-8") + result.output
    for name in re.findall(r"\$\{(\w+)\}", str(options)):
        assert f"run `export {name}=...`" in result.stderr


@pytest.mark.parametrize(
    "server",
    [
        {"oauth": {"enabled": False, "clientId": "b"}},
        {"headers": {"authorization": "Bearer ${B}"}, "oauth": {"clientId": "b"}},
    ],
)
def test_a_host_that_uses_no_oauth(server: Any) -> None:
    result = run("import", of(a={"url": "https://a.example/mcp", **server}))
    assert result.exit_code == 0, result.stderr
    assert "oauth" not in Path("pyproject.toml").read_text("utf-8")


def test_an_option_of_oauth_that_settings_lack_is_named() -> None:
    oauth = {"clientId": "b", "tokenUrl": "https://c"}
    result = run("import", of(a={"url": "https://a.example/mcp", "oauth": oauth}))
    assert result.exit_code == 1
    assert "a: its OAuth has the option 'tokenUrl', which is left out" in result.stderr
    assert settings()["a"]["oauth"] == {"client-id": "b"}


def test_a_key_with_a_wrong_name_is_named() -> None:
    result = run("import", of(a={"command": "b", "arg": ["c"], "disabledTools": []}))
    assert result.exit_code == 1
    assert "a: it has the key 'arg', which is left out" in result.stderr
    assert "did you mean args?" in result.stderr
    assert "disabledTools" not in result.stderr
    assert settings()["a"] == {"command": ["b"]}


def test_numbers_of_a_user_and_a_group_are_no_login() -> None:
    server = {"command": "docker", "args": ["run", "-u", "1000:1000", "image"]}
    assert run("import", of(a=server)).exit_code == 0
    assert settings()["a"]["command"] == ["docker", "run", "-u", "1000:1000", "image"]


def test_the_search_goes_on_past_files_without_servers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    Path(".mcp.json").write_text("{}")
    project = {"mcpServers": {"time": GOOD}}
    other = {"mcpServers": {"nope": GOOD}}
    projects = {str(Path.cwd()): project, "/elsewhere": other}
    (home / ".claude.json").write_text(json.dumps({"projects": projects}))
    result = run("import")
    assert result.exit_code == 0, result.stderr
    assert [*settings()] == ["time"]
    assert "no servers at " in result.stderr
    assert ".mcp.json" in result.stderr
    (home / ".claude.json").unlink()
    result = run("import")
    assert result.exit_code == 2
    assert "no file of an MCP host has servers; searched " in result.stderr
    assert ".codex/config.toml" in result.stderr


@pytest.mark.parametrize(
    "before",
    [
        '["tool"."mcp-bindgen"]\noutput = "src"\n',
        'tool.mcp-bindgen.output = "src"\n',
        '[tool]\nmcp-bindgen.output = "src"\n',
        "[tool.'mcp-bindgen'.servers.x]\ncommand = ['x']\n",
    ],
)
def test_settings_in_another_form_are_those_of_the_project(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text(before)
    file = str(Path(of(a=GOOD)).absolute())
    (inner := Path("inner")).mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "mcp-bindgen"\n')
    monkeypatch.chdir(inner)
    assert run("import", file).exit_code == 0
    document = tomllib.loads(Path("../pyproject.toml").read_text("utf-8"))
    assert "a" in document["tool"]["mcp-bindgen"]["servers"]
    assert run("list").exit_code == 0


def test_a_comment_stays_with_its_table() -> None:
    after = (
        "# The style of the project\n# in two lines\n[tool.black]\nline-length = 9\n"
    )
    ours = '[tool.mcp-bindgen.servers.x]\ncommand = ["x"]  # [mine]\n# the last\n'
    Path("pyproject.toml").write_text(f"{ours}\n{after}")
    assert run("import", of(a=GOOD)).exit_code == 0
    text = Path("pyproject.toml").read_text("utf-8")
    assert text.startswith(ours)
    assert text.endswith("\n\n" + after)
    assert '\n\n[tool.mcp-bindgen.servers.a]\ncommand = ["uvx"' in text


def test_a_name_for_a_file_and_a_file_for_a_name() -> None:
    ours = '[tool.mcp-bindgen.servers.x]\ncommand = ["no-such-program"]\n'
    Path("pyproject.toml").write_text(ours)
    result = run("record", "x", "-o", "x.json")
    assert result.exit_code == 2
    assert "a server of the settings has this name" in result.stderr
    assert "hint: run mcp-bindgen record --server x" in result.stderr
    Path("recordings").mkdir()
    tool = {"name": "alpha", "inputSchema": {"type": "object"}}
    for file in ("recordings/x.json", "other.json"):
        Path(file).write_text(json.dumps({"tools": [tool]}))
    by_file = run("show", "recordings/x.json")
    assert (by_file.exit_code, by_file.stdout) == (0, run("show", "x").stdout)
    result = run("show", "other.json")
    assert result.exit_code == 2
    assert "expected the name of a server, got a file" in result.stderr
