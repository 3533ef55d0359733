"""A sample of the hostile recordings in every run; `scripts/hostile` runs them all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.hostile.cases import bombs, cases
from tests.hostile.runner import chosen, run

ROOT = Path(__file__).resolve().parents[2]
SMALL = len(cases())
# Each is the worst of its kind, or was a fault of ours once.
BOMBS = (
    *("chain object 3000", "chain mixed 62", "double anyOf of two 30", "sizes"),
    *("double anyOf 30", "double tuple 30", "graph alternatives of arrays 8"),
    *("graph alternatives 8", "branches of objects", "patterns", "answers deep"),
    *("description of lines", "brackets", "keys alike"),
)


def test_there_are_enough() -> None:
    names = [case.name for case in [*cases(), *bombs()]]
    assert len(names) == len(set(names)) >= 1_500


@pytest.mark.slow
def test_a_sample_of_small_ones() -> None:
    # A prime, so that every place and every payload has its turn.
    numbers = list(range(0, SMALL, 67))
    results = run(numbers)
    assert len(results) == len(numbers)
    assert not {result.name: result.faults for result in results if result.faults}
    assert {result.code for result in results} >= {0, 1}


@pytest.mark.slow
def test_small_ones_that_were_faults() -> None:
    results = run(chosen(["type: blank", "discriminator: jinja-block"]))
    assert len(results) >= len({"blank", "jinja-block"})
    assert not {result.name: result.faults for result in results if result.faults}


@pytest.mark.slow
def test_bombs() -> None:
    numbers = chosen([f"bomb: {name}" for name in BOMBS])
    results = run([n for n in numbers if _name(n).removeprefix("bomb: ") in BOMBS])
    assert len(results) == len(BOMBS)
    assert not {result.name: result.faults for result in results if result.faults}


def _name(number: int) -> str:
    return [*cases(), *bombs()][number].name


def worker(code: str) -> str:
    """Run code in a process of its own, with a canary in it, and return its output."""
    program = f"""
import sys
from pathlib import Path
from tests.hostile.canary import Canary
folder = Path(sys.argv[1])
canary = Canary(folder)
{code}
print(canary.fired())
"""
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-c", program, folder],
            cwd=ROOT,
            # The bytecode of modules is written by Python, not by what they do.
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT / "generator"),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            text=True,
            check=True,
        )
    return ran.stdout


WATCHED = {
    "import hostile_canary": "import hostile_canary",
    "socket.create_connection(('127.0.0.1', 9))": "socket.",
    "open(folder / 'secret.json')": "secret.json",
    "open('/etc/passwd')": "/etc/passwd",
    "open('/proc/self/environ')": "environ",
    "open(folder / 'x', 'w')": "open",
    "os.system('true')": "os.system",
    "subprocess.run(['true'])": "subprocess.Popen",
    "os.mkdir(folder / 'y')": "os.mkdir",
    "os.rename(folder / 'secret.json', folder / 'z')": "os.rename",
    "os.symlink('/etc', folder / 'link')": "os.symlink",
    "os.remove(folder / 'secret.json')": "os.remove",
    "ctypes.CDLL(None)": "ctypes",
}


def test_the_canary_sees_what_is_tried() -> None:
    code = f"""
import ctypes, os, socket, subprocess
for attack in {list(WATCHED)!r}:
    try:
        with canary.watch():
            exec(attack)
    except BaseException:
        pass
    print(canary.fired())
"""
    lines = worker(code).splitlines()[:-1]
    assert len(lines) == len(WATCHED)
    for line, (attack, alarm) in zip(lines, WATCHED.items(), strict=True):
        assert "forbidden" in line, attack
        assert alarm in line, attack


def test_the_canary_sees_what_was_done() -> None:
    code = """
import socket
host, port = canary.address.split(":")
socket.create_connection((host, int(port)))
import hostile_canary
"""
    output = worker(code)
    for alarm in ("imported or fired", "left its file", "called the listener"):
        assert alarm in output


@pytest.mark.parametrize("cached", [False, True])
def test_generation_does_nothing_but_read_its_input_and_write_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, cached: bool
) -> None:
    recording = ROOT / "generated" / "catalog" / "recording.json"
    output, cache = tmp_path / "out", tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    options = [] if cached else ["--no-cache"]
    code = f"""
from mcp_bindgen.cli import app
source, output, cache = map(Path, {[str(recording), str(output), str(cache)]!r})
for _ in range(2):
    allowed = (output, cache) if {cached} else (output,)
    with canary.watch(reads=(source,), writes=allowed):
        try:
            app(["generate", str(source), "-o", str(output), *{options!r}])
        except SystemExit as end:
            print("code", end.code)
"""
    assert worker(code).splitlines() == ["code 0", "code 0", "[]"]
    assert (output / "recording" / "client.py").exists()
    assert cache.exists() == cached


def test_what_generates_does_not_know_a_network() -> None:
    code = """
import mcp_bindgen.pipeline.generate, mcp_bindgen.write.write, mcp_bindgen.cli
print(sorted({"httpx", "anyio", "subprocess", "http.client", "requests", "ssl"}
             & sys.modules.keys()))
"""
    assert worker(code).splitlines()[0] == "[]"


def test_no_secret_of_the_environment_reaches_a_file(tmp_path: Path) -> None:
    source = tmp_path / "x.json"
    schema = {"type": "object", "properties": {"a": {"default": "${PLANTED} $PLANTED"}}}
    tool = {"name": "a", "description": "${PLANTED}", "inputSchema": schema}
    source.write_text(json.dumps({"tools": [tool]}), "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mcp_bindgen", "generate", str(source), "-o", "out"],
        cwd=tmp_path,
        env={**os.environ, "PLANTED": "sk-planted-4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    written = [path.read_text("utf-8") for path in (tmp_path / "out").rglob("*.*")]
    assert len(written) > 20
    assert not any("sk-planted" in text for text in [*written, ran.stdout, ran.stderr])
