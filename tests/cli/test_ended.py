"""Control-C and SIGTERM: a package is written and removed as a whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ALPHA, PROGRAM, recording, run

pytestmark = [
    pytest.mark.usefixtures("project"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows ends at once"),
]

# Our program, which gets a signal at each call of a function of `Path`. Who starts the
# tests in the background has them ignore the interrupt.
DISTURBED = """
import signal, sys
from pathlib import Path
from mcp_bindgen.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
number, name = int(sys.argv.pop(1)), sys.argv.pop(1)
real = getattr(Path, name)
def disturbed(self, *arguments, **options):
    result = real(self, *arguments, **options)
    if "demo" in self.parts:
        signal.raise_signal(number)
    return result
setattr(Path, name, disturbed)
main()
"""
# Our program, which gets Control-C while Python imports the command line.
EARLY = """
import signal, sys
signal.signal(signal.SIGINT, getattr(signal, sys.argv.pop(1)))
class Early:
    def find_spec(self, name, *_):
        if name == "mcp_bindgen.cli.screen":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Early())
from mcp_bindgen.__main__ import main
main()
"""
SIGNALS = pytest.mark.parametrize(
    ("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)]
)
# A server that never answers, and tells by a file that it runs.
SILENT = "open('runs', 'w').close(); input()"


@pytest.fixture
def settings(project: Path) -> Path:
    """Write the settings of a server with a recording."""
    file = project / "pyproject.toml"
    file.write_text('[tool.mcp-bindgen.servers.demo]\nurl = "http://127.0.0.1:1/"\n')
    (project / "recordings").mkdir()
    recording(project / "recordings/demo.json", ALPHA)
    return file


def disturbed(name: str, function: str, *arguments: str) -> tuple[int, str]:
    """Return the exit code and the errors of our program."""
    words = [
        sys.executable,
        "-c",
        DISTURBED,
        str(int(getattr(signal, name))),
        function,
        *arguments,
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@SIGNALS
@pytest.mark.usefixtures("settings")
def test_a_package_is_written_as_a_whole(name: str, code: int) -> None:
    assert disturbed(name, "replace", "sync", "--offline") == (code, "")
    assert run("sync", "--offline", "--check").exit_code == 0


@SIGNALS
def test_a_package_is_removed_as_a_whole(name: str, code: int, settings: Path) -> None:
    assert run("sync", "--offline").exit_code == 1
    assert disturbed(name, "unlink", "remove", "demo") == (code, "")
    assert not Path("generated/demo").exists()
    assert "demo" not in settings.read_text()


def test_sigterm_ends_a_recording_without_a_word(settings: Path) -> None:
    command = json.dumps([sys.executable, "-c", SILENT])
    settings.write_text(f"[tool.mcp-bindgen.servers.demo]\ncommand = {command}\n")
    os.mkfifo("runs")
    with subprocess.Popen([*PROGRAM, "sync"], stderr=subprocess.PIPE) as syncing:
        Path("runs").read_bytes()  # waits until the server runs
        syncing.terminate()
        assert syncing.communicate(timeout=60)[1] == b""
    assert syncing.returncode == 143
    assert list(Path("recordings").iterdir()) == [Path("recordings/demo.json")]


@pytest.mark.parametrize(
    ("handler", "code"), [("default_int_handler", 130), ("SIG_IGN", 0)]
)
def test_control_c_while_python_imports_shows_nothing(handler: str, code: int) -> None:
    words = [sys.executable, "-c", EARLY, handler, "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    assert bool(done.stdout) is (code == 0)
