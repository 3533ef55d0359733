"""black and datamodel-code-generator are imported only for their own work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_style import WIDE
from tests.packages import ROOT, generate

if TYPE_CHECKING:
    from pathlib import Path

RECORDING = ROOT / "generated" / "catalog" / "recording.json"
PROGRAM = """
import sys
from mcp_bindgen.cli import app
app(sys.argv[1:], standalone_mode=False)
print(sorted({"black", "datamodel_code_generator"} & {*sys.modules}))
if "models" not in sys.argv:
    assert "pydantic" not in sys.modules  # datamodel-code-generator needs it, we do not
"""


@pytest.mark.parametrize(
    ("targets", "style", "imported"),
    [
        ("python,langchain,openai", "", "[]"),
        pytest.param(  # another test of this process has laid out the runtime so
            *("python,langchain", WIDE, "['black']"),
            marks=pytest.mark.xdist_group("style"),
        ),
        ("models", "", "['black', 'datamodel_code_generator']"),
    ],
)
def test_a_library_is_imported_when_its_work_is_wanted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    targets: str,
    style: str,
    imported: str,
) -> None:
    cache = str(tmp_path / "cache")
    (tmp_path / "pyproject.toml").write_text(style)
    words = [str(RECORDING), "--name", "pkg", "--target", targets, "--quiet"]
    if style:  # black takes many seconds for the runtime: it comes from the cache
        monkeypatch.setenv("XDG_CACHE_HOME", cache)
        assert generate(*words, "-o", tmp_path / "src") == (0, "")
        shutil.rmtree(tmp_path / "src")
        for entry in (tmp_path / "cache").rglob("*.*"):
            if entry.suffix != ".style":
                entry.unlink()
    words += ["-o", str(tmp_path / "src")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "generate", *words],
        env={"XDG_CACHE_HOME": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == imported
