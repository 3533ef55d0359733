"""The settings file: `add`, `import`, `init` and `remove` change it, or nothing."""

from __future__ import annotations

import json
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tomlkit
from mcp_bindgen.cli import settings_file
from mcp_bindgen.errors import BindgenError, Problem

from tests.cli.host_files import host_file
from tests.commands import ALPHA, SCRIPTED, run

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

pytestmark = pytest.mark.usefixtures("project")

FILE = Path("pyproject.toml")
ONE = '[tool.mcp-bindgen.servers.a]\ncommand = ["a"]\n'
HOST = {"mcpServers": {"b": {"command": "b"}}}
TABLE = {"command": ["b"]}


def test_line_ends_of_windows_stay() -> None:
    hooks = Path(".pre-commit-config.yaml")
    hooks.write_bytes(b"repos:\r\n  - repo: local\r\n    hooks: []\r\n")
    FILE.write_bytes(b'[project]\r\nname = "x"\r\n')
    for words in (["init"], ["import", host_file(HOST)], ["remove", "b", "--yes"]):
        result = run(*words)
        assert result.exit_code == 0, result.stderr
        for file in (FILE, hooks):
            data = file.read_bytes()
            assert data.count(b"\n") == data.count(b"\r\n") > 2, (words, data)
    assert b"id: mcp-bindgen" in hooks.read_bytes()


def test_a_file_with_two_line_ends_keeps_both() -> None:
    text = 'a = """x\ny"""\r\n'
    assert settings_file.with_server(text, "b", TABLE).startswith(text)


def test_a_number_that_is_none_stops_no_change() -> None:
    text = f"[tool.other]\nlevel = nan\nday = 1979-05-27\n\n{ONE}"
    made = settings_file.with_server(text, "b", TABLE)
    assert made.startswith(text)
    assert settings_file.without_server(made, "b") == text


def _generated() -> list[Path]:
    Path("recordings").mkdir()
    recording = Path("recordings/a.json")
    recording.write_text(json.dumps({"tools": [ALPHA]}))
    assert run("generate").exit_code == 0
    return [recording, *Path("generated/a").rglob("*.py")]


def test_a_removal_that_the_settings_refuse_removes_nothing() -> None:
    before = f"{DOTTED}servers.a.timeout = 3\n"
    FILE.write_text(before)
    files = _generated()
    result = run("remove", "a", "--yes")
    assert result.exit_code == 2
    assert "hint: write it as [tool.mcp-bindgen.servers.a]" in result.stderr
    assert FILE.read_text() == before
    assert all(file.is_file() for file in files)


def test_a_removal_that_the_system_refuses_leaves_the_settings() -> None:
    FILE.write_text(ONE)
    _generated()
    Path("generated/a/manifest.json").write_text("{")
    result = run("remove", "a", "--yes")
    assert result.exit_code == 2, result.stderr
    assert FILE.read_text() == ONE


IN_PIECES = '[tool.ruff]\nx = 1\n[project]\nname = "x"\n[tool.black]\ny = 1\n'
DOTTED = '[tool.mcp-bindgen]\nservers.a.command = ["a"]\n'
INLINE = '[tool.mcp-bindgen]\nservers = { a = { command = ["a"] } }\n'


@pytest.mark.parametrize("text", [IN_PIECES, DOTTED, f"{IN_PIECES}{ONE}", ONE])
def test_a_server_is_added_to_each_form_of_tables(text: str) -> None:
    made = settings_file.with_server(text, "b", TABLE)
    assert settings_file.servers_in(made) == {
        **settings_file.servers_in(text),
        "b": TABLE,
    }
    assert tomllib.loads(settings_file.without_server(made, "b")) == tomllib.loads(text)


def test_an_inline_table_is_refused_with_the_right_form() -> None:
    with pytest.raises(BindgenError) as refused:
        settings_file.with_server(INLINE, "b", TABLE)
    assert refused.value.problems[0].hint == "write it as [tool.mcp-bindgen.servers.b]"
    assert settings_file.servers_in(settings_file.without_server(INLINE, "a")) == {}


def test_a_comment_stays_with_the_table_below_it() -> None:
    after = '# of c\n[tool.mcp-bindgen.servers.c]\ncommand = ["c"]\n'
    assert settings_file.without_server(f"{ONE}\n{after}", "a").lstrip() == after


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n", "\r\n\r\n", "\n# end"])
def test_the_end_of_the_file_stays(end: str) -> None:
    line = "\r\n" if "\r" in end else "\n"
    text = f"{ONE}\n[tool.z]\nx = 1".replace("\n", line) + end
    made = settings_file.with_server(text, "b", TABLE)
    assert settings_file.without_server(made, "b") == text


def test_a_file_that_is_not_utf_8_is_an_error() -> None:
    FILE.write_bytes(b"[tool.mcp-bindgen] # \xff")
    for words in (["init"], ["list"]):
        result = run(*words)
        assert (result.exit_code, "it is not UTF-8" in result.stderr) == (2, True)


def test_changes_at_once_are_all_there() -> None:
    start = threading.Barrier(8)

    def change(number: int) -> None:
        start.wait()
        name = f"s{number}"
        settings_file.update(
            FILE, lambda text: settings_file.with_server(text, name, TABLE)
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(change, range(8)))
    assert len(settings_file.servers_in(FILE.read_text())) == 8


def _meanwhile(
    monkeypatch: pytest.MonkeyPatch, module: object, step: str, name: str
) -> None:
    """Let another command add a server before a step."""
    real = getattr(module, step)

    def other(*arguments: object, **options: object) -> object:
        text = FILE.read_text() if FILE.exists() else ""
        FILE.write_text(settings_file.with_server(text, name, TABLE))
        return real(*arguments, **options)

    monkeypatch.setattr(module, step, other)


def test_what_another_command_adds_meanwhile_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adding = import_module("mcp_bindgen.cli.add")
    _meanwhile(monkeypatch, adding, "_record", "other")
    assert run("add", "demo", "--", *SCRIPTED, "pages").exit_code == 0
    importing = import_module("mcp_bindgen.cli.import_servers")
    _meanwhile(monkeypatch, importing, "_agreed", "b")
    assert run("import", host_file({"mcpServers": {"b": {"command": "x"}}}))
    servers = settings_file.servers_in(FILE.read_text())
    assert sorted(servers) == ["b", "demo", "other"]
    assert servers["b"] == TABLE


def test_a_name_that_another_command_takes_meanwhile_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adding = import_module("mcp_bindgen.cli.add")
    _meanwhile(monkeypatch, adding, "_record", "demo")
    result = run("add", "demo", "--", *SCRIPTED, "pages")
    assert (result.exit_code, "another server demo" in result.stderr) == (2, True)
    assert settings_file.servers_in(FILE.read_text()) == {"demo": TABLE}
    assert Path("recordings/demo.json").exists()  # it may be that of the other command


def test_a_server_that_the_system_refuses_leaves_no_recording(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adding = import_module("mcp_bindgen.cli.add")
    real = adding._record

    def recorded(*arguments: object) -> object:
        FILE.unlink(missing_ok=True)
        FILE.mkdir()
        return real(*arguments)

    monkeypatch.setattr(adding, "_record", recorded)
    result = run("add", "demo", "--", *SCRIPTED, "pages")
    assert (result.exit_code, "directory" in result.stderr) == (2, True)
    assert not Path("recordings/demo.json").exists()


@pytest.mark.parametrize("name", ["", "other"])
def test_a_removal_that_fails_takes_back_its_own_change_alone(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    FILE.write_text(ONE)
    _generated()

    def refuse(*_: object) -> None:
        if name:
            text = settings_file.with_server(FILE.read_text(), name, TABLE)
            FILE.write_text(text)
        raise BindgenError(Problem("", "no"))

    monkeypatch.setattr("mcp_bindgen.write.remove.remove", refuse)
    assert run("remove", "a").exit_code == 2
    assert {*settings_file.servers_in(FILE.read_text())} == {"a", *filter(None, [name])}


def test_a_byte_order_mark_is_named() -> None:
    FILE.write_bytes(b"\xef\xbb\xbf[project]\nname = 'x'\n[tool.mcp-bindgen]\n")
    for words in (["init"], ["list"]):
        result = run(*words)
        assert (result.exit_code, "UTF-8 without a byte" in result.stderr) == (2, True)


def test_many_servers_are_added_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    usual = tomlkit.parse

    def parse(text: str) -> TOMLDocument:
        texts.append(text)
        return usual(text)

    monkeypatch.setattr("mcp_bindgen.cli.toml_changes.tomlkit.parse", parse)
    text = "[tool.mcp-bindgen.servers.a]\nurl = 'https://a'\n\n[tool.black]\n"
    made = settings_file.with_servers(text, {f"b{n}": TABLE for n in range(30)})
    assert [*settings_file.servers_in(made)] == ["a", *(f"b{n}" for n in range(30))]
    assert len(texts) == 2
