"""The command line: what is printed where, every exit code, no secret, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen.cli import app

from tests.servers.launch import CATALOG_TOKEN, serve_http

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.intake import JSON

PROGRAM = [sys.executable, "-c", "from mcp_bindgen.cli import main; main()"]
SCRIPTED = [sys.executable, str(Path(__file__).parent / "servers" / "scripted.py")]
ALPHA: JSON = {"name": "alpha", "inputSchema": {"type": "object"}}
BETA: JSON = {"name": "beta", "inputSchema": {"type": "object"}}
BEARER = "Authorization: Bearer ${CATALOG_KEY}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def catalog() -> Iterator[str]:
    with serve_http("catalog") as url:
        yield url


def run(*arguments: str, **environment: str) -> Result:
    result = CliRunner(env=environment).invoke(app, arguments)
    assert "Traceback" not in result.stderr or "--verbose" in arguments
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def recording(path: Path, *tools: JSON) -> str:
    path.write_text(json.dumps({"tools": [*tools]}))
    return str(path)


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def last(result: Result) -> str:
    return result.stderr.splitlines()[-1]


# The program itself


def test_help_shows_the_commands_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from mcp_bindgen.cli import app; app(['--help'], "
        "standalone_mode=False); print(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    shown, _, modules = ran.stdout.rstrip().rpartition("\n")
    assert all(name in shown for name in ("record", "generate", "wheel", "Exit codes"))
    heavy = {"httpx", "pydantic", "jinja2", "packaging", "anyio", "asyncio"}
    assert not heavy & set(modules.split())


@pytest.mark.parametrize("command", ["record", "generate", "wheel"])
def test_each_command_has_help_with_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Example: mcp-bindgen {command}" in result.stdout


def test_version() -> None:
    assert run("--version").stdout.startswith("mcp-bindgen ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["recrod"],
        ["record", "-o", "x.json"],
        ["record", "--url", "http://x", "-o", "x.json", "--", "cat"],
        ["record", "--header", "A: b", "-o", "x.json", "--", "cat"],
        ["record", "--url", "http://x"],
        ["record", "--url", "http://x", "-o", "x.json", "--timeout", "0"],
        ["generate", "missing.json", "-o", "out"],
        ["generate", "-o", "out"],
        ["generate", "--nonsense"],
        ["wheel"],
    ],
)
def test_wrong_use_is_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith(("Error:", "Did you mean"))
    assert result.stdout == ""


# record


def test_record_twice_and_change_nothing(catalog: str) -> None:
    options = ["record", "--url", catalog, "--header", BEARER, "-o", "new/c.json"]
    first = run(*options, CATALOG_KEY=CATALOG_TOKEN)
    assert (first.exit_code, first.stdout) == (0, "")
    assert last(first) == "catalog: 6 tools, new/c.json written"
    before = Path("new/c.json").stat()
    second = run(*options, CATALOG_KEY=CATALOG_TOKEN)
    assert last(second) == "catalog: 6 tools, new/c.json unchanged"
    assert Path("new/c.json").stat() == before
    assert names("new") == ["c.json"]
    assert CATALOG_TOKEN not in Path("new/c.json").read_text()


def test_record_a_command() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "pages")
    assert result.exit_code == 0
    assert last(result) == "scripted: 2 tools, 1 resource, x.json written"


def test_record_tells_bad_tools_and_is_1() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "bad-tools")
    assert result.exit_code == 1
    assert "x.json#/tools/0: no object" in result.stderr
    assert last(result).startswith("scripted: 1 tool, 1 resource, 2 problems")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "http://127.0.0.1:1/mcp"], "cannot connect to the server"),
        (["--url", "mailto:x"], "the URL is not one of http:// or https://"),
        (["--url", "http://x/${NOT_SET}"], "--url: the environment variable NOT_SET"),
        (["--url", "CATALOG"], "the server refused the credentials (HTTP 401)"),
        (["--url", "CATALOG", "--header", "nonsense"], "a --header is not of the form"),
        (["--url", "CATALOG", "--header", "Host: x"], "the header host is set by"),
        (["--", "no-such-program-anywhere"], "there is no program"),
        (["--", *SCRIPTED, "dies"], "the server's program ended (exit code 3)"),
        (["--", *SCRIPTED, "same-cursor"], "tools/list repeats a page"),
        (["--timeout", "0.7", "--", *SCRIPTED, "silent"], "the server was not done"),
    ],
)
def test_record_cannot_and_leaves_the_file_as_it_was(
    catalog: str, arguments: list[str], message: str
) -> None:
    Path("x.json").write_text("precious")
    given = [catalog if argument == "CATALOG" else argument for argument in arguments]
    result = run("record", "-o", "x.json", *given)
    assert result.exit_code == 2
    problem, hint = result.stderr.splitlines()
    assert problem.startswith(f"error: {message}")
    assert hint.startswith("  hint: ")
    assert Path("x.json").read_text() == "precious"
    assert names(".") == ["x.json"]


@pytest.mark.parametrize("header", [BEARER, "X-Api-Key: ${CATALOG_KEY}"])
@pytest.mark.parametrize("verbose", [[], ["--verbose"]])
def test_record_shows_no_secret(catalog: str, header: str, verbose: list[str]) -> None:
    secret = "planted-secret-value"
    url = f"{catalog}?token=${{IN_URL}}"
    result = run(
        *("record", "-o", "x.json", "--url", url, "--header", header, *verbose),
        CATALOG_KEY=secret,
        IN_URL="another-planted-value",
    )
    assert result.exit_code == 2
    assert "planted" not in result.output
    assert not Path("x.json").exists()


def test_record_refuses_what_repeats_a_secret(catalog: str) -> None:
    told = "Search"  # This word stands in the catalogue's own texts.
    options = ["record", "--url", catalog, "-o", "x.json", "--header", BEARER]
    fine = run(
        *options, "--header", "X-Other: ${WORD}", CATALOG_KEY=CATALOG_TOKEN, WORD=told
    )
    assert fine.exit_code == 0  # Too short to be anything but chance.
    long = json.loads(Path("x.json").read_text())["tools"][0]["description"]
    before = Path("x.json").read_bytes()
    result = run(
        *options,
        "--header",
        "X-Other: ${WORD}",
        CATALOG_KEY=CATALOG_TOKEN,
        WORD=long[:20],
    )
    assert result.exit_code == 2
    assert "the server's own texts hold the value of a header" in result.stderr
    assert Path("x.json").read_bytes() == before


@pytest.mark.parametrize("arguments", ["[1]", "{", '{"a": 1, "a": 2}', '"x"'])
def test_record_a_call_with_bad_arguments_is_2(arguments: str) -> None:
    result = run(
        *("record", "-o", "x.json", "--call", "ping", arguments),
        *("--", *SCRIPTED, "pages"),
    )
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert not Path("x.json").exists()


def test_record_cannot_write() -> None:
    Path("file").write_text("")
    result = run("record", "-o", "file/x.json", "--", *SCRIPTED, "pages")
    assert result.exit_code == 2
    assert "cannot write file/x.json" in result.stderr


def test_control_characters_do_not_reach_the_terminal() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "hidden")
    assert result.exit_code == 1
    assert result.stderr.isascii()
    assert "\x1b" not in result.stderr


def test_ctrl_c_is_130_and_quiet() -> None:
    command = [*PROGRAM, "record", "-o", "x.json", "--", *SCRIPTED, "silent", "told"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        while not Path("told").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert names(".") == ["told"]


# generate


def test_generate_then_check_then_change(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    first = run("generate", file, "-o", "out")
    assert (first.exit_code, first.stdout) == (0, "")
    assert last(first).startswith("demo: 1 tool, ")
    assert Path("out/demo/tools/alpha.py").is_file()
    again = run("generate", file, "-o", "out")
    assert last(again).endswith(" files, 0 changed in out/demo")
    same = run("generate", file, "-o", "out", "--check")
    assert (same.exit_code, same.stdout) == (0, "")
    assert last(same) == "demo: 1 tool, out/demo is up to date"
    recording(folder / "demo.json", ALPHA, BETA)
    differs = run("generate", file, "-o", "out", "--check")
    assert differs.exit_code == 1
    assert "+++ demo/tools/beta.py" in differs.stdout
    assert last(differs) == "demo: 2 tools, out/demo is out of date"
    assert not Path("out/demo/tools/beta.py").exists()


def test_generate_leaves_bad_tools_out_and_is_1(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA, {"name": "bad"}, BETA)
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 1
    assert f"{file}#/tools/1/inputSchema: no object" in result.stderr
    assert "hint: " in result.stderr
    assert last(result).startswith("demo: 2 tools, 1 problem, ")
    assert Path("out/demo/tools/beta.py").is_file()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "demo.json: line 1, column 1: no JSON: Expecting value"),
        ('{"tools": 1}', 'demo.json: no object with a list "tools"'),
        ('{"error": {}}', "demo.json#/error: this is a server's error"),
        ('{"tools": []', "demo.json: line 1, column 13: no JSON"),
        ("[" * 100_000, "demo.json: line 1, column 65: no JSON"),
    ],
)
def test_generate_refuses_what_is_no_recording(text: str, message: str) -> None:
    Path("demo.json").write_text(text)
    result = run("generate", "demo.json", "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {message}")
    assert not Path("out").exists()


def test_a_bad_recording_does_not_stop_the_others(folder: Path) -> None:
    one, two = recording(folder / "one.json", ALPHA), recording(
        folder / "two.json", BETA
    )
    bad = recording(folder / "bad.json", ALPHA)
    Path(bad).write_text("{}")
    assert run("generate", bad, one, "-o", "out").exit_code == 2
    assert [path.name for path in Path("out").iterdir()] == ["one"]
    assert run("generate", one, two, "-o", "out").exit_code == 0
    assert names("out") == ["one", "two"]
    Path("other").mkdir()
    clash = recording(folder / "other" / "one.json", ALPHA)
    result = run("generate", one, clash, "-o", "out")
    assert result.exit_code == 2
    assert "would both go to" in result.stderr
    assert run("generate", one, two, "-o", "out", "--name", "x").exit_code == 2


@pytest.mark.parametrize(
    ("options", "tools"),
    [
        (["--include", "al*"], ["alpha"]),
        (["--exclude", "al*"], ["beta"]),
        (["--include", "alpha", "--include", "be*", "--exclude", "alpha"], ["beta"]),
    ],
)
def test_generate_some_tools(
    folder: Path, options: list[str], tools: list[str]
) -> None:
    file = recording(folder / "demo.json", ALPHA, BETA)
    assert run("generate", file, "-o", "out", *options).exit_code == 0
    written = sorted(path.stem for path in Path("out/demo/tools").glob("[ab]*.py"))
    assert written == tools


def test_generate_no_tool_is_told(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    result = run("generate", file, "-o", "out", "--include", "nope")
    assert result.exit_code == 1
    assert "no tool is left" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "cobol"], 'no target "cobol"'),
        (["--name", "my-name"], "'my-name' is no name to import"),
        (["--name", "class"], "'class' is no name to import"),
        (["--name", "../x"], "'../x' is no name to import"),
        (["--name", "json"], "a package called json would hide the module json"),
    ],
)
def test_generate_cannot(folder: Path, options: list[str], message: str) -> None:
    file = recording(folder / "demo.json", ALPHA)
    result = run("generate", file, "-o", "out", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "hint: " in result.stderr
    assert not Path("out").exists()


def test_generate_one_target_and_a_name(folder: Path) -> None:
    file = recording(folder / "Some-Server.v2.json", ALPHA)
    assert run("generate", file, "-o", "out", "--target", "python").exit_code == 0
    assert names("out") == ["some_server_v2"]
    assert not Path("out/some_server_v2/openai.json").exists()
    assert run("generate", file, "-o", "out", "--name", "mine").exit_code == 0
    assert names("out") == ["mine", "some_server_v2"]


def test_generate_a_target_of_ones_own(folder: Path) -> None:
    target = folder / "mine"
    (target / "__pycache__").mkdir(parents=True)
    (target / "list.json.jinja").write_text(
        "[{% for tool in tools %}{{ 1 | lit }},{% endfor %}0]\n"
    )
    # Installers compile what they find, templates too.
    (target / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"\xa7\x0d\x0d\x0a")
    file = recording(folder / "demo.json", ALPHA, BETA)
    result = run("generate", file, "-o", "out", "--target", "python, ./mine")
    assert result.exit_code == 0
    assert Path("out/demo/list.json").read_text() == "[1,1,0]\n"
    assert not Path("out/demo/__pycache__").exists()


def test_generate_tells_what_was_edited_and_keeps_what_is_foreign(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    run("generate", file, "-o", "out")
    Path("out/demo/notes.txt").write_text("mine")
    Path("out/demo/client.py").write_text("edited")
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 0
    assert "client.py had been edited by hand and was replaced" in result.stderr
    assert Path("out/demo/notes.txt").read_text() == "mine"


# wheel


def test_wheel(folder: Path) -> None:
    run("generate", recording(folder / "demo.json", ALPHA), "-o", "out")
    result = run("wheel", "out/demo", "-o", "dist", "--version", "1.5")
    assert result.exit_code == 0
    assert result.stdout == "dist/demo-1.5-py3-none-any.whl\n"
    assert Path("dist/demo-1.5-py3-none-any.whl").is_file()
    assert run("wheel", "out", "-o", "dist").exit_code == 2


# Output in general


def test_quiet_and_verbose_stand_before_or_after(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    for quiet in (
        run("--quiet", "generate", file, "-o", "out"),
        run("generate", "--quiet", file, "-o", "out"),
    ):
        assert (quiet.exit_code, quiet.output) == (0, "")
    assert "generating demo" in run("--verbose", "generate", file, "-o", "out").stderr
    Path(file).write_text("{}")
    assert "error: " in run("--quiet", "generate", file, "-o", "out").stderr
    assert "Traceback" in run("generate", "--verbose", file, "-o", "out").stderr


def test_colours_follow_the_environment(folder: Path) -> None:
    file = recording(folder / "demo.json", {"name": "bad"})
    plain = run("generate", file, "-o", "out", NO_COLOR="1", FORCE_COLOR="1")
    assert "\x1b" not in plain.stderr
    coloured = run("generate", file, "-o", "out", NO_COLOR="", FORCE_COLOR="1")
    assert "\x1b[" in coloured.stderr


def test_many_problems_are_counted(folder: Path) -> None:
    bad: list[JSON] = [{"name": f"t{number}"} for number in range(60)]
    file = recording(folder / "demo.json", *bad)
    result = run("generate", file, "-o", "out")
    assert result.stderr.count("/inputSchema: no object") == 50
    assert "... and 10 more" in result.stderr


def test_a_bug_of_ours_is_told_as_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("mcp_bindgen.generate.render", broken)
    file = recording(folder / "demo.json", ALPHA)
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: a bug in mcp-bindgen (RuntimeError)")
    assert "Traceback" in run("generate", file, "-o", "out", "--verbose").stderr


def test_a_terminal_that_cannot_show_it_does_not_end_the_program() -> None:
    Path("t\N{GREEK SMALL LETTER OMEGA}.json").write_text('{"tools": [7]}')
    ran = subprocess.run(
        [
            *PROGRAM,
            "generate",
            "t\N{GREEK SMALL LETTER OMEGA}.json",
            "-o",
            "out",
            "--name",
            "t",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert ran.returncode == 1
    assert r"t\u03c9.json#/tools/0" in ran.stderr
