"""A client of the server that a file or the environment names; `ping`; `timeouts`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.client.config_file import from_configuration
from mcp_bindgen.runtime.client.environment import from_environment
from mcp_bindgen.runtime.errors import ConfigError, DeadlineError

from tests.servers.launch import CATALOG_TOKEN, stdio_command

if TYPE_CHECKING:
    from pathlib import Path

CATALOG = stdio_command("catalog")
SETTINGS = """
[tool.mcp-bindgen.servers.my-shop]
url = "https://${HOST}/mcp"
headers = { Authorization = "Bearer ${TOKEN:-none}" }
timeout = 5
era = "modern"
[tool.mcp-bindgen.servers.files]
command = ["npx", "${PACKAGE}"]
env = { KEY = "${env:TOKEN}" }
cwd = "inner"
package = "acme_files"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOST", "a.example")
    monkeypatch.setenv("PACKAGE", "@acme/files")
    monkeypatch.delenv("TOKEN", raising=False)
    return tmp_path


def test_settings_of_a_project_are_read(folder: Path) -> None:
    file = folder / "pyproject.toml"
    file.write_text(SETTINGS, "utf-8")
    shop = {
        "url": "https://a.example/mcp",
        "headers": {"Authorization": "Bearer none"},
        "timeout": 5,
        "era": "modern",
    }
    assert from_configuration(file, "my_shop", None) == shop
    assert from_configuration(None, "other", "my-shop") == shop
    with pytest.raises(ConfigError, match="variable TOKEN is not set"):
        from_configuration(None, "acme_files", None)


def test_files_of_hosts_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t")
    (folder / "pyproject.toml").write_text("[project]\n", "utf-8")
    table = {"command": "npx", "args": ["-y", "${PACKAGE}"], "env": {"K": "${TOKEN}"}}
    document = {"mcpServers": {"files": {**table, "cwd": "in"}}}
    (folder / ".mcp.json").write_text(json.dumps(document), "utf-8")
    inner = folder / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert from_configuration(None, "files", None) == {
        "command": ["npx", "-y", "@acme/files"],
        "env": {"K": "t"},
        "cwd": folder / "in",
    }
    assert from_configuration({"files": {"url": "x"}}, "files", None)["url"] == "x"
    assert from_configuration({"servers": {"b": {"url": "x"}}}, "a", "b")["url"] == "x"


def test_a_file_of_an_editor_has_comments_and_a_file_of_variables(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST", "own")
    (folder / ".env").write_text(
        '\ufeff# KEY=1\nexport KEY = \'a "b"\'\nLINES="one\\ntwo\nLATE=3"\n'
        "WORD=x#y # why\nEMPTY=\nOWN=1\n",
        "utf-8",
    )
    file = folder / ".vscode" / "mcp.json"
    file.parent.mkdir()
    file.write_text(
        '\ufeff{"servers": {"a": { // mine\n"command": "./s", "args": ["//no"],'
        ' "env": {"OWN": "${HOST}"}, "timeout": 20000,'
        ' "envFile": "${workspaceFolder}/.env", /* */ }, }}',
        "utf-8",
    )
    assert from_configuration(file, "a", None) == {
        "command": ["./s", "//no"],
        "env": {
            "KEY": 'a "b"',
            "LINES": "one\ntwo\nLATE=3",
            "WORD": "x#y",
            "EMPTY": "",
            "OWN": "own",
        },
        "cwd": folder,
        "timeout": 20,
    }


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (None, "${B:-}", ""),
        ("", "${B}", ""),
        ("", "${B:-c}", "c"),
        ("d", "${env:B:-c}/${B}", "d/d"),
        ("${C}", "$${B}", "$${C}"),  # a value is no text with variables
        ("d", "a${pathSeparator}$B", "a/$B"),
    ],
)
def test_a_variable_may_be_empty_and_have_a_default(
    monkeypatch: pytest.MonkeyPatch, value: str | None, text: str, expected: str
) -> None:
    monkeypatch.delenv("B", raising=False)
    if value is not None:
        monkeypatch.setenv("B", value)
    servers = {"a": {"command": "x", "env": {"KEY": text}}}
    assert from_configuration(servers, "a", None)["env"] == {"KEY": expected}


def test_an_empty_list_of_servers_is_no_server() -> None:
    with pytest.raises(ConfigError) as raised:
        from_configuration({"mcpServers": {}}, "a", None)
    assert raised.value.hint == "pass name=, one of: none"


@pytest.mark.parametrize("text", ["${A:-${B}}", "${A:-{}}", "${ B }", "${B", "${}"])
def test_what_looks_like_a_variable_is_one(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("B", "secret")
    servers = {"a": {"command": "x", "env": {"KEY": text}}}
    with pytest.raises(ConfigError, match="expected a name and } after"):
        from_configuration(servers, "a", None)


@pytest.mark.parametrize(
    "table",
    [
        {"auth": {"CLIENT_ID": "b", "CLIENT_SECRET": "${C}", "scopes": ["d", "e"]}},
        {"oauth": {"clientId": "b", "clientSecret": "${C}", "scope": "d e"}},
        {
            "auth": "oauth",
            "oauth": {"client-id": "b", "client-secret": "${C}", "scopes": "d e"},
        },
    ],
)
def test_a_client_of_oauth_is_read_in_each_form(
    monkeypatch: pytest.MonkeyPatch, table: dict[str, Any]
) -> None:
    monkeypatch.setenv("C", "cc")
    servers = {"a": {"url": "https://a.example/mcp", **table}}
    auth = from_configuration(servers, "a", None)["auth"]
    settings = auth._settings
    assert (settings.client_id, settings.client_secret) == ("b", "cc")
    assert [*settings.scopes] == ["d", "e"]


def test_oauth_that_a_host_does_not_use_is_no_oauth() -> None:
    table = {"url": "https://a.example/mcp", "oauth": {"enabled": False}}
    assert "auth" not in from_configuration({"a": table}, "a", None)
    table = {"url": "https://a.example/mcp", "oauth": {"tokenUrl": "https://b"}}
    with pytest.raises(ConfigError, match="oauth has no tokenUrl"):
        from_configuration({"a": table}, "a", None)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{", "expected JSON, got another text\nhint: correct the file"),
        ("a.toml", "[", "expected TOML, got another text\nhint: correct the file"),
        ("a.json", "{}", "names no server"),
        ("a.json", '{"servers": {"b": {}}}', "has no server a"),
        ("a.json", '{"servers": {"a": {}}}', "expected a url or a command"),
        ("a.json", '{"servers": {"a": {"url": 1}}}', "url: expected a text"),
        ("a.json", '{"servers": {"a": {"command": ["x", 1]}}}', "command: expected a"),
        ("a.json", '{"servers": {"a": {"url": "x", "timeout": 0}}}', "timeout"),
        ("a.json", '{"servers": {"a": {"url": "${input:b}"}}}', "only its editor"),
        (
            "a.json",
            '{"servers": {"a": {"command": "x", "envFile": "no.env"}}}',
            "envFile: .*No such file",
        ),
    ],
)
def test_mistakes_are_reported(
    folder: Path, name: str, text: str, message: str
) -> None:
    file = folder / name
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=message):
        from_configuration(file, "a", None)


def test_a_missing_file_is_reported(folder: Path) -> None:
    with pytest.raises(
        ConfigError, match="No such file or directory\nhint: name a readable"
    ):
        from_configuration(folder / "no.json", "a", None)
    with pytest.raises(ConfigError, match="no configuration file names a server"):
        from_configuration(None, "a", None)


def test_a_client_of_a_file_works_and_answers_a_ping(
    monkeypatch: pytest.MonkeyPatch, catalog_url: str
) -> None:
    monkeypatch.setenv("TOKEN", CATALOG_TOKEN)
    headers = {"Authorization": "Bearer ${TOKEN}"}
    servers: dict[str, Any] = {
        "modern": {"url": catalog_url, "headers": headers},
        "old": {"command": CATALOG, "era": "legacy"},
    }
    for name in servers:
        with BaseClient.from_config(servers, name, timeout=30) as client:
            assert client.ping() > 0
            assert len(client.list_tools()) == 6


@pytest.mark.anyio
async def test_an_async_client_answers_a_ping() -> None:
    async with AsyncBaseClient.from_config({"a": {"command": CATALOG}}, "a") as client:
        assert await client.ping() > 0


def test_one_tool_has_a_time_of_its_own() -> None:
    with BaseClient.stdio(CATALOG) as client:
        quick = client.with_options(timeouts={"search_metadata": 1e-9})
        arguments = {"entity_type": "table", "fqn": "none"}
        assert quick.call_tool("get_entity_details", arguments).is_error
        with pytest.raises(DeadlineError):
            quick.call_tool("search_metadata", {"query": "sales"})
        with pytest.raises(ConfigError):
            client.with_options(timeouts={"search_metadata": -1})
        with pytest.raises(ConfigError, match="timeout: expected more than 0"):
            BaseClient.stdio(CATALOG, timeouts={"search_metadata": 0})
    named = {"a": {"command": CATALOG}}
    slow = BaseClient.from_config(named, "a", timeouts={"search_metadata": 1e-9})
    with slow, pytest.raises(DeadlineError):
        slow.call_tool("search_metadata", {"query": "x"})


@pytest.mark.parametrize(("text", "seconds"), [("5", 5.0), ("300", 300.0)])
def test_the_environment_has_a_time(
    monkeypatch: pytest.MonkeyPatch, text: str, seconds: float
) -> None:
    monkeypatch.setenv("A_MCP_COMMAND", "x")
    monkeypatch.setenv("A_MCP_TIMEOUT", text)
    assert from_environment("a") == {"command": ["x"], "timeout": seconds}
    for wrong in ("0", "301", "soon", "nan"):
        monkeypatch.setenv("A_MCP_TIMEOUT", wrong)
        with pytest.raises(ConfigError, match="from 1 to 300"):
            from_environment("a")


@pytest.mark.parametrize("era", ["bad", "moderne", "20251125", "-"])
def test_an_unknown_era_is_no_version_of_the_protocol(era: str) -> None:
    """The server was asked in the later era, and its error named no era."""
    with pytest.raises(ConfigError, match="era: expected legacy, modern or"):
        BaseClient.stdio(CATALOG, era=era)
    BaseClient.stdio(CATALOG, era="2025-06-18").close()


def test_a_time_and_an_era_may_be_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"url": "https://a/mcp", "timeout": "${SECONDS:-5}", "era": "${ERA}"}
    monkeypatch.setenv("ERA", "legacy")
    arguments = from_configuration({"a": table}, "a", None)
    assert (arguments["timeout"], arguments["era"]) == (5, "legacy")
    for seconds in ("many", "0", "nan"):
        monkeypatch.setenv("SECONDS", seconds)
        with pytest.raises(ConfigError, match="timeout: expected more than 0"):
            from_configuration({"a": table}, "a", None)
