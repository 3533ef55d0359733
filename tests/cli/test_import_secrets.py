"""`mcp-bindgen import`: every form of a secret stays in the file of the host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.host_files import host_file, settings
from tests.commands import SCRIPTED, run

pytestmark = pytest.mark.usefixtures("project")


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
            f"https://x/mcp?a=1&client_secret={SHORT}",
        )
    ),
    {"url": "https://x/mcp", "auth": {"CLIENT_ID": "a", "CLIENT_SECRET": SHORT}},
    {"url": "https://x/mcp", "auth": SHORT, "transport": "http"},
    {"serverUrl": f"https://x/sse?token={SHORT}", "type": "sse"},
    {"command": "x", "env": {"OPTIONS": f"--password {SHORT}"}},
    {"command": "x", "env": {"CONFIG": f'{{"secret":"{SHORT}"}}'}},
    {"command": "x", "env": {"URL": f"https://x/mcp?token={SHORT}"}},
]


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_short_secrets_under_telling_names_are_never_copied(key: str) -> None:
    servers = {f"s{n}": server for n, server in enumerate(PLANTED)}
    result = run("import", host_file({key: servers}), "--verbose")
    assert result.exit_code == 0, result.stderr
    leaks = [name for name, table in settings().items() if SHORT in str(table)]
    assert [servers[name] for name in leaks] == []
    assert len(settings()) == len(servers)
    for text in (result.stdout, result.stderr, Path("pyproject.toml").read_text()):
        assert SHORT not in text


def test_names_of_options_stay() -> None:
    words = ["--aws-secret-access-key", "S3cr3t", "--disable-secret-manager-feature"]
    run("import", host_file({"mcpServers": {"a": {"command": "b", "args": words}}}))
    first, secret, last = settings()["a"]["command"][1:]
    assert (first, last) == (words[0], words[2])
    assert secret == "${A_AWS_SECRET_ACCESS_KEY}"


def test_words_that_are_no_secrets_stay() -> None:
    plain = {
        "command": "docker",
        "args": ["run", "-i", "--rm", "-e", "REGION=eu", "--port=80", "mcp/files:1.2"],
        "env": {"LOG_LEVEL": "debug", "HOME_URL": "https://x.example/a?team=b"},
    }
    run("import", host_file({"mcpServers": {"files": plain}}))
    table = settings()["files"]
    assert table["command"] == ["docker", *plain["args"]]
    assert table["env"] == plain["env"]


def test_no_value_of_an_option_is_in_the_name_of_a_variable() -> None:
    command = ["-y", "srv", "--api-key=Zx9secretvalue", "/data/dir"]
    host_file({"mcpServers": {"db": {"command": "npx", "args": command}}})
    result = run("import", ".mcp.json")
    assert settings()["db"]["command"][-2:] == ["--api-key=${DB_API_KEY}", "/data/dir"]
    assert "zx9" not in (result.stdout + result.stderr).lower()


@pytest.mark.parametrize("gap", ["", " "])
def test_the_scheme_of_a_header_of_a_program_stays(gap: str) -> None:
    key = "Zx8vQ2Lw3Vb9Nm2Kp5Rt7"
    for secret in ("s3", key):
        for words in (["--header", ""], ["--header="]):
            words[-1] += f"Authorization:{gap}Bearer {secret}"
            servers = {"a": {"command": "npx", "args": ["mcp-remote", *words]}}
            run("import", host_file({"mcpServers": servers}))
            end = settings()["a"]["command"][-1].removeprefix("--header=")
            assert end == f"Authorization:{gap}Bearer ${{A_TOKEN}}"
            run("remove", "a", "--yes")
