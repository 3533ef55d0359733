"""The command line of generate: what is printed where, and every exit code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:

    from mcp_bindgen.json_reader import JSON

from tests.commands import ALPHA, BETA, PROGRAM, last, names, recording, run

pytestmark = pytest.mark.usefixtures("folder")


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
    lines = differs.stdout.splitlines()
    assert lines[:3] == [
        "demo:",
        "beta  TOOL_ADDED  compatible  the tool is new",
        "1 compatible: minor",
    ]
    assert "added demo/tools/beta.py" in lines
    diff = run("generate", file, "-o", "out", "--check", "--diff")
    assert "+++ demo/tools/beta.py" in diff.stdout
    assert last(differs) == "demo: 2 tools, out/demo is out of date"
    assert not Path("out/demo/tools/beta.py").exists()


def test_generate_leaves_bad_tools_out_and_is_1(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA, {"name": "bad"}, BETA)
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 1
    assert f"{file}#/tools/1/inputSchema: expected an object, got" in result.stderr
    assert "hint: " in result.stderr
    assert last(result).startswith("demo: 2 tools, 1 problem, ")
    assert Path("out/demo/tools/beta.py").is_file()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "demo.json: line 1, column 1: not JSON: Expecting value"),
        ('{"tools": 1}', "demo.json#/tools: expected an array, got a number"),
        ('{"error": {}}', "demo.json#/error: expected a list of tools, got an error"),
        ('{"tools": []', "demo.json: line 1, column 13: not JSON"),
        ("[" * 100_000, "demo.json: line 1, column 65: not JSON"),
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


def test_generate_no_tool_is_reported(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    result = run("generate", file, "-o", "out", "--include", "nope")
    assert result.exit_code == 2
    assert "demo: no tool matches 'nope'" in result.stderr
    assert not Path("out").exists()
    options = ("--include", "nope", "--allow-empty")
    result = run("generate", file, "-o", "out", *options)
    assert result.exit_code == 1
    assert "no tool is left" in result.stderr


def test_a_recording_that_would_empty_a_package_is_refused(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA, BETA)
    assert run("generate", file, "-o", "out").exit_code == 0
    recording(folder / "demo.json")
    for more in ((), ("--check",)):
        result = run("generate", file, "-o", "out", *more)
        assert result.exit_code == 2
        assert "demo would be empty: out/demo has 2 tools" in result.stderr
        assert "alpha  TOOL_REMOVED  wire+source" in result.output
    assert Path("out/demo/tools/beta.py").is_file()
    assert run("generate", file, "-o", "out", "--allow-empty").exit_code == 0
    assert not Path("out/demo/tools/beta.py").exists()


def test_a_tool_that_the_settings_leave_out_breaks_only_programs(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA, BETA)
    assert run("generate", file, "-o", "out").exit_code == 0
    result = run("generate", file, "-o", "out", "--exclude", "beta")
    assert "beta  TOOL_EXCLUDED  source  the settings leave the tool" in result.stderr
    again = run("generate", file, "-o", "out", "--exclude", "beta")
    assert "EXCLUDED" not in again.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "cobol"], 'no target "cobol"'),
        (
            ["--name", "my-name"],
            "can import, got 'my-name'",
        ),
        (["--name", "class"], "import, got 'class'"),
        (["--name", "../x"], "import, got '../x'"),
        (["--name", "json"], "a package with the name json would hide the module json"),
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
    (target / "target.toml").write_text('description = "a list"\n')
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


def test_generate_reports_edited_files_and_leaves_files_of_others(folder: Path) -> None:
    file = recording(folder / "demo.json", ALPHA)
    run("generate", file, "-o", "out")
    Path("out/demo/notes.txt").write_text("mine")
    Path("out/demo/client.py").write_text("edited")
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 0
    assert "client.py had been edited by hand and was replaced" in result.stderr
    assert Path("out/demo/notes.txt").read_text() == "mine"
    paths = [*Path("out/demo").rglob("*.py")]
    for path in paths:
        path.write_text(f"{path.read_text()}# edited\n")
    result = run("generate", file, "-o", "out")
    assert result.stderr.count("had been edited by hand and was replaced") == 20
    assert (
        f"\n{len(paths) - 20} more files in out/demo had been edited" in result.stderr
    )


def test_wheel(folder: Path) -> None:
    run("generate", recording(folder / "demo.json", ALPHA), "-o", "out")
    result = run("wheel", "out/demo", "-o", "dist", "--version", "1.5")
    assert result.exit_code == 0
    assert result.stdout == "dist/demo-1.5-py3-none-any.whl\n"
    assert Path("dist/demo-1.5-py3-none-any.whl").is_file()
    assert run("wheel", "out", "-o", "dist").exit_code == 2


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
    failed = run("generate", "--verbose", file, "-o", "out").stderr
    assert "error: " in failed
    assert "Traceback" not in failed, "a user's mistake"


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
    assert result.stderr.count("/inputSchema: expected an object") == 50
    assert "... and 10 more" in result.stderr


def test_a_bug_of_ours_is_reported_as_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("mcp_bindgen.pipeline.assemble.render", broken)
    file = recording(folder / "demo.json", ALPHA)
    result = run("generate", file, "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "error: this is a bug in mcp-bindgen (RuntimeError)"
    )
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
