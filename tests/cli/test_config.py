"""The project's settings, right and wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.cli.config import find, load, parse
from mcp_bindgen.cli.reach import source_of
from mcp_bindgen.errors import BindgenError

from tests.servers.launch import stdio_command

FULL = """
[tool.mcp-bindgen]
output = "src/acme"
targets = ["python", "openai"]

[tool.mcp-bindgen.servers.tracker]
url = "https://tracker.example/mcp"
headers = { Authorization = "Bearer ${TRACKER_TOKEN}" }
exclude = ["debug_*"]

[tool.mcp-bindgen.servers.files]
command = ["npx", "-y", "@acme/files"]
recording = "vendor/files.json"
output = "lib"
name = "acme_files"
targets = ["python"]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "pyproject.toml"
    file.write_text(text)
    return file


def test_servers_take_the_defaults_of_the_project(tmp_path: Path) -> None:
    files, tracker = load(written(tmp_path, FULL))
    assert (files.key, tracker.key) == ("files", "tracker")
    assert tracker.output == tmp_path / "src/acme"
    assert tracker.recording == tmp_path / "recordings/tracker.json"
    assert tracker.targets == ("python", "openai")
    assert tracker.headers == ("Authorization: Bearer ${TRACKER_TOKEN}",)
    assert tracker.exclude == ("debug_*",)
    assert files.command == ("npx", "-y", "@acme/files")
    assert (files.name, files.targets) == ("acme_files", ("python",))
    assert files.output == tmp_path / "lib"
    assert files.recording == tmp_path / "vendor/files.json"


def test_a_time_may_be_a_variable(tmp_path: Path) -> None:
    text = '[tool.mcp-bindgen.servers.a]\nurl = "x"\ntimeout = "${SECONDS:-2.5}"\n'
    file = tmp_path / "pyproject.toml"
    (server,) = parse(text, file, {})
    assert server.timeout == 2.5
    for seconds in ("many", "0", "inf"):
        with pytest.raises(BindgenError, match="timeout: expected a number"):
            parse(text, file, {"SECONDS": seconds})


def test_a_folder_that_is_not_set_concerns_its_server_alone(tmp_path: Path) -> None:
    text = '[tool.mcp-bindgen.servers.a]\ncommand = ["x"]\ncwd = "${AT}/in"\n'
    (server,) = parse(text, tmp_path / "pyproject.toml", {})
    with pytest.raises(BindgenError, match="cwd: the environment variable AT is not"):
        source_of(server).expand({})
    assert source_of(server).expand({"AT": "at"}).program.cwd == tmp_path / "at/in"
    (server,) = parse(text, tmp_path / "pyproject.toml", {"AT": "/at"})
    assert server.cwd == Path("/at/in")


def test_the_nearest_settings_count_from_below(tmp_path: Path) -> None:
    file = written(tmp_path, FULL)
    inner = tmp_path / "src" / "acme"
    inner.mkdir(parents=True)
    (tmp_path / "src" / "pyproject.toml").write_text("[project]\n")
    assert find(inner) == file


def test_no_settings_are_no_error(tmp_path: Path) -> None:
    written(tmp_path, "[project]\n")
    assert find(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[tool.mcp-bindgen]\noutputs = 'x'", "unknown key 'outputs'", "mean output?"),
        ("[tool.mcp-bindgen]\nzzz = 1", "unknown key 'zzz'", "keys are targets"),
        (
            "[tool.mcp-bindgen]\ntargets = 'python'",
            "expected a list of strings, got a string",
            'write targets = ["TEXT"]',
        ),
        (
            "[tool.mcp-bindgen]\ntargets = [1]",
            "expected a list of strings, got a list with 1",
            'write targets = ["TEXT"]',
        ),
        (
            "[tool.mcp-bindgen]\noutput = 3",
            "mcp-bindgen.output: expected a string, got 3",
            'write output = "TEXT"',
        ),
        (
            "[tool.mcp-bindgen]\nservers = 3",
            "servers: expected a table, got 3",
            "write it as a table: [tool.mcp-bindgen.servers]",
        ),
        (
            "[tool.mcp-bindgen.servers]\nx = 1",
            "servers.x: expected a table, got 1",
            "write it as a table: [tool.mcp-bindgen.servers.x]",
        ),
        (
            "[tool.mcp-bindgen.servers.x]\ntimeout = 'y'",
            "x.timeout: expected a number of seconds, got a string",
            "write timeout = 30",
        ),
        ("[tool.mcp-bindgen.servers.x]\nurls = 'y'", "unknown key 'urls'", "mean url?"),
        (
            "[tool.mcp-bindgen.servers.x]\ncommand = 'npx'",
            "x.command: expected a list of strings, got a string",
            'command = ["npx", "-y", "some-server"]',
        ),
        (
            "[tool.mcp-bindgen.servers.x]\ncommand = ['npx']\nargs = ['-y']",
            "unknown key 'args'",
            "write one list of both",
        ),
        (
            "[tool.mcp-bindgen.servers.x]\nurl = 'y'\ncommand = ['z']",
            "a url and a command",
            "remove one",
        ),
        (
            "[tool.mcp-bindgen.servers.x]\nheaders = {A = 1}",
            "headers.A: expected a string, got 1",
            'write A = "TEXT"',
        ),
        (
            "[tool.mcp-bindgen.servers.x]\nera = 'old'",
            "x.era: 'old' is unknown",
            "legacy, m",
        ),
        (
            "[tool.mcp-bindgen.servers.x]\nurl = 'y'\nenv = {A = 'b'}",
            "x.env has no effect on a url",
            "remove it",
        ),
        (
            "[tool.mcp-bindgen.servers.x]\ncommand = ['y']\nheaders = {A = 'b'}",
            "x.headers has no effect on a command",
            "remove it",
        ),
        ("[tool.mcp-bindgen\n", "pyproject.toml", ""),
        ("tool = 1 # [tool.mcp-bindgen]", "tool: expected a table, got 1", ""),
        (
            "[tool]\nmcp-bindgen = 1 # [tool.mcp-bindgen]",
            "mcp-bindgen: expected a table",
            "",
        ),
        (f"# [tool.mcp-bindgen]\na = {'[' * 5_000}", "pyproject.toml: ", ""),
        (f"# [tool.mcp-bindgen]\na = {'9' * 9_999}", "pyproject.toml: ", ""),
        (
            '[tool.mcp-bindgen.servers.x]\nrecording = "a\\u0000b"',
            "recording holds a null character",
            "no file, program",
        ),
        ('[tool.mcp-bindgen.servers.x]\ncommand = ["\\u0000"]', "command holds", ""),
    ],
)
def test_what_is_wrong_is_reported(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    with pytest.raises(BindgenError) as caught:
        load(written(tmp_path, text))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert hint in problem.hint
    assert problem.hint


def test_a_format_that_is_a_list_is_left_to_the_reader_of_styles(
    tmp_path: Path,
) -> None:
    assert load(written(tmp_path, "[tool.mcp-bindgen]\nformat = [1]")) == ()


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    text = (
        "[tool.mcp-bindgen.servers.x]\nurls = 'y'\n[tool.mcp-bindgen.servers.y]\nfoo=1"
    )
    with pytest.raises(BindgenError) as caught:
        load(written(tmp_path, text))
    assert len(caught.value.problems) == 2


def test_the_faults_of_one_server_hide_those_of_no_other(tmp_path: Path) -> None:
    text = """
[tool.mcp-bindgen]
htttp = "x"
[tool.mcp-bindgen.servers.a]
name = "json"
era = "old"
http = "curl"
[tool.mcp-bindgen.servers.class]
url = "x"
command = ["y"]
"""
    with pytest.raises(BindgenError) as caught:
        load(written(tmp_path, text))
    messages = [problem.message.partition(": ")[2] for problem in caught.value.problems]
    in_a = "a package with the name json would hide the module json"
    in_class = "expected a name that Python can import, got 'class'"
    assert messages == [
        "tool.mcp-bindgen has an unknown key 'htttp'",
        "tool.mcp-bindgen.servers.a.era: 'old' is unknown",
        "tool.mcp-bindgen.servers.a.http: 'curl' is unknown",
        f"tool.mcp-bindgen.servers.a: {in_a}",
        f"tool.mcp-bindgen.servers.class: {in_class}",
        "tool.mcp-bindgen.servers.class has a url and a command",
    ]


def test_the_path_of_a_target_is_relative_to_the_settings(tmp_path: Path) -> None:
    text = "[tool.mcp-bindgen.servers.x]\ntargets = ['python', './mine']"
    (server,) = load(written(tmp_path, text))
    assert server.targets == ("python", str(tmp_path / "mine"))


SERVER = stdio_command("todo")
PROJECT = f"""
[tool.mcp-bindgen]
output = "src"
targets = ["python"]
[tool.mcp-bindgen.servers.todo]
command = {json.dumps(SERVER)}
env = {{ TODO_DATABASE_URL = "sqlite://" }}
exclude = ["delete_*"]
"""


def test_a_project_is_recorded_and_generated_without_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, PROJECT)
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert run(app, ["record"]).exit_code == 0
    assert run(app, ["generate"]).exit_code == 0
    assert run(app, ["generate", "--check"]).exit_code == 0
    names = {file.stem for file in Path("src/todo/tools").glob("*.py")}
    assert names == {
        "__init__",
        "add_task",
        "complete_task",
        "list_tasks",
        "update_task",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generate"], "nothing to generate"),
        (["generate", "-o", "x"], "expected a FILE: without one, pyproject"),
        (["generate", "recording.json"], "expected -o FOLDER"),
        (["record"], "no server to record"),
        (["record", "--server", "zzz"], "no server 'zzz' in the settings"),
        (["record", "-o", "x"], "expected either URL, or COMMAND"),
    ],
)
def test_without_settings_the_commands_say_what_they_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert not list(tmp_path.iterdir())
