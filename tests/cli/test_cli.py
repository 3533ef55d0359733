"""The command line: what is printed where, every exit code, no secret, no traceback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.hidden import HIDDEN

from tests.commands import (
    ALPHA,
    PROGRAM,
    SCRIPTED,
    last,
    names,
    recording,
    run,
)

if TYPE_CHECKING:
    from mcp_bindgen.json_reader import JSON

pytestmark = pytest.mark.usefixtures("folder")


def test_help_shows_the_commands_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from mcp_bindgen.cli import app; app(['--help'], "
        "standalone_mode=False); print(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    text, _, modules = ran.stdout.rstrip().rpartition("\n")
    assert all(name in text for name in ("record", "generate", "wheel", "Exit codes"))
    heavy = {"httpx", "pydantic", "jinja2", "packaging", "anyio", "asyncio"}
    assert not heavy & set(modules.split())


@pytest.mark.parametrize("command", ["record", "generate", "wheel"])
def test_each_command_has_help_with_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Example: mcp-bindgen {command}" in result.stdout


HOSTILE_NAME = "evil\x1b]0;title\x07\x9b2J\u202ename\rover"


@pytest.mark.parametrize(
    "arguments",
    [
        ["lint", "x.json"],
        ["lint", "x.json", "--format", "json"],
        ["lint", "x.json", "--verbose"],
        ["generate", "x.json", "-o", "out", "--report", "-"],
        ["generate", "x.json", "-o", "out", "--check"],
    ],
)
def test_no_control_character_of_a_server_is_printed(arguments: list[str]) -> None:
    broken: JSON = {"type": "object", "properties": {HOSTILE_NAME: {"type": "nought"}}}
    sound: JSON = {"type": "object", "properties": {HOSTILE_NAME: {"title": "\x1b[2J"}}}
    recording(
        Path("x.json"),
        {"name": HOSTILE_NAME, "inputSchema": broken},
        {"name": "sound", "description": HOSTILE_NAME, "inputSchema": sound},
    )
    result = run(*arguments)
    assert "evil" in result.output
    assert not HIDDEN.search(result.output)


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
        ["--nonsense"],
        ["--quiet", "generate", "--jobs", "0", "x.json", "-o", "out"],
        ["wheel"],
    ],
)
def test_wrong_use_is_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("  hint: ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["generate", "--tagret", "x"], "generate: no such option", "mean --target?"),
        (["genrate"], "there is no command 'genrate'", "did you mean generate?"),
        (["wheel"], "wheel: missing argument 'PACKAGE'", "see app wheel --help"),
        (["--\x1b[31m"], "no such option '--\\x1b[31m'", "see app --help"),
        (["record", "--call", "x"], "record: option", "see app record --help"),
        (
            ["lint", "--format", "\u202e", "x"],
            "lint: '--format': expected one of 'text', 'json'",
            "lint --help",
        ),
        (
            ["lint", "--format", "\u202e", "x"],
            ", got '\\u202e'",
            "lint --help",
        ),
        (
            ["generate", "x", "-j", "y"],
            "generate: '--jobs' / '-j': expected a whole number, got 'y'",
            "generate --help",
        ),
        (
            ["generate", "x", "-j", "0"],
            "'--jobs' / '-j': expected a number in the range x>=1, got 0",
            "generate --help",
        ),
        (
            ["test", "--timeout", "5s"],
            "test: '--timeout': expected a number, got '5s'",
            "test --help",
        ),
        (
            ["generate", "x", "--report", "."],
            "'--report': expected a file, got '.'",
            "generate --help",
        ),
        (
            ["diff", "a", "b", "--callers", "nope"],
            "diff: invalid value for '--callers': Directory 'nope' does not exist",
            "diff --help",
        ),
    ],
)
def test_wrong_use_has_a_location_a_reason_and_a_hint(
    arguments: list[str], message: str, hint: str
) -> None:
    result = run(*arguments)
    reason, last_line = result.stderr.splitlines()
    assert reason.startswith("app")
    assert message in reason
    assert hint in last_line
    assert result.stderr.replace("\n", "").isprintable()


def test_lint_reports_each_file_that_it_cannot_read(folder: Path) -> None:
    recording(folder / "sound.json", ALPHA)
    (folder / "bad.json").write_text("{", "utf-8")
    result = run("lint", "missing.json", "bad.json", "sound.json", "--ignore", "alike")
    assert result.exit_code == 2
    assert "error: missing.json: cannot read the file: " in result.stderr
    assert "error: bad.json: line 1" in result.stderr
    assert last(result).startswith("0 findings in 1 file, 2 files not read; no finding")


def test_control_characters_do_not_reach_the_terminal() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "hidden")
    assert result.exit_code == 1
    assert result.stderr.isascii()
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize(
    ("mode", "words", "message"),
    [
        ("silent", ["record", "-o", "x.json"], ""),
        ("deaf", ["call", "ping"], "error: interrupted; ping may have run\n"),
    ],
)
def test_ctrl_c_is_130_and_says_whether_a_tool_may_have_run(
    mode: str, words: list[str], message: str
) -> None:
    # Who starts the tests in the background has them ignore the signal.
    heeds = "import signal as s; s.signal(s.SIGINT, s.default_int_handler)"
    program = [sys.executable, "-c", f"{heeds}; {PROGRAM[-1]}"]
    command = [*program, *words, "--", *SCRIPTED, mode, "told"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        while not Path("told").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", message)
    assert names(".") == ["told"]


def test_whoever_reads_may_stop_reading() -> None:
    file = recording(Path("demo.json"), ALPHA)
    options = ["-o", "out", "--check", "--diff", "--shared-runtime", "shared"]
    command = [*PROGRAM, "generate", file, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "--- /dev/null\n"
        process.stdout.close()
        assert process.stderr
        summary = process.stderr.read()
    assert process.returncode == 1
    # It depends on the system which of the two writes is the first to fail.
    assert summary in ("", "demo: 1 tool, out/demo is out of date\n")


SHOW = """
import os
for name in ("CHOSEN", "OTHER", "HIDDEN_FROM_IT"):
    print(name, os.environ.get(name), flush=True)
print(os.getcwd(), flush=True)
"""


def test_a_program_gets_few_variables_and_those_that_are_named(folder: Path) -> None:
    (folder / "inner").mkdir()
    result = run(
        *("record", "-o", "x.json", "--env", "CHOSEN", "--env", "OTHER=${CHOSEN}2"),
        *("--cwd", "inner", "--timeout", "10", "--verbose"),
        *("--", sys.executable, "-c", SHOW),
        CHOSEN="first-value",
        HIDDEN_FROM_IT="second-value",
    )
    assert result.exit_code == 2
    assert "second-value" not in result.output
    assert "first-value" not in result.output, "a variable is shown"
    assert "CHOSEN ***" in result.output
    assert "OTHER ***2" in result.output
    assert "/inner" in result.output


@pytest.mark.parametrize(
    "words",
    [
        "add x",
        "show",
        "record http://127.0.0.1:9/mcp",
        "generate nofile",
        "sync --bogus",
        "call",
        "wheel x",
        "bogus",
        "test --timeout soon",
    ],
)
@pytest.mark.parametrize("form", ["--format json", "--format=json"])
def test_a_wrong_command_line_is_answered_in_json_too(words: str, form: str) -> None:
    result = run(*words.split(), *form.split())
    (problem,) = json.loads(result.stdout)["problems"]
    assert result.exit_code == 2
    assert problem["message"] in result.stderr
    assert problem["hint"] in result.stderr
    # The words after -- are those of a server.
    assert not run("record", "--", *words.split(), *form.split()).stdout
