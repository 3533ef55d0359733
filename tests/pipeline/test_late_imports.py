"""black and datamodel-code-generator are imported only for their own work."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.packages import ROOT

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
        ("python", "[tool.black]\nline-length = 100\n", "['black']"),
        ("models", "", "['black', 'datamodel_code_generator']"),
    ],
)
def test_a_library_is_imported_when_its_work_is_wanted(
    tmp_path: Path, targets: str, style: str, imported: str
) -> None:
    (tmp_path / "pyproject.toml").write_text(style)
    words = ["generate", str(RECORDING), "-o", str(tmp_path / "src"), "--name", "pkg"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words, "--target", targets, "--quiet"],
        env={"XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == imported
