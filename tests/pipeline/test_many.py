"""Many recordings, processes, a cluster: the same bytes, and none stops another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen.cli import app
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.cache import ours
from mcp_bindgen.pipeline.cluster import ClusterPool

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = [sys.executable, "-m", "mcp_bindgen"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recording(path: str, tools: int, *more: object) -> str:
    listed: list[Any] = [
        {
            "name": f"tool_{number}",
            "description": f"Does {number} things.",
            "inputSchema": {
                "type": "object",
                "properties": {f"p{n}": {"type": "integer"} for n in range(number % 5)},
            },
        }
        for number in range(tools)
    ]
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(json.dumps({"tools": [*listed, *more]}), "utf-8")
    return path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["generate", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def files(folder: str) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


BAD_TOOL: dict[str, Any] = {
    "name": "bad",
    "inputSchema": {"type": "object", "$ref": "#/$defs/missing"},
}


def test_one_large_recording_over_processes() -> None:
    file = recording("demo.json", 130, BAD_TOOL)
    serial = run(file, "-o", "serial", "--no-cache", "--jobs", "1")
    spread = run(file, "-o", "spread", "--no-cache", "--jobs", "3")
    assert serial.exit_code == spread.exit_code == 1
    assert files("serial") == files("spread")
    assert serial.stderr == spread.stderr.replace("spread", "serial")


def test_many_recordings_over_processes() -> None:
    for number in range(12):
        recording(f"all/server-{number}.json", 3 + number)
    serial = run("all", "-o", "serial", "--jobs", "1", "--report", "1.json")
    spread = run("all", "-o", "spread", "--jobs", "3", "--report", "2.json")
    assert serial.exit_code == spread.exit_code == 0
    assert files("serial") == files("spread")
    assert serial.stderr == spread.stderr.replace("spread", "serial")
    assert Path("1.json").read_bytes() == Path("2.json").read_bytes()
    assert len(json.loads(Path("1.json").read_bytes())) == 12


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bad_recording_stops_no_other(jobs: str) -> None:
    for number in range(4):
        recording(f"all/server-{number}.json", 2)
    Path("all/bad.json").write_text("{}", "utf-8")
    Path("all/json.json").write_text("{}", "utf-8")  # would hide a module
    Path("all/notes.txt").write_text("no recording", "utf-8")
    recording("all/zz.json", 1, BAD_TOOL)
    Path("out/server_2/names.py").parent.mkdir(parents=True)
    Path("out/server_2/names.py").write_text("mine", "utf-8")
    result = run("all", "-o", "out", "--jobs", jobs)
    assert result.exit_code == 2
    for said in (
        "all/bad.json#/tools: expected an array",
        "all/json.json",
        "names.py is in the way",
    ):
        assert said in result.stderr
    made = {path.parent.name for path in Path("out").glob("*/manifest.json")}
    assert made == {"server_0", "server_1", "server_3", "zz"}
    assert Path("out/server_2/names.py").read_text("utf-8") == "mine"


def test_a_folder_without_recordings() -> None:
    Path("empty").mkdir()
    result = run("empty", "-o", "out")
    assert result.exit_code == 2
    assert "no recording in empty" in result.stderr
    recording("all/one.json", 1)
    assert run("all", "-o", "out", "--name", "x").exit_code == 2


def test_many_recordings_are_recalled() -> None:
    for number in range(3):
        recording(f"all/server-{number}.json", 2)
    run("all", "-o", "out")
    recording("all/server-1.json", 3)
    *again, advice = run("all", "-o", "out").stderr.splitlines()
    assert (
        "3 packages in out have a copy of the runtime each; with --shared-runtime"
        in advice
    )
    lines = sorted(line for line in again if " changed in " in line)
    assert [" 0 changed" in line for line in lines] == [True, False, True]
    shared = run("all", "-o", "out", "--shared-runtime", "mcp_runtime").stderr
    assert "have a copy of the runtime" not in shared


def test_advice_counts_the_packages_that_a_folder_has_already() -> None:
    first, second = recording("a/one.json", 2), recording("a/two.json", 2)
    advice = "2 packages in out have a copy of the runtime each"
    assert advice not in run(first, "-o", "out").stderr
    Path("out/mine").mkdir()
    Path("out/mine/manifest.json").write_text("{}", "utf-8")
    assert advice in run(second, "-o", "out").stderr
    options = ("-o", "out", "--shared-runtime", "mcp_runtime")
    unused = "no package in out uses mcp_runtime any more: remove out/mcp_runtime"
    assert unused not in run(first, *options).stderr
    assert unused not in run(second, *options).stderr
    assert unused not in run(second, "-o", "out").stderr
    assert unused in run(first, "-o", "out").stderr


def same_items(items: Sequence[int]) -> list[int]:
    return [*items]


def test_a_worker_of_another_version_makes_nothing() -> None:
    with ThreadPoolExecutor(1) as futures:
        elsewhere = ClusterPool(futures, 1, lambda: None, version="another", lost=())
        with pytest.raises(BindgenError, match="another version"):
            list(elsewhere.map(same_items, [1], 1))
        same = ClusterPool(futures, 1, lambda: None, version=ours(), lost=())
        assert list(same.map(same_items, [1, 2, 3], 2)) == [1, 2, 3]


def test_wrong_executors_are_reported() -> None:
    file = recording("demo.json", 1)
    assert run(file, "-o", "out", "--executor", "threads").exit_code == 2
    result = run(file, "-o", "out", "--executor", "dask:nonsense://here")
    assert result.exit_code == 2
    assert "no Dask scheduler" in result.stderr


def test_over_a_dask_cluster() -> None:
    for number in range(6):
        recording(f"all/server-{number}.json", 3)
    Path("all/bad.json").write_text("{}", "utf-8")
    assert run("all", "-o", "here", "--jobs", "1").exit_code == 2
    code = """
import sys
from distributed import LocalCluster
from click.testing import CliRunner
from mcp_bindgen.cli import app
if __name__ == "__main__":
    options = {"dashboard_address": None, "n_workers": 2, "threads_per_worker": 1}
    with LocalCluster(**options) as cluster:
        address = f"dask:{cluster.scheduler_address}"
        arguments = ["generate", *sys.argv[1:], "-o", "there", "--executor", address]
        result = CliRunner().invoke(app, arguments)
    print(result.stderr)
    sys.exit(result.exit_code)
"""
    Path("cluster.py").write_text(code, "utf-8")
    for words in (
        ["all"],
        ["all/server-1.json", "--target", "python,openai,langchain"],
    ):
        ran = subprocess.run(
            [sys.executable, "cluster.py", *words],
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert ran.returncode == (2 if words == ["all"] else 0), ran.stderr
    assert files("here") == files("there")


# Progress


def test_progress_on_a_terminal() -> None:
    file = recording("demo.json", 60)
    screen = terminal("generate", file, "-o", "out", "--no-cache", "--jobs", "1")
    assert "25 of 60 tools" in screen
    assert "60 of 60 tools" in screen
    assert "writing" in screen
    assert screen.index("of 60 tools") < screen.index("writing")
    last = screen.rpartition("\x1b[K")[2]
    assert last.removeprefix("\x1b[1m").startswith("demo: 60 tools")


def test_progress_of_many() -> None:
    for number in range(3):
        recording(f"all/server-{number}.json", 2)
    command = ("generate", "all", "-o", "out", "--no-cache", "--jobs")
    for jobs in "12":
        assert "2 of 3 recordings" in terminal(*command, jobs)
    assert "0 of 3 recordings" in terminal(*command, "2")
    assert "server_1: 2 of 2 tools" in terminal(*command, "1")


def test_progress_stays_on_one_line() -> None:
    file = recording("demo.json", 60)
    name = "name_" * 12
    command = (
        "generate",
        file,
        "-o",
        "out",
        "--name",
        name,
        "--no-cache",
        "--jobs",
        "1",
    )
    screen = terminal(*command, columns=40)
    lines = [line for line in screen.split("\r\x1b[K") if "of 60 tools" in line]
    assert {len(line) for line in lines} == {39}


@pytest.mark.parametrize("options", [["--quiet"], ["PIPED"], ["DUMB"]])
def test_no_progress_where_nobody_looks(options: list[str]) -> None:
    file = recording("demo.json", 60)
    arguments = ["generate", file, "-o", "out", "--no-cache", "--jobs", "1"]
    if options == ["--quiet"]:
        assert "tools" not in terminal(*arguments, "--quiet")
    elif options == ["DUMB"]:
        assert "of 60" not in terminal(*arguments, term="dumb")
    else:
        ran = subprocess.run(
            [*impatient(), *arguments], capture_output=True, text=True, check=True
        )
        assert "of 60" not in ran.stderr
        assert "\x1b" not in ran.stderr


def impatient() -> list[str]:
    """Return the program, with a terminal's second taken as over at once."""
    code = "from mcp_bindgen.cli import main, meter; "
    code += "meter._PATIENCE = meter._BETWEEN = -1.0; main()"
    return [sys.executable, "-c", code]


def terminal(*arguments: str, term: str = "xterm", columns: int = 80) -> str:
    """Return what a program writes to a terminal that is its stderr."""
    termios: Any = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    with subprocess.Popen(
        [*impatient(), *arguments],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TERM": term},
    ) as process:
        os.close(theirs)
        screen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end is closed.
                break
            if not piece:
                break
            screen += piece
        assert process.wait() == 0
    os.close(ours)
    return screen.decode()
