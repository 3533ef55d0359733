"""`init`, `add`, `show` and `remove`: a server comes into a project, and leaves it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ALPHA, SCRIPTED, run

HOOKS = (
    "repos:\n  - repo: https://example.com/x\n    rev: v1\n    hooks: []\n\nci: {}\n"
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("pyproject.toml").write_text('# ours\n[project]\nname = "x"  # a name\n')
    return tmp_path


def settings() -> str:
    return Path("pyproject.toml").read_text("utf-8")


def recorded(name: str, *tools: object) -> None:
    Path("recordings").mkdir(exist_ok=True)
    Path(f"recordings/{name}.json").write_text(json.dumps({"tools": [*tools]}))
    Path("pyproject.toml").write_text(f"[tool.mcp-bindgen.servers.{name}]\n")


def test_init_writes_the_section_the_folders_and_the_hook_once() -> None:
    Path("src").mkdir()
    Path(".pre-commit-config.yaml").write_text(HOOKS)
    first = run("init", "--format", "json")
    assert json.loads(first.stdout)["folders"] == ["recordings"]
    assert settings().startswith('# ours\n[project]\nname = "x"  # a name\n')
    assert '[tool.mcp-bindgen]\noutput = "src"\n' in settings()
    hooks = Path(".pre-commit-config.yaml").read_text()
    assert hooks.index("id: mcp-bindgen") < hooks.index("ci: {}")
    again = run("init")
    assert again.exit_code == 0
    assert "has everything already" in again.stderr
    assert Path(".pre-commit-config.yaml").read_text() == hooks


def test_a_file_of_hooks_in_another_form_stays() -> None:
    Path(".pre-commit-config.yaml").write_text("{repos: []}\n")
    assert "add a hook" in run("init").stderr
    assert Path(".pre-commit-config.yaml").read_text() == "{repos: []}\n"


def test_a_server_is_added_runs_and_is_removed_without_its_neighbours() -> None:
    before = settings()
    added = run("add", "demo", "--env", "DEMO_KEY=k3y", "--", *SCRIPTED, "pages")
    assert added.exit_code == 0, added.stderr
    assert "k3y" not in settings()
    assert 'DEMO_KEY = "${DEMO_KEY}"' in settings()
    assert "export DEMO_KEY" in added.stderr
    program = [sys.executable, "-c", added.stdout]
    environment = {"PYTHONPATH": "generated", "DEMO_KEY": "k3y"}
    output = subprocess.check_output(program, env=environment, text=True)
    assert output.split() == ["pong", "ping"]
    foreign = Path("generated/demo/notes.txt")
    foreign.write_text("mine")
    removed = run("remove", "demo")
    assert removed.exit_code == 0, removed.stderr
    assert [*Path("generated").rglob("*.*")] == [foreign]
    assert not Path("recordings/demo.json").exists()
    assert settings() == before


@pytest.mark.parametrize("other", ["demo.py", "demo/__init__.py", ""])
def test_a_module_that_hides_the_package_is_named(other: str) -> None:
    if other:
        Path(other).parent.mkdir(exist_ok=True)
        Path(other).write_text("")
    stderr = run("add", "demo", "--", *SCRIPTED, "pages").stderr
    assert ("hides the package" in stderr) == bool(other)
    assert (f"{other.partition('/')[0]} hides" in stderr) == bool(other)


def test_a_package_in_this_folder_hides_nothing() -> None:
    Path("pyproject.toml").write_text('[tool.mcp-bindgen]\noutput = "."\n')
    added = run("add", "demo", "--", *SCRIPTED, "pages")
    assert Path("demo/client.py").exists()
    assert "hides" not in added.stderr


def test_an_edited_file_stays_when_its_server_is_removed() -> None:
    recorded("demo", ALPHA)
    run("generate")
    edited = Path("generated/demo/tools/alpha.py")
    edited.write_text("# mine\n")
    result = run("remove", "demo", "--yes")
    assert result.exit_code == 1
    assert edited.read_text() == "# mine\n"
    assert Path("recordings/demo.json").exists(), "nobody can record it again"


def test_a_problem_of_a_recording_has_one_line() -> None:
    added = run("add", "demo", "--", *SCRIPTED, "bad-tools")
    assert added.exit_code == 1
    assert added.stderr.count("inputSchema: expected an object, got nothing") == 1
    again = run("sync", "demo").stderr
    assert again.count("inputSchema: expected an object, got nothing") == 1


def test_a_server_that_fails_is_not_added() -> None:
    before = settings()
    result = run(
        "add", "demo", "--url", "http://127.0.0.1:9/mcp", "--auth", "s3cretish"
    )
    assert result.exit_code == 2
    assert "nothing was added" in result.stderr
    assert settings() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "demo"], "either --url URL or -- COMMAND"),
        (["add", "demo", "--header", "A: b", "--", "x"], "expected --url"),
        (["add", "demo", "--url", "https://x", "--env", "A"], "a COMMAND with --env"),
        (["add", "demo", "--url", "https://x", "--header", "s3cret"], "NAME: VALUE"),
        (["remove", "demo"], "add one with mcp-bindgen add"),
        (["show", "demo"], "add one with mcp-bindgen add"),
    ],
)
def test_wrong_words_say_what_is_expected(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "s3cret" not in result.output + Path("pyproject.toml").read_text("utf-8")


def test_another_server_of_the_same_name_is_not_replaced() -> None:
    recorded("demo", ALPHA)
    result = run("add", "demo", "--url", "https://example.com/mcp")
    assert result.exit_code == 2
    assert "mcp-bindgen remove demo" in result.stderr


SEARCH = {
    "name": "search",
    "description": "Find entities. Slowly.",
    "annotations": {"readOnlyHint": True},
    "inputSchema": {
        "type": "object",
        "properties": {
            "owner": {"type": "object", "properties": {"id": {"type": "string"}}},
            "kind": {"enum": ["a", "b", "c", "d", "e"], "description": "The kind."},
            "size": {"type": "integer"},
        },
        "required": ["kind", "owner"],
    },
}


def test_show_lists_tools_and_shows_one() -> None:
    recorded("demo", SEARCH, ALPHA)
    listed = run("show", "demo").stdout.splitlines()
    kind = 'Literal["a", "b", "c", "d", ...]'
    line = f"search(owner: Owner, kind: {kind}, ...1) -> ToolResult  # Find entities."
    assert listed[1] == line
    assert "size: int | MISSING" not in run("show", "demo").stdout
    for words in (["--all"], ["search", "--all"]):
        assert "size: int = MISSING" in run("show", "demo", *words).stdout
    page = run("show", "demo", "search").stdout
    assert 'client.search(owner=Owner(), kind="a")' in page
    assert "mcp-bindgen call demo search kind=a owner:='{}'" in page
    assert "read-only" in page
    facts = json.loads(run("show", "demo", "search", "--format", "json").stdout)
    assert [p["name"] for p in facts["parameters"]] == ["owner", "kind", "size"]


def test_show_suggests_a_tool_and_runs_no_other() -> None:
    recorded("demo", SEARCH)
    result = run("show", "demo", "serch")
    assert result.exit_code == 2
    assert "did you mean search?" in result.stderr


def test_texts_of_the_server_reach_the_terminal_without_control_characters() -> None:
    wicked = {**SEARCH, "description": "x\x1b[31m\u202ey. z"}
    recorded("demo", wicked)
    for arguments in (["show", "demo"], ["show", "demo", "search"]):
        output = run(*arguments).stdout
        assert "\x1b" not in output
        assert "\u202e" not in output


@pytest.mark.parametrize("name", ["a", "日本語", "é", "e\u0301"])
def test_the_columns_of_a_list_stand_below_each_other(name: str) -> None:
    table = f'[tool.mcp-bindgen.servers."{name}"]\nurl = "https://a.example/mcp"\n'
    facts = 'package = "a"\nrecording = "a.json"\n'
    Path("pyproject.toml").write_text(table + facts, "utf-8")
    header, row = run("list").stdout.splitlines()
    columns = {"a": 1, "日本語": 6, "é": 1, "e\u0301": 1}[name]
    before = len(row.partition("http")[0]) - len(name) + columns
    assert before == header.index("transport")


def test_two_servers_with_one_package_are_refused() -> None:
    table = '[tool.mcp-bindgen.servers.{}]\nurl = "https://a.example/mcp"\n'
    text = table.format("a") + table.format("b") + 'package = "a"\n'
    Path("pyproject.toml").write_text(text, "utf-8")
    refused = run("sync")
    assert refused.exit_code == 2
    assert "servers.a] and [tool.mcp-bindgen.servers.b] would both" in refused.stderr
    assert "write package = NAME in one of them" in refused.stderr
