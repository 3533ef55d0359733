"""The Python API, as a build backend uses it: in a process and a folder of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import mcp_bindgen
import pytest
from mcp_bindgen import BindgenError, api

from tests.commands import SCRIPTED
from tests.packages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

BACKEND = """
import sys
from pathlib import Path
from mcp_bindgen import (
    BindgenError, Limits, check_package, generate, lint, record, write_package,
)

recorded = record(sys.argv[1:])
Path("recordings").mkdir()
Path("recordings/demo.json").write_text(recorded.text, "utf-8")
package = generate("recordings/demo.json", targets=["python"])
assert package == generate(recorded, "demo", targets=["python"])
assert not package.problems and "+++ demo/client.py" in check_package(package, "src")
assert not Path("src").exists()
changes = write_package(package, "src")
assert changes.number == len(package.files)
assert check_package(package, "src") == ""
assert lint(recorded) == lint("recordings/demo.json")
for wrong in (
    lambda: generate("missing.json"),
    lambda: generate(b"{}", "demo"),
    lambda: generate(recorded),
    lambda: generate(recorded, "demo", limits=Limits(steps=1)),
    lambda: record(["no-such-program-anywhere"]),
):
    try:
        wrong()
    except BindgenError as error:
        assert error.problems[0].hint, error
    else:
        raise AssertionError
sys.path.insert(0, "src")
import demo
print(*sorted(demo.TOOLS))
"""


def test_a_build_backend(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BACKEND, *SCRIPTED, "pages"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "pong" in ran.stdout


def test_all_public_names_are_there_and_nothing_else() -> None:
    assert sorted(mcp_bindgen.__all__) == sorted(api.__all__) == dir(mcp_bindgen)
    for name in mcp_bindgen.__all__:
        assert getattr(mcp_bindgen, name) is getattr(api, name)
    for name in ("generate", "record", "lint", "check_package", "write_package"):
        assert "Example:" in (getattr(api, name).__doc__ or "")


def test_importing_it_costs_nothing() -> None:
    code = "import sys, mcp_bindgen; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"pydantic", "jinja2", "httpx", "mcp_bindgen.api"} & {
        *ran.stdout.split()
    }


def test_a_path_that_no_system_has_is_a_problem() -> None:
    with pytest.raises(BindgenError) as caught:
        mcp_bindgen.generate("a\0b.json")
    (problem,) = caught.value.problems
    assert problem.message.startswith("cannot read 'a\\x00b.json'")
    assert problem.hint


def test_targets_may_be_one_text() -> None:
    recording = ROOT / "generated" / "todo" / "recording.json"
    package = mcp_bindgen.generate(recording, targets="python,openai")
    assert "openai.py" in package.files
    assert "langchain.py" not in package.files
